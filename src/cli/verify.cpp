// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "audit/recompute.hpp"
#include "cli/blocks.hpp"
#include "cli/run.hpp"
#include "cli/spelling.hpp"
#include "cli/statement_files.hpp"
#include "cli/verbs.hpp"
#include "fogline/version.hpp"
#include "privacy/plain_words.hpp"
#include "privacy/statement_check.hpp"

namespace fogline::cli {
namespace {

using privacy::Check;
using privacy::Outcome;

/// Everything verify found out, before it is put into words.
struct Findings {
  privacy::Statement statement;
  std::vector<Check> checks;
  std::vector<std::string>
      together;  ///< what all releases of the dataset add up to; empty without its ledger

  /// Why --strict fails; empty if it does not.
  std::vector<std::string> objections() const {
    std::vector<std::string> all;
    for (const Check& check : checks) {
      if (check.outcome != Outcome::passed)
        all.push_back(fmt::format("{} {}: {}", check.name, to_string(check.outcome), check.sentence));
    }
    if (!promises()) all.emplace_back("nothing is promised");
    return all;
  }

  std::size_t count(Outcome outcome) const {
    return static_cast<std::size_t>(std::ranges::count(checks, outcome, &Check::outcome));
  }
  bool failed() const { return count(Outcome::failed) > 0; }
  bool promises() const { return statement.guarantee.notion() != privacy::Notion::none; }
  /// A promise that nothing here vouches for is none to rely on.
  bool passed() const { return !failed() && (recomputed() || !promises()); }
  bool recomputed() const {
    return std::ranges::any_of(checks, [](const Check& check) {
      return check.name == "guarantee" && check.outcome == Outcome::passed;
    });
  }
};

class Verify : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"verify"},
        "Recompute what a release promises, check files and ledger, and say it in plain words",
        "Takes a released file whose statement lies beside it (OUTPUT.statement.json), or the statement. "
        "Works out the guarantee from the statement's parameters and public inputs and compares it with what "
        "the statement "
        "claims: the guarantee, every sentence, the expected error, the released file, the hashes of all "
        "files (looked for "
        "beside the statement, or in --folder), and, if the ledger is at hand, the entry that was charged "
        "and what "
        "the dataset has spent "
        "in all. Says in plain words what is promised, to whom, and what is not. Exit code 1 if a check "
        "fails, or if something is promised by a mechanism that this version cannot recompute.\n\n"
        "A statement may come from anybody, and a short one can name a huge network: what would be long work "
        "is "
        "not checked, and said so, unless --no-limit is given.\n\n"
        "That the mechanism keeps its promise is proved in docs/mechanisms; what a verified statement does "
        "not show is in "
        "docs/statement.md.",
        {{"a release and its statement",
          "fogline sample place --network line:101:1000 -o points.csv -q && fogline place release --network "
          "line:101:1000 --epsilon 0.02 "
          "points.csv -o safe.csv --ledger my.ledger -q && fogline verify safe.csv --ledger "
          "my.ledger"},
         {"for a program",
          "fogline sample place --network line:9:800 -o few.csv -q && fogline place release --network "
          "line:9:800 --epsilon 0.02 "
          "few.csv -o few_safe.csv --ledger my.ledger -q && fogline verify few_safe.csv.statement.json "
          "--json --ledger my.ledger "
          "--strict"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("RELEASE", given_, "the released file, or its statement, OUTPUT.statement.json")
        .required();
    options.group("Files");
    options.value("--folder", "FOLDER", folder_, "where the files it names are; otherwise beside it");
    options.value("--file", "NAME=PATH", files_, "where one file is that lies elsewhere; may be repeated");
    options.value("--ledger", "FILE", ledger_,
                  "the ledger that was charged; otherwise yours, if it was that one");
    options.flag("--quick", quick_,
                 "do not read the map: leaves positions, range and expected error unchecked");
    options.flag("--no-limit", no_limit_, "check everything, however long it takes and whatever it needs");
    options.flag("--strict", strict_, "fail unless everything could be checked and something is promised");
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    const StatementOf found = statement_of(given_);
    Findings findings{.statement = privacy::read_statement(found.statement), .checks = {}, .together = {}};
    const std::string folder = folder_.empty() ? folder_of(found.statement) : folder_;
    auto files = named_files(files_);
    refuse_unknown_names(files, {&findings.statement, 1});
    // Under whatever name it lies here: its hash tells whether it is the one.
    if (!found.released.empty() && findings.statement.outputs.size() == 1)
      files.emplace(findings.statement.outputs.front().name, found.released);
    const std::unique_ptr<privacy::Ledger> ledger = ledger_at_hand(ledger_, findings.statement);
    findings.checks =
        privacy::verify(findings.statement, {.folder = folder, .files = files, .ledger = ledger.get()});
    for (Check& check : audit::recompute(findings.statement, {.folder = folder,
                                                             .files = files,
                                                             .read_map = !quick_,
                                                             .limited = !no_limit_,
                                                             .threads = session.threads(),
                                                             .progress = session.progress()})) {
      findings.checks.push_back(std::move(check));
    }
    if (ledger) findings.together = together(findings.statement, *ledger);
    session.data(json_ ? as_json(findings) : as_text(findings));
    const bool accepted = findings.passed() && (!strict_ || findings.objections().empty());
    return accepted ? exit_code::fine : exit_code::data;
  }

 private:
  static std::vector<std::string> together(const privacy::Statement& statement, privacy::Ledger& ledger) {
    const auto* reference = std::get_if<privacy::LedgerReference>(&statement.ledger);
    if (reference == nullptr || reference->ledger_id != ledger.id()) return {};
    try {
      return privacy::total_words(reference->dataset, ledger.books().dataset(reference->dataset),
                                  statement.guarantee);
    } catch (const DataError&) {
      return {};  // an altered ledger; the check of the entry says so
    }
  }

  std::string as_json(const Findings& findings) const {
    const privacy::Statement& statement = findings.statement;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& check : findings.checks) {
      list.push_back(
          {{"name", check.name}, {"outcome", to_string(check.outcome)}, {"sentence", check.sentence}});
    }
    const privacy::PlainWords words = privacy::plain_words(statement.guarantee);
    nlohmann::ordered_json report = {
        {"passed", findings.passed()},
        {"verdict", verdict(findings)},
        {"guarantee_recomputed", findings.recomputed()},
        {"promises_something", findings.promises()},
        {"not_checked", findings.count(Outcome::not_checked)},
        {"kind", statement.kind},
        {"mechanism", statement.mechanism},
        {"guarantee", to_string(statement.guarantee)},
        {"plain_words",
         {{"promised", words.promised}, {"to_whom", words.to_whom}, {"not_promised", words.not_promised}}},
        {"all_releases", findings.together},
        {"promise", statement.promise},
        {"not_protected", statement.not_protected},
        {"checks", list},
        {"cannot_show", cannot_show()}};
    if (strict_) {
      report["strict"] = {{"passed", findings.passed() && findings.objections().empty()},
                          {"objections", findings.objections()}};
    }
    return to_text(report);
  }

