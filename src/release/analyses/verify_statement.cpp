// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "audit/statements/recompute.hpp"
#include "base/error.hpp"
#include "fogline/version.hpp"
#include "privacy/plain_words.hpp"
#include "privacy/statement_check.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/named_files.hpp"
#include "release/analyses/statement_files.hpp"
#include "release/kinds.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

/// Everything found out about a statement, before it is put into words.
struct Verified {
  privacy::Statement statement;
  std::vector<privacy::Check> checks;
  std::vector<std::string>
      together;  ///< what all releases of the dataset add up to; empty without its ledger

  /// Why `strict` fails; empty if it does not.
  std::vector<std::string> objections() const {
    std::vector<std::string> all;
    for (const privacy::Check& check : checks) {
      if (check.outcome != privacy::Outcome::passed)
        all.push_back(fmt::format("{} {}: {}", check.name, to_string(check.outcome), check.sentence));
    }
    if (!promises()) all.emplace_back("nothing is promised");
    return all;
  }

  std::size_t count(privacy::Outcome outcome) const {
    return static_cast<std::size_t>(std::ranges::count(checks, outcome, &privacy::Check::outcome));
  }
  bool failed() const { return count(privacy::Outcome::failed) > 0; }
  bool promises() const { return statement.guarantee.notion() != privacy::Notion::none; }
  /// A promise that nothing here vouches for is none to rely on.
  bool passed() const { return !failed() && (recomputed() || !promises()); }
  bool recomputed() const { return has_passed("guarantee"); }
  /// The output at hand is the one that the ledger was told of.
  bool settled() const {
    return has_passed("settled") && std::ranges::none_of(checks, [](const privacy::Check& check) {
             return check.name.starts_with("output ") && check.outcome != privacy::Outcome::passed;
           });
  }
  /// Null if nobody can tell: no ledger, no output at hand, or an entry that was never settled.
  Json settled_json() const {
    if (settled()) return true;
    const bool is_another = std::ranges::any_of(checks, [](const privacy::Check& check) {
      return (check.name == "settled" || check.name.starts_with("output ")) &&
             check.outcome == privacy::Outcome::failed;
    });
    return is_another ? Json(false) : Json();
  }
  bool has_passed(std::string_view name) const {
    return std::ranges::any_of(checks, [&](const privacy::Check& check) {
      return check.name == name && check.outcome == privacy::Outcome::passed;
    });
  }
};

class VerifyStatement : public Analysis {
 public:
  VerifyStatement() { ledger_.is_optional = true; }

  std::string kind() const override { return ""; }
  std::string verb() const override { return "verify"; }
  LedgerFields* ledger() override { return &ledger_; }

  void declare(FieldTable& table) override {
    table
        .positional("release", "RELEASE", given_,
                    "the released file, or its statement, OUTPUT.statement.json")
        .role(FieldRole::public_input)
        .required();
    table.group("Files");
    table.value("folder", "FOLDER", folder_, "where the files it names are; otherwise beside it");
    table.value("file", "NAME=PATH", files_, "where one file is that lies elsewhere; may be repeated")
        .role(FieldRole::public_input);
    table.value("ledger", "FILE", ledger_.ledger,
                "the ledger that was charged; otherwise yours, if it was that one");
    table.flag("quick", quick_, "do not read the map: leaves positions, range and expected error unchecked");
    table.flag("no-limit", no_limit_, "check everything, however long it takes and whatever it needs");
    table.flag("strict", strict_, "fail unless everything could be checked and something is promised");
  }

  Findings run(Caller& caller) override {
    const Verified verified = look(caller);
    Findings found(as_json(verified));
    add_words(verified, found);
    found.passed = verified.passed() && (!strict_ || verified.objections().empty());
    return found;
  }

 private:
  Verified look(Caller& caller) const {
    const StatementOf given = statement_of(given_);
    Verified verified{.statement = privacy::read_statement(given.statement), .checks = {}, .together = {}};
    const std::string folder = folder_.empty() ? folder_of(given.statement) : folder_;
    auto files = named_files(files_);
    refuse_unknown_names(files, {&verified.statement, 1});
    // Under whatever name it lies here: its hash tells whether it is the one.
    if (!given.released.empty() && verified.statement.outputs.size() == 1)
      files.emplace(verified.statement.outputs.front().name, given.released);
    const auto charged = ledger_at_hand(ledger_, verified.statement);
    verified.checks =
        privacy::verify(verified.statement, {.folder = folder, .files = files, .ledger = charged.get()});
    for (privacy::Check& check : recompute(verified.statement, {.folder = folder,
                                                               .files = files,
                                                               .read_map = !quick_,
                                                               .limited = !no_limit_,
                                                               .threads = caller.threads(),
                                                               .progress = caller.progress()})) {
      verified.checks.push_back(std::move(check));
    }
    if (charged) verified.together = together(verified.statement, *charged);
    return verified;
  }

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

