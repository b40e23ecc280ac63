// SPDX-License-Identifier: Apache-2.0
#include "weights/paper/published_attacks.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "random/key.hpp"

namespace fogline::weights {
namespace {

void check(const PublishedWeights::Options& published, const PublishedAttackOptions& options) {
  if (!published.range) throw InvalidOption("range", "is needed");
  if (options.edges < 10 || options.edges > 1'000'000)
    throw InvalidOption("edges", "must lie between 10 and 1,000,000");
  if (options.levels < 2 || options.levels > 1000)
    throw InvalidOption("levels", "must lie between 2 and 1,000");
  if (options.releases < 1 || options.releases > 1'000'000)
    throw InvalidOption("releases", "must lie between 1 and 1,000,000");
}

/// Invented weights, whose first edges are asked about: 0 and 1 differ, 2 and 3 may be equal, 4 is at one of the ends.
class Trial {
 public:
  Trial(const WeightRange& range, const PublishedAttackOptions& options, random::Stream& choice)
      : range_(range), gap_((range.highest - range.lowest) / static_cast<double>(options.levels - 1)) {
    const auto level = [&] { return choice.below(options.levels); };
    const auto other_than = [&](std::uint64_t taken) {
      return (taken + 1 + choice.below(options.levels - 1)) % options.levels;
    };
    std::vector<std::uint64_t> levels(options.edges);
    for (std::uint64_t& one : levels) one = level();
    levels[1] = other_than(levels[0]);
    are_equal_ = choice.next_bit();
    levels[3] = are_equal_ ? levels[2] : other_than(levels[2]);
    levels[4] = choice.next_bit() ? 0 : options.levels - 1;
    for (const std::uint64_t one : levels) weights_.push_back(range.lowest + gap_ * static_cast<double>(one));
  }

  const std::vector<double>& weights() const { return weights_; }

  void ask(const std::vector<double>& released, PublishedAttacks& found) const {
    const bool answers = released[0] != released[1];
    ++found.order.asked;
    found.order.answered += answers ? 1U : 0U;
    found.order.right += answers && (released[0] < released[1]) == (weights_[0] < weights_[1]) ? 1U : 0U;

    const bool look_equal = std::abs(released[2] - released[3]) < gap_ / 2;
    ++found.equality.asked;
    ++found.equality.answered;
    found.equality.right += look_equal == are_equal_ ? 1U : 0U;

    const bool looks_high = released[4] - shift(released) > (range_.lowest + range_.highest) / 2;
    ++found.one_edge.asked;
    ++found.one_edge.answered;
    found.one_edge.right += looks_high == (weights_[4] == range_.highest) ? 1U : 0U;
  }

 private:
  /// By how much the known edges were moved on the whole, which line 11 does to all alike.
  double shift(const std::vector<double>& released) const {
    std::vector<double> moved;
    for (std::size_t e = 5; e < released.size(); ++e) moved.push_back(released[e] - weights_[e]);
    const auto middle = moved.begin() + static_cast<std::ptrdiff_t>(moved.size() / 2);
    std::nth_element(moved.begin(), middle, moved.end());
    return *middle;
  }

  WeightRange range_;
  double gap_;
  bool are_equal_ = false;
  std::vector<double> weights_;
};

void add(const AttackCount& from, AttackCount& to) {
  to.asked += from.asked;
  to.answered += from.answered;
  to.right += from.right;
}

}  // namespace

double AttackCount::success() const {
  const auto silent = static_cast<double>(asked - answered);
  return (static_cast<double>(right) + silent / 2) / static_cast<double>(asked);
}

PublishedAttacks attack_published(const PublishedWeights::Options& published,
                                  const PublishedAttackOptions& options) {
  check(published, options);
  const PublishedWeights mechanism(published);
  const random::SeededKey key(options.seed);
  PublishedAttacks found;
  std::mutex one_at_a_time;
  parallel_for(options.releases, {.threads = options.threads}, [&](std::size_t begin, std::size_t end) {
    PublishedAttacks part;
    for (std::size_t i = begin; i < end; ++i) {
      random::Stream choice = key.stream("attack weights", i);
      const Trial trial(*published.range, options, choice);
      trial.ask(mechanism.release(trial.weights(), choice), part);
    }
    const std::lock_guard lock(one_at_a_time);
    add(part.order, found.order);
    add(part.equality, found.equality);
    add(part.one_edge, found.one_edge);
  });
  found.order_bound = 1 / (1 + std::exp(-2 * published.epsilon));
  found.other_bound = 1 / (1 + std::exp(-published.epsilon));
  return found;
}

}  // namespace fogline::weights
