// SPDX-License-Identifier: Apache-2.0
#include "audit/engine/boosted_trees.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"

namespace fogline::audit {
namespace {

constexpr double ridge = 1;  // keeps the value of small leaves small
constexpr std::uint16_t no_split = std::numeric_limits<std::uint16_t>::max();

struct Sums {
  double gradient = 0, curvature = 0, weight = 0;
  void add(double g, double h) {
    gradient += g;
    curvature += h;
    weight += 1;
  }
  double quality() const { return gradient * gradient / (curvature + ridge); }
};

struct Split {
  double gain = 1e-9;
  std::size_t feature = 0;
  std::uint16_t bin = no_split;  // everything goes left
};

Sums rest(const Sums& all, const Sums& left) {
  return {all.gradient - left.gradient, all.curvature - left.curvature, all.weight - left.weight};
}

void look_for_split(std::size_t feature, const std::vector<Sums>& histogram, const Sums& all,
                    double least_weight, Split& best) {
  Sums left;
  for (std::size_t bin = 0; bin + 1 < histogram.size(); ++bin) {
    left = {left.gradient + histogram[bin].gradient, left.curvature + histogram[bin].curvature,
            left.weight + histogram[bin].weight};
    const Sums right = rest(all, left);
    if (left.weight < least_weight || right.weight < least_weight) continue;
    const double gain = left.quality() + right.quality() - all.quality();
    if (gain > best.gain) best = {gain, feature, static_cast<std::uint16_t>(bin)};
  }
}

}  // namespace

template <class BinOf>
std::size_t BoostedTrees::leaf_of(const Tree& tree, const BinOf& bin_of) {
  std::size_t node = 0;
  while (node < inner) {
    const bool left = tree.split[node] == no_split || bin_of(tree.feature[node]) <= tree.split[node];
    node = 2 * node + (left ? 1 : 2);
  }
  return node - inner;
}

BoostedTrees::BoostedTrees(const BinnedColumns& columns, std::span<const std::uint8_t> from_first,
                           const Options& options)
    : options_(options), bins_(columns.size()), gain_(columns.size(), 0) {
  if (options.rounds < 1 || options.rounds > 1000)
    throw InvalidOption("rounds", "must lie between 1 and 1,000");
  if (!(options.learning_rate > 0 && options.learning_rate <= 1))
    throw InvalidOption("learning_rate", "must be above 0 and at most 1");
  const std::size_t samples = from_first.size();
  for (std::size_t f = 0; f < columns.size(); ++f) {
    if (columns[f].size() != samples) throw InvalidOption("columns", "must have one bin per sample");
    for (const std::uint16_t bin : columns[f]) bins_[f] = std::max<std::size_t>(bins_[f], bin + 1U);
  }
  std::vector<double> score(samples, 0), gradient(samples), curvature(samples);
  for (int round = 0; round < options.rounds; ++round) {
    for (std::size_t i = 0; i < samples; ++i) {
      const double p = 1 / (1 + std::exp(-score[i]));
      gradient[i] = from_first[i] - p;
      curvature[i] = p * (1 - p);
    }
    std::vector<std::uint32_t> all(samples);  // grow() takes it apart
    std::iota(all.begin(), all.end(), 0U);
    Tree tree;
    tree.split.fill(no_split);
    grow(tree, 0, all, columns, gradient, curvature);
    for (std::size_t i = 0; i < samples; ++i)
      score[i] += tree.value[leaf_of(tree, [&](std::size_t f) { return columns[f][i]; })];
    trees_.push_back(tree);
  }
}

void BoostedTrees::grow(Tree& tree, std::size_t node, std::vector<std::uint32_t>& samples,
                        const BinnedColumns& columns, std::span<const double> gradient,
                        std::span<const double> curvature) {
  Sums all;
  for (const std::uint32_t i : samples) all.add(gradient[i], curvature[i]);
  if (node >= inner) {
    tree.value[node - inner] = options_.learning_rate * all.gradient / (all.curvature + ridge);
    return;
  }
  Split best;
  std::vector<Sums> histogram;
  for (std::size_t f = 0; f < columns.size(); ++f) {
    histogram.assign(bins_[f], {});
    for (const std::uint32_t i : samples) histogram[columns[f][i]].add(gradient[i], curvature[i]);
    look_for_split(f, histogram, all, options_.least_weight, best);
  }
  std::vector<std::uint32_t> right;
  if (best.bin != no_split) {
    gain_[best.feature] += best.gain;
    tree.feature[node] = static_cast<std::uint32_t>(best.feature);
    tree.split[node] = best.bin;
    const auto middle = std::stable_partition(samples.begin(), samples.end(), [&](std::uint32_t i) {
      return columns[best.feature][i] <= best.bin;
    });
    right.assign(middle, samples.end());
    samples.erase(middle, samples.end());
  }
  grow(tree, 2 * node + 1, samples, columns, gradient, curvature);
  grow(tree, 2 * node + 2, right, columns, gradient, curvature);
}

double BoostedTrees::score(std::span<const std::uint16_t> bins) const {
  double sum = 0;
  for (const Tree& tree : trees_) sum += tree.value[leaf_of(tree, [&](std::size_t f) { return bins[f]; })];
  return sum;
}

std::vector<std::size_t> BoostedTrees::features_by_gain() const {
  std::vector<std::size_t> order;
  for (std::size_t f = 0; f < gain_.size(); ++f)
    if (gain_[f] > 0) order.push_back(f);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return gain_[a] > gain_[b]; });
  return order;
}

}  // namespace fogline::audit
