// SPDX-License-Identifier: Apache-2.0
#include "random/stream.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "random/chi_square.hpp"
#include "random/key.hpp"

namespace fogline::random::stream_test {
namespace {

std::string hex(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::string key_stream(const Secret& secret, std::uint64_t nonce, std::uint64_t block) {
  std::vector<std::uint8_t> bytes(64);
  chacha20_key_stream(secret, nonce, block, bytes);
  return hex(bytes);
}

TEST(ChaCha20, AnswersItsPublishedVectors) {
  const Secret zero{};
  EXPECT_EQ(key_stream(zero, 0, 0),
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
            "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586");
  Secret last_one{};
  last_one.back() = 1;
  EXPECT_EQ(key_stream(last_one, 0, 0),
            "4540f05a9f1fb296d7736e7b208e3c96eb4fe1834688d2604f450952ed432d41"
            "bbe2a0b6ea7566d2a5d1e7e20d42af2c53d792b1c43fea817e9ad275ae546963");
}

TEST(ChaCha20, AnswersTheVectorOfRfc8439) {
  // Section 2.3.2. Its 32-bit counter and 96-bit nonce fill the same four words as our 64-bit counter and
  // nonce.
  Secret secret;
  for (std::size_t i = 0; i < secret.size(); ++i) secret[i] = static_cast<std::uint8_t>(i);
  EXPECT_EQ(key_stream(secret, 0x4a000000, (std::uint64_t{0x09000000} << 32) | 1),
            "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
            "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e");
}

TEST(Stream, IsTheKeyStreamInLittleEndianWords) {
  Stream stream(Secret{}, 0);
  EXPECT_EQ(stream.next64(), 0x903df1a0ade0b876U);
  EXPECT_EQ(stream.next64(), 0x28bd8653e56a5d40U);
}

TEST(Stream, ContinuesOverRefillsWithoutGapOrRepeat) {
  std::vector<std::uint8_t> bytes(64 * 64);
  chacha20_key_stream(Secret{}, 5, 0, bytes);
  Stream stream(Secret{}, 5);
  for (std::size_t word = 0; word < bytes.size() / 8; ++word) {
    std::uint64_t expected = 0;
    for (std::size_t i = 8; i-- > 0;) expected = (expected << 8) | bytes[word * 8 + i];
    ASSERT_EQ(stream.next64(), expected) << "word " << word;
  }
}

TEST(Stream, MovedFromGivesAnErrorInsteadOfKnownBits) {
  Stream first = SeededKey(1).stream("a");
  const std::uint64_t expected = SeededKey(1).stream("a").next64();
  Stream second = std::move(first);
  EXPECT_EQ(second.next64(), expected);
  EXPECT_THROW(first.next64(), Error);  // NOLINT(bugprone-use-after-move): the misuse under test
}

TEST(Stream, EndsWithAnErrorWhenTheCounterIsUsedUp) {
  Stream stream(Secret{}, 0, ~std::uint64_t{0} - 1);
  stream.next64();
  for (int i = 0; i < 7; ++i) stream.next64();
  EXPECT_THROW(stream.next64(), Error);
}

TEST(Key, NamesAndIndicesGiveDifferentStreams) {
  const SeededKey key(7);
  std::set<std::uint64_t> first_words;
  for (const char* name : {"", "a", "b", "place", "place "}) {
    for (std::uint64_t index = 0; index < 1000; ++index) first_words.insert(key.stream(name, index).next64());
  }
  EXPECT_EQ(first_words.size(), 5000U);
  EXPECT_NE(SeededKey(7).stream("a").next64(), SeededKey(8).stream("a").next64());
}

TEST(Key, StreamsAreIndependent) {
  // For independent streams the bitwise difference of two is uniform: 64 bit positions over 20,000 pairs. A
  // bit count lies within 5.5 standard deviations; false alarm below 64 * 2 * 4e-8 = 5e-6 if the seed were
  // drawn anew.
  const SeededKey key(11);
  std::vector<int> ones(64);
  constexpr int pairs = 20'000;
  for (std::uint64_t i = 0; i < pairs; ++i) {
    const std::uint64_t difference = key.stream("x", i).next64() ^ key.stream("x", i + 1).next64();
    for (std::size_t bit = 0; bit < 64; ++bit) ones[bit] += static_cast<int>((difference >> bit) & 1);
  }
  for (const int count : ones) EXPECT_NEAR(count, pairs / 2, 5.5 * 0.5 * 141.5);
}

TEST(Key, SameBitsWhateverTheNumberOfThreads) {
  const SeededKey key(3);
  const auto draw_all = [&](int threads) {
    std::vector<std::uint64_t> drawn(5000);
    parallel_for(drawn.size(), {.threads = threads}, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        Stream stream = key.stream("place", i);
        drawn[i] = stream.next64() ^ stream.below(1'000'003);
      }
    });
    return drawn;
  };
  const auto alone = draw_all(1);
  EXPECT_EQ(draw_all(2), alone);
  EXPECT_EQ(draw_all(7), alone);
}

TEST(Key, FromTheOperatingSystemDiffersEachTimeAndSaysItsSource) {
  const Key a = Key::from_operating_system();
  const Key b = Key::from_operating_system();
  EXPECT_NE(a.stream("x").next64(), b.stream("x").next64());
  EXPECT_EQ(a.source(), Source::operating_system);
  EXPECT_EQ(SeededKey(1).source(), Source::seeded);
}

TEST(Below, IsUniformForAwkwardBounds) {
  // Chi-square on 200,000 draws, 5 deviations: false alarm below 3e-7 a bound.
  Stream stream = SeededKey(2).stream("below");
  for (const std::uint64_t bound : {1U, 2U, 3U, 7U, 100U, 1000U}) {
    std::vector<std::uint64_t> counts(bound);
    constexpr std::uint64_t samples = 200'000;
    for (std::uint64_t i = 0; i < samples; ++i) ++counts[stream.below(bound)];
    const std::vector<double> even(bound, 1.0 / static_cast<double>(bound));
    EXPECT_LT(chi_square(counts, even, samples).deviations, 5) << bound;
  }
}

TEST(Below, LargeBoundsHaveNoBiasTowardsLowValues) {
  // With bound 3 * 2^62 a plain product would favour every third result by a third.
  Stream stream = SeededKey(4).stream("below");
  const std::uint64_t bound = std::uint64_t{3} << 62;
  std::vector<std::uint64_t> counts(3);
  constexpr std::uint64_t samples = 300'000;
  for (std::uint64_t i = 0; i < samples; ++i) {
    const std::uint64_t drawn = stream.below(bound);
    ASSERT_LT(drawn, bound);
    ++counts[drawn % 3];
  }
  EXPECT_LT(chi_square(counts, std::vector<double>(3, 1.0 / 3), samples).deviations, 5);
}

TEST(Below, Works128BitsWide) {
  Stream stream = SeededKey(5).stream("below");
  const Uint128 bound = (Uint128{3} << 100) + 5;
  std::vector<std::uint64_t> thirds(3);
  constexpr std::uint64_t samples = 100'000;
  for (std::uint64_t i = 0; i < samples; ++i) {
    const Uint128 drawn = stream.below128(bound);
    ASSERT_LT(drawn, bound);
    ++thirds[std::min<std::size_t>(2, static_cast<std::size_t>(drawn >> 100))];
  }
  EXPECT_LT(chi_square(thirds, std::vector<double>(3, 1.0 / 3), samples).deviations, 5);
}

TEST(NextBit, IsFair) {
  Stream stream = SeededKey(6).stream("bits");
  int ones = 0;
  for (int i = 0; i < 1'000'000; ++i) ones += stream.next_bit() ? 1 : 0;
  EXPECT_NEAR(ones, 500'000, 2600);  // 5.2 standard deviations: false alarm 2e-7
}

TEST(Key, GivesTheSameStreamsOneByOneAndByTheFamily) {
  const SeededKey key(11);
  const StreamFamily family = key.streams("place");
  for (const std::uint64_t index : {0U, 1U, 77U}) {
    EXPECT_EQ(family.stream(index).next64(), key.stream("place", index).next64());
  }
}

}  // namespace
}  // namespace fogline::random::stream_test
