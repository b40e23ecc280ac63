// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "privacy/ledger.hpp"
#include "privacy/ledger_handle.hpp"
#include "privacy/statement.hpp"
#include "random/key.hpp"

namespace fogline::privacy {

/// Everything about a release that is settled before the ledger is charged.
struct ReleasePlan {
  Statement draft;             ///< complete but for outputs, ledger and randomness
  std::string dataset;         ///< whose budget is spent
  std::string ledger;          ///< file; made if missing
  std::string output;          ///< file, or "-" for standard output
  std::string statement = {};  ///< file; empty: OUTPUT.statement.json
  /// Instead of an output: is given each piece of the text as it is drawn. `output` is "-" then, and `statement` may be empty: it is what the
  /// release gives back.
  std::function<void(std::string_view)> receive = {};
  bool overwrite = false;                ///< replace output and statement
  std::vector<std::string> inputs = {};  ///< files that must not be replaced: private and public inputs
  /// Outputs besides the first, each released like it and named by the statement with its hash (DrawnInPieces::more_outputs): files; or
  /// names alone where the release goes into memory and there is no statement file, and then only Released has the texts.
  std::vector<std::string> more_outputs = {};
  /// Files that appear besides, with the output or not at all (Drawn::also_written; of a live release the caller writes them).
  /// None of the others may be among them.
  std::vector<std::string> also_written = {};
  /// How many records the beginning of the output holds, should standard output be cut short; none: a header and a line each.
  std::function<std::uint64_t(std::string_view)> records_in = {};
  std::optional<std::uint64_t> seed = {};  ///< a seeded run: recorded, not private, not charged
  std::int64_t time_unix_s = 0;            ///< the caller's clock
  std::function<std::int64_t()> now = {};  ///< the same when all is written; none: that time
  LedgerHandle* handle = nullptr;          ///< of `ledger`, if the caller has opened it; outlives the release
  const SigningKey* signer = nullptr;      ///< signs the statement; null: nobody does; outlives the release
  /// Who asks may not know the records: the ledger counts those of his requests that are refused, and may have had enough of them.
  bool is_guarded = false;
  /// Reports of subjects, each charged by itself: release_to_subjects().
  bool is_of_subjects = false;
  /// Reads the records, once the charge is on the disk and before a key is given out: whoever may not know them pays for a refusal what the release would have cost,
  /// and whatever it throws, nothing is written. Gives the draft complete with what came with them, of the same guarantee; none: as it is. Empty: they were read before.
  std::function<std::optional<Statement>()> take = {};
};

/// What can be wrong with a release before anything is prepared for it: output and statement are no input, no ledger and not each other,
/// and both can be written; the ledger can be written, and would not refuse the charge now (BudgetError). For callers to whom reading a
/// map or building a mechanism takes long. Of the draft only guarantee and names need be final. Charges nothing, leaves no file, and
/// promises nothing: release() below checks it all again.
void require_releasable(const ReleasePlan& plan);
/// The last of these alone: the ledger would not refuse the charge now.
void require_budget(const ReleasePlan& plan);

/// What the mechanism drew, ready to be written.
struct Drawn {
  std::string text;
  std::uint64_t records = 0;
  Parameters outcome = {};  ///< public: Statement::outcome
  std::vector<std::string> also_written =
      {};  ///< texts of the plan's, in their order; none: they do not appear
};

/// What was put in place.
struct Released {
  Statement statement;
  std::string statement_file;                  ///< empty if there is none
  std::vector<std::string> more_outputs = {};  ///< texts of the plan's, in their order
};

/// Told how far a release is, from its own thread, and asked whether it is still wanted. Whoever may end the process needs
/// to know.
class ReleaseWatch {
 public:
  virtual ~ReleaseWatch() = default;
  virtual void charging() {}  ///< everything that can be wrong before the charge is right
  virtual void charged(const Receipt& /*receipt*/) {}
  virtual void writing() {}  ///< all is drawn, and outputs or the statement go into place
  /// All of it is in place, or was received, and the ledger is told next; what throws here leaves the entry unsettled.
  virtual void written(const Statement& /*statement*/) {}
  /// Of what was just written to the ledger: so far is the clock behind an entry before; 0 if it is not.
  virtual void clock_behind(std::int64_t /*seconds*/) {}
  /// What is in place stays, and the ledger does not know what it is.
  virtual void unsettled(std::string_view /*why*/) {}
  /// Asked while the release waits for a ledger that another process holds, and, when a signal arrives, for the reader of
  /// standard output. False: it throws Cancelled, with nothing charged or with a statement that tells of what is out.
  virtual bool is_wanted() { return true; }
};

/// The walk every release takes, in the only order that is safe:
///
///     Released done = release(plan, [&](random::Key key) { return Drawn{format(gem, truth, key), truth.size()}; });
///
/// 1. the statement is complete and consistent; output and statement are no input, no ledger and not each other;
/// 2. both can be written; 3. the ledger is charged (BudgetError over the cap), and the plan's `take` called, if it has one; 4. `draw` is called, once, with the key that the
/// charge paid for; 5. the statement and then the output appear; 6. the ledger is told what was written.
///
/// Whatever throws in 1 to 3 leaves nothing charged and nothing written. After 3, `watch` (if given) is told the entry: the
/// budget is spent whatever happens next, and nothing half-written stays; of a standard output that could not be written to the
/// end, the statement tells of what went out.
Released release(const ReleasePlan& plan, const std::function<Drawn(const random::Key&)>& draw,
                 ReleaseWatch* watch = nullptr);

/// Takes the next piece of the output.
using WriteOutput = std::function<void(std::string_view)>;

/// An output that is short enough to hold.
struct DrawnText {
  std::string text;
  std::uint64_t records = 0;
};

/// What was written piece by piece.
struct DrawnInPieces {
  DrawnInPieces(std::uint64_t records_, Parameters outcome_ = {},  // implicit: most have nothing more to tell
                std::vector<std::string> also_written_ = {}, std::vector<DrawnText> more_outputs_ = {})
      : records(records_),
        outcome(std::move(outcome_)),
        also_written(std::move(also_written_)),
        more_outputs(std::move(more_outputs_)) {}
  std::uint64_t records;
  Parameters outcome;
  std::vector<std::string> also_written;
  std::vector<DrawnText> more_outputs;  ///< one for each of the plan's
};

/// The same for outputs that are too long to hold: `draw` writes them piece by piece, and says how many records there were.
Released release_in_pieces(
    const ReleasePlan& plan,
    const std::function<DrawnInPieces(const random::Key& key, const WriteOutput& write)>& draw,
    ReleaseWatch* watch = nullptr);

/// The same for an output that is read while it is made: each piece goes to standard output at once. The statement is in place before the
/// first piece, with the hash of nothing, and is replaced by the complete one at the end: a reader never has an answer without a promise.
/// Whoever receives the pieces instead of standard output gets them at once as well. The plan's output must be "-", with a header and a line for each record. What was written before something throws stays written, and the
/// statement then tells of that much, without an outcome. A signal that interrupts a write that waits for its reader has `watch` asked: it
/// throws Cancelled, and the statement tells of the bytes that went out.
Released release_live(
    const ReleasePlan& plan,
    const std::function<DrawnInPieces(const random::Key& key, const WriteOutput& write)>& draw,
    ReleaseWatch* watch = nullptr);

/// What was charged for and is drawn elsewhere.
struct ChargedRelease {
  Statement
      statement;  ///< complete but for outputs and outcome; a stand-in tells of an output that holds nothing
  random::Key key;
};

/// Steps 1 and 3 alone, for a release whose output others draw in parts: nothing is opened, nothing is drawn. Whoever has the key can draw.
ChargedRelease charge_only(const ReleasePlan& plan, ReleaseWatch* watch = nullptr);

/// What a ledger holds of a statement and its outputs. Of the statement that is its text as it is written, however it is spaced where it was read. Throws
/// Error if it names no entry or no output.
Settlement settlement_of(const Statement& written);

/// Tells the ledger what was written for the entry that a statement names, which has its outputs: once all of it is in place. Throws Error.
void settle(const Statement& written, Ledger& ledger, std::int64_t time_unix_s);

/// What the statement of a seeded run promises, whatever the mechanism.
std::vector<std::string> seeded_promise();

/// What one subject is answered.
struct SubjectAnswer {
  SubjectDecision decision;
  std::string
      text;  ///< as it is kept; empty where there is none: over the budget, or another body under a known key
};

/// Draws an answer for each line that the receipt names to be drawn, in that order. All of them with one key.
using DrawAnswers = std::function<std::vector<std::string>(const random::Key&, const SubjectReceipt&)>;

/// The same walk for many subjects at once: charge, durable; draw, once, for those that were charged; keep, durable; and only then give out. The plan is one that
/// require_releasable() took. Over its budget a subject has its latest answer, which costs nothing. What throws after the charge leaves lines paid for without an
/// answer: whoever asks for one again has it drawn then, for nothing of it was given out.
std::vector<SubjectAnswer> release_to_subjects(const ReleasePlan& plan, const SubjectPolicy& policy,
                                               std::vector<SubjectLine> lines, const DrawAnswers& draw,
                                               ReleaseWatch* watch = nullptr);

/// Of all that the plan's statement says before it is drawn: what an answer was charged for.
std::string draft_hash(const ReleasePlan& plan);

/// What is said of the answer to a line, signed if the plan has a key. None if there is no such answer, or if it was charged for another promise than the plan's.
std::optional<Statement> statement_of_answer(const ReleasePlan& plan, const SubjectPlace& place,
                                             std::uint64_t records);

}  // namespace fogline::privacy
