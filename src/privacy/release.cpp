// SPDX-License-Identifier: Apache-2.0
#include "privacy/release.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.hpp"
#include "io/output_file.hpp"
#include "privacy/composition.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/folder_sync.hpp"
#include "privacy/release_files.hpp"
#include "privacy/standard_output.hpp"

namespace fogline::privacy {
namespace {

namespace fs = std::filesystem;

/// Empty is no file.
bool same_file(const std::string& a, const std::string& b) {
  if (a == "-" || b == "-" || a.empty() || b.empty()) return false;
  std::error_code unknown;
  if (fs::equivalent(a, b, unknown)) return true;
  const auto place_of = [](const std::string& name) {
    std::error_code ignored;  // a name that cannot be looked up is compared as it is written
    return fs::weakly_canonical(fs::absolute(name), ignored).lexically_normal();
  };
  return place_of(a) == place_of(b);
}

std::string name_of(const std::string& output) {
  return output == "-" ? output : fs::path(output).filename().string();
}

/// A release that replaced its ledger would hand out the budget anew; one that replaced its input, the only copy of it.
void require_own_files(const ReleasePlan& plan, const std::string& statement) {
  if (same_file(plan.output, statement) || (plan.output == "-" && statement == "-")) {
    throw InvalidOption("statement", "and output must be two different files");
  }
  std::vector<std::string> others = plan.inputs;
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) others.push_back(plan.ledger + suffix);
  for (const std::string& other : others) {
    if (same_file(plan.output, other))
      throw InvalidOption("output", "is the ledger or an input of this release");
    if (same_file(statement, other))
      throw InvalidOption("statement", "is the ledger or an input of this release");
  }
  others.push_back(plan.output);
  others.push_back(statement);
  for (const std::string& more : plan.more_outputs) {
    for (const std::string& other : others) {
      if (same_file(more, other))
        throw InvalidOption(
            "output",
            fmt::format("is released with {}, which is another file of this release", name_of(more)));
    }
    others.push_back(more);
  }
  for (const std::string& other : others) {
    for (const std::string& written : plan.also_written) {
      if (same_file(written, other))
        throw InvalidOption("save", "is the ledger, an input or an output of this release");
    }
  }
}

std::vector<std::string> all_outputs(const ReleasePlan& plan) {
  std::vector<std::string> outputs{plan.output};
  outputs.insert(outputs.end(), plan.more_outputs.begin(), plan.more_outputs.end());
  return outputs;
}

Statement seeded_statement(Statement statement) {
  statement.guarantee = seeded(statement.guarantee);
  statement.promise = seeded_promise();
  statement.randomness = random::Source::seeded;
  return statement;
}

/// The statement as it will be, with stand-ins for what is not known yet, so that it cannot turn out invalid after the charge.
void require_valid_draft(const ReleasePlan& plan, Statement statement) {
  const std::string some_hash(64, '0');
  statement.ledger = LedgerReference{std::string(32, '0'), 1, some_hash, plan.dataset};
  for (const std::string& output : all_outputs(plan))
    statement.outputs.push_back({name_of(output), some_hash, 0});
  require_valid(statement);
}

/// Everything that can be wrong before the charge.
Statement checked_statement(const ReleasePlan& plan) {
  Statement statement = plan.seed ? seeded_statement(plan.draft) : plan.draft;
  require_valid_draft(plan, statement);
  if (plan.statement == "-")
    throw InvalidOption("statement", "is a file of its own; only the output may go to standard output");
  if (plan.receive && plan.output != "-")
    throw InvalidOption("output", "goes to a file or into memory, not to both");
  if (plan.output == "-" && plan.statement.empty() && !plan.receive) {
    throw InvalidOption("statement", "is needed when the output is -");
  }
  require_own_files(plan,
                    plan.statement.empty() && !plan.receive ? statement_path(plan.output) : plan.statement);
  return statement;
}

Wanted wanted_by(ReleaseWatch* watch) {
  if (watch == nullptr) return {};
  return [watch] { return watch->is_wanted(); };
}

Receipt charge(const ReleasePlan& plan, Statement& statement, ReleaseWatch* watch) {
  LedgerHandle own(plan.ledger, wanted_by(watch));
  Ledger& ledger = (plan.handle != nullptr ? plan.handle : &own)->get();
  const ReleaseRequest request{.dataset = plan.dataset,
                               .kind = plan.draft.kind,
                               .mechanism = plan.draft.mechanism,
                               .guarantee = plan.draft.guarantee,
                               .output = name_of(plan.output),
                               .version = plan.draft.version,
                               .time_unix_s = plan.time_unix_s,
                               .is_guarded = plan.is_guarded};
  if (watch != nullptr) watch->charging();
  Receipt receipt =
      plan.seed ? ledger.record_seeded_run(request, *plan.seed) : ledger.charge(request, wanted_by(watch));
  if (watch != nullptr) watch->clock_behind(receipt.clock_behind_s());
  if (watch != nullptr) watch->charged(receipt);
  statement.ledger = receipt.reference();
  statement.randomness = receipt.source();
  return receipt;
}

/// What came with the records completes the statement; what was paid for stays.
void take_records(const ReleasePlan& plan, Statement& statement) {
  if (!plan.take) return;
  std::optional<Statement> completed = plan.take();
  if (!completed) return;
  if (completed->kind != statement.kind || completed->mechanism != statement.mechanism ||
      completed->guarantee != statement.guarantee)
    throw Error("the records ask for another release than the one that was charged");
  require_valid_draft(plan, *completed);
  completed->ledger = statement.ledger;
  completed->randomness = statement.randomness;
  statement = std::move(*completed);
}

/// What is in place stays whether the ledger can be told or not. Of what promises nothing the ledger is told nothing: a hash would tell of private data.
void settle_if_possible(const ReleasePlan& plan, const Statement& statement, ReleaseWatch* watch) {
  if (statement.guarantee.notion() == Notion::none) return;
  std::string why;
  try {
    const std::int64_t now = plan.now ? plan.now() : plan.time_unix_s;
    LedgerHandle own(plan.ledger, wanted_by(watch));
    Ledger& ledger = (plan.handle != nullptr ? plan.handle : &own)->get();
    settle(statement, ledger, now);
    if (watch != nullptr) watch->clock_behind(ledger.clock_behind_s());
    return;
  } catch (const Error& error) {
    why = error.problem().wrong;  // what to try is for a charge that failed
  } catch (const std::exception& error) {
    why = error.what();
  } catch (...) {  // out of whoever was asked whether the release is still wanted
    why = "the wait for it was broken off";
  }
  if (watch != nullptr) watch->unsettled(why);
}

void put_in_place(io::OutputFile& file, Statement& statement, const SigningKey* signer) {
  sign(statement, signer);
  file.write(to_json(statement));
  file.commit();
  sync_folder_of(file.name());
}

/// Standard output, or whoever receives the answers instead.
class LiveOutput {
 public:
  LiveOutput(const ReleasePlan& plan, ReleaseWatch* watch) : receive_(plan.receive), out_(wanted_by(watch)) {}

