// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "privacy/ledger_entry.hpp"

namespace fogline::privacy {

/// A release that would exceed a cap. Exit code 3. Nothing was charged and no noise was drawn.
class BudgetError : public Error {
 public:
  struct Parts {
    std::string dataset;
    EpsilonMeasure measure;
    Rational requested;  ///< 0 where the release promises nothing
    Rational remaining;
    Rational excess;  ///< requested - remaining, to the billionth below where it cannot be kept exactly
    std::string alike = {};  ///< a declared dataset that looks like one that is not; empty if there is none
  };
  enum class Why { over_the_cap, not_declared, bounds_no_person, refused_too_often, of_subjects };
  BudgetError(Parts parts, const std::string& message, Why why = Why::over_the_cap)
      : Error(Problem{.code = why == Why::over_the_cap       ? "over-budget"
                              : why == Why::not_declared     ? "undeclared-dataset"
                              : why == Why::bounds_no_person ? "bounds-no-person"
                              : why == Why::of_subjects      ? "of-subjects"
                                                             : "refused-too-often",
                      .wrong = message}),
        parts_(std::move(parts)),
        why_(why) {}
  const Parts& parts() const { return parts_; }
  Why why() const { return why_; }

 private:
  Parts parts_;
  Why why_;
};

/// Throws InvalidOption for a name that a new dataset must not have: letters a to z in either case, digits, and dots, blanks, hyphens and underlines between them.
/// Letters of other alphabets look like these, and would be a budget of their own.
void require_dataset_name(std::string_view name);

/// What is left of a name once nothing is told apart that looks alike: case, what stands between words, digits and the letters that they are taken for (0 and o,
/// 1 and l and i, 2 and z, 5 and s, 8 and b, 9 and g), and letters that run together: rn and m, cl and d, vv and w.
std::string look_of(std::string_view name);

/// What releases of one dataset with one notion, unit and measure have cost together.
struct Account {
  Notion notion;
  std::string unit;
  EpsilonMeasure measure;
  Rational spent;
  std::uint64_t releases = 0;
  Exactness exactness = Exactness::exact;  ///< of the weakest release
  PersonCover cover = PersonCover::part;
};

/// All of one measure on one dataset.
struct MeasureTotal {
  Rational spent;               ///< over every account of the measure; at most a billionth a charge too high
  std::optional<Rational> cap;  ///< the latest set; empty: none was ever set
  std::optional<Rational> remaining() const;  ///< empty without a cap; 0 when the cap is below what is spent
};

/// How many guarded requests of a dataset may be refused, unless its curator says otherwise.
inline constexpr std::uint64_t default_guarded_refusals = 10;

struct DatasetBook {
  std::vector<Account> accounts;  ///< in the order of their first release
  MeasureTotal plain, per_metre;
  /// What one person can have lost at most, by the releases whose promise covers a person, and the caps on that.
  MeasureTotal person_plain, person_per_metre;
  std::uint64_t releases_of_parts =
      0;  ///< whose promise is for less than a person, or none: they bound nothing of one
  std::uint64_t releases_without_guarantee = 0;
  std::uint64_t seeded_runs = 0;
  std::uint64_t settled = 0;   ///< releases that promise something, of which it is known what was written
  std::uint64_t refusals = 0;  ///< private records that were read and not released
  std::uint64_t guarded_refusals = 0;  ///< of those, told to whoever may not know the records, and paid for
  std::set<std::uint64_t>
      guarded_open;  ///< guarded charges that are neither settled nor refused: running, or broken off
  std::uint64_t most_guarded_refusals = default_guarded_refusals;
  bool is_uncapped = false;  ///< it was declared that nothing limits what may be spent
  /// Of each of its subjects, in a window. Such a dataset is charged subject by subject, and has no other cap.
  std::optional<Cap> subject_cap;
  std::uint64_t subject_lines = 0;  ///< charges of subjects, and requests that had an answer which stood

  /// Guarded requests of which it is not known that the records were released: each of them may have told one bit.
  std::uint64_t answers_that_may_tell() const { return guarded_refusals + guarded_open.size(); }

