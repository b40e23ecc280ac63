// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/progress.hpp"

/// What the interior-point methods of kernel/optimal.hpp and kernel/metric_optimal.hpp have in common.
namespace fogline::kernel {

/// How much centring a corrector needs: this power of the share of the products of slacks and duals that the predictor would leave, as Mehrotra has it.
constexpr double mehrotra_power = 3;

/// Gondzio's corrections aim at steps longer than those found by a tenth and by 0.1 more, and at products of slack and dual within a factor of ten of
/// `centring`; products above are pulled down by no more than ten times `centring`, lest the pull spoil the direction. One is kept if the two steps together
/// grow by 0.02.
constexpr double longer_steps = 1.1, longer_by = 0.1, least_growth = 0.02;
constexpr double least_product = 0.1, most_product = 10;  // of `centring`

/// The share of the way to the boundary that a step goes: slacks and duals must stay above 0. Usual values are 0.99 to 0.9995.
constexpr double to_boundary = 0.995;

/// What is allowed on a pair farther apart than this (epsilon times distance) is more than any table of kernel/sparse_table.hpp can use, whose
/// weights span 36 bits: e^25 is a little more than 2^36. Solvers allow no more than this, and their numbers stay in range.
constexpr double farthest_pair = 25;

/// That may be asked for: solves that come to an end take some tens.
constexpr std::size_t most_iterations = 1000;

/// Shares of a step that keep slacks and duals positive.
struct StepLengths {
  double primal = 1;
  double dual = 1;
};

/// How near the gap is, on a scale of its logarithm, on which interior-point methods go in about equal steps. Nobody knows the number of iterations
/// beforehand, so within one the meter goes a small part of what is left, in as many pieces as the iteration has, that it may be seen and stopped.
class GapMeter {
 public:
  GapMeter(const Progress& progress, double wanted)
      : wanted_log_(std::log(std::min(wanted, 0.5))), meter_(progress, "solving", whole) {}

  void begin(double gap, std::size_t pieces) {
    const double way = gap > 0 && gap < 1 ? std::clamp(std::log(gap) / wanted_log_, 0.0, 1.0) : 0;
    const auto reached = static_cast<std::uint64_t>(way * whole);
    if (reached > done_) move(reached - done_);
    piece_ = (whole - done_) / usual_iterations / pieces;
  }
  void advance() { move(piece_); }
  void finish() { meter_.finish(); }

 private:
  // For progress alone: parts of the way, and about how many iterations a solve takes.
  static constexpr std::uint64_t whole = 1'000'000;
  static constexpr std::uint64_t usual_iterations = 40;

  void move(std::uint64_t amount) {
    done_ += amount;
    meter_.advance(amount);
  }

  double wanted_log_;
  ProgressMeter meter_;
  std::atomic<std::uint64_t> done_{0};
  std::uint64_t piece_ = 0;
};

}  // namespace fogline::kernel
