// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/run.hpp"
#include "cli/verbs.hpp"
#include "privacy/statement_check.hpp"

namespace fogline::cli {
namespace {

class Verify : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"verify"},
        "Check a release's statement against its files and the ledger, and say what is promised",
        "Reads a statement and checks everything it says that can be checked here: that it is consistent, "
        "that the public "
        "inputs and the output have the hashes it names (looked for beside the statement, or in --folder), "
        "and, with --ledger, that its "
        "entry is in the ledger. Then says in plain words what is promised and what is not. Exit code 1 if a "
        "check fails.\n\n"
        "Whether the mechanism keeps its promise is not seen from a statement; docs/mechanisms has the "
        "proofs.",
        {{"a release and its statement",
          "fogline sample place --network line:101:1000 -o points.csv -q && fogline place release --network "
          "line:101:1000 --epsilon 0.02 "
          "points.csv -o safe.csv --ledger my.ledger -q && fogline verify safe.csv.statement.json --ledger "
          "my.ledger"},
         {"for a program",
          "fogline sample place --network line:9:800 -o points.csv -q && fogline place release --network "
          "line:9:800 --epsilon 0.02 "
          "points.csv -o safe.csv --ledger my.ledger -q && fogline verify safe.csv.statement.json --json"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("STATEMENT", statement_, "the statement, OUTPUT.statement.json").required();
    options.group("Files");
    options.value("--folder", "FOLDER", folder_, "where the files it names are; otherwise beside it");
    options.value("--file", "NAME=PATH", files_, "where one file is that lies elsewhere; may be repeated");
    options.value("--ledger", "FILE", ledger_, "the ledger that was charged");
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    const privacy::Statement statement = privacy::read_statement(statement_);
    privacy::StatementCheckOptions options;
    options.folder = folder_.empty() ? std::filesystem::path(statement_).parent_path().string() : folder_;
    if (options.folder.empty()) options.folder = ".";
    for (const std::string& pair : files_) {
      const auto equals = pair.find('=');
      if (equals == std::string::npos) throw InvalidOption("--file", "must look like NAME=PATH");
      options.files[pair.substr(0, equals)] = pair.substr(equals + 1);
    }
    std::optional<privacy::Ledger> ledger;
    if (!ledger_.empty()) {
      ledger.emplace(ledger_, privacy::Ledger::Options{.access = privacy::Ledger::Access::read_only});
      options.ledger = &*ledger;
    }
    const auto checks = privacy::verify(statement, options);
    const bool passed = std::none_of(checks.begin(), checks.end(), [](const privacy::Check& check) {
      return check.outcome == privacy::Outcome::failed;
    });
    session.data(json_ ? as_json(statement, checks, passed) : as_text(statement, checks, passed));
    return passed ? exit_code::fine : exit_code::data;
  }

 private:
  static std::string as_json(const privacy::Statement& statement, const std::vector<privacy::Check>& checks,
                             bool passed) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& check : checks) {
      list.push_back(
          {{"name", check.name}, {"outcome", to_string(check.outcome)}, {"sentence", check.sentence}});
    }
    const nlohmann::ordered_json report = {{"passed", passed},
                                           {"kind", statement.kind},
                                           {"mechanism", statement.mechanism},
                                           {"guarantee", to_string(statement.guarantee)},
                                           {"promise", statement.promise},
                                           {"not_protected", statement.not_protected},
                                           {"checks", list}};
    return to_text(report);
  }

  static std::string as_text(const privacy::Statement& statement, const std::vector<privacy::Check>& checks,
                             bool passed) {
    std::string text = fmt::format("{} {}: {}\n\nPromised:\n", statement.kind, statement.mechanism,
                                   to_string(statement.guarantee));
    for (const std::string& sentence : statement.promise) text += "  " + sentence + "\n";
    text += "\nNot protected:\n";
    for (const std::string& sentence : statement.not_protected) text += "  " + sentence + "\n";
    text += "\nChecks:\n";
    for (const auto& check : checks)
      text += fmt::format("  {:11}  {}: {}\n", to_string(check.outcome), check.name, check.sentence);
    return text + (passed ? "\nNo check failed.\n" : "\nA CHECK FAILED: do not rely on this release.\n");
  }

  std::string statement_, folder_, ledger_;
  std::vector<std::string> files_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> verify() {
  return std::make_unique<Verify>();
}

}  // namespace fogline::cli