  std::uint64_t releases() const;  ///< all of them, seeded runs too
  std::uint64_t unsettled()
      const;  ///< of those that promise something and were not refused: broken off, or made before ledgers told what was written
  const MeasureTotal& total(EpsilonMeasure measure) const;
  const MeasureTotal& person(EpsilonMeasure measure) const;
  MeasureTotal& total_of(const Cap& cap);  ///< that it bounds
  const MeasureTotal& total_of(const Cap& cap) const;
  /// The epsilon that another release like this may have: the least that a cap of the dataset or one per person leaves; empty without either.
  std::optional<Rational> remaining(const Guarantee& release) const;
  bool has_person_cap() const { return person_plain.cap || person_per_metre.cap; }
  bool has_cap() const { return plain.cap || per_metre.cap || has_person_cap() || subject_cap; }
  bool is_declared() const { return has_cap() || is_uncapped; }  ///< releases may be charged

  /// What is promised for everything released from the dataset together: the account's total if there is one
  /// account only; none if a release promised nothing or if accounts do not add up; empty before the first
  /// release.
  std::optional<Guarantee> together() const;
};

/// The books a ledger's entries add up to, dataset by dataset, and the rule of its caps.
///
/// Accounts. Inside an account (notion, unit, measure) epsilons add: its total bounds what all its releases
/// tell about one unit. Accounts do not bound each other. A release that protects one edge may tell any
/// amount about one trip, an epsilon per metre is no epsilon, and a one-sided promise says nothing about the
/// other side. So a dataset with two accounts has no guarantee as a whole, and `together()` says so.
///
/// Caps. A cap belongs to a dataset and a measure. It bounds the sum over all accounts of that measure,
/// whatever their unit and notion. Therefore
///   - every account stays within the cap, and
///   - calling the unit by another name, or choosing another notion, never buys more budget.
/// Two more rules keep a cap from being walked around:
///   - once a dataset has a cap in one measure, a charge in the other is refused until that has a cap too;
///   - a release that promises nothing exceeds every cap, and is refused on a dataset that has one.
/// A cap per person bounds what all releases of any kind can tell of one person: the sum of those whose promise covers a person, in each measure by itself.
/// It forbids every other release, for that bounds nothing of a person; and it cannot be set once there was one. It stands beside the caps of the dataset, and
/// a charge must keep to both.
/// A cap of subjects bounds what each subject is charged by itself, in a window of the clock: the dataset of a service, which answers one person at a time. It has no
/// other cap and no other releases.
/// A cap counts what was spent before it was set. It may be lowered below that: then nothing more is
/// released. Exactly the cap may be spent. Seeded runs are recorded and cost nothing, for they promise
/// nothing.
///
/// Datasets are declared, by a cap or by saying that there is none: a release of any other is refused, for a slip of the pen would be a fresh
/// budget. A name that looks like one that is there already cannot be declared. Ledgers of earlier versions hold releases of datasets that nobody
/// declared; they stand, and nothing is added to them.
///
/// Sums are exact as long as 64-bit fractions keep them, which decimals of up to nine digits never leave. Fractions whose
/// common denominator grows beyond that are added up to the next billionth, above ten billion to the next whole number:
/// what is spent is then never told too low, what remains never too high, and a further charge is always possible.
class Books {
 public:
  /// Adds an entry without asking whether it is allowed.
  void apply(const LedgerEntry& entry);

  /// The books of the entry's dataset as `apply` would leave them.
  DatasetBook after(const LedgerEntry& entry) const;

  /// Why a charge with this guarantee is not allowed now; empty when it is.
  std::optional<BudgetError> refusal(const std::string& dataset, const Guarantee& guarantee) const;
  /// The same, but for whether the dataset was declared: a run that costs nothing needs no budget.
  std::optional<BudgetError> excess(const std::string& dataset, const Guarantee& guarantee) const;

  /// Why a request of whoever may not know the records is not allowed now, whatever it costs: as many were refused as may be. Empty when it is.
  std::optional<BudgetError> guarded_refusal(const std::string& dataset, const Guarantee& guarantee) const;

  /// Why reports of its subjects may not be charged, whatever they cost; empty when they may.
  std::optional<BudgetError> subjects_refusal(const std::string& dataset, const Guarantee& report) const;

  /// Throws InvalidOption if the cap would not be true: one per person, after releases that bound nothing of a person; one of subjects beside another, after other
  /// releases, or in another window or measure than before.
  void require_settable(const std::string& dataset, const Cap& cap) const;

  /// Throws InvalidOption if a dataset of this name must not be declared: it is there, looks like one that is, or cannot be a name.
  void require_new(const std::string& dataset) const;

  const std::map<std::string, DatasetBook>& datasets() const { return datasets_; }
  DatasetBook dataset(const std::string& name) const;  ///< empty books for an unknown name

 private:
  std::map<std::string, DatasetBook> datasets_;
};

}  // namespace fogline::privacy
