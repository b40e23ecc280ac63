// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "privacy/anchor.hpp"
#include "privacy/books.hpp"
#include "privacy/ledger_entry.hpp"
#include "privacy/subjects.hpp"
#include "random/key.hpp"

namespace fogline::privacy {

class LedgerFile;

/// What is about to be released.
struct ReleaseRequest {
  std::string dataset;           ///< the user's name for the private data, 1 to 200 bytes
  std::string kind;              ///< "place", "stream", ...
  std::string mechanism;         ///< "gem"
  Guarantee guarantee;           ///< of this release as a whole
  std::string output;            ///< file name without its folder; "-" for standard output
  std::string version;           ///< of Fogline
  std::int64_t time_unix_s = 0;  ///< the caller's clock
  bool is_guarded = false;       ///< who asks may not know the records: they are read once this is paid for
};

/// Reports of subjects that are about to be released, charged together and each to its own subject.
struct SubjectRequest {
  std::string dataset;  ///< with a cap per subject
  std::string kind, mechanism;
  Guarantee guarantee;  ///< of one report
  std::string version;
  std::string
      draft_sha256;  ///< of what is promised: a line is drawn under the promise that it was charged for
  SubjectPolicy policy = {};
  std::vector<SubjectLine> lines;
  std::int64_t time_unix_s = 0;
  /// The same, asked when the ledger is ours: the wait for it can be long, and what is charged counts from its end. None: `time_unix_s`.
  std::function<std::int64_t()> now = {};
};

struct CapRequest {
  std::string dataset;  ///< 1 to 200 bytes
  Cap cap;              ///< 0 to 1,000,000
  std::int64_t time_unix_s = 0;
};

/// A dataset that may be charged from now on.
struct DatasetRequest {
  std::string dataset;                              ///< require_dataset_name() holds of it
  std::vector<Cap> caps = {};                       ///< at most one for each measure, and one per person
  bool is_uncapped = false;                         ///< instead of caps: nothing limits what may be spent
  std::optional<std::uint64_t> most_refusals = {};  ///< of guarded requests; none: default_guarded_refusals
  std::int64_t time_unix_s = 0;
};

/// Proof that a run is in the ledger, and the only way from there to a key: who has not charged cannot draw.
///
///     Receipt receipt = ledger.charge(request);
///     random::Key key = receipt.draw_key();
///
/// One receipt gives one key, once. A second draw would be a second release that nobody paid for.
class Receipt {
 public:
  Receipt(Receipt&& other) noexcept;
  Receipt& operator=(Receipt&&) = delete;

  random::Key draw_key();  ///< throws Error the second time
  const LedgerReference& reference() const { return reference_; }
  /// How far the caller's clock was behind the entry before; 0 if it was not.
  std::int64_t clock_behind_s() const { return clock_behind_s_; }
  random::Source source() const { return seed_ ? random::Source::seeded : random::Source::operating_system; }

 private:
  friend class Ledger;
  Receipt(LedgerReference reference, std::optional<std::uint64_t> seed, std::int64_t clock_behind_s)
      : reference_(std::move(reference)), seed_(seed), clock_behind_s_(clock_behind_s) {}

  LedgerReference reference_;
  std::optional<std::uint64_t> seed_;
  std::int64_t clock_behind_s_;
  bool drawn_ = false;
};

/// What became of the lines of a SubjectRequest, and the only way from there to a key: for those that were charged, and for those that were paid for earlier by a
/// process that ended before it kept an answer. What such a process drew never left it.
class SubjectReceipt {
 public:
  SubjectReceipt(SubjectReceipt&& other) noexcept = default;
  SubjectReceipt& operator=(SubjectReceipt&&) = delete;

  const std::vector<SubjectDecision>& decisions() const { return decisions_; }  ///< one for each line
  /// Lines of the request whose answers are to be drawn now, no two for one place; and the answers of the others that have one, by line.
  const std::vector<std::size_t>& to_draw() const { return to_draw_; }
  const std::map<std::size_t, std::string>& answers() const { return answers_; }
  random::Key draw_key();  ///< throws Error the second time, and if there is nothing to draw
  std::int64_t clock_behind_s() const { return clock_behind_s_; }

