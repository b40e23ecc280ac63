// SPDX-License-Identifier: Apache-2.0
#include "privacy/books.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "privacy/rounded_sums.hpp"

namespace fogline::privacy {
namespace {

constexpr auto nothing_happened = "nothing was charged and nothing released";

std::string_view suffix(EpsilonMeasure measure) {
  return measure == EpsilonMeasure::per_metre ? " per metre" : "";
}

std::string_view of_whom(bool of_person) {
  return of_person ? " per person" : "";
}

/// What a charge adds to a cap.
Rational cost_of(const Guarantee& guarantee, bool of_person) {
  return of_person ? guarantee.person_epsilon() : guarantee.epsilon();
}

BudgetError over_the_cap(const std::string& dataset, const Guarantee& guarantee, const MeasureTotal& total,
                         bool of_person) {
  const Rational remaining = *total.remaining(), asked = cost_of(guarantee, of_person);
  const Rational excess = difference_rounded_down(asked, remaining);
  const std::string message = fmt::format(
      "dataset {}: the release asks for epsilon {}{}, {} of the cap of {}{} remains, {} too little; {}; ask "
      "for less, or raise "
      "the cap if that can be answered for",
      dataset, asked.to_string(), suffix(guarantee.measure()), remaining.to_string(), total.cap->to_string(),
      of_whom(of_person), excess.to_string(), nothing_happened);
  return {{dataset, guarantee.measure(), asked, remaining, excess}, message};
}

BudgetError no_cap_in_this_measure(const std::string& dataset, const Guarantee& guarantee, bool of_person) {
  const bool per_metre = guarantee.measure() == EpsilonMeasure::per_metre;
  const std::string message = fmt::format(
      "dataset {}: the release asks for epsilon {}{}, but the dataset has a cap on {}{} only, which bounds "
      "nothing "
      "of this measure; 0 remains, {} too little; {}; set a cap for this measure too, such as '{}'",
      dataset, guarantee.epsilon().to_string(), suffix(guarantee.measure()),
      per_metre ? "plain epsilon" : "epsilon per metre", of_whom(of_person), guarantee.epsilon().to_string(),
      nothing_happened, to_string(Cap{guarantee.measure(), cost_of(guarantee, of_person), of_person}));
  return {{dataset, guarantee.measure(), guarantee.epsilon(), {}, guarantee.epsilon()}, message};
}

BudgetError promises_nothing(const std::string& dataset, const Guarantee& guarantee) {
  const std::string message = fmt::format(
      "dataset {}: the dataset has a cap, and a release that promises nothing exceeds every cap; {}; leave "
      "out a fixed seed, choose the sound form of the mechanism, or a dataset without a cap",
      dataset, nothing_happened);
  return {{dataset, guarantee.measure(), {}, {}, {}}, message};
}

BudgetError bounds_no_person(const std::string& dataset, const Guarantee& guarantee) {
  const std::string message = fmt::format(
      "dataset {}: the dataset has a cap per person, and the release, which protects {}, bounds nothing of a "
      "person; {}; say with `persons` how persons are told apart and with `per-person` how many records each "
      "may have; what tells something for certain (`too-far` leave-out, `keep`, a `policy` other than "
      "complete, a "
      "route) "
      "needs a dataset without that cap",
      dataset, guarantee.unit(), nothing_happened);
  return {{dataset, guarantee.measure(), guarantee.epsilon(), {}, guarantee.epsilon()},
          message,
          BudgetError::Why::bounds_no_person};
}

/// What is beyond a cap of the dataset, or beyond one per person.
std::optional<BudgetError> excess_of(const std::string& dataset, const DatasetBook& book,
                                     const Guarantee& guarantee, bool of_person) {
  const auto total = [&](EpsilonMeasure measure) -> const MeasureTotal& {
    return of_person ? book.person(measure) : book.total(measure);
  };
  const bool is_capped = total(EpsilonMeasure::plain).cap || total(EpsilonMeasure::per_metre).cap;
  if (!is_capped) return std::nullopt;
  if (of_person && !guarantee.covers_person()) return bounds_no_person(dataset, guarantee);
  const MeasureTotal& spent = total(guarantee.measure());
  if (!spent.cap) return no_cap_in_this_measure(dataset, guarantee, of_person);
  if (cost_of(guarantee, of_person) <= *spent.remaining()) return std::nullopt;
  return over_the_cap(dataset, guarantee, spent, of_person);
}

BudgetError not_declared(const std::string& dataset, const Guarantee& guarantee, const std::string& alike,
                         const std::vector<std::string>& known) {
  constexpr std::size_t most_named = 5;
  std::string names;
  for (std::size_t i = 0; i < std::min(known.size(), most_named); ++i)
    names += fmt::format("{}'{}'", i == 0 ? ", which has " : ", ", known[i]);
  if (known.size() > most_named) names += fmt::format(" and {} more", known.size() - most_named);
  if (!alike.empty()) names = fmt::format(", which has '{0}' (`dataset` {0})", alike);
  const std::string message =
      fmt::format("dataset '{}' is not declared in this ledger{}; {}", dataset, names, nothing_happened);
  return {{dataset, guarantee.measure(), guarantee.epsilon(), {}, guarantee.epsilon(), alike},
          message,
          BudgetError::Why::not_declared};
}

void add_charge(DatasetBook& book, const Guarantee& guarantee) {
  if (!guarantee.covers_person()) ++book.releases_of_parts;
  if (guarantee.notion() == Notion::none) {
    ++book.releases_without_guarantee;
    return;
  }
  for (const bool of_person : {false, true}) {
    if (of_person && !guarantee.covers_person()) continue;
    MeasureTotal& total = book.total_of({guarantee.measure(), {}, of_person});
    total.spent = sum_rounded_up(total.spent, cost_of(guarantee, of_person));
  }
  auto account = std::ranges::find_if(book.accounts, [&](const Account& known) {
    return known.notion == guarantee.notion() && known.unit == guarantee.unit() &&
           known.cover == guarantee.cover();
  });
  if (account == book.accounts.end()) {
    book.accounts.push_back({guarantee.notion(),
                             guarantee.unit(),
                             guarantee.measure(),
                             {},
                             0,
                             Exactness::exact,
                             guarantee.cover()});
    account = std::prev(book.accounts.end());
  }
  account->spent = sum_rounded_up(account->spent, guarantee.epsilon());
  account->exactness = std::max(account->exactness, guarantee.exactness());
  ++account->releases;
}

BudgetError refused_too_often(const std::string& dataset, const Guarantee& guarantee,
                              const DatasetBook& book) {
  const std::string message = fmt::format(
      "dataset {}: as many guarded requests were refused or broken off as may be ({}), for each tells "
      "something "
      "of the records; {}; whoever keeps them may allow more, with a cap on `refusals`",
      dataset, book.most_guarded_refusals, nothing_happened);
  return {{dataset, guarantee.measure(), {}, {}, {}}, message, BudgetError::Why::refused_too_often};
}

BudgetError of_subjects(const std::string& dataset, const Guarantee& guarantee) {
  const std::string message = fmt::format(
      "dataset {}: it is charged subject by subject, by a service; {}; choose a dataset of its own for other "
      "releases",
      dataset, nothing_happened);
  return {{dataset, guarantee.measure(), guarantee.epsilon(), {}, guarantee.epsilon()},
          message,
          BudgetError::Why::of_subjects};
}

void add(DatasetBook& book, const LedgerEntry& entry) {
  switch (entry.type) {
    case EntryType::charge:
      if (entry.is_guarded) book.guarded_open.insert(entry.number);
      return add_charge(book, entry.guarantee.value());
    case EntryType::seeded_run:
      ++book.seeded_runs;
      return;
    case EntryType::cap:
      if (entry.cap.value().is_of_subjects()) {
        book.subject_cap = entry.cap;
      } else {
        book.total_of(*entry.cap).cap = entry.cap->epsilon;
      }
      return;
    case EntryType::subjects:
      book.subject_lines += entry.subjects.value().lines;
      return;
    case EntryType::settlement:
      ++book.settled;
      book.guarded_open.erase(entry.settlement.value().entry);
      return;
    case EntryType::refusal:
      ++book.refusals;
      if (entry.refused_entry > 0) {
        ++book.guarded_refusals;
        book.guarded_open.erase(entry.refused_entry);
      }
      return;
    case EntryType::refusals:
      book.most_guarded_refusals = entry.most_refusals;
      return;
    case EntryType::dataset:
      book.is_uncapped = entry.is_uncapped;
      return;
    case EntryType::anchor:
    case EntryType::acceptance:
      return;  // of no dataset
  }
}

}  // namespace

std::optional<Rational> MeasureTotal::remaining() const {
  if (!cap) return std::nullopt;
  return spent < *cap ? difference_rounded_down(*cap, spent) : Rational();
}

std::uint64_t DatasetBook::releases() const {
  std::uint64_t all = releases_without_guarantee + seeded_runs;
  for (const Account& account : accounts) all += account.releases;
  return all;
}

std::uint64_t DatasetBook::unsettled() const {
  return releases() - releases_without_guarantee - seeded_runs - settled - guarded_refusals;
}

const MeasureTotal& DatasetBook::total(EpsilonMeasure measure) const {
  return measure == EpsilonMeasure::plain ? plain : per_metre;
}

const MeasureTotal& DatasetBook::person(EpsilonMeasure measure) const {
  return measure == EpsilonMeasure::plain ? person_plain : person_per_metre;
}

const MeasureTotal& DatasetBook::total_of(const Cap& cap) const {
  return cap.of_person ? person(cap.measure) : total(cap.measure);
}

MeasureTotal& DatasetBook::total_of(const Cap& cap) {
  const bool is_plain = cap.measure == EpsilonMeasure::plain;
  if (cap.of_person) return is_plain ? person_plain : person_per_metre;
  return is_plain ? plain : per_metre;
}

std::optional<Rational> DatasetBook::remaining(const Guarantee& release) const {
  const auto of_all = total(release.measure()).remaining();
  auto of_person = person(release.measure()).remaining();
  if (of_person && release.cover() == PersonCover::presence) of_person = *of_person / 2;
  if (!of_all || !of_person) return of_all ? of_all : of_person;
  return *of_person < *of_all ? of_person : of_all;
}

std::optional<Guarantee> DatasetBook::together() const {
  if (releases_without_guarantee > 0) {
    return Guarantee::none("anything in the dataset",
                           fmt::format("{} of its releases promised nothing", releases_without_guarantee));
  }
  if (accounts.empty()) return std::nullopt;
  if (accounts.size() > 1) {
    return Guarantee::none(
        "anything in the dataset",
        fmt::format("its releases are in {} accounts of different unit, measure or notion, "
                    "which do not add up",
                    accounts.size()));
  }
  const Account& only = accounts.front();
  return Guarantee::from_parts({only.notion, only.spent, {}, only.unit, only.exactness, {}, only.cover});
}

namespace {

/// Of a small letter or a digit: what it is taken for. No case is told apart, so a digit is folded with the letter whose capital or small form it has. Two digits are
/// never one, for years and numbers name datasets: 6, which some take for a b, stays what it is because of 8.
char look_of_letter(char c) {
  switch (c) {
    case '0':
      return 'o';
    case '1':
    case 'i':  // a capital i is an l in many fonts
    case '|':
      return 'l';
    case '2':
      return 'z';
    case '5':
      return 's';
    case '8':  // a capital B
      return 'b';
    case '9':  // a small g
      return 'g';
    default:
      return c;
  }
}

}  // namespace

std::string look_of(std::string_view name) {
  std::string look;
  for (const char c : name) {
    if (c == ' ' || c == '.' || c == '-' || c == '_') continue;
    look += look_of_letter(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    // Letters that stand close together are read as one.
    if (look.ends_with("rn")) look.replace(look.size() - 2, 2, "m");
    if (look.ends_with("vv")) look.replace(look.size() - 2, 2, "w");
    if (look.ends_with("cl")) look.replace(look.size() - 2, 2, "d");
  }
  return look;
}

void require_dataset_name(std::string_view name) {
  constexpr std::size_t longest = 200;
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  const bool is_name = !name.empty() && name.size() <= longest && is_letter(name.front()) &&
                       std::ranges::all_of(name, [&](char c) {
                         return is_letter(c) || c == ' ' || c == '.' || c == '-' || c == '_';
                       });
  if (!is_name || name.back() == ' ')
    throw InvalidOption(
        "dataset",
        "must begin with a letter or digit and hold letters a to z, digits, dots, blanks, hyphens and "
        "underlines only, 200 at most: others look like these, and would be a budget of their own");
}

void Books::require_new(const std::string& dataset) const {
  require_dataset_name(dataset);
  for (const auto& [name, book] : datasets_) {
    if (name == dataset && book.is_declared())
      throw InvalidOption("dataset", fmt::format("'{}' is declared already", dataset));
    if (name != dataset && look_of(name) == look_of(dataset))
      throw InvalidOption(
          "dataset",
          fmt::format("'{0}' looks like '{1}', which this ledger has: release with `dataset` {1} if that is "
                      "meant, or choose a name that nobody takes for the other",
                      dataset, name));
  }
}

namespace {

void require_settable_for_subjects(const std::string& dataset, const DatasetBook& book, const Cap& cap) {
  if (!book.subject_cap && (book.has_cap() || book.is_uncapped || book.releases() > 0))
    throw InvalidOption(
        "cap",
        fmt::format("per subject is for a dataset of its own: '{}' has another cap, or releases", dataset));
  if (!book.subject_cap) return;
  if (!cap.is_of_subjects())
    throw InvalidOption("cap", fmt::format("is per subject for '{}', which has no other", dataset));
  if (cap.measure != book.subject_cap->measure || cap.subject_window_s != book.subject_cap->subject_window_s)
    throw InvalidOption(
        "cap",
        fmt::format("of '{}' is '{}': only its epsilon can be changed; another measure or window needs a "
                    "dataset of its own",
                    dataset, to_string(*book.subject_cap)));
}

}  // namespace

void Books::require_settable(const std::string& dataset, const Cap& cap) const {
  const DatasetBook book = this->dataset(dataset);
  if (cap.is_of_subjects() || book.subject_cap) return require_settable_for_subjects(dataset, book, cap);
  if (!cap.of_person || book.has_person_cap()) return;
  if (book.seeded_runs > 0)
    throw InvalidOption(
        "cap", fmt::format("per person would not be true: '{}' has runs with a fixed seed, which promise "
                           "nothing; use a dataset of its own for what follows",
                           dataset));
  if (book.releases_of_parts == 0) return;
  throw InvalidOption(
      "cap", fmt::format("per person would not be true: {} release{} of '{}' bound{} nothing of a person",
                         book.releases_of_parts, book.releases_of_parts == 1 ? "" : "s", dataset,
                         book.releases_of_parts == 1 ? "s" : ""));
}

void Books::apply(const LedgerEntry& entry) {
  if (!is_of_the_whole_ledger(entry.type)) datasets_[entry.dataset] = after(entry);
}

DatasetBook Books::after(const LedgerEntry& entry) const {
  DatasetBook book = dataset(entry.dataset);
  add(book, entry);
  return book;
}

std::optional<BudgetError> Books::refusal(const std::string& dataset, const Guarantee& guarantee) const {
  if (this->dataset(dataset).is_declared()) return excess(dataset, guarantee);
  std::string alike;
  std::vector<std::string> known;
  for (const auto& [name, book] : datasets_) {
    if (name == dataset || !book.is_declared()) continue;
    known.push_back(name);
    if (look_of(name) == look_of(dataset)) alike = name;
  }
  return not_declared(dataset, guarantee, alike, known);
}

std::optional<BudgetError> Books::subjects_refusal(const std::string& dataset,
                                                   const Guarantee& report) const {
  const DatasetBook book = this->dataset(dataset);
  if (!book.is_declared()) return refusal(dataset, report);
  if (book.subject_cap && book.subject_cap->measure == report.measure()) return std::nullopt;
  const std::string message = fmt::format(
      "dataset {}: it has no cap per subject on {}; {}; declare a dataset with a cap like '{}'", dataset,
      report.measure() == EpsilonMeasure::per_metre ? "epsilon per metre" : "plain epsilon", nothing_happened,
      to_string(Cap{.measure = report.measure(), .epsilon = report.epsilon(), .subject_window_s = 86'400}));
  return BudgetError({dataset, report.measure(), report.epsilon(), {}, report.epsilon()}, message,
                     BudgetError::Why::of_subjects);
}

std::optional<BudgetError> Books::guarded_refusal(const std::string& dataset,
                                                  const Guarantee& guarantee) const {
  const DatasetBook book = this->dataset(dataset);
  if (book.answers_that_may_tell() < book.most_guarded_refusals) return std::nullopt;
  return refused_too_often(dataset, guarantee, book);
}

std::optional<BudgetError> Books::excess(const std::string& dataset, const Guarantee& guarantee) const {
  const auto found = datasets_.find(dataset);
  if (found == datasets_.end() || !found->second.has_cap()) return std::nullopt;
  if (guarantee.notion() == Notion::none) return promises_nothing(dataset, guarantee);
  if (found->second.subject_cap) return of_subjects(dataset, guarantee);
  for (const bool of_person : {false, true})
    if (const auto beyond = excess_of(dataset, found->second, guarantee, of_person)) return beyond;
  return std::nullopt;
}

DatasetBook Books::dataset(const std::string& name) const {
  const auto found = datasets_.find(name);
  return found == datasets_.end() ? DatasetBook{} : found->second;
}

}  // namespace fogline::privacy
