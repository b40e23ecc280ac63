// SPDX-License-Identifier: Apache-2.0
#include "privacy/books.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace fogline::privacy::books_test {
namespace {

using testing::HasSubstr;

Guarantee trip(std::uint64_t numerator, std::uint64_t denominator) {
  return Guarantee::pure(Epsilon{numerator, denominator}, "one trip", Exactness::exact);
}
Guarantee report(std::uint64_t numerator, std::uint64_t denominator) {
  return Guarantee::metric(EpsilonPerMetre{numerator, denominator}, "one report", Exactness::exact);
}
const Guarantee nothing = Guarantee::none("one weight", "the order is published");

LedgerEntry charge(const Guarantee& guarantee, const std::string& dataset = "riders") {
  LedgerEntry entry;
  entry.dataset = dataset;
  entry.guarantee = guarantee;
  return entry;
}
LedgerEntry seeded_run(const Guarantee& guarantee) {
  LedgerEntry entry = charge(guarantee);
  entry.type = EntryType::seeded_run;
  return entry;
}
LedgerEntry cap(EpsilonMeasure measure, const Rational& epsilon) {
  LedgerEntry entry;
  entry.type = EntryType::cap;
  entry.dataset = "riders";
  entry.cap = Cap{measure, epsilon};
  return entry;
}
LedgerEntry plain_cap(std::uint64_t epsilon) {
  return cap(EpsilonMeasure::plain, Rational(epsilon));
}

TEST(Books, EpsilonsOfOneAccountAdd) {
  Books books;
  for (int i = 0; i < 10; ++i) books.apply(charge(trip(1, 10)));
  const DatasetBook book = books.dataset("riders");
  ASSERT_EQ(book.accounts.size(), 1U);
  EXPECT_EQ(book.accounts[0].spent, Rational(1));
  EXPECT_EQ(book.accounts[0].releases, 10U);
  EXPECT_EQ(book.together(), trip(1, 1));
}

Guarantee person(std::uint64_t numerator, std::uint64_t denominator) {
  return Guarantee::pure(Epsilon{numerator, denominator}, "one user", Exactness::exact).for_person();
}
Guarantee person_by_metre(std::uint64_t numerator, std::uint64_t denominator) {
  return Guarantee::metric(EpsilonPerMetre{numerator, denominator}, "one person's reports", Exactness::exact)
      .for_person();
}
LedgerEntry person_cap(EpsilonMeasure measure, const Rational& epsilon) {
  LedgerEntry entry = cap(measure, epsilon);
  entry.cap->of_person = true;
  return entry;
}

TEST(Books, WhatOnePersonCanHaveLostAddsUpOverKindsAndUnits) {
  Books books;
  books.apply(charge(person(1, 2)));
  books.apply(
      charge(Guarantee::policy(Epsilon{1, 4}, "one person's sequences", Exactness::exact).for_person()));
  books.apply(charge(person_by_metre(1, 100)));
  const DatasetBook book = books.dataset("riders");
  EXPECT_EQ(book.person_plain.spent, Rational(3, 4));
  EXPECT_EQ(book.person_per_metre.spent, Rational(1, 100));
  EXPECT_EQ(book.releases_of_parts, 0U);
  const Guarantee present =
      Guarantee::pure(Epsilon{1, 8}, "one user", Exactness::exact).for_person(PersonCover::presence);
  books.apply(charge(present));  // one person's trips exchanged for others: twice
  EXPECT_EQ(books.dataset("riders").person_plain.spent, Rational(1));
  EXPECT_EQ(books.dataset("riders").plain.spent, Rational(7, 8));
  books.apply(charge(trip(1, 8)));
  EXPECT_EQ(books.dataset("riders").person_plain.spent, Rational(1));
  EXPECT_EQ(books.dataset("riders").plain.spent, Rational(1));
  EXPECT_EQ(books.dataset("riders").releases_of_parts, 1U);
  books.apply(charge(nothing));
  EXPECT_EQ(books.dataset("riders").releases_of_parts, 2U);
}

TEST(Books, ACapPerPersonForbidsWhatBoundsNothingOfAPerson) {
  Books books;
  books.apply(person_cap(EpsilonMeasure::plain, Rational(1)));
  EXPECT_TRUE(books.dataset("riders").is_declared());
  EXPECT_FALSE(books.refusal("riders", person(1, 1)));
  EXPECT_THAT(books.refusal("riders", trip(1, 100)).value().what(), HasSubstr("bounds nothing of a person"));
  EXPECT_THAT(books.refusal("riders", nothing).value().what(), HasSubstr("exceeds every cap"));
  EXPECT_THAT(books.refusal("riders", person_by_metre(1, 100)).value().what(),
              HasSubstr("has a cap on plain epsilon per person only"));
  books.apply(charge(person(3, 4)));
  EXPECT_THAT(books.refusal("riders", person(1, 2)).value().what(), HasSubstr("0.25 too little"));
  EXPECT_EQ(books.refusal("riders", person(1, 2)).value().parts().remaining, Rational(1, 4));
  EXPECT_FALSE(books.refusal("riders", person(1, 4)));
  const Guarantee present =
      Guarantee::pure(Epsilon{1, 4}, "one user", Exactness::exact).for_person(PersonCover::presence);
  EXPECT_EQ(books.refusal("riders", present).value().parts().requested, Rational(1, 2));
}

TEST(Books, ACapPerPersonStandsBesideTheOneOfTheDataset) {
  Books books;
  books.apply(plain_cap(2));
  books.apply(person_cap(EpsilonMeasure::plain, Rational(5)));
  EXPECT_TRUE(books.refusal("riders", person(3, 1)));
  EXPECT_FALSE(books.refusal("riders", person(2, 1)));
  EXPECT_EQ(books.dataset("riders").remaining(person(1, 1)), Rational(2));
  books.apply(person_cap(EpsilonMeasure::plain, Rational(1)));
  EXPECT_EQ(books.dataset("riders").remaining(person(1, 1)), Rational(1));
  EXPECT_EQ(
      books.dataset("riders").remaining(
          Guarantee::pure(Epsilon{1, 1}, "one user", Exactness::exact).for_person(PersonCover::presence)),
      Rational(1, 2));
  EXPECT_FALSE(books.dataset("riders").remaining(person_by_metre(1, 1)));
  EXPECT_TRUE(books.refusal("riders", person(2, 1)));
}

TEST(Books, ACapPerPersonIsNotSetWhereItWouldNotBeTrue) {
  Books books;
  const Cap wanted = person_cap(EpsilonMeasure::plain, Rational(1)).cap.value();
  books.apply(plain_cap(2));
  books.apply(charge(person(1, 2)));
  EXPECT_NO_THROW(books.require_settable("riders", wanted));
  Books seeded = books;
  seeded.apply(seeded_run(person(1, 2)));
  EXPECT_THROW(seeded.require_settable("riders", wanted), InvalidOption);
  books.apply(charge(trip(1, 2)));
  EXPECT_THROW(books.require_settable("riders", wanted), InvalidOption);
  EXPECT_NO_THROW(books.require_settable("riders", plain_cap(1).cap.value()));
  EXPECT_NO_THROW(books.require_settable("drivers", wanted));
}

TEST(Books, DatasetsDoNotMix) {
  Books books;
  books.apply(charge(trip(1, 1), "riders"));
  books.apply(charge(trip(2, 1), "drivers"));
  EXPECT_EQ(books.dataset("riders").plain.spent, Rational(1));
  EXPECT_EQ(books.dataset("drivers").plain.spent, Rational(2));
  EXPECT_FALSE(books.dataset("walkers").together());
}

TEST(Books, WhatDoesNotAddUpIsKeptApartAndHasNoGuaranteeTogether) {
  Books books;
  books.apply(charge(trip(1, 1)));
  books.apply(charge(Guarantee::pure(Epsilon{1, 2}, "one edge", Exactness::exact)));
  books.apply(charge(Guarantee::one_sided(Epsilon{1, 4}, "one trip", Exactness::exact)));
  books.apply(charge(report(1, 100)));
  const DatasetBook book = books.dataset("riders");
  EXPECT_EQ(book.accounts.size(), 4U);
  EXPECT_EQ(book.plain.spent, Rational(7, 4));
  EXPECT_EQ(book.per_metre.spent, Rational(1, 100));
  EXPECT_EQ(book.together()->notion(), Notion::none);
  EXPECT_THAT(book.together()->reason(), HasSubstr("4 accounts"));
}

TEST(Books, AReleaseWithoutGuaranteeMarksTheDataset) {
  Books books;
  books.apply(charge(trip(1, 1)));
  EXPECT_FALSE(books.excess("riders", nothing));
  books.apply(charge(nothing));
  books.apply(charge(trip(1, 1)));
  const DatasetBook book = books.dataset("riders");
  EXPECT_EQ(book.releases_without_guarantee, 1U);
  EXPECT_EQ(book.plain.spent, Rational(2));
  EXPECT_EQ(book.together()->notion(), Notion::none);
}

TEST(Books, SeededRunsAreSeenAndCostNothing) {
  Books books;
  books.apply(plain_cap(1));
  books.apply(seeded_run(trip(5, 1)));
  books.apply(seeded_run(nothing));
  const DatasetBook book = books.dataset("riders");
  EXPECT_EQ(book.seeded_runs, 2U);
  EXPECT_EQ(book.plain.remaining(), Rational(1));
  EXPECT_FALSE(book.together());
}

TEST(Caps, ExactlyTheCapMayBeSpent) {
  Books books;
  books.apply(plain_cap(1));
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(books.refusal("riders", trip(1, 3)));
    books.apply(charge(trip(1, 3)));
  }
  EXPECT_EQ(books.dataset("riders").plain.remaining(), Rational());
  EXPECT_TRUE(books.refusal("riders", trip(1, 1'000'000'000)));
}

TEST(Caps, TheRefusalNamesRequestedRemainingAndDifference) {
  Books books;
  books.apply(cap(EpsilonMeasure::per_metre, Rational(3, 100)));
  books.apply(charge(report(1, 40)));
  const auto refused = books.refusal("riders", report(1, 100));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->parts().requested, Rational(1, 100));
  EXPECT_EQ(refused->parts().remaining, Rational(1, 200));
  EXPECT_EQ(refused->parts().excess, Rational(1, 200));
  EXPECT_STREQ(
      refused->what(),
      "dataset riders: the release asks for epsilon 0.01 per metre, 0.005 of the cap of 0.03 remains, "
      "0.005 too little; nothing was charged and nothing released; ask for less, or raise the cap if that "
      "can be "
      "answered for");
}

TEST(Caps, AnotherUnitOrNotionBuysNoMoreBudget) {
  Books books;
  books.apply(plain_cap(1));
  books.apply(charge(trip(3, 4)));
  EXPECT_TRUE(books.refusal("riders", Guarantee::pure(Epsilon{1, 2}, "one  trip", Exactness::exact)));
  EXPECT_TRUE(books.refusal("riders", Guarantee::one_sided(Epsilon{1, 2}, "one trip", Exactness::exact)));
  EXPECT_FALSE(books.refusal("riders", Guarantee::policy(Epsilon{1, 4}, "one step", Exactness::exact)));
}

TEST(Caps, TheOtherMeasureIsClosedUntilItHasACapToo) {
  Books books;
  books.apply(plain_cap(1));
  const auto refused = books.refusal("riders", report(1, 1000));
  ASSERT_TRUE(refused);
  EXPECT_THAT(refused->what(), HasSubstr("set a cap for this measure too"));
  EXPECT_EQ(refused->parts().excess, Rational(1, 1000));
  books.apply(cap(EpsilonMeasure::per_metre, Rational(1, 1000)));
  EXPECT_FALSE(books.refusal("riders", report(1, 1000)));
}

TEST(Caps, AReleaseWithoutGuaranteeExceedsEveryCap) {
  Books books;
  books.apply(plain_cap(1'000'000));
  const auto refused = books.refusal("riders", nothing);
  ASSERT_TRUE(refused);
  EXPECT_THAT(refused->what(), HasSubstr("exceeds every cap"));
}

TEST(Caps, MayBeLoweredBelowWhatIsSpentAndRaisedAgain) {
  Books books;
  books.apply(charge(trip(2, 1)));
  books.apply(plain_cap(1));
  EXPECT_EQ(books.dataset("riders").plain.remaining(), Rational());
  EXPECT_TRUE(books.refusal("riders", trip(1, 1000)));
  books.apply(plain_cap(0));
  EXPECT_TRUE(books.refusal("riders", trip(1, 1000)));
  books.apply(plain_cap(3));
  EXPECT_EQ(books.dataset("riders").plain.remaining(), Rational(1));
  EXPECT_FALSE(books.refusal("riders", trip(1, 1)));
}

TEST(Books, ASumThatIsNoFractionOf64BitsIsRoundedUp) {
  Books books;
  // Three primes just below 10^9: two fit into 64 bits together, three do not.
  books.apply(charge(trip(1, 999'999'937)));
  books.apply(charge(trip(1, 999'999'929)));
  const Rational two = books.dataset("riders").plain.spent;
  EXPECT_EQ(two, Rational(1, 999'999'937) + Rational(1, 999'999'929));
  books.apply(charge(trip(1, 999'999'893)));
  // Each is a little above a billionth: two of them make up to three, one makes up to two.
  EXPECT_EQ(books.dataset("riders").plain.spent, Rational(5, 1'000'000'000));
  EXPECT_EQ(books.dataset("riders").accounts[0].releases, 3U);
  // From there on decimals add exactly again.
  books.apply(charge(trip(1, 10)));
  EXPECT_EQ(books.dataset("riders").plain.spent, Rational(100'000'005, 1'000'000'000));
}

TEST(Caps, HoldWhereWhatRemainsIsNoFractionOf64Bits) {
  Books books;
  books.apply(charge(trip(1, 999'999'937)));
  books.apply(charge(trip(1, 999'999'929)));
  books.apply(plain_cap(100));  // times the common denominator beyond 64 bits
  EXPECT_EQ(books.dataset("riders").plain.remaining(), Rational(99'999'999'997, 1'000'000'000));
  EXPECT_FALSE(books.refusal("riders", trip(99'999'999'997, 1'000'000'000)));
  const auto refused = books.refusal("riders", trip(100, 1));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->parts().excess, Rational(3, 1'000'000'000));
}

TEST(Books, AreNeverMadeUnusableByAnyCharges) {
  EXPECT_TRUE(rc::check("a tenth can be charged after anything, and costs a tenth", [] {
    Books books;
    const auto steps = *rc::gen::inRange(1, 60);
    for (int i = 0; i < steps; ++i) {
      const auto denominator = *rc::gen::inRange<std::uint64_t>(1, 1'000'000'001);
      const auto numerator = *rc::gen::inRange<std::uint64_t>(1, 1000);
      const Rational before = books.dataset("riders").plain.spent;
      books.apply(charge(trip(numerator, denominator)));
      const Rational after = books.dataset("riders").plain.spent;
      // At most two billionths above the sum, and never below it: compared where both can be kept.
      const long double sum = static_cast<long double>(before.to_double()) +
                              static_cast<long double>(numerator) / static_cast<long double>(denominator);
      RC_ASSERT(static_cast<long double>(after.to_double()) >= sum * (1 - 1e-12L));
      RC_ASSERT(static_cast<long double>(after.to_double()) <= sum * (1 + 1e-12L) + 2e-9L);
    }
    const Rational before = books.dataset("riders").plain.spent;
    RC_ASSERT(!books.excess("riders", trip(1, 10)));
    books.apply(charge(trip(1, 10)));
    const Rational after = books.dataset("riders").plain.spent;
    RC_ASSERT(after > before);
    RC_ASSERT(after.to_double() - before.to_double() > 0.0999999);
    RC_ASSERT(after.to_double() - before.to_double() < 0.1000001);
    books.apply(plain_cap(1'000'000));
    RC_ASSERT(books.dataset("riders").plain.remaining().has_value());
  }));
}

TEST(Books, TotalsBeyondTenBillionAreWholeNumbers) {
  Books books;
  for (int i = 0; i < 3; ++i)
    books.apply(charge(Guarantee::from_parts(
        {Notion::pure_dp, Rational(9'000'000'000'000'000'000U), {}, "one trip", Exactness::exact, {}})));
  EXPECT_EQ(books.dataset("riders").plain.spent, Rational(~std::uint64_t{0}));
}

TEST(Caps, AreNeverExceededByAnySequenceThatAsksFirst) {
  EXPECT_TRUE(rc::check("spent stays within the cap, unit by unit and together", [] {
    Books books;
    const Rational limit(*rc::gen::inRange<std::uint64_t>(0, 20));
    books.apply(cap(EpsilonMeasure::plain, limit));
    const auto steps = *rc::gen::inRange(1, 60);
    for (int i = 0; i < steps; ++i) {
      const Epsilon epsilon{*rc::gen::inRange<std::uint64_t>(1, 30), *rc::gen::inRange<std::uint64_t>(1, 12)};
      const std::string unit = *rc::gen::element<std::string>("one trip", "one edge");
      const auto wanted = *rc::gen::arbitrary<bool>() ? Guarantee::pure(epsilon, unit, Exactness::exact)
                                                      : Guarantee::one_sided(epsilon, unit, Exactness::exact);
      const Rational before = books.dataset("riders").plain.spent;
      const auto refused = books.refusal("riders", wanted);
      RC_ASSERT(refused.has_value() == (before + wanted.epsilon() > limit));
      if (!refused) books.apply(charge(wanted));
    }
    Rational sum;
    for (const Account& account : books.dataset("riders").accounts) sum = sum + account.spent;
    RC_ASSERT(sum == books.dataset("riders").plain.spent);
    RC_ASSERT(sum <= limit);
  }));
}

}  // namespace
}  // namespace fogline::privacy::books_test
