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
#include "privacy/statement.hpp"
#include "random/key.hpp"

namespace fogline::privacy {

/// Everything about a release that is settled before the ledger is charged.
struct ReleasePlan {
  Statement draft;                       ///< complete but for outputs, ledger and randomness
  std::string dataset;                   ///< whose budget is spent
  std::string ledger;                    ///< file; made if missing
  std::string output;                    ///< file, or "-" for standard output
  std::string statement = {};            ///< file; empty: OUTPUT.statement.json
  bool overwrite = false;                ///< replace output and statement
  std::vector<std::string> inputs = {};  ///< files that must not be replaced: private and public inputs
  std::vector<std::string> also_written =
      {};  ///< files that the caller writes besides; none of the others may be among them
  std::optional<std::uint64_t> seed = {};  ///< a seeded run: recorded, not private, not charged
  std::int64_t time_unix_s = 0;            ///< the caller's clock
};

/// What the mechanism drew, ready to be written.
struct Drawn {
  std::string text;
  std::uint64_t records = 0;
  Parameters outcome = {};  ///< public: Statement::outcome
};

/// What was put in place.
struct Released {
  Statement statement;
  std::string statement_file;
};

/// The walk every release takes, in the only order that is safe:
///
///     Released done = release(plan, [&](random::Key key) { return Drawn{format(gem, truth, key), truth.size()}; });
///
/// 1. the statement is complete and consistent; output and statement are no input, no ledger and not each other;
/// 2. both can be written; 3. the ledger is charged (BudgetError over the cap); 4. `draw` is called, once, with the key that the
/// charge paid for; 5. the statement and then the output appear.
///
/// Whatever throws in 1 to 3 leaves nothing charged and nothing written. After 3, `charged` (if given) has the entry: the budget
/// is spent whatever happens next, and nothing half-written stays.
Released release(const ReleasePlan& plan, const std::function<Drawn(const random::Key&)>& draw,
                 std::optional<LedgerReference>* charged = nullptr);

/// Takes the next piece of the output.
using WriteOutput = std::function<void(std::string_view)>;

/// What was written piece by piece.
struct DrawnInPieces {
  DrawnInPieces(std::uint64_t records_, Parameters outcome_ = {})  // implicit: most have nothing more to tell
      : records(records_), outcome(std::move(outcome_)) {}
  std::uint64_t records;
  Parameters outcome;
};

/// The same for outputs that are too long to hold: `draw` writes them piece by piece, and says how many records there were.
Released release_in_pieces(
    const ReleasePlan& plan,
    const std::function<DrawnInPieces(const random::Key& key, const WriteOutput& write)>& draw,
    std::optional<LedgerReference>* charged = nullptr);

/// The same for an output that is read while it is made: each piece goes to standard output at once. The statement is in place before the
/// first piece, with the hash of nothing, and is replaced by the complete one at the end: a reader never has an answer without a promise.
/// The plan's output must be "-", with a header and a line for each record. What was written before something throws stays written, and the
/// statement then tells of that much, without an outcome.
Released release_live(
    const ReleasePlan& plan,
    const std::function<DrawnInPieces(const random::Key& key, const WriteOutput& write)>& draw,
    std::optional<LedgerReference>* charged = nullptr);

/// What the statement of a seeded run promises, whatever the mechanism.
std::vector<std::string> seeded_promise();

}  // namespace fogline::privacy
