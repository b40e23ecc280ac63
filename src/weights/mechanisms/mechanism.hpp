// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/progress.hpp"
#include "kernel/weight_row.hpp"
#include "privacy/guarantee.hpp"
#include "random/key.hpp"
#include "random/stream.hpp"
#include "weights/grid.hpp"
#include "weights/protection.hpp"

namespace fogline::weights {

/// Expected absolute errors of one edge's weight under a public prior, in the weights' unit.
struct Prediction {
  double expected_error = 0;  ///< of what the mechanism releases without further estimates
  std::optional<double> floor =
      {};  ///< no release with this guarantee has less, on independent weights of that prior
  double best_constant = 0;  ///< of the prior's median, which costs nothing
};

/// A sound mechanism that treats every edge by itself: it draws a number for each edge from the point of its weight and nothing else.
/// What all of them have in common, so that releases, estimates, audits and statements are written once.
///
///     std::unique_ptr<EdgeMechanism> mechanism = make_mechanism({.name = "blocks", ...});     // weights/mechanisms/catalogue.hpp
///     std::vector<std::int64_t> drawn(points.size());
///     draw_all(*mechanism, points, key, {.threads = 2}, drawn);
///     mechanism->weight(drawn[0]);                            // what is released for edge 0
///
/// Built from public things alone, and does not change; all functions may be called from several threads. `draw` throws InvalidOption,
/// before the first draw, for a point outside the grid.
class EdgeMechanism {
 public:
  /// `positive`: never release a weight of 0, though the grid has it.
  EdgeMechanism(WeightGrid grid, Protection protection, bool positive)
      : grid_(grid), protection_(protection), least_point_(positive ? grid.lowest_positive() : 0) {}
  virtual ~EdgeMechanism() = default;
  EdgeMechanism(const EdgeMechanism&) = delete;
  EdgeMechanism& operator=(const EdgeMechanism&) = delete;

  virtual std::string_view name() const = 0;
  virtual privacy::Guarantee guarantee() const = 0;
  virtual nlohmann::ordered_json parameters() const = 0;  ///< besides epsilon, grid and unit; public

  /// One number for each point, in order.
  virtual void draw(std::span<const std::int64_t> points, random::Stream& noise,
                    std::span<std::int64_t> drawn) const = 0;

  /// ln P(drawn | point); minus infinity for what cannot happen. For estimates, attacks and measures; draws never look at it.
  virtual double log_weight(std::int64_t drawn, std::int64_t point) const = 0;

  /// What is released for a drawn number when nothing else is known: a weight of the grid.
  virtual double weight(std::int64_t drawn) const = 0;

  /// Tables: how many numbers can be drawn (0 to outputs - 1), and the integers they are drawn by. Without a table, 0 and
  /// InvalidOption.
  virtual std::size_t outputs() const { return 0; }
  virtual kernel::WeightRow row(std::int64_t point) const;

  /// Under a prior of the grid's points; empty: all points alike. On a grid without end, the size of the noise alone.
  virtual Prediction predict(std::span<const double> prior) const = 0;

  const WeightGrid& grid() const { return grid_; }
  const Protection& protection() const { return protection_; }
  std::int64_t least_point() const { return least_point_; }  ///< of those that may be released

 private:
  WeightGrid grid_;
  Protection protection_;
  std::int64_t least_point_;
};

struct DrawOptions {
  std::uint64_t first_edge = 0;  ///< number of the first edge given; a multiple of edges_per_stream
  int threads = 0;               ///< 0 (all cores) to 1,024
  Progress progress = {};        ///< called now and then; may cancel
};

/// Edges are drawn from key.stream("weights", edge / edges_per_stream), in order, so that the result does not depend on
/// threads or on how a long list is cut. The number decides which edge is drawn from what, so another one would be
/// other releases from the same key.
inline constexpr std::uint64_t edges_per_stream = 1024;

void draw_all(const EdgeMechanism& mechanism, std::span<const std::int64_t> points, const random::Key& key,
              const DrawOptions& options, std::span<std::int64_t> drawn);

/// Expected |value - best constant| under a prior of the grid's points: the error of its median.
double best_constant_error(const WeightGrid& grid, std::span<const double> prior);

}  // namespace fogline::weights
