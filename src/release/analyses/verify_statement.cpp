// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "audit/statements/recompute.hpp"
#include "base/error.hpp"
#include "base/grouped.hpp"
#include "fogline/version.hpp"
#include "privacy/plain_words.hpp"
#include "privacy/statement_check.hpp"
#include "privacy/statement_log.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/live_answers.hpp"
#include "release/analyses/named_files.hpp"
#include "release/analyses/statement_files.hpp"
#include "release/kinds.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto standard_output = "-";  // as statements call it

/// What a reader needs to know, in three words: there is no fourth.
enum class Grade { settled_and_signed, consistent, does_not_hold };

/// Everything found out about a statement, before it is put into words.
struct Verified {
  privacy::Statement statement;
  std::vector<privacy::Check> checks;
  std::vector<std::string>
      together;  ///< what all releases of the dataset add up to; empty without its ledger
  privacy::TrustedKeys trusted = {};

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
  Grade grade() const {
    if (failed()) return Grade::does_not_hold;
    return promises() && recomputed() && settled() && has_passed("signature") && !is_of_unknown_mechanism()
               ? Grade::settled_and_signed
               : Grade::consistent;
  }
  /// Was it drawn from a file, a kernel or a table, that nobody could hold against the network it names?
  bool is_of_unknown_mechanism() const {
    return std::ranges::any_of(checks, [&](const privacy::Check& check) {
      const bool is_file =
          check.name == "kernel" || (check.name == "table" && statement.mechanism == "table");
      return is_file && check.outcome == privacy::Outcome::not_checked;
    });
  }
  /// What only a signature or the ledger can vouch for: of trips that follow from their counts, the counts.
  std::string_view drawn_in_words(std::string_view otherwise) const {
    return has_passed("trips") ? "the counts that the trips follow from were" : otherwise;
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
                    "the released file, or its statement, OUTPUT.statement.json; or a .jsonl of statements")
        .role(FieldRole::public_input)
        .required();
    table.group("Files");
    table.value("folder", "FOLDER", folder_, "where the files it names are; otherwise beside it");
    table.value("file", "NAME=PATH", files_, "where one file is that lies elsewhere; may be repeated")
        .role(FieldRole::public_input);
    table
        .value("kernel", "FILE", kernel_,
               "the prepared mechanism that was drawn from, if it lies elsewhere or has another name here")
        .role(FieldRole::public_input);
    table.value("ledger", "FILE", ledger_.ledger,
                "the ledger that was charged; otherwise yours, if it was that one");
    table
        .value("trust", "KEYS", trust_,
               "a public key, or a folder of them, whose signatures count; may be repeated")
        .role(FieldRole::public_input);
    table.flag("quick", quick_, "do not read the map nor make trips again: leaves what needs that unchecked");
    table.flag("no-limit", no_limit_, "check everything, however long it takes and whatever it needs");
    table.flag("strict", strict_, "fail unless everything could be checked and something is promised");
  }

  Findings run(Caller& caller) override {
    const StatementOf given = statement_of(given_);
    const bool is_log = privacy::is_statement_log(given.statement);
    privacy::StatementLines lines;
    try {
      if (is_log)
        lines = privacy::read_statements(given.statement);
      else
        lines.all.push_back(privacy::read_statement(given.statement));
    } catch (const FileError&) {
      throw;  // there is nothing to have a verdict on
    } catch (const Error& error) {
      if (error.problem().code == "over-limit") throw;  // whoever asks set the limit
      return unreadable(error);
    }
    if (is_log && (lines.all.size() > 1 || lines.torn_bytes > 0 || !files_.empty()))
      return judge_all(lines, given, caller);
    const Verified verified = look(caller, given, std::move(lines.all.front()), named_files(files_));
    Findings found(as_json(verified));
    add_words(verified, found);
    found.passed = is_passed(verified);
    found.is_shown = verified.grade() == Grade::settled_and_signed;
    return found;
  }

 private:
  bool is_passed(const Verified& verified) const {
    return !verified.failed() && (!strict_ || verified.objections().empty());
  }

  /// What is found out about statements that follow each other: how many are how good, and the worst of them.
  struct Together {
    std::optional<Verified> worst;
    std::size_t worst_line = 0;
    std::map<Grade, std::size_t> count;
    Json lines = Json::array();
    bool passed = true;
    std::map<std::pair<std::string, std::uint64_t>, std::size_t> line_of =
        {};  ///< that told of an entry first
  };

  /// Of releases that follow each other, a statement on each line. The verdict is that of the worst, the first of them.
  Findings judge_all(const privacy::StatementLines& read, const StatementOf& given, Caller& caller) {
    auto files = named_files(files_);
    refuse_unknown_names(files, read.all);
    std::optional<LiveAnswers> answers;
    if (const auto kept = files.extract(standard_output)) answers.emplace(kept.mapped());
    Together all;
    for (std::size_t i = 0; i < read.all.size(); ++i) {
      Verified verified = look(caller, given, read.all[i], files);
      if (answers) find_answer(verified, *answers);
      require_own_entry(verified, i + 1, all);
      add(std::move(verified), i + 1, all);
    }
    Findings found = words_of(all, read);
    if (answers) add_answers(*answers, found);
    return found;
  }

  /// An entry pays for one answer: a line that was copied would make one charge two.
  static void require_own_entry(Verified& verified, std::size_t line, Together& all) {
    const auto* charged = std::get_if<privacy::LedgerReference>(&verified.statement.ledger);
    if (charged == nullptr) return;
    const auto [first, is_new] = all.line_of.try_emplace({charged->ledger_id, charged->entry}, line);
    if (is_new) return;
    verified.checks.push_back(
        {"own entry", privacy::Outcome::failed,
         fmt::format("entry {} of the ledger is told of by line {} already, and pays for one "
                     "answer",
                     charged->entry, first->second)});
  }

  void add(Verified verified, std::size_t line, Together& all) const {
    all.passed = all.passed && is_passed(verified);
    ++all.count[verified.grade()];
    all.lines.push_back(
        {{"line", line}, {"grade", words_of(verified.grade())}, {"verdict", verdict(verified)}});
    if (all.worst && verified.grade() <= all.worst->grade()) return;
    all.worst = std::move(verified);
    all.worst_line = line;
  }

  Findings words_of(const Together& all, const privacy::StatementLines& read) const {
    Json report = as_json(*all.worst);
    report["passed"] = all.passed;
    report["statements"] = read.all.size();
    report["line"] = all.worst_line;
    report["lines"] = all.lines;
    report["torn_bytes"] = read.torn_bytes;
    Findings found(std::move(report));
    found.add(fmt::format("{} statement{}, a line each. Line {}, than which none is worse:",
                          grouped(read.all.size()), read.all.size() == 1 ? "" : "s", all.worst_line));
    found.add("");
    add_words(*all.worst, found);
    found.add("");
    const auto count = [&](Grade grade) {
      const auto counted = all.count.find(grade);
      return counted == all.count.end() ? std::size_t{0} : counted->second;
    };
    found.add(fmt::format("Of {} statement{} {} settled and signed, {} consistent, {} not hold.",
                          grouped(read.all.size()), read.all.size() == 1 ? "" : "s",
                          in_words(count(Grade::settled_and_signed)), in_words(count(Grade::consistent)),
                          count(Grade::does_not_hold) == 1
                              ? "1 does"
                              : fmt::format("{} do", grouped(count(Grade::does_not_hold)))));
    if (read.torn_bytes > 0)
      found.add(
          fmt::format("The last line is cut short ({} bytes), and is left out: it is being written, or a "
                      "release broke off "
                      "there before its answer went out.",
                      grouped(read.torn_bytes)));
    found.passed = all.passed;
    found.is_shown = all.worst->grade() == Grade::settled_and_signed;
    return found;
  }

  /// Each answer is a line of the file, and with the header before it what its statement names.
  static void find_answer(Verified& verified, LiveAnswers& answers) {
    const auto check =
        std::ranges::find(verified.checks, fmt::format("output {}", standard_output), &privacy::Check::name);
    if (check == verified.checks.end()) return;
    if (const auto line = answers.take(verified.statement.outputs.front().sha256)) {
      check->outcome = privacy::Outcome::passed;
      check->sentence = fmt::format("line {} of {}, with the header before it, is what the statement names",
                                    grouped(*line), answers.file());
    } else {
      check->sentence = fmt::format("no line of {} is this answer: it did not go out, or was kept elsewhere",
                                    answers.file());
    }
  }

  /// An answer that no statement tells of is one of which nobody shows that it was paid for.
  static void add_answers(const LiveAnswers& answers, Findings& found) {
    const std::vector<std::uint64_t> left = answers.left();
    found.json["answers"] = {
        {"file", answers.file()}, {"lines", answers.count()}, {"without_statement", left}};
    if (left.empty()) {
      found.add(
          fmt::format("Every answer in {} has its statement: {}.", answers.file(), grouped(answers.count())));
      return;
    }
    const std::string verdict = fmt::format(
        "DOES NOT HOLD: line {} of {}{} is no answer that a statement tells of.", left.front(),
        answers.file(), left.size() == 1 ? "" : fmt::format(", like {} more,", grouped(left.size() - 1)));
    found.add(verdict);
    found.json["passed"] = false;
    found.json["grade"] = words_of(Grade::does_not_hold);
    found.json["verdict"] = verdict;
    found.passed = false;
    found.is_shown = false;
  }

  static std::string in_words(std::size_t count) {
    return fmt::format("{} {}", grouped(count), count == 1 ? "is" : "are");
  }

  /// What is computed anew of a statement; of one like the one before, whose output is not at hand either, it is the same.
  const std::vector<privacy::Check>& recomputed(const privacy::Statement& statement,
                                                const audit::RecomputeOptions& options) {
    privacy::Statement what = statement;
    what.signature.reset();
    what.ledger = privacy::NoLedgerEntry{};
    for (privacy::ReleasedFile& output : what.outputs)
      if (output.name == "-" && !options.files.contains(output.name)) output.sha256.clear();
    if (!before_ || before_->first != what) before_.emplace(what, recompute(statement, options));
    return before_->second;
  }

  /// What cannot be read promises nothing: a verdict like any other that does not hold.
  static Findings unreadable(const Error& error) {
    const std::string verdict = "DOES NOT HOLD: the statement cannot be read.";
    Findings found(Json{{"passed", false},
                        {"grade", words_of(Grade::does_not_hold)},
                        {"signed_by", nullptr},
                        {"verdict", verdict},
                        {"checks",
                         {{{"name", "statement"},
                           {"outcome", to_string(privacy::Outcome::failed)},
                           {"sentence", error.what()}}}}});
    found.add(std::string(error.what()));
    found.add("");
    found.add(verdict);
    found.passed = false;
    found.is_shown = false;
    return found;
  }

  Verified look(Caller& caller, const StatementOf& given, privacy::Statement statement,
                std::map<std::string, std::string> files) {
    Verified verified{.statement = std::move(statement), .checks = {}, .together = {}};
    const std::string folder = folder_.empty() ? folder_of(given.statement) : folder_;
    refuse_unknown_names(files, {&verified.statement, 1});
    if (!kernel_.empty()) files[name_of_kernel(verified.statement)] = kernel_;
    name_outputs(verified.statement, given.released, files);
    const auto charged = ledger_at_hand(ledger_, verified.statement);
    verified.trusted = privacy::TrustedKeys::read(trust_);
    verified.checks = privacy::verify(
        verified.statement,
        {.folder = folder, .files = files, .ledger = charged.get(), .trusted = verified.trusted});
    const auto& more = recomputed(verified.statement, {.folder = folder,
                                                       .files = files,
                                                       .read_map = !quick_,
                                                       .limited = !no_limit_,
                                                       .threads = caller.threads(),
                                                       .progress = caller.progress()});
    verified.checks.insert(verified.checks.end(), more.begin(), more.end());
    if (charged) verified.together = together(verified.statement, *charged);
    return verified;
  }

  static std::string name_of_kernel(const privacy::Statement& statement) {
    const Json& parameters = statement.parameters.json();
    const auto name = parameters.find("kernel");
    if (name == parameters.end() || !name->is_string())
      throw InvalidOption("kernel", "is not what this release was drawn from: its statement names none");
    return name->get<std::string>();
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
        {"grade", words_of(verified.grade())},
        {"signed_by", signer(verified).empty() ? Json() : Json(signer(verified))},
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
    const bool is_signed = verified.has_passed("signature");
    std::string drawn;
    if (verified.settled())
      drawn = fmt::format("That {} let the mechanism draw what was settled{}.",
                          is_signed ? signer(verified) : "whoever keeps the ledger",
                          is_signed ? ": a signature tells who answers for it" : "");
    else
      drawn = fmt::format("That {} drawn by the mechanism, and not written by hand.",
                          verified.drawn_in_words("the output was"));
    return {drawn, "That the same data were not released elsewhere, with another ledger or none."};
  }

  static std::string heading(const Verified& verified) {
    if (verified.failed()) return "Claimed, but not to be relied on";
    return verified.recomputed() ? "Promised" : "Claimed, and not recomputed here";
  }

  static std::string_view words_of(Grade grade) {
    switch (grade) {
      case Grade::settled_and_signed:
        return "settled and signed";
      case Grade::consistent:
        return "consistent, but nothing shows that it was drawn";
      case Grade::does_not_hold:
        break;
    }
    return "does not hold";
  }

  /// Who is trusted and signed it; empty if nobody did.
  static std::string signer(const Verified& verified) {
    if (!verified.has_passed("signature")) return "";
    return verified.trusted
        .judge(privacy::statement_purpose, text_to_sign(verified.statement), *verified.statement.signature)
        .name;
  }

  static std::vector<std::string> names_of(const Verified& verified, privacy::Outcome outcome) {
    std::vector<std::string> names;
    for (const privacy::Check& check : verified.checks)
      if (check.outcome == outcome) names.push_back(check.name);
    return names;
  }

  /// Why a consistent statement is not better than that.
  static std::string missing(const Verified& verified) {
    if (!verified.promises()) return "nothing is promised";
    if (!verified.recomputed()) return "THE GUARANTEE WAS NOT RECOMPUTED";
    if (!verified.settled() && verified.has_passed("settled")) return "its output is not at hand";
    if (!verified.settled())
      return verified.has_passed("ledger entry") ? "the ledger was not told of this output"
                                                 : "its ledger is not at hand";
    if (verified.is_of_unknown_mechanism())
      return "the file of the mechanism was not held against the network that it names";
    return fmt::format("the ledger was told of this very output, but {} signed it",
                       verified.statement.signature ? "nobody whom you trust" : "nobody");
  }

  static std::string verdict(const Verified& verified) {
    std::string text;
    switch (verified.grade()) {
      case Grade::does_not_hold:
        return fmt::format("DOES NOT HOLD: do not rely on this release ({}).",
                           fmt::join(names_of(verified, privacy::Outcome::failed), ", "));
      case Grade::settled_and_signed:
        text = fmt::format("Settled and signed by {}.", signer(verified));
        break;
      case Grade::consistent:
        text = fmt::format("Consistent, but nothing shows that it was drawn: {}.", missing(verified));
        break;
    }
    auto open = names_of(verified, privacy::Outcome::not_checked);
    if (!verified.statement.signature) std::erase(open, "signature");  // there is none
    if (!open.empty()) text += fmt::format(" Not checked here: {}.", fmt::join(open, ", "));
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

  std::string given_, folder_, kernel_;
  LedgerFields ledger_;
  std::vector<std::string> files_, trust_;
  bool quick_ = false;
  bool strict_ = false;
  bool no_limit_ = false;
  std::optional<std::pair<privacy::Statement, std::vector<privacy::Check>>>
      before_;  // what was computed anew last
};

}  // namespace

std::unique_ptr<Analysis> verify_statement() {
  return std::make_unique<VerifyStatement>();
}

}  // namespace fogline::release
