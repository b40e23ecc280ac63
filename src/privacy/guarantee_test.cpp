// SPDX-License-Identifier: Apache-2.0
#include "privacy/guarantee.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace fogline::privacy::guarantee_test {
namespace {

using testing::HasSubstr;

template <class A, class B>
concept Addable = requires(A a, B b) { a + b; };
template <class A, class B>
concept Comparable = requires(A a, B b) { a == b; };

static_assert(Addable<Epsilon, Epsilon>);
static_assert(Addable<EpsilonPerMetre, EpsilonPerMetre>);
static_assert(!Addable<Epsilon, EpsilonPerMetre>);
static_assert(!Addable<EpsilonPerMetre, Epsilon>);
static_assert(!Addable<Epsilon, Rational>);
static_assert(!Addable<Epsilon, double>);
static_assert(!Comparable<Epsilon, EpsilonPerMetre>);
static_assert(!std::is_convertible_v<Epsilon, EpsilonPerMetre>);
static_assert(!std::is_constructible_v<Epsilon, double>);
static_assert(!std::is_constructible_v<EpsilonPerMetre, Epsilon>);

const Guarantee place = Guarantee::metric(EpsilonPerMetre{1, 100}, "one report", Exactness::exact);
const Guarantee trip = Guarantee::pure(Epsilon{1, 2}, "one trip", Exactness::exact);
const Guarantee nothing = Guarantee::none("one weight", "the order of the weights is published");

template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const InvalidOption& error) {
    return error.what();
  }
  return "no error";
}

TEST(Epsilon, KeepsTheExactFraction) {
  EXPECT_EQ(Epsilon::parse("0.1").value(), Rational(1, 10));
  EXPECT_EQ(EpsilonPerMetre::parse("1/3").value(), Rational(1, 3));
  EXPECT_EQ(Epsilon::parse("1000").value(), Rational(1000));
  EXPECT_EQ((Epsilon{1, 3} + Epsilon{1, 6}), (Epsilon{1, 2}));
}