  static std::string section(const std::string& heading, const std::vector<std::string>& sentences) {
    if (sentences.empty()) return "";
    std::string text = "\n" + heading + "\n";
    for (const std::string& sentence : sentences) text += "  " + sentence + "\n";
    return text;
  }

  /// docs/statement.md says more.
  static std::vector<std::string> cannot_show() {
    return {
        "That the output was drawn by the mechanism, and not written by hand: the statement is not signed.",
        "That the same data were not released elsewhere, with another ledger or none."};
  }

  static std::string heading(const Findings& findings) {
    if (findings.failed()) return "Claimed, but not to be relied on";
    return findings.recomputed() ? "Promised" : "Claimed, and not recomputed here";
  }

  static std::string verdict(const Findings& findings) {
    if (findings.failed()) return "A CHECK FAILED: do not rely on this release.";
    if (!findings.recomputed()) return "No check failed, but THE GUARANTEE WAS NOT RECOMPUTED.";
    std::vector<std::string> open;
    for (const Check& check : findings.checks)
      if (check.outcome == Outcome::not_checked) open.push_back(check.name);
    std::string text = open.empty() ? "Every check passed"
                                    : fmt::format("No check failed; {} could not be made here ({})",
                                                  open.size(), fmt::join(open, ", "));
    // Until the ledger holds the hash of what was drawn, nobody can see this, whatever else was checked.
    text += !findings.promises() ? ". Nothing is promised."
                                 : "; none shows that this output was drawn by the mechanism.";
    return text + other_version(findings.statement);
  }

  static std::string other_version(const privacy::Statement& statement) {
    if (statement.version == version) return "";
    return fmt::format(
        " Version {} wrote the statement, and this is {}: its sentences could not be checked, and what "
        "follows from its parameters was computed by the rules of this version.",
        statement.version, version);
  }

  std::string strict_words(const Findings& findings) const {
    if (!strict_ || findings.objections().empty()) return "";
    return spelled(section("--strict fails", findings.objections()));
  }

  std::string as_text(const Findings& findings) const {
    const privacy::Statement& statement = findings.statement;
    const privacy::PlainWords words = privacy::plain_words(statement.guarantee);
    std::string text =
        fmt::format("{} {}: {}\n", statement.kind, statement.mechanism, to_string(statement.guarantee));
    text += section(heading(findings), words.promised);
    text += section(
        findings.passed() ? "What is protected, and against whom" : "What it would protect, and against whom",
        words.to_whom);
    text += section("Not promised", words.not_promised);
    text += section("Not protected, in the releaser's words", statement.not_protected);
    text += section("All releases of the dataset", findings.together);
    text += "\nChecks\n";
    for (const auto& check : findings.checks)
      text += fmt::format("  {:11}  {}: {}\n", to_string(check.outcome), check.name, spelled(check.sentence));
    text += section("What no check can show", cannot_show());
    return text + strict_words(findings) + "\n" + verdict(findings) + "\n";
  }

  std::string given_, folder_, ledger_;
  std::vector<std::string> files_;
  bool quick_ = false;
  bool strict_ = false;
  bool no_limit_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> verify() {
  return std::make_unique<Verify>();
}

}  // namespace fogline::cli
