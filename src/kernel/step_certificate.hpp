// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "base/int128.hpp"
#include "base/progress.hpp"
#include "base/rational.hpp"

namespace fogline::kernel {

/// How much an integer weight changes from one distance to the next.
struct StepCertificate {
  double low = 0;           ///< the largest |ln weight(d) - ln weight(d + 1)| is at least this
  double high = 0;          ///< and at most this; infinite if a weight is 0
  std::uint64_t at = 0;     ///< d, where it was found
  std::uint64_t steps = 0;  ///< how many were checked: all of them
};

struct StepOptions {
  int threads = 0;         ///< 0 (all cores) to 1,024
  Progress progress = {};  ///< told of steps; may cancel
};

/// The weight of a distance in millimetres; asked from several threads at once.
using WeightOfDistance = std::function<Uint128(std::uint64_t distance_mm)>;

/// Compares the weights of all distances 0, 1, ..., last with their neighbours, from the integers alone.
///
///     ExponentialRule rule(Rational(1, 200'000));
///     auto certificate = certify_steps([&](std::uint64_t d) { return rule.weight(d); }, rule.cap_mm());
///     bool kept = holds(certificate, Rational(1, 200'000));
///
/// What holds for every step holds for every distance: |ln w(d) - ln w(e)| is at most the sum of the steps between d and e. So a kernel
/// whose weights depend on a distance alone, and are constant from `last` on, is certified on every map at once: docs/mechanisms/gem.md.
/// The interval cannot be optimistic (kernel/log_interval.hpp); it is at most 2^-57 wide.
///
/// Throws Cancelled. Cost: a weight and a division a step; 5 million steps, GEM at 0.01 per metre, take 0.2 s on one core.
StepCertificate certify_steps(const WeightOfDistance& weight, std::uint64_t last,
                              const StepOptions& options = {});

/// Is every step at most `rate_per_mm`? Compared exactly, without rounding; never a wrong yes.
bool holds(const StepCertificate& certificate, const Rational& rate_per_mm);

}  // namespace fogline::kernel