  void write(std::string_view piece) {
    if (!receive_) return out_.write(piece);
    // Counted before it is handed over: whoever throws may have kept it.
    hash_.add(piece);
    lines_ += static_cast<std::uint64_t>(std::ranges::count(piece, '\n'));
    receive_(piece);
  }
  std::string hash() const { return receive_ ? Sha256(hash_).hex() : out_.hash(); }
  std::uint64_t lines() const { return receive_ ? lines_ : out_.lines(); }

 private:
  const std::function<void(std::string_view)>& receive_;
  StandardOutput out_;
  Sha256 hash_;
  std::uint64_t lines_ = 0;
};

ReleaseFiles::Options file_options(const ReleasePlan& plan, ReleaseWatch* watch) {
  ReleaseFiles::Options options{.overwrite = plan.overwrite,
                                .statement = plan.statement,
                                .companions = plan.also_written,
                                .wanted = wanted_by(watch),
                                .receive = plan.receive,
                                .signer = plan.signer};
  if (plan.records_in) options.records_in = plan.records_in;
  return options;
}

}  // namespace

/// A ledger that is not there yet is made by the charge, in a folder that must be there. One that is there is read, and not changed.
void require_budget(const ReleasePlan& plan) {
  std::error_code unknown;
  if (!fs::exists(plan.ledger, unknown)) {
    const std::string folder = fs::absolute(plan.ledger).parent_path().string();
    if (!fs::is_directory(folder, unknown))
      throw FileError(plan.ledger, "cannot be made: its folder is not there", "make the folder first");
    if (access(folder.c_str(), W_OK) != 0)
      throw FileError(plan.ledger, "cannot be made: its folder cannot be written to",
                      "choose another folder");
    if (!plan.seed) throw BudgetError(*Books().refusal(plan.dataset, plan.draft.guarantee));
    return;
  }
  if (access(plan.ledger.c_str(), W_OK) != 0)
    throw FileError(plan.ledger, "cannot be written", "check that you may write to it");
  LedgerHandle own(plan.ledger, {});
  Ledger& ledger = (plan.handle != nullptr ? plan.handle : &own)->get();
  ledger.require_chargeable();
  const Guarantee& guarantee = plan.draft.guarantee;
  const Books books = ledger.books();
  if (plan.is_of_subjects) {
    if (const auto refused = books.subjects_refusal(plan.dataset, guarantee)) throw BudgetError(*refused);
    return;
  }
  if (const auto refused =
          plan.seed ? books.excess(plan.dataset, seeded(guarantee)) : books.refusal(plan.dataset, guarantee))
    throw BudgetError(*refused);
  if (!plan.is_guarded) return;
  if (const auto refused = books.guarded_refusal(plan.dataset, guarantee)) throw BudgetError(*refused);
}

