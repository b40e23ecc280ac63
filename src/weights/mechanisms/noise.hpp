// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "random/samplers.hpp"
#include "weights/mechanisms/mechanism.hpp"

namespace fogline::weights {

enum class NoiseLaw { geometric, staircase };

/// Adds integer noise to the point of each edge's weight.
///
///     Noise geometric({.law = NoiseLaw::geometric, .grid = WeightGrid::parse("0:", "1"), .epsilon = privacy::Epsilon{1, 2},
///                      .protection = {.unit = ProtectedUnit::change}});
///
/// Guarantee   pure DP; unit: an edge's whole weight, a change of one edge, or a trip; exact (integer sampler).
/// Source      discrete Laplace: Ghosh, Roughgarden, Sundararajan 2012; staircase: Geng and Viswanath 2014, on the integers.
/// Utility     geometric noise for a change of one step, followed by the best estimate under the prior, is the best there is for every
///             prior (weights/estimates/estimate.hpp learns one); staircase noise is better than geometric for large epsilon and changes of many steps.
/// Cost        a draw 0.1 microseconds; no memory.
/// Parameters  epsilon; the sensitivity follows from protection, grid and rounding. The staircase is for one edge only: not for trips, where each of
///             many edges would cost epsilon. Its step, the half-width of the middle stair,
///             has the least expected error: of the clamped weight, all weights alike, where whole edges of at most 65,537 points are protected; else of the noise.
///
/// The drawn number is the noisy point, which may lie outside the grid; weight() moves it to the nearest weight that may be released.
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

  /// The floor is known where the sensitivity is one step and the grid has at most 8,192 points: the error of geometric noise after the best remap
  /// under the prior.
  Prediction predict(std::span<const double> prior) const override;

  std::uint64_t sensitivity_steps() const { return sensitivity_; }
  double expected_noise()
      const;  ///< expected |noise| in steps, before anything is clamped; also without an end

 private:
  NoiseLaw law_;
  privacy::Epsilon epsilon_;
  std::uint64_t sensitivity_;
  std::uint64_t step_;  // of the staircase
  double log_peak_;     // ln P(noise = 0)
  std::variant<random::DiscreteLaplace, random::DiscreteStaircase> sampler_;
};

/// The width of the middle stair, on each side, of least expected |noise|: 1 to `sensitivity`.
std::uint64_t best_staircase_step(double epsilon, std::uint64_t sensitivity);

/// Expected |noise| of the staircase, in steps of the grid.
double expected_staircase(double epsilon, std::uint64_t sensitivity, std::uint64_t step);

}  // namespace fogline::weights