TEST(Epsilon, OutsideTheRangeIsRefusedWithTheRangeInTheMessage) {
  EXPECT_EQ(message_of([] { Epsilon{0, 1}; }), "epsilon: is 0; it must be above 0 and at most 1000");
  EXPECT_EQ(message_of([] { Epsilon::parse("0.000"); }),
            "epsilon: is 0; it must be above 0 and at most 1000");
  EXPECT_EQ(message_of([] {
              EpsilonPerMetre{100'001, 100};
            }),
            "epsilon per metre: is 1000.01; it must be above 0 and at most 1000");
  EXPECT_THROW((Epsilon{999, 1} + Epsilon{2, 1}), InvalidOption);
  EXPECT_THROW((Epsilon{1, 0}), InvalidOption);
}

TEST(Epsilon, TextThatIsNoNumberIsRefusedWithTheRangeInTheMessage) {
  for (const char* text : {"", "nan", "NaN", "-1", "-0.5", "+1", "inf", "1e99", "0x1p3", "one", "1 ", "1,5",
                           "99999999999999999999999", "1/0", "1e-41"}) {
    EXPECT_EQ(message_of([&] { Epsilon::parse(text); }),
              "epsilon: is not a number above 0 and at most 1000, such as 0.5 or 1/3")
        << text;
    EXPECT_THROW(EpsilonPerMetre::parse(text), InvalidOption) << text;
  }
}

TEST(Guarantee, PartsFollowTheNotion) {
  EXPECT_EQ(place.notion(), Notion::metric_dp);
  EXPECT_EQ(place.measure(), EpsilonMeasure::per_metre);
  EXPECT_EQ(place.epsilon(), Rational(1, 100));
  EXPECT_TRUE(place.delta().is_zero());
  EXPECT_EQ(trip.measure(), EpsilonMeasure::plain);
  EXPECT_EQ(Guarantee::policy(Epsilon{1, 1}, "u", Exactness::grid_rounded).measure(), EpsilonMeasure::plain);
  EXPECT_EQ(Guarantee::one_sided(Epsilon{1, 1}, "u", Exactness::exact).notion(), Notion::one_sided_dp);
  EXPECT_TRUE(nothing.epsilon().is_zero());
  EXPECT_EQ(nothing.exactness(), Exactness::approximate);
}

TEST(Guarantee, ContradictionsAreRefused) {
  EXPECT_THROW(Guarantee::pure(Epsilon{1, 1}, "", Exactness::exact), InvalidOption);
  EXPECT_THROW(Guarantee::pure(Epsilon{1, 1}, "a\nb", Exactness::exact), InvalidOption);
  EXPECT_THROW(Guarantee::pure(Epsilon{1, 1}, "one trip", Exactness::approximate), InvalidOption);
  EXPECT_THROW(Guarantee::none("one trip", ""), InvalidOption);
  const Rational one(1);
  EXPECT_THROW(Guarantee::from_parts({Notion::none, one, {}, "u", Exactness::approximate, "r"}),
               InvalidOption);
  EXPECT_THROW(Guarantee::from_parts({Notion::none, {}, {}, "u", Exactness::exact, "r"}), InvalidOption);
  EXPECT_THROW(Guarantee::from_parts({Notion::pure_dp, {}, {}, "u", Exactness::exact, ""}), InvalidOption);
  EXPECT_THROW(Guarantee::from_parts({Notion::pure_dp, one, one, "u", Exactness::exact, ""}), InvalidOption);
  EXPECT_THROW(Guarantee::from_parts({Notion::pure_dp, one, {}, "u", Exactness::exact, "r"}), InvalidOption);
}

TEST(Guarantee, OfAPersonNeedsAPromiseBothWays) {
  const Guarantee person = trip.for_person();
  EXPECT_TRUE(person.covers_person());
  EXPECT_FALSE(trip.covers_person());
  EXPECT_FALSE(person == trip);
  EXPECT_THROW(nothing.for_person(), InvalidOption);
  EXPECT_THROW(Guarantee::one_sided(Epsilon{1, 1}, "u", Exactness::exact).for_person(), InvalidOption);
  EXPECT_TRUE(compose(person, person).covers_person());
  EXPECT_FALSE(compose(person, trip).covers_person());  // the weaker of the two is what both keep
  const Guarantee present = trip.for_person(PersonCover::presence);
  EXPECT_EQ(compose(person, present).cover(), PersonCover::presence);
  EXPECT_EQ(person.person_epsilon(), person.epsilon());
  EXPECT_EQ(present.person_epsilon(), present.epsilon() * 2);  // away with these records, and in with those
  for (const PersonCover cover : {PersonCover::part, PersonCover::records, PersonCover::presence})
    EXPECT_EQ(cover_from(to_string(cover)), cover);
  EXPECT_THROW(cover_from("all"), InvalidOption);
}

TEST(Compose, EpsilonsAddAndTheWeakerSamplerCounts) {
  EXPECT_EQ(compose(place, place), Guarantee::metric(EpsilonPerMetre{1, 50}, "one report", Exactness::exact));
  const Guarantee rounded = Guarantee::pure(Epsilon{1, 3}, "one trip", Exactness::grid_rounded);
  const Guarantee both = compose(trip, rounded);
  EXPECT_EQ(both.epsilon(), Rational(5, 6));
  EXPECT_EQ(both.exactness(), Exactness::grid_rounded);
  EXPECT_EQ(compose(rounded, trip), both);
}

TEST(Compose, ATotalMayExceedTheLimitOfOneParameter) {
  const Guarantee large = Guarantee::pure(Epsilon{1000, 1}, "one trip", Exactness::exact);
  EXPECT_EQ(compose(large, large).epsilon(), Rational(2000));
}

TEST(Compose, AnotherNotionOrUnitDoesNotAddUp) {
  EXPECT_THROW(compose(place, trip), IncompatibleGuarantees);
  EXPECT_THROW(compose(trip, Guarantee::pure(Epsilon{1, 1}, "one edge", Exactness::exact)),
               IncompatibleGuarantees);
  EXPECT_THROW(compose(trip, Guarantee::one_sided(Epsilon{1, 1}, "one trip", Exactness::exact)),
               IncompatibleGuarantees);
  EXPECT_THROW(compose(trip, Guarantee::policy(Epsilon{1, 1}, "one trip", Exactness::exact)),
               IncompatibleGuarantees);
  try {
    compose(place, trip);
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("metric DP, epsilon 0.01 per metre, protecting one report, exact"));
    EXPECT_THAT(error.what(), HasSubstr("pure DP, epsilon 0.5, protecting one trip, exact"));
  }
}