void require_releasable(const ReleasePlan& plan) {
  checked_statement(plan);
  const ReleaseFiles made(all_outputs(plan), file_options(plan, nullptr));
  require_budget(plan);
}

Settlement settlement_of(const Statement& written) {
  const auto* charged = std::get_if<LedgerReference>(&written.ledger);
  if (charged == nullptr || written.outputs.empty())
    throw Error("only what was charged and written can be settled");
  std::string hashes;
  for (const ReleasedFile& output : written.outputs) hashes += output.sha256 + "\n";
  return {
      .entry = charged->entry,
      .output_sha256 = written.outputs.size() == 1 ? written.outputs.front().sha256 : sha256_of_text(hashes),
      .statement_sha256 = sha256_of_text(to_json(written))};
}

void settle(const Statement& written, Ledger& ledger, std::int64_t time_unix_s) {
  const Settlement settlement = settlement_of(written);
  ledger.settle(std::get<LedgerReference>(written.ledger), settlement, time_unix_s);
}

ChargedRelease charge_only(const ReleasePlan& plan, ReleaseWatch* watch) {
  Statement statement = checked_statement(plan);
  Receipt receipt = charge(plan, statement, watch);
  statement.outputs = {{name_of(plan.output), Sha256().hex(), 0}};
  return {.statement = std::move(statement), .key = receipt.draw_key()};
}

std::vector<std::string> seeded_promise() {
  return {"Nothing: the noise is fixed by a seed, and whoever knows or guesses it can undo it."};
}

Released release(const ReleasePlan& plan, const std::function<Drawn(const random::Key&)>& draw,
                 ReleaseWatch* watch) {
  return release_in_pieces(
      plan,
      [&](const random::Key& key, const WriteOutput& write) {
        const Drawn drawn = draw(key);
        write(drawn.text);
        return DrawnInPieces{drawn.records, drawn.outcome, drawn.also_written};
      },
      watch);
}

Released release_in_pieces(const ReleasePlan& plan,
                           const std::function<DrawnInPieces(const random::Key&, const WriteOutput&)>& draw,
                           ReleaseWatch* watch) {
  Statement statement = checked_statement(plan);
  ReleaseFiles files(all_outputs(plan), file_options(plan, watch));
  Receipt receipt = charge(plan, statement, watch);
  take_records(plan, statement);
  DrawnInPieces drawn = draw(receipt.draw_key(), [&](std::string_view piece) { files.write(0, piece); });
  files.count_records(0, drawn.records);
  if (drawn.more_outputs.size() != plan.more_outputs.size())
    throw Error("a release must draw the outputs that it announced");
  std::vector<std::string> more_outputs;
  for (DrawnText& more : drawn.more_outputs) {
    more_outputs.push_back(std::move(more.text));
    files.write(more_outputs.size(), more_outputs.back());
    files.count_records(more_outputs.size(), more.records);
  }
  for (std::size_t i = 0; i < drawn.also_written.size(); ++i) files.write_companion(i, drawn.also_written[i]);
  statement.outcome = std::move(drawn.outcome);
  if (watch != nullptr) watch->writing();
  try {
    files.commit(statement);
  } catch (...) {  // whatever it is, it is thrown on
    if (files.is_cut_short()) settle_if_possible(plan, statement, watch);
    throw;
  }
  if (watch != nullptr) watch->written(statement);
  settle_if_possible(plan, statement, watch);
  return {std::move(statement), files.statement_name(), std::move(more_outputs)};
}

