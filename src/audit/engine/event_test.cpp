// SPDX-License-Identifier: Apache-2.0
#include "audit/engine/event.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace fogline::audit::event_test {
namespace {

/// Values 1 to 6, each often enough for a bin of its own.
Bins dice() {
  std::vector<double> values;
  for (int k = 0; k < 600; ++k) values.push_back(k % 6 + 1);
  return {values, true};
}

/// How often each face was seen.
BinCounts seen(const Bins& bins, const std::vector<std::uint64_t>& first,
               const std::vector<std::uint64_t>& second) {
  BinCounts counts{std::vector<std::uint64_t>(bins.count()), std::vector<std::uint64_t>(bins.count())};
  for (std::size_t face = 0; face < first.size(); ++face) {
    counts.first[bins.of(static_cast<double>(face + 1))] += first[face];
    counts.second[bins.of(static_cast<double>(face + 1))] += second[face];
  }
  return counts;
}

Event telling(const std::vector<std::uint64_t>& first, const std::vector<std::uint64_t>& second,
              bool likelier_first = true) {
  const Bins bins = dice();
  const BinCounts counts = seen(bins, first, second);
  std::uint64_t searched = 0;
  const Event event = most_telling(bins, "the die", counts, counts, likelier_first,
                                   {.trials = 6000, .deviations = 5}, searched);
  EXPECT_GT(searched, 0);
  return event;
}

TEST(Event, FindsAThreshold) {
  EXPECT_EQ(telling({100, 100, 100, 900, 900, 900}, {900, 900, 900, 100, 100, 100}).words, "the die > 3");
  EXPECT_EQ(telling({100, 100, 100, 900, 900, 900}, {900, 900, 900, 100, 100, 100}, false).words,
            "the die <= 3");
}

TEST(Event, FindsASingleValue) {
  const Event event = telling({500, 500, 500, 500, 500, 500}, {580, 580, 580, 100, 580, 580});
  EXPECT_EQ(event.words, "the die = 4");
  EXPECT_NEAR(event.promise, std::log(5.0), 0.5);
  EXPECT_LT(event.promise, std::log(5.0));
}

TEST(Event, FindsASetThatIsNoInterval) {
  const Event event = telling({900, 10, 900, 10, 900, 10}, {10, 900, 10, 900, 10, 900});
  const Bins bins = dice();
  for (int face = 1; face <= 6; ++face) EXPECT_EQ(event.holds[bins.of(face)] != 0, face % 2 == 1) << face;
}

TEST(Event, PromisesNothingWhereNothingDiffers) {
  EXPECT_LE(telling({500, 500, 500, 500, 500, 500}, {500, 500, 500, 500, 500, 500}).promise, 0);
}

}  // namespace
}  // namespace fogline::audit::event_test
