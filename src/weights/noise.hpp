// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "random/samplers.hpp"
#include "weights/mechanism.hpp"

namespace fogline::weights {

/// Adds integer noise to the point of each edge's weight.
///
///     Noise geometric({.law = NoiseLaw::geometric, .grid = WeightGrid::parse("0:", "1"), .epsilon = privacy::Epsilon{1, 2},
///                      .protection = {.unit = ProtectedUnit::change}});
///
/// Guarantee   pure DP; unit: an edge's whole weight, a change of one edge, or a trip; exact (integer sampler).
/// Source      discrete Laplace: Ghosh, Roughgarden, Sundararajan 2012; staircase: Geng and Viswanath 2014, on the integers.
/// Utility     geometric noise for a change of one step, followed by a posterior estimate (weights/estimate.hpp), is the best there is for every
///             prior; staircase noise is better than geometric for large epsilon and changes of many steps.
/// Cost        a draw 0.1 microseconds; no memory.
/// Parameters  epsilon; the sensitivity follows from protection, grid and rounding. The staircase is for one edge only: not for trips.
///
/// The drawn number is the noisy point, which may lie outside the grid; weight() moves it to the nearest weight that may be released.
enum class NoiseLaw { geometric, staircase };

class Noise : public EdgeMechanism {
 public:
  struct Options {
    NoiseLaw law = NoiseLaw::geometric;
    WeightGrid grid;
    privacy::Epsilon epsilon;
    Protection protection = {};
    Rounding rounding = Rounding::refuse;
    bool positive = false;  ///< never release a weight of 0
  };
  explicit Noise(const Options& options);  ///< throws InvalidOption

  std::string_view name() const override;
  privacy::Guarantee guarantee() const override;
  nlohmann::ordered_json parameters() const override;  ///< sensitivity_steps, and the staircase's step
  void draw(std::span<const std::int64_t> points, random::Stream& noise,
            std::span<std::int64_t> drawn) const override;
  double log_weight(std::int64_t drawn, std::int64_t point) const override;
  double weight(std::int64_t drawn) const override;
  Prediction predict(std::span<const double> prior) const override;

  std::uint64_t sensitivity_steps() const { return sensitivity_; }

 private:
  NoiseLaw law_;
  privacy::Epsilon epsilon_;
  std::uint64_t sensitivity_;
};

}  // namespace fogline::weights