Released release_live(const ReleasePlan& plan,
                      const std::function<DrawnInPieces(const random::Key&, const WriteOutput&)>& draw,
                      ReleaseWatch* watch) {
  if (plan.output != "-" || !plan.more_outputs.empty())
    throw InvalidOption("output", "is standard output alone for a live release");
  Statement statement = checked_statement(plan);
  auto before = plan.statement.empty() ? nullptr
                                       : std::make_unique<io::OutputFile>(
                                             plan.statement, io::OutputFile::Options{plan.overwrite});
  Receipt receipt = charge(plan, statement, watch);
  take_records(plan, statement);
  statement.outputs = {{plan.output, Sha256().hex(), 0}};
  if (before) put_in_place(*before, statement, plan.signer);
  // Gone before the complete one is begun: they have the same name.
  before.reset();
  LiveOutput live(plan, watch);
  const auto conclude = [&](std::uint64_t records) {
    if (watch != nullptr) watch->writing();
    statement.outputs = {{plan.output, live.hash(), records}};
    if (plan.statement.empty()) return sign(statement, plan.signer);
    io::OutputFile after(plan.statement, {.overwrite = true});
    put_in_place(after, statement, plan.signer);
  };
  try {
    DrawnInPieces drawn = draw(receipt.draw_key(), [&](std::string_view piece) { live.write(piece); });
    statement.outcome = std::move(drawn.outcome);
    conclude(drawn.records);
  } catch (...) {  // whatever it is, it is thrown on, and the answers that are out are told
    conclude(std::max<std::uint64_t>(live.lines(), 1) - 1);
    settle_if_possible(plan, statement, watch);
    throw;
  }
  settle_if_possible(plan, statement, watch);
  return {.statement = std::move(statement), .statement_file = plan.statement};
}

std::vector<SubjectAnswer> release_to_subjects(const ReleasePlan& plan, const SubjectPolicy& policy,
                                               std::vector<SubjectLine> lines, const DrawAnswers& draw,
                                               ReleaseWatch* watch) {
  LedgerHandle own(plan.ledger, wanted_by(watch));
  Ledger& ledger = (plan.handle != nullptr ? plan.handle : &own)->get();
  SubjectReceipt receipt = ledger.charge_subjects({.dataset = plan.dataset,
                                                   .kind = plan.draft.kind,
                                                   .mechanism = plan.draft.mechanism,
                                                   .guarantee = plan.draft.guarantee,
                                                   .version = plan.draft.version,
                                                   .draft_sha256 = draft_hash(plan),
                                                   .policy = policy,
                                                   .lines = std::move(lines),
                                                   .time_unix_s = plan.time_unix_s,
                                                   .now = plan.now},
                                                  wanted_by(watch));
  if (watch != nullptr) watch->clock_behind(receipt.clock_behind_s());
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> drawn;
  if (!receipt.to_draw().empty()) {
    std::vector<std::string> texts = draw(receipt.draw_key(), receipt);
    if (texts.size() != receipt.to_draw().size()) throw Error("each line that was paid for has one answer");
    std::vector<std::pair<SubjectPlace, std::string>> answers;
    for (std::size_t i = 0; i < texts.size(); ++i)
      answers.emplace_back(receipt.decisions()[receipt.to_draw()[i]].place, std::move(texts[i]));
    std::vector<std::string> kept = ledger.keep_answers(answers);
    for (std::size_t i = 0; i < kept.size(); ++i)
      drawn[{answers[i].first.entry, answers[i].first.line}] = std::move(kept[i]);
  }
  std::vector<SubjectAnswer> all;
  for (std::size_t i = 0; i < receipt.decisions().size(); ++i) {
    const SubjectDecision& decision = receipt.decisions()[i];
    const auto known = receipt.answers().find(i);
    const auto fresh = drawn.find({decision.place.entry, decision.place.line});
    const bool has_none = decision.outcome == SubjectDecision::Outcome::other_body ||
                          decision.outcome == SubjectDecision::Outcome::lost;
    all.push_back({decision, has_none                           ? ""
                             : known != receipt.answers().end() ? known->second
                             : fresh != drawn.end()             ? fresh->second
                                                                : ""});
  }
  return all;
}

std::string draft_hash(const ReleasePlan& plan) {
  Statement draft = plan.draft;
  const std::string some_hash(64, '0');
  draft.ledger = LedgerReference{std::string(32, '0'), 1, some_hash, plan.dataset};
  draft.outputs = {{"-", some_hash, 0}};
  return sha256_of_text(to_json(draft));
}

std::optional<Statement> statement_of_answer(const ReleasePlan& plan, const SubjectPlace& place,
                                             std::uint64_t records) {
  Ledger& ledger = plan.handle->get();
  const auto reference = ledger.reference_of(place);
  const auto text = ledger.subject_answer(place);
  if (!reference || !text || reference->dataset != plan.dataset) return std::nullopt;
  if (ledger.entry(place.entry)->subjects->draft_sha256 != draft_hash(plan)) return std::nullopt;
  Statement statement = plan.draft;
  statement.ledger = *reference;
  statement.outputs = {{"-", sha256_of_text(*text), records}};
  sign(statement, plan.signer);
  return statement;
}

}  // namespace fogline::privacy
