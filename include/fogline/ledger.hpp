// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fogline {

/// What epsilons are counted in: those of places are per metre, all others are plain.
enum class Measure { plain, per_metre };

/// What one dataset has spent of one measure. Numbers are exact texts, such as "1/3" or "0.25".
struct Budget {
  std::string spent;
  std::string cap;        ///< empty: none was ever set
  std::string remaining;  ///< empty without a cap
};

/// What one person can have lost by all releases of a dataset together.
struct PersonLoss {
  Budget most = {};  ///< by those whose promise covers a person; its cap is one per person
  std::uint64_t unbounded_releases =
      0;  ///< those whose promise is for less: above 0, nothing bounds a person's loss
};

/// One line of a ledger.
struct LedgerLine {
  std::uint64_t number = 0;  ///< from 1, without gaps
  std::int64_t time_unix_s = 0;
  std::string
      event;  ///< "charge", "seeded run", "cap", "settled", "refused", "dataset", "anchor", "accepted", "refusals"
  std::string dataset;  ///< whose budget it is about; empty for the whole ledger
  std::string kind, mechanism, output;
  std::string guarantee;         ///< a sentence; of a cap, what it allows; of "accepted", why
  std::uint64_t settles = 0;     ///< of "settled": the line whose release was written
  std::string output_sha256;     ///< of "settled": what was written
  std::string statement_sha256;  ///< of "settled"
  std::string hash;              ///< of all of it and the line before
};

/// The lasting record of what was released and what it cost: a file that is opened once, checked, and handed to each release.
///
///     fogline::Ledger ledger("my.ledger");                           // made if it is not there
///     ledger.add_dataset("riders", {"epsilon 1/2 per metre"});        // only what was declared is charged
///     request.run(ledger, listener);                                 // charged before the first random bit is drawn
///     ledger.budget("riders", fogline::Measure::per_metre).remaining;
///
/// Safe to use from several threads, and beside other processes. Not after fork(). What it proves, and what it cannot: docs/ledger.md. Throws FileError,
/// DataError for a file that was altered, InvalidOption.
class Ledger {
 public:
  /// `anchor`: a second place that keeps the ledger's head, and that the ledger must agree with from now on: a file, a folder, "postgresql://HOST/DATABASE" or "command:PROGRAM" (docs/ledger.md).
  explicit Ledger(const std::string& path, const std::string& anchor = "");
  /// Opens a ledger that its anchor disagrees with, as after a backup was put back: takes it as it is, with the
  /// reason as an entry for all to see, and has the anchor begin anew from there. What was released meanwhile is
  /// missing from its books. `anchor` may also be another than before.
  static Ledger accept(const std::string& path, const std::string& anchor, const std::string& reason,
                       std::int64_t now = 0);
  ~Ledger();
  Ledger(Ledger&&) noexcept;
  Ledger& operator=(Ledger&&) noexcept;

  const std::string& path() const;
  /// Declares a dataset and the most that may be spent on it: "epsilon 2", "epsilon 1/2 per metre", either also "per person", one of each at most. Throws InvalidOption if it is there already, or
  /// looks like one that is.
  void add_dataset(const std::string& dataset, const std::vector<std::string>& caps, std::int64_t now = 0);
  /// Declares one of which nothing limits what is spent, which every reader of the ledger is told.
  void add_uncapped_dataset(const std::string& dataset, std::int64_t now = 0);
  /// The most that may be spent on a dataset, set, raised or lowered: an exact text, 0 to 1,000,000. `now` is seconds since 1970, 0: the machine's clock.
  void set_cap(const std::string& dataset, const std::string& epsilon, Measure measure, std::int64_t now = 0);
  /// The same for a cap as add_dataset() takes it: "epsilon 2 per person".
  void set_cap(const std::string& dataset, const std::string& cap, std::int64_t now = 0);
  /// How many guarded requests of a dataset may be refused in all, 10 if nothing is said: a refusal tells something
  /// of the records.
  void set_refusals(const std::string& dataset, std::uint64_t most, std::int64_t now = 0);
  Budget budget(const std::string& dataset, Measure measure) const;
  PersonLoss person_loss(const std::string& dataset, Measure measure) const;
  std::vector<std::string> datasets() const;
  std::vector<LedgerLine> lines() const;
  /// Hash of the last line. Written down elsewhere, it shows later that nothing before it was changed.
  std::string head() const;

  struct Impl;
  Impl& impl() const;  ///< for the library; throws Error for one that was moved from, as all functions do

 private:
  explicit Ledger(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace fogline
