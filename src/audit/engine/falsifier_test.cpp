// SPDX-License-Identifier: Apache-2.0
#include "audit/engine/falsifier.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "random/samplers.hpp"

namespace fogline::audit::falsifier_test {
namespace {

using random::DiscreteLaplace;
using random::Stream;

/// 0 and 10 with discrete Laplace noise of epsilon `actual` for a change by 10, claimed to be `claimed`.
Pair laplace(const Rational& actual, double claimed) {
  const DiscreteLaplace noise(actual / 10);
  const auto run = [noise](std::int64_t truth) {
    return [noise, truth](Stream& stream) { return Numbers{static_cast<double>(truth + noise(stream))}; };
  };
  return {.words = "a count moved from 0 to 10", .first = run(0), .second = run(10), .claimed_loss = claimed};
}

Finding try_to_falsify(const Pair& pair, std::uint64_t seed, std::uint64_t samples = 40'000) {
  return falsify(std::vector{pair}, {.key = random::SeededKey(seed), .most_samples = samples});
}

TEST(Falsifier, ShowsNoiseThatIsTooSmall) {
  const Finding finding = try_to_falsify(laplace({12, 10}, 1), 1);
  EXPECT_TRUE(finding.broken) << finding.loss_at_least;
  EXPECT_GT(finding.loss_at_least, 1);
  EXPECT_LE(finding.loss_at_least, 1.2);
  EXPECT_EQ(finding.confidence, 1 - 1e-6);
  EXPECT_LE(finding.samples, 80'000U);
  EXPECT_THAT(finding.event, testing::HasSubstr("number 1"));
}

TEST(Falsifier, DoesNotAccuseTheRightNoiseAndComesNearItsLoss) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Finding finding = try_to_falsify(laplace({1, 1}, 1), seed);
    EXPECT_FALSE(finding.broken) << seed;
    EXPECT_GT(finding.loss_at_least, 0.8) << seed;
  }
}

TEST(Falsifier, UsesAllSamplesWhenAskedTo) {
  const auto pair = laplace({2, 1}, 1);
  const Finding early = try_to_falsify(pair, 1);
  const Finding all = falsify(
      std::vector{pair}, {.key = random::SeededKey(1), .most_samples = 40'000, .stop_when_broken = false});
  EXPECT_LT(early.samples, all.samples);
  EXPECT_EQ(all.samples, 80'000U);
  EXPECT_GT(all.loss_at_least, 1.8);
}

TEST(Falsifier, IsRepeatableWhateverTheThreads) {
  const auto pair = laplace({12, 10}, 1);
  const Finding one = falsify(std::vector{pair}, {.key = random::SeededKey(3), .threads = 1});
  const Finding two = falsify(std::vector{pair}, {.key = random::SeededKey(3), .threads = 2});
  EXPECT_EQ(one.loss_at_least, two.loss_at_least);
  EXPECT_EQ(one.event, two.event);
  EXPECT_EQ(one.samples, two.samples);
}

/// A pair whose outputs are a fixed rule applied to a fair coin and a uniform number.
template <class First, class Second>
Finding shown(const First& first, const Second& second) {
  return falsify(std::vector<Pair>{{.words = "x", .first = first, .second = second, .claimed_loss = 1}},
                 {.key = random::SeededKey(7), .most_samples = 20'000});
}

double uniform(Stream& noise) {
  return std::ldexp(static_cast<double>(noise.next64() >> 11), -53);
}

TEST(Falsifier, SeesOrder) {
  const auto ordered = [](bool up) {
    return [up](Stream& noise) {
      const double a = uniform(noise), b = uniform(noise);
      return up ? Numbers{std::min(a, b), std::max(a, b)} : Numbers{std::max(a, b), std::min(a, b)};
    };
  };
  const Finding finding = shown(ordered(true), ordered(false));
  EXPECT_TRUE(finding.broken);
  EXPECT_GT(finding.loss_at_least, 3);
}

TEST(Falsifier, SeesEquality) {
  const auto finding = shown(
      [](Stream& noise) {
        const double a = uniform(noise);
        return Numbers{a, uniform(noise), a};
      },
      [](Stream& noise) {
        return Numbers{uniform(noise), uniform(noise), uniform(noise)};
      });
  EXPECT_TRUE(finding.broken);
  EXPECT_THAT(finding.event, testing::HasSubstr("number 1 minus number 3 = 0"));
}

TEST(Falsifier, SeesBitsThatOneInputCannotGive) {
  // Rounding after adding 1 leaves no bits below 2^-52; near 0 there are finer ones.
  const auto finding = shown([](Stream& noise) { return Numbers{uniform(noise) * uniform(noise)}; },
                             [](Stream& noise) { return Numbers{1 + uniform(noise) * uniform(noise) - 1}; });
  EXPECT_TRUE(finding.broken);
  EXPECT_THAT(finding.event, testing::HasSubstr("lowest set bit"));
}

TEST(Falsifier, SeesWhatIsNotANumber) {
  const auto finding = shown(
      [](Stream& noise) { return Numbers{uniform(noise)}; },
      [](Stream& noise) {
        return Numbers{noise.below(50) == 0 ? std::numeric_limits<double>::quiet_NaN() : uniform(noise)};
      });
  EXPECT_TRUE(finding.broken);
  EXPECT_THAT(finding.event, testing::HasSubstr("not a number"));
}

TEST(Falsifier, SeesRefusalAndLength) {
  const auto refuses = shown([](Stream& noise) { return Numbers{uniform(noise)}; },
                             [](Stream& noise) -> Numbers {
                               if (noise.below(20) == 0) throw InvalidOption("x", "refused");
                               return {uniform(noise)};
                             });
  EXPECT_TRUE(refuses.broken);
  const auto longer =
      shown([](Stream& noise) { return Numbers(3, uniform(noise)); },
            [](Stream& noise) { return Numbers(noise.below(30) == 0 ? 4U : 3U, uniform(noise)); });
  EXPECT_TRUE(longer.broken);
}

TEST(Falsifier, SeesOneRawNumberAmongMany) {
  for (const std::size_t place : {4U, 69U}) {
    const auto run = [place](double truth) {
      return [place, truth](Stream& noise) {
        Numbers numbers(70);
        for (double& number : numbers) number = uniform(noise);
        numbers[place] = truth;
        return numbers;
      };
    };
    EXPECT_TRUE(shown(run(0), run(1)).broken) << place;
  }
}

TEST(Falsifier, SeesTheSignOfZero) {
  const auto run = [](double zero) {
    return [zero](Stream& noise) { return Numbers{zero, uniform(noise)}; };
  };
  EXPECT_TRUE(shown(run(0.0), run(-0.0)).broken);
}

TEST(Falsifier, SeesOneOutputAmongManyThatCannotHappen) {
  const auto run = [](bool all) {
    return [all](Stream& noise) {
      return Numbers{static_cast<double>(all ? noise.below(1000) : 1 + noise.below(999))};
    };
  };
  const auto finding = falsify(
      std::vector<Pair>{{.words = "x", .first = run(true), .second = run(false), .claimed_loss = 0.1}},
      {.key = random::SeededKey(3), .most_samples = 200'000});
  EXPECT_TRUE(finding.broken);
}

TEST(Falsifier, SeesMessages) {
  const auto run = [](int value) {
    return [value](Stream&) -> Numbers { throw InvalidOption("x", std::to_string(value)); };
  };
  EXPECT_TRUE(shown(run(1), run(2)).broken);
}

TEST(Falsifier, LearnsAScoreWhereNoSingleNumberTells) {
  // Each number alone is uniform from either input; which quadrants are full tells them apart.
  const auto quadrants = [](bool same) {
    return [same](Stream& noise) {
      const double a = uniform(noise), b = uniform(noise);
      const bool keep = noise.below(10) != 0;
      return Numbers{a, ((a < 0.5) == (b < 0.5)) == (same == keep) ? b : 1 - b, uniform(noise)};
    };
  };
  const Finding finding = shown(quadrants(true), quadrants(false));
  EXPECT_TRUE(finding.broken);
  EXPECT_GT(finding.loss_at_least, 1);
}

TEST(Falsifier, FollowsHints) {
  Pair pair{.words = "x",
            .first = [](Stream& noise) { return Numbers{uniform(noise)}; },
            .second =
                [](Stream& noise) {
                  return Numbers{std::ldexp(std::floor(std::ldexp(uniform(noise), 40) / 1000) * 1000, -40)};
                },
            .claimed_loss = 1,
            .hints = {{"the remainder", [](const Numbers& numbers) {
                         return std::fmod(std::ldexp(numbers[0], 40), 1000.0);
                       }}}};
  EXPECT_TRUE(try_to_falsify(pair, 1).broken);
}

TEST(Falsifier, JudgesOneDirectionOfAOneSidedClaim) {
  // The second input never gives 1: unbounded one way, ln 2 the other.
  const auto coin = [](Stream& noise) { return Numbers{noise.below(2) == 0 ? 0.0 : 1.0}; };
  const auto never = [](Stream&) { return Numbers{0.0}; };
  const Finding fine = try_to_falsify(
      {.words = "x", .first = never, .second = coin, .claimed_loss = std::log(2.0), .one_sided = true}, 1);
  EXPECT_FALSE(fine.broken);
  EXPECT_GT(fine.loss_at_least, 0.6);
  EXPECT_GT(fine.other_way_at_least, 5);
  EXPECT_TRUE(
      try_to_falsify(
          {.words = "x", .first = coin, .second = never, .claimed_loss = std::log(2.0), .one_sided = true}, 1)
          .broken);
}

TEST(Falsifier, PicksThePairThatBreaks) {
  std::vector<Pair> pairs(5, laplace({1, 1}, 1));
  pairs.insert(pairs.begin() + 3, laplace({2, 1}, 1));
  const Finding finding = falsify(pairs, {.key = random::SeededKey(2), .most_samples = 40'000});
  EXPECT_TRUE(finding.broken);
  EXPECT_EQ(finding.pair, 3);
}

TEST(Falsifier, TriesThePairsOfAGenerator) {
  // Only the fifth pair's noise is too small.
  const auto pair_of = [](std::size_t i) { return laplace(i == 4 ? Rational(2) : Rational(1), 1); };
  const Finding finding = falsify(pair_of, 8, {.key = random::SeededKey(2), .most_samples = 20'000});
  EXPECT_TRUE(finding.broken);
  EXPECT_EQ(finding.pair, 4);
  EXPECT_THROW(falsify(pair_of, 0, {.key = random::SeededKey(2)}), InvalidOption);
}

TEST(Falsifier, KeepsItsFalseAlarmRate) {
  // At a false-alarm rate of one in five, and a claim that is the exact loss, 300 runs may accuse at most 93 times: more would have a
  // probability below one in a million. The seeds are fixed.
  int accused = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto finding = falsify(
        std::vector{laplace({1, 1}, 1)},
        {.key = random::SeededKey(seed), .most_samples = 2'000, .first_samples = 1'000, .false_alarm = 0.2});
    accused += finding.broken ? 1 : 0;
  }
  EXPECT_LE(accused, 93);
}

TEST(Falsifier, RefusesBadQuestions) {
  const random::SeededKey key(1);
  EXPECT_THROW(falsify({}, {.key = key}), InvalidOption);
  EXPECT_THROW(falsify(std::vector{laplace({1, 1}, -1)}, {.key = key}), InvalidOption);
  EXPECT_THROW(falsify(std::vector{laplace({1, 1}, std::nan(""))}, {.key = key}), InvalidOption);
  EXPECT_THROW(falsify(std::vector{Pair{}}, {.key = key}), InvalidOption);
  const std::vector pairs{laplace({1, 1}, 1)};
  EXPECT_THROW(falsify(pairs, {.key = key, .most_samples = 10}), InvalidOption);
  EXPECT_THROW(falsify(pairs, {.key = key, .false_alarm = 0}), InvalidOption);
  EXPECT_THROW(falsify(pairs, {.key = key, .false_alarm = 1e-290}), InvalidOption);
  EXPECT_THROW(falsify(pairs, {.key = key, .progress = [](const ProgressUpdate&) { return false; }}),
               Cancelled);
}

}  // namespace
}  // namespace fogline::audit::falsifier_test
