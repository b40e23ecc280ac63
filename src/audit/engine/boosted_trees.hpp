// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace fogline::audit {

/// Binned features, one column each: columns[f][i] is the bin of feature f in sample i.
using BinnedColumns = std::vector<std::vector<std::uint16_t>>;

/// A score that is higher the likelier a sample came from the first input: an additive model of small trees fitted by gradient boosting on the logistic
/// loss (Friedman 2001), over binned features.
///
///     BoostedTrees trees(columns, from_first, {.rounds = 30});
///     double s = trees.score(bins_of_a_sample);
///
/// Deterministic. Cost: rounds * depth * features * samples additions to fit, rounds * depth comparisons to score. Splits go by order of bins; features whose
/// bins have no order should be left out.
class BoostedTrees {
 public:
  struct Options {
    int rounds = 30;             ///< trees, 1 to 1,000
    double learning_rate = 0.3;  ///< above 0, at most 1
    double least_weight = 20;    ///< samples a leaf must hold, at least 1
  };
  BoostedTrees(const BinnedColumns& columns, std::span<const std::uint8_t> from_first,
               const Options& options);

  double score(std::span<const std::uint16_t> bins)
      const;  ///< one bin per feature; only those of features_by_gain() are read

  /// Features by how much they helped, the most helpful first; those that did not help are left out.
  std::vector<std::size_t> features_by_gain() const;

 private:
  static constexpr int depth = 3;
  static constexpr std::size_t inner = (1U << depth) - 1, leaves = 1U << depth;

  /// A full tree: inner node k has children 2k + 1 (bin at most the split's) and 2k + 2.
  struct Tree {
    std::array<std::uint32_t, inner> feature{};
    std::array<std::uint16_t, inner> split{};
    std::array<double, leaves> value{};
  };
  void grow(Tree& tree, std::size_t node, std::vector<std::uint32_t>& samples, const BinnedColumns& columns,
            std::span<const double> gradient, std::span<const double> curvature);
  template <class BinOf>
  static std::size_t leaf_of(const Tree& tree, const BinOf& bin_of);

  Options options_;
  std::vector<std::size_t> bins_;  // of each feature
  std::vector<double> gain_;
  std::vector<Tree> trees_;
};

}  // namespace fogline::audit
