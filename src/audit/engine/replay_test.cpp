// SPDX-License-Identifier: Apache-2.0
#include "audit/engine/replay.hpp"

#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "place/gem.hpp"
#include "random/noise.hpp"
#include "roads/generated.hpp"

namespace fogline::audit::replay_test {
namespace {

using random::NoisyCounts;
using random::Stream;
using Counts = std::vector<std::int64_t>;

/// A mechanism on counts, run on two neighbouring tables.
template <class Mechanism>
ReplayFinding replayed(const Mechanism& mechanism, const Counts& first, const Counts& second,
                       double claimed = 1, std::uint64_t runs = 20) {
  const auto run = [&mechanism](const Counts& counts) {
    return [&mechanism, counts](const random::Key& key) {
      Stream noise = key.stream("test");
      return fmt::format("{}", fmt::join(mechanism(counts, noise), " "));
    };
  };
  return replay({.words = "x", .first = run(first), .second = run(second), .claimed_loss = claimed},
                {.key = random::SeededKey(1), .runs = runs});
}

Counts noisy(const Counts& counts, Stream& noise, const Rational& epsilon = {1, 1},
             std::uint64_t sensitivity = 1) {
  Counts answers(counts.size());
  NoisyCounts({.name = "counts", .epsilon = epsilon, .sensitivity = sensitivity})
      .answer(counts, noise, answers);
  return answers;
}

TEST(Replay, PassesNoisyCounts) {
  const auto finding = replayed([](const Counts& counts, Stream& noise) { return noisy(counts, noise); },
                                {3, 4, 5}, {3, 5, 5});
  EXPECT_FALSE(finding.broken) << finding.reason;
  EXPECT_EQ(finding.largest_loss, 1);
  EXPECT_EQ(finding.meetings, 1);
  EXPECT_EQ(finding.runs, 20);
}

/// Asks again, finer, where the noisy answer is large: decisions by noisy answers are no leak.
Counts adaptive(const Counts& counts, Stream& noise) {
  Counts answers = noisy({counts[0] + counts[1]}, noise, {1, 2});
  if (answers[0] > 5) {
    for (const auto answer : noisy(counts, noise, {1, 2})) answers.push_back(answer);
  }
  answers.push_back(static_cast<std::int64_t>(noise.below(1000)));
  return answers;
}

TEST(Replay, DoesNotAccuseAdaptiveMechanisms) {
  const auto finding = replayed(adaptive, {3, 3}, {3, 2}, 1, 200);
  EXPECT_FALSE(finding.broken) << finding.reason;
  EXPECT_EQ(finding.largest_loss, 1);
}

TEST(Replay, FindsADistanceAboveTheSensitivity) {
  const auto finding =
      replayed([](const Counts& counts, Stream& noise) { return noisy(counts, noise); }, {3, 4}, {4, 5});
  EXPECT_TRUE(finding.broken);
  EXPECT_EQ(finding.reason, "the private numbers of 'counts' differ by 2, above the declared sensitivity 1");
}

TEST(Replay, FindsASumOfCostsAboveTheClaim) {
  const auto twice = [](const Counts& counts, Stream& noise) {
    Counts answers = noisy(counts, noise);
    for (const auto answer : noisy(counts, noise)) answers.push_back(answer);
    return answers;
  };
  const auto finding = replayed(twice, {3}, {4});
  EXPECT_TRUE(finding.broken);
  EXPECT_EQ(finding.reason, "the meetings with noise cost 2 together, above the claimed 1");
}

TEST(Replay, FindsASensitivityOrAnEpsilonTakenFromTheData) {
  const auto sensitivity = [](const Counts& counts, Stream& noise) {
    return noisy(counts, noise, {1, 1}, static_cast<std::uint64_t>(counts[0]));
  };
  EXPECT_THAT(replayed(sensitivity, {3}, {4}).reason,
              testing::HasSubstr("sensitivity of 'counts' depends on the data"));
  const auto epsilon = [](const Counts& counts, Stream& noise) {
    return noisy(counts, noise, {1, static_cast<std::uint64_t>(counts[0])});
  };
  EXPECT_THAT(replayed(epsilon, {3}, {4}).reason,
              testing::HasSubstr("epsilon of 'counts' depends on the data"));
}

TEST(Replay, FindsDataThatGoRoundTheNoise) {
  const auto sorted_by_truth = [](const Counts& counts, Stream& noise) {
    Counts answers = noisy(counts, noise);
    if ((counts[0] < counts[1]) != (answers[0] < answers[1])) std::swap(answers[0], answers[1]);
    return answers;
  };
  const auto finding = replayed(sorted_by_truth, {3, 3}, {3, 4});
  EXPECT_TRUE(finding.broken);
  EXPECT_THAT(finding.reason, testing::HasSubstr("went round the noise"));
}

TEST(Replay, FindsNoiseThatIsNotDeclared) {
  // The same noise lands on different numbers, so the outputs differ.
  const auto undeclared = [](const Counts& counts, Stream& noise) {
    return Counts{counts[0] + random::DiscreteLaplace({1, 1})(noise)};
  };
  EXPECT_THAT(replayed(undeclared, {3}, {4}).reason, testing::HasSubstr("went round the noise"));
}

TEST(Replay, FindsControlFlowThatDependsOnData) {
  const auto skips = [](const Counts& counts, Stream& noise) {
    return counts[0] == 0 ? Counts{0} : noisy(counts, noise);
  };
  EXPECT_THAT(replayed(skips, {0}, {1}).reason, testing::HasSubstr("noise was drawn"));
  const auto draws = [](const Counts& counts, Stream& noise) {
    for (std::int64_t i = 0; i < counts[0]; ++i) noise.next64();
    return noisy({0}, noise);
  };
  EXPECT_THAT(replayed(draws, {0}, {1}).reason, testing::HasSubstr("random words"));
  const auto draws_after = [](const Counts& counts, Stream& noise) {
    const Counts answers = noisy({0}, noise);
    for (std::int64_t i = 0; i < counts[0]; ++i) noise.next64();
    return answers;
  };
  EXPECT_THAT(replayed(draws_after, {0}, {1}).reason, testing::HasSubstr("random words"));
}

TEST(Replay, FindsARefusalThatDependsOnData) {
  const auto refuses = [](const Counts& counts, Stream& noise) {
    if (counts[0] > 3) throw InvalidOption("count", "is too large");
    return noisy(counts, noise);
  };
  EXPECT_EQ(replayed(refuses, {3}, {4}).reason, "one input is refused and its neighbour is not");
}

TEST(Replay, FindsWhatIsNotANumber) {
  const auto run = [](double value) {
    return [value](const random::Key& key) {
      Stream noise = key.stream("test");
      const auto zero = [](Stream&) { return 0.0; };
      return fmt::format(
          "{}", random::add_noise({.name = "speed", .epsilon = 1, .sensitivity = 1}, value, zero, noise));
    };
  };
  const auto finding = replay({.words = "x",
                               .first = run(0),
                               .second = run(std::numeric_limits<double>::quiet_NaN()),
                               .claimed_loss = 1},
                              {.key = random::SeededKey(1)});
  EXPECT_THAT(finding.reason, testing::HasSubstr("not a number"));
}

TEST(Replay, PassesGemAtItsClaimAndAccusesItAtHalf) {
  const auto line = roads::make_line({.vertices = 20, .length_m = 1900});
  const place::Gem gem(line.graph, {.epsilon = privacy::EpsilonPerMetre{1, 100}});
  const auto run = [&gem](graph::VertexId truth) {
    return [&gem, truth](const random::Key& key) {
      Stream noise = key.stream("place");
      return fmt::format("{}", gem.release(truth, noise));
    };
  };
  // Neighbouring vertices are 100 m apart.
  const auto finding = replay({.words = "x", .first = run(4), .second = run(5), .claimed_loss = 1},
                              {.key = random::SeededKey(1)});
  EXPECT_FALSE(finding.broken) << finding.reason;
  EXPECT_GT(finding.largest_loss, 0.4);
  EXPECT_LE(finding.largest_loss, 1);
  EXPECT_TRUE(replay({.words = "x", .first = run(4), .second = run(5), .claimed_loss = 0.4},
                     {.key = random::SeededKey(1)})
                  .broken);
}

TEST(Replay, FindsAStreamThatIsOpenedTwice) {
  // Both answers carry the same noise: their difference is the private number.
  const auto run = [](std::int64_t count) {
    return [count](const random::Key& key) {
      const NoisyCounts counts({.name = "counts", .epsilon = {1, 2}, .sensitivity = 1});
      Stream first = key.stream("count", 0);
      const auto a = counts.answer(count, first);
      Stream second = key.stream("count", 0);
      return fmt::format("{} {}", a, counts.answer(10, second));
    };
  };
  const auto finding = replay({.words = "x", .first = run(3), .second = run(4), .claimed_loss = 1},
                              {.key = random::SeededKey(1)});
  EXPECT_THAT(finding.reason, testing::HasSubstr("opened twice"));
}

TEST(Replay, DoesNotMindInWhichOrderStreamsEnd) {
  const auto run = [](std::int64_t count) {
    return [count](const random::Key& key) {
      auto used = std::make_unique<Stream>(key.stream("a")),
           spare = std::make_unique<Stream>(key.stream("b"));
      const auto answer =
          NoisyCounts({.name = "counts", .epsilon = {1, 1}, .sensitivity = 1}).answer(count, *used);
      (count > 3 ? used : spare).reset();
      return fmt::format("{}", answer);
    };
  };
  EXPECT_FALSE(replay({.words = "x", .first = run(3), .second = run(4), .claimed_loss = 1},
                      {.key = random::SeededKey(1)})
                   .broken);
}

TEST(Replay, ChargesStaircaseNoiseForEachNumberThatMoves) {
  const random::DiscreteStaircase stairs({.epsilon = {1, 1}, .sensitivity = 10, .step = 5});
  const auto mechanism = [&](const Counts& counts, Stream& noise) {
    Counts answers(counts.size());
    random::add_noise<std::int64_t>({.name = "counts", .epsilon = 1, .sensitivity = 10}, counts, stairs,
                                    noise, answers);
    return answers;
  };
  EXPECT_FALSE(replayed(mechanism, {0, 0}, {10, 0}).broken);
  // Half a sensitivity each may cross a riser each.
  const auto finding = replayed(mechanism, {0, 0}, {5, 5});
  EXPECT_TRUE(finding.broken);
  EXPECT_EQ(finding.largest_loss, 2);
}

TEST(Replay, LetsNumbersDifferByTheDistanceOfAMetricClaim) {
  const auto run = [](std::int64_t count) {
    return [count](const random::Key& key) {
      Stream noise = key.stream("x");
      return fmt::format(
          "{}", NoisyCounts({.name = "counts", .epsilon = {1, 1}, .sensitivity = 1}).answer(count, noise));
    };
  };
  ReplayCase three{.words = "x", .first = run(3), .second = run(6), .claimed_loss = 3, .distance = 3};
  EXPECT_FALSE(replay(three, {.key = random::SeededKey(1)}).broken);
  three.claimed_loss = 2.9;
  EXPECT_TRUE(replay(three, {.key = random::SeededKey(1)}).broken);
}

TEST(Replay, JudgesOneDirectionOfAOneSidedClaim) {
  // The first input always says 0; the second says 0 half of the time.
  const auto run = [](Uint128 zero) {
    return [zero](const random::Key& key) {
      Stream noise = key.stream("x");
      return fmt::format("{}", random::choose(
                                   "label", noise, [&] { return noise.below128(2) < zero ? 0U : 1U; },
                                   [&](std::uint64_t answer) {
                                     return random::Odds{answer == 0 ? zero : 2 - zero, 2};
                                   }));
    };
  };
  const random::SeededKey key(1);
  EXPECT_FALSE(
      replay({.words = "x", .first = run(2), .second = run(1), .claimed_loss = 0.7, .one_sided = true},
             {.key = key})
          .broken);
  EXPECT_TRUE(
      replay({.words = "x", .first = run(2), .second = run(1), .claimed_loss = 0.7}, {.key = key}).broken);
  EXPECT_TRUE(
      replay({.words = "x", .first = run(1), .second = run(2), .claimed_loss = 0.7, .one_sided = true},
             {.key = key})
          .broken);
}

TEST(Replay, FindsMessagesThatTellTheInputsApart) {
  const auto run = [](int value) {
    return [value](const random::Key&) -> std::string {
      throw InvalidOption("count", fmt::format("{} is bad", value));
    };
  };
  EXPECT_EQ(replay({.words = "x", .first = run(3), .second = run(4), .claimed_loss = 1},
                   {.key = random::SeededKey(1)})
                .reason,
            "the inputs are refused with different messages");
}

TEST(Replay, RefusesBadQuestions) {
  const TextRun fine = [](const random::Key&) { return std::string(); };
  const random::SeededKey key(1);
  EXPECT_THROW(replay({.words = "x", .first = fine, .second = {}, .claimed_loss = 1}, {.key = key}),
               InvalidOption);
  EXPECT_THROW(replay({.words = "x", .first = fine, .second = fine, .claimed_loss = -1}, {.key = key}),
               InvalidOption);
  EXPECT_THROW(
      replay({.words = "x", .first = fine, .second = fine, .claimed_loss = 1}, {.key = key, .runs = 0}),
      InvalidOption);
}

}  // namespace
}  // namespace fogline::audit::replay_test
