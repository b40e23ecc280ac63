// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weights/mechanisms/mechanism.hpp"
#include "weights/mechanisms/partition.hpp"

namespace fogline::weights {

/// Releases the block of an edge's weight by randomised response, and for it the weight of least expected error.
///
///     Blocks blocks({.grid = WeightGrid::parse("100:600", "1"), .epsilon = privacy::Epsilon{10, 1}});
///     std::int64_t block = ...draw...;
///     double safe = blocks.weight(block);
///
/// Guarantee   pure DP; unit: one edge's whole weight in the public range; exact (integer weights).
/// Source      the optimal table for the complete relation; proof in docs/mechanisms/blocks.md.
/// Utility     the least expected absolute error that any release with this guarantee has, on independent weights of the prior.
/// Cost        building: best_partition. A draw: two random words and a look-up.
/// Parameters  a finite grid of 2 to 20,000 points; epsilon above 0, at most 1,000; a public prior of the points, all alike by default.
class Blocks : public EdgeMechanism {
 public:
  struct Options {
    WeightGrid grid;
    privacy::Epsilon epsilon;
    std::vector<double> prior = {};  ///< of each point, public, 0 or more; empty: all alike
    bool positive = false;           ///< never release a weight of 0
  };
  explicit Blocks(const Options& options);  ///< throws InvalidOption

  std::string_view name() const override { return "blocks"; }
  privacy::Guarantee guarantee() const override;
  nlohmann::ordered_json parameters() const override;
  void draw(std::span<const std::int64_t> points, random::Stream& noise,
            std::span<std::int64_t> drawn) const override;
  double log_weight(std::int64_t drawn, std::int64_t point) const override;
  double weight(std::int64_t drawn) const override;
  std::size_t outputs() const override { return partition_.first.size(); }
  kernel::WeightRow row(std::int64_t point) const override;
  Prediction predict(std::span<const double> prior) const override;

  const BlockPartition& partition() const { return partition_; }

 private:
  std::uint32_t block_of(std::int64_t point) const { return block_of_[static_cast<std::size_t>(point)]; }

  privacy::Epsilon epsilon_;
  BlockPartition partition_;
  std::vector<std::uint32_t> block_of_;  // of each point
  std::uint64_t high_ = 0, low_ = 0;     // weights of the true block and of each other one
  std::uint64_t total_ = 0;              // of a row
};

}  // namespace fogline::weights
