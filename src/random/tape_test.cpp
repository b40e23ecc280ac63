// SPDX-License-Identifier: Apache-2.0
#include "random/tape.hpp"

#include <array>

#include <gtest/gtest.h>

#include "random/key.hpp"
#include "random/noise.hpp"

namespace fogline::random::tape_test {
namespace {

const NoisyCounts starts({.name = "starts", .epsilon = {1, 2}, .sensitivity = 3});

TEST(NoisyCounts, GivesTheSamplersNoise) {
  Stream a = SeededKey(1).stream("x"), b = SeededKey(1).stream("x");
  const DiscreteLaplace laplace({1, 6});
  const std::array<std::int64_t, 3> counts{10, -20, 30};
  std::array<std::int64_t, 3> answers{};
  starts.answer(counts, a, answers);
  for (std::size_t i = 0; i < counts.size(); ++i) EXPECT_EQ(answers[i], counts[i] + laplace(b));
}

TEST(NoisyCounts, RefusesNoSensitivityAndNoEpsilon) {
  EXPECT_THROW(NoisyCounts({.name = "x", .epsilon = {1, 2}, .sensitivity = 0}), InvalidOption);
  EXPECT_THROW(NoisyCounts({.name = "x", .epsilon = {}, .sensitivity = 1}), InvalidOption);
}

TEST(Tape, DoesNotChangeTheNoise) {
  Tape tape;
  Stream quiet = SeededKey(1).stream("x"), heard = SeededKey(1).stream("x");
  heard.listen(&tape);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(starts.answer(i, quiet), starts.answer(i, heard));
  EXPECT_EQ(tape.recorded().size(), 20);
}

TEST(Tape, HandsOutTheRecordedAnswersAndKeepsBothValues) {
  Tape tape;
  const SeededKey key(2);
  std::int64_t first = 0;
  std::uint64_t after = 0;
  {
    Stream noise = key.stream("x");
    noise.listen(&tape);
    first = starts.answer(100, noise);
    after = noise.next64();
  }
  tape.rewind();
  {
    Stream noise = key.stream("x");
    noise.listen(&tape);
    EXPECT_EQ(starts.answer(103, noise), first);
    EXPECT_EQ(noise.next64(), after) << "what is drawn after the meeting is the same again";
  }
  ASSERT_EQ(tape.recorded().size(), 1);
  ASSERT_EQ(tape.played().size(), 1);
  EXPECT_EQ(tape.recorded()[0].name, "starts");
  EXPECT_EQ(tape.recorded()[0].epsilon, 0.5);
  EXPECT_EQ(tape.recorded()[0].sensitivity, 3);
  EXPECT_EQ(tape.recorded()[0].values, std::vector<long double>{100});
  EXPECT_EQ(tape.played()[0].values, std::vector<long double>{103});
  EXPECT_EQ(tape.recorded_words(), tape.played_words());
}

TEST(Tape, NoticesAnotherMeetingOneMoreAndAnotherCount) {
  const NoisyCounts ends({.name = "ends", .epsilon = {1, 2}, .sensitivity = 3});
  const auto play = [&](auto second) {
    Tape tape;
    Stream one = SeededKey(3).stream("x"), two = SeededKey(3).stream("x");
    one.listen(&tape);
    starts.answer(1, one);
    tape.rewind();
    two.listen(&tape);
    second(two);
  };
  EXPECT_NO_THROW(play([](Stream& noise) { starts.answer(5, noise); }));
  EXPECT_THROW(play([&](Stream& noise) { ends.answer(5, noise); }), Diverged);
  EXPECT_THROW(play([](Stream& noise) { starts.answer(5, noise), starts.answer(5, noise); }), Diverged);
  EXPECT_THROW(play([](Stream& noise) {
                 const std::array<std::int64_t, 2> counts{1, 2};
                 std::array<std::int64_t, 2> answers{};
                 starts.answer(counts, noise, answers);
               }),
               Diverged);
}

TEST(Tape, KnowsTheOddsOfAChoice) {
  Tape tape;
  const auto pick = [&](Uint128 weight) {
    Stream noise = SeededKey(4).stream("x");
    noise.listen(&tape);
    return choose(
        "label", noise, [&] { return noise.below128(10) < weight ? 1U : 0U; },
        [&](std::uint64_t answer) {
          return Odds{answer == 1 ? weight : 10 - weight, 10};
        });
  };
  const std::uint64_t answer = pick(7);
  tape.rewind();
  EXPECT_EQ(pick(2), answer);
  EXPECT_TRUE(tape.recorded()[0].weight == (answer == 1 ? 7U : 3U));
  EXPECT_TRUE(tape.played()[0].weight == (answer == 1 ? 2U : 8U));
  EXPECT_TRUE(tape.played()[0].total == 10U);
}

TEST(Tape, HearsEveryStreamOfAKeyAndWhatEachDrew) {
  Tape tape;
  SeededKey key(5);
  key.listen(&tape);
  {
    Stream a = key.stream("a");
    Stream b = std::move(a);
    b.next64(), b.next64(), b.next64();
  }
  EXPECT_EQ(tape.recorded_words(), std::vector<std::uint64_t>{3});
}

TEST(Tape, NoticesAStreamThatIsOpenedTwice) {
  Tape tape;
  SeededKey key(6);
  key.listen(&tape);
  { const Stream first = key.stream("a"), second = key.stream("b"), third = key.stream("a", 1); }
  EXPECT_FALSE(tape.reopened());
  { const Stream again = key.stream("b"); }
  EXPECT_TRUE(tape.reopened());
}

TEST(Tape, MayOpenTheSameStreamInTheSecondRun) {
  Tape tape;
  SeededKey key(6);
  key.listen(&tape);
  { const Stream first = key.stream("a"); }
  tape.rewind();
  { const Stream second = key.stream("a"); }
  EXPECT_FALSE(tape.reopened());
}

TEST(AddNoise, RefusesSpansOfDifferentLength) {
  Stream noise = SeededKey(1).stream("x");
  const std::array<std::int64_t, 2> counts{1, 2};
  std::array<std::int64_t, 3> answers{};
  EXPECT_THROW(starts.answer(counts, noise, answers), InvalidOption);
}

}  // namespace
}  // namespace fogline::random::tape_test