 private:
  friend class Ledger;
  SubjectReceipt() = default;
  std::vector<SubjectDecision> decisions_;
  std::vector<std::size_t> to_draw_;
  std::map<std::size_t, std::string> answers_;
  std::int64_t clock_behind_s_ = 0;
  bool drawn_ = false;
};

/// The lasting record of what was released and what it cost: one SQLite file of the user, append-only and
/// hash-chained. An entry is on the disk before the first random bit of its release is drawn, so a crash can
/// waste budget but never hide a release.
///
///     Ledger ledger("project.ledger", {});
///     ledger.set_cap({"riders", {EpsilonMeasure::per_metre, Rational(3)}, now});
///     Receipt receipt = ledger.charge({"riders", "place", "gem", mechanism.guarantee(), "safe.csv", version,
///     now}); release(records, receipt.draw_key());
///
/// How budgets add up and what a cap bounds: privacy/books.hpp.
///
/// Safe to use from several threads and several processes at once; a charge checks and writes under one lock.
/// With an anchor, the head is kept there after each entry and before anything is drawn, and every entry that it knows must still be in the chain: an older copy, a
/// cut tail and a rewritten history are refused (DataError) until somebody accepts them.
///
/// A file that was altered is refused (DataError) by everything that would write to it; verify_ledger
/// (privacy/ledger_check.hpp) says where. What the file's owner can do to it all the same: docs/ledger.md.
///
/// Limits: local disks only (locks and syncs of network file systems are not dependable). Do not open the
/// file by other means in the same process while a Ledger is open: closing it would drop SQLite's locks. Do
/// not use a Ledger in a child process after fork().
///
/// Cost: opening and the first call read and check every entry, 6 to 25 microseconds each; a charge then
/// costs the few syncs to disk that make it last, and memory grows by the datasets, not by the entries.
class Ledger {
 public:
  enum class Access {
    create,     ///< make the file if there is none
    existing,   ///< the file must exist
    read_only,  ///< the file must exist; charges and caps throw FileError
  };
  struct Options {
    Access access = Access::create;
    std::chrono::milliseconds busy_timeout{60'000};  ///< how long to wait for another process; 0 to 1 hour
    Wanted wanted =
        {};  ///< asked while it waits; false: throws Cancelled, and there is no entry and no receipt
    FindAnchor anchor = {};  ///< where this ledger's head is kept besides; none: nowhere that is known here
  };
  /// Throws FileError: cannot be opened, is no ledger, is a ledger of a newer Fogline.
  Ledger(std::string path, const Options& options);
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  /// Declares a dataset: only then is it charged. Throws InvalidOption if it is there already, looks like one that is, or has neither a cap nor the word that it needs none.
  void add_dataset(const DatasetRequest& request);

  /// Has the head kept by the anchor that Options names from now on: an entry, after which nobody who does not know the anchor can charge.
  void add_anchor(std::int64_t time_unix_s);
  /// Takes the ledger as it is, although its anchor says otherwise, and has the anchor keep that. Throws InvalidOption for a reason that is not plain.
  void accept(const std::string& reason, std::int64_t time_unix_s);
  bool is_anchored();  ///< by an entry of this ledger
  bool knows_anchor() const {
    return anchor_ != nullptr;
  }  ///< by Options: then the ledger is compared with it
  /// How far the clock of the last entry that this object wrote was behind the latest before it; 0 if it was not. Whoever writes tells the user: one of the two clocks is wrong.
  std::int64_t clock_behind_s();
  /// Throws DataError if nothing could be charged now, whatever the budget: its anchor disagrees, or is not known here.
  void require_chargeable();

  /// Spends the budget. Throws BudgetError over the cap, InvalidOption for a malformed request or a total
  /// that is no 64-bit fraction, FileError when it cannot be written; then there is no entry and no receipt.
  /// (After a FileError while syncing there may be an entry, but never a receipt: budget can be lost, not
  /// gained.)
  /// `wanted` is asked while it waits for another process, in place of what Options named; false: throws Cancelled, and there is no entry.
  Receipt charge(const ReleaseRequest& request, const Wanted& wanted = {});

