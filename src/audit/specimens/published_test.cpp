// SPDX-License-Identifier: Apache-2.0
#include "audit/specimens/published.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include <gtest/gtest.h>

#include "audit/engine/falsifier.hpp"
#include "audit/specimens/published_k_norm.hpp"
#include "random/key.hpp"
#include "random/tape.hpp"

namespace fogline::audit::published_test {
namespace {

using Form = PublishedCase::Form;

PublishedCase named(std::string_view mechanism) {
  for (PublishedCase& published : published_cases())
    if (published.mechanism == mechanism) return published;
  throw std::logic_error("no such case");
}

/// A case's finding with and without the hints: who knows the mechanism, and who does not.
Finding falsified(PublishedCase published, std::uint64_t seed, std::uint64_t samples, bool hints = true) {
  if (!hints)
    for (Pair& pair : published.pairs) pair.hints.clear();
  return falsify(published.pairs, {.key = random::SeededKey(seed), .most_samples = samples});
}

TEST(Published, EveryCaseSaysWhatItIs) {
  std::set<std::string> names;
  for (const PublishedCase& published : published_cases()) {
    EXPECT_TRUE(names.insert(published.mechanism).second) << published.mechanism;
    EXPECT_FALSE(published.kind.empty() || published.paper.empty() || published.claim.empty());
    EXPECT_EQ(published.reason.back(), '.');
    ASSERT_FALSE(published.pairs.empty());
    for (const Pair& pair : published.pairs) EXPECT_FALSE(pair.words.empty());
  }
  for (const std::string kind : {"weights", "stream", "traces"})
    for (const Form form : {Form::broken, Form::right_twin}) {
      const auto cases = published_cases();
      EXPECT_TRUE(std::any_of(cases.begin(), cases.end(), [&](const auto& c) {
        return c.kind == kind && c.form == form;
      })) << kind;
    }
}

TEST(Published, BrokenFormsAreFound) {
  for (const PublishedCase& published : published_cases())
    for (std::uint64_t seed = 1; published.form == Form::broken && seed <= 3; ++seed) {
      const Finding finding = falsified(published, seed, 50'000);
      EXPECT_TRUE(finding.broken) << published.mechanism << ": " << finding.loss_at_least;
      EXPECT_LE(finding.samples, 100'000U);
    }
}

TEST(Published, BrokenFormsAreFoundWithoutHints) {
  for (const PublishedCase& published : published_cases())
    if (published.form == Form::broken) {
      EXPECT_TRUE(falsified(published, 4, 50'000, false).broken) << published.mechanism;
    }
}

TEST(Published, RightTwinsAreNotAccused) {
  for (const PublishedCase& published : published_cases())
    for (std::uint64_t seed = 1; published.form == Form::right_twin && seed <= 3; ++seed) {
      const Finding finding = falsified(published, seed, 20'000);
      EXPECT_FALSE(finding.broken) << published.mechanism << ": " << finding.event;
    }
}

TEST(Published, TwinsThatSpendTheirWholeEpsilonAreSeenToDoSo) {
  EXPECT_GT(falsified(named("lap"), 1, 50'000).loss_at_least, 0.8);
  EXPECT_GT(falsified(named("k-norm"), 1, 50'000).loss_at_least, 0.35);
}

TEST(Published, DpeLosesMoreThanItsClaimForTwoSteps) {
  // A replaced trip is one removed and one added: by the paper's Definition 1 that is twice epsilon, and it is more.
  const Finding finding = falsified(named("dpe"), 1, 10'000);
  EXPECT_EQ(finding.claimed_loss, 2);
  EXPECT_GT(finding.loss_at_least, finding.claimed_loss);
}

TEST(Published, ShownLossesStayBelowTheExactOnes) {
  const Finding boundary =
      falsify(named("k-norm, boundary by length").pairs,
              {.key = random::SeededKey(1), .most_samples = 50'000, .stop_when_broken = false});
  EXPECT_GT(boundary.loss_at_least, 1);
  EXPECT_LT(boundary.loss_at_least, 0.5 + std::log(8.0));
}

/// What record-and-replay makes of a case: the first input's run with the second's, on the same answers.
struct Replayed {
  bool same_text = false, same_labels = true;
  double cost = 0;  ///< by the recorded labels
};

Replayed replayed(const PublishedCase& published) {
  const random::SeededKey key(8);
  random::Tape tape;
  random::Stream stream = key.stream("published"), again = key.stream("published");
  stream.listen(&tape);
  const std::string first = published.first_text(stream);
  tape.rewind();
  again.listen(&tape);
  Replayed result{.same_text = first == published.second_text(again)};
  stream.listen(nullptr);
  again.listen(nullptr);
  for (std::size_t i = 0; i < tape.recorded().size(); ++i) {
    const random::Meeting &one = tape.recorded()[i], &other = tape.played()[i];
    result.same_labels &= one.epsilon == other.epsilon && one.sensitivity == other.sensitivity;
    long double moved = 0;
    for (std::size_t j = 0; j < one.values.size(); ++j) moved += std::abs(one.values[j] - other.values[j]);
    result.cost += one.epsilon * static_cast<double>(moved) / one.sensitivity;
  }
  return result;
}

TEST(Published, TwinsDoAllTheyDoThroughTheNoise) {
  for (const PublishedCase& published : published_cases()) {
    if (published.form != Form::right_twin) continue;
    const Replayed heard = replayed(published);
    EXPECT_TRUE(heard.same_text && heard.same_labels) << published.mechanism;
    EXPECT_LE(heard.cost, published.pairs.front().claimed_loss * (1 + 1e-9)) << published.mechanism;
  }
}

TEST(Published, ReplayHearsWhatPassesByTheNoise) {
  EXPECT_FALSE(replayed(named("lap, range of the data")).same_labels);
  EXPECT_FALSE(replayed(named("mb")).same_labels);
  EXPECT_FALSE(replayed(named("lap-ci")).same_text);
  EXPECT_FALSE(replayed(named("mb-ci")).same_text);
  EXPECT_FALSE(replayed(named("dpe")).same_text);
}

TEST(Published, ReplayHearsWhatTheNoiseDoesNotPayFor) {
  const Replayed heard = replayed(named("dpe, public start"));
  EXPECT_TRUE(heard.same_text && heard.same_labels);
  EXPECT_NEAR(heard.cost, 6 * std::sqrt(4 * 200.0) / std::sqrt(4 * (14.25 * 14.25 + 9)), 1e-5);
}

TEST(Published, TextIsExact) {
  EXPECT_EQ(exact_text({1, -0.75}), "0x1p+0\n-0x1.8p-1\n");
  EXPECT_NE(exact_text({0.1}), exact_text({std::nextafter(0.1, 1.0)}));
}

}  // namespace
}  // namespace fogline::audit::published_test