TEST(Compose, WithNoneNothingIsPromised) {
  EXPECT_EQ(compose(place, nothing), nothing);
  EXPECT_EQ(compose(nothing, trip), nothing);
  EXPECT_EQ(compose(nothing, nothing), nothing);
  const Guarantee other = Guarantee::none("one trip", "starts from the originals");
  EXPECT_EQ(compose(nothing, other).notion(), Notion::none);
  EXPECT_EQ(compose(nothing, other).reason(),
            "the order of the weights is published; starts from the originals");
}

TEST(Compose, ReasonsNeverGrowBeyondWhatIsKept) {
  Guarantee all = nothing;
  for (int i = 0; i < 300; ++i) {
    all = compose(all, Guarantee::none("unit " + std::to_string(i), "reason " + std::to_string(i)));
  }
  EXPECT_EQ(all.notion(), Notion::none);
  EXPECT_LE(all.reason().size(), 2000U);
}

TEST(Compose, IsCommutativeAndAssociative) {
  EXPECT_TRUE(rc::check("compose adds like fractions", [] {
    const auto any = [] {
      const auto numerator = *rc::gen::inRange<std::uint64_t>(1, 1000);
      return Guarantee::pure(Epsilon{numerator, *rc::gen::inRange<std::uint64_t>(1, 1000)}, "one trip",
                             *rc::gen::element(Exactness::exact, Exactness::grid_rounded));
    };
    const Guarantee a = any(), b = any(), c = any();
    RC_ASSERT(compose(a, b) == compose(b, a));
    RC_ASSERT(compose(compose(a, b), c) == compose(a, compose(b, c)));
    RC_ASSERT(compose(a, b).epsilon() > a.epsilon());
  }));
}

TEST(Names, RoundTripAndRefuseOthers) {
  for (const Notion notion :
       {Notion::pure_dp, Notion::metric_dp, Notion::policy_dp, Notion::one_sided_dp, Notion::none}) {
    EXPECT_EQ(notion_from(to_string(notion)), notion);
  }
  for (const auto measure : {EpsilonMeasure::plain, EpsilonMeasure::per_metre}) {
    EXPECT_EQ(measure_from(to_string(measure)), measure);
  }
  for (const auto exactness : {Exactness::exact, Exactness::grid_rounded, Exactness::approximate}) {
    EXPECT_EQ(exactness_from(to_string(exactness)), exactness);
  }
  EXPECT_EQ(to_string(Notion::one_sided_dp), "one-sided DP");
  EXPECT_EQ(message_of([] { measure_from("per mile"); }), "measure: is none of: plain, per metre");
  EXPECT_THROW(notion_from("Pure DP"), InvalidOption);
  EXPECT_THROW(exactness_from(""), InvalidOption);
}

TEST(Names, OneSentence) {
  EXPECT_EQ(to_string(place), "metric DP, epsilon 0.01 per metre, protecting one report, exact");
  EXPECT_EQ(to_string(nothing), "no guarantee for one weight: the order of the weights is published");
}

}  // namespace
}  // namespace fogline::privacy::guarantee_test
