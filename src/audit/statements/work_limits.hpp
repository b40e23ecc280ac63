// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fogline::audit {

/// How much work a statement may cause that nobody asked for. A statement may come from anybody, and a short one can name a network of a
/// million vertices or a grid of millions of weights. Sizes are public and are compared before the work begins, so that the
/// same statement is checked alike on every machine; times are those of one core at 2 GHz.
struct WorkLimits {
  /// Of a network that is made from a specification, or whose expected error is averaged: 200 searches of it all, ten seconds.
  static constexpr std::uint64_t map_vertices = 300'000;
  /// Of a network whose kernel is calibrated and certified on every road: twenty seconds. The sample cities have 7,000 to 8,000 vertices
  /// at the spacing of 0.01 per metre: what is made by default is checked by default.
  static constexpr std::uint64_t kernel_vertices = 9'000;
  /// Of a network of which every pair is looked at, to find best guesses: twenty seconds.
  static constexpr std::uint64_t table_vertices = 5'000;
  /// Of a network for which a linear program over every pair is solved: about a minute. As many as a release takes by itself
  /// (place::settled), so that what is made by default is checked by default; 5,000 take ten minutes and 13 GB.
  static constexpr std::uint64_t solver_vertices = 1'000;
  /// Of a grid of weights over which errors are averaged: a second.
  static constexpr std::uint64_t grid_points = 1'000'000;
  /// Of a grid of weights whose blocks are chosen and certified, for every pair of points: ten seconds.
  static constexpr std::uint64_t block_points = 10'000;
  /// Trips that are made again of their counts: twenty seconds, and more on roads.
  static constexpr std::uint64_t made_trips = 200'000;
  /// Their points, which hostile counts could make as many as memory holds.
  static constexpr std::uint64_t made_points = 50'000'000;
  /// Of a stream's model, every pair of which a policy may join: seconds.
  static constexpr std::uint64_t stream_states = 5'000;
  /// Of a stream, each of which is prepared and certified anew.
  static constexpr std::uint64_t stream_steps = 20'000;
  /// Steps of a stream times the states of its model, each of which is weighed at each step: a minute.
  static constexpr std::uint64_t stream_cells = 20'000'000;
};

}  // namespace fogline::audit