  /// For whoever charges many times a second, until this object ends: each charge costs one sync to the disk. Meanwhile the ledger is two files: a copy is complete only with
  /// both (LEDGER-wal), or when nobody uses it.
  void begin_serving();
  /// Decides about each line, in their order, and charges those that are allowed, in one durable entry; a line that is not allowed is no error. Throws like charge()
  /// where nothing at all may be charged: BudgetError for a dataset without a cap per subject on this measure, InvalidOption for a malformed request.
  SubjectReceipt charge_subjects(const SubjectRequest& request, const Wanted& wanted = {});
  /// Keeps the answers that were drawn for lines: durable when it returns, and only then may one leave. Gives what is kept for each: of a line that
  /// somebody else answered meanwhile, his.
  std::vector<std::string> keep_answers(const std::vector<std::pair<SubjectPlace, std::string>>& answers);
  std::optional<std::string> subject_answer(const SubjectPlace& place);  ///< none if none was kept
  /// Throws InvalidOption for a dataset without a cap per subject.
  SubjectBudget subject_budget(const std::string& dataset, const std::string& subject, std::int64_t now_s);
  /// When a charge of `cost` would be allowed; empty: never, under this cap.
  std::optional<std::int64_t> subject_renewal(const std::string& dataset, const std::string& subject,
                                              const Rational& cost, std::int64_t now_s);
  /// What a statement says of a line. None if there is no such line.
  std::optional<LedgerReference> reference_of(const SubjectPlace& place);

  /// Records a run with a fixed seed. It promises nothing and costs nothing; on a dataset with a cap it is refused
  /// (BudgetError), like every release that promises nothing.
  Receipt record_seeded_run(const ReleaseRequest& request, std::uint64_t seed);

  /// Records that private records were read and not released, of which whoever asked was told: enough such answers tell what the records are. Costs nothing.
  /// `paid`: the entry of a guarded request that paid for the answer; 0: nobody did.
  void record_refusal(const std::string& dataset, const std::string& kind, std::int64_t time_unix_s,
                      std::uint64_t paid = 0);
  /// How many guarded requests of a declared dataset may be refused in all. Throws InvalidOption for another dataset.
  void set_refusals(const std::string& dataset, std::uint64_t most, std::int64_t time_unix_s);

  /// Records what was written for an entry of this ledger that was charged and promises something: the hash of anything else would tell of private data. Throws Error
  /// if it is no such entry or was settled before: an entry pays for one output.
  void settle(const LedgerReference& charged, const Settlement& written, std::int64_t time_unix_s);
  std::optional<Settlement> settlement_of(std::uint64_t entry);  ///< none if nothing was settled

  /// Sets, raises or lowers a cap, and gives the total of that measure after it; `remaining()` is 0 when
  /// nothing may be released any more.
  MeasureTotal set_cap(const CapRequest& request);

  Books books();
  std::vector<LedgerEntry> entries();
  std::optional<LedgerEntry> entry(std::uint64_t number);
  LedgerHead head();
  const std::string& id() const { return id_; }

 private:
  enum class Anchoring { compare, accept };
  struct Appended {
    std::vector<LedgerEntry> entries;
    std::int64_t clock_behind_s;  // the entry before
  };
  Appended append(std::vector<LedgerEntry> entries, Anchoring anchoring = Anchoring::compare,
                  const Wanted& wanted = {});
  Receipt receipt_of(LedgerEntry entry, std::optional<std::uint64_t> seed, const Wanted& wanted = {});
  void require_anchored();
  void keep_head(Anchoring anchoring, std::int64_t time_unix_s);
  void apply(const LedgerEntry& entry);  // throws InvalidOption for what fits no entry before it
  void require_unsettled(const LedgerEntry& settlement) const;
  std::optional<Settlement> find_settlement(std::uint64_t entry);
  void catch_up();
  SubjectAccounts& accounts_of(const std::string& dataset);
  void find_answers(SubjectReceipt& receipt, const std::string& draft_sha256);
  void apply_subjects(const LedgerEntry& entry, const std::vector<SubjectLine>& lines);

  std::mutex mutex_;
  std::unique_ptr<LedgerFile> file_;
  std::string id_;
  Books books_;                                      // of the first count_ entries
  std::map<std::uint64_t, std::string> unsettled_;   // those that promise something, and their datasets
  std::map<std::string, SubjectAccounts> subjects_;  // of datasets with a cap per subject
  std::uint64_t count_ = 0;
  std::string hash_;
  std::int64_t last_time_unix_s_ = 0;
  std::int64_t clock_behind_s_ = 0;
  bool is_anchored_ = false;
  bool is_serving_ = false;
  std::shared_ptr<Anchor> anchor_;
};

}  // namespace fogline::privacy