  Json as_json(const Verified& verified) const {
    const privacy::Statement& statement = verified.statement;
    Json list = Json::array();
    for (const auto& check : verified.checks) {
      list.push_back(
          {{"name", check.name}, {"outcome", to_string(check.outcome)}, {"sentence", check.sentence}});
    }
    const privacy::PlainWords words = privacy::plain_words(statement.guarantee);
    Json report = {
        {"passed", verified.passed()},
        {"verdict", verdict(verified)},
        {"guarantee_recomputed", verified.recomputed()},
        {"settled", verified.settled_json()},
        {"promises_something", verified.promises()},
        {"not_checked", verified.count(privacy::Outcome::not_checked)},
        {"kind", statement.kind},
        {"mechanism", statement.mechanism},
        {"guarantee", to_string(statement.guarantee)},
        {"plain_words",
         {{"promised", words.promised}, {"to_whom", words.to_whom}, {"not_promised", words.not_promised}}},
        {"all_releases", verified.together},
        {"promise", statement.promise},
        {"not_protected", statement.not_protected},
        {"checks", list},
        {"cannot_show", cannot_show(verified)}};
    if (strict_) {
      report["strict"] = {{"passed", verified.passed() && verified.objections().empty()},
                          {"objections", verified.objections()}};
    }
    return report;
  }

  static void add_section(Findings& found, const std::string& heading,
                          const std::vector<std::string>& sentences) {
    if (sentences.empty()) return;
    found.add("");
    found.add(heading);
    for (const std::string& sentence : sentences) found.add("  " + sentence);
  }

  /// docs/statement.md says more.
  static std::vector<std::string> cannot_show(const Verified& verified) {
    return {verified.settled() ? "That whoever keeps the ledger let the mechanism draw what was settled: the "
                                 "statement is not signed."
                               : "That the output was drawn by the mechanism, and not written by hand: the "
                                 "statement is not signed.",
            "That the same data were not released elsewhere, with another ledger or none."};
  }

  static std::string heading(const Verified& verified) {
    if (verified.failed()) return "Claimed, but not to be relied on";
    return verified.recomputed() ? "Promised" : "Claimed, and not recomputed here";
  }

  static std::string verdict(const Verified& verified) {
    if (verified.failed()) return "A CHECK FAILED: do not rely on this release.";
    if (!verified.recomputed()) return "No check failed, but THE GUARANTEE WAS NOT RECOMPUTED.";
    std::vector<std::string> open;
    for (const privacy::Check& check : verified.checks)
      if (check.outcome == privacy::Outcome::not_checked) open.push_back(check.name);
    std::string text = open.empty() ? "Every check passed"
                                    : fmt::format("No check failed; {} could not be made here ({})",
                                                  open.size(), fmt::join(open, ", "));
    text += !verified.promises() ? ". Nothing is promised."
            : verified.settled() ? "; the ledger was told of this very output when it was written."
                                 : "; none shows that this output was drawn by the mechanism.";
    return text + other_version(verified.statement);
  }

  static std::string other_version(const privacy::Statement& statement) {
    if (statement.version == version) return "";
    return fmt::format(
        " Version {} wrote the statement, and this is {}: its sentences could not be checked, and what "
        "follows from its parameters was computed by the rules of this version.",
        statement.version, version);
  }

  void add_words(const Verified& verified, Findings& found) const {
    const privacy::Statement& statement = verified.statement;
    const privacy::PlainWords words = privacy::plain_words(statement.guarantee);
    found.add(fmt::format("{} {}: {}", statement.kind, statement.mechanism, to_string(statement.guarantee)));
    add_section(found, heading(verified), words.promised);
    add_section(
        found,
        verified.passed() ? "What is protected, and against whom" : "What it would protect, and against whom",
        words.to_whom);
    add_section(found, "Not promised", words.not_promised);
    add_section(found, "Not protected, in the releaser's words", statement.not_protected);
    add_section(found, "All releases of the dataset", verified.together);
    found.add("");
    found.add("Checks");
    Findings::Table checks{{{"", 2}, {"", 13, Findings::Align::left}, {"", 0, Findings::Align::left}}, {}};
    for (const auto& check : verified.checks)
      checks.rows.push_back(
          {"", std::string(to_string(check.outcome)), fmt::format("{}: {}", check.name, check.sentence)});
    found.add(checks);
    add_section(found, "What no check can show", cannot_show(verified));
    if (strict_) add_section(found, "`strict` fails", verified.objections());
    found.add("");
    found.add(verdict(verified));
  }

  std::string given_, folder_;
  LedgerFields ledger_;
  std::vector<std::string> files_;
  bool quick_ = false;
  bool strict_ = false;
  bool no_limit_ = false;
};

}  // namespace

std::unique_ptr<Analysis> verify_statement() {
  return std::make_unique<VerifyStatement>();
}

}  // namespace fogline::release
