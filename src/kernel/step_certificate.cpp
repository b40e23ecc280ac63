// SPDX-License-Identifier: Apache-2.0
#include "kernel/step_certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "base/parallel.hpp"
#include "kernel/log_interval.hpp"

namespace fogline::kernel {
namespace {

constexpr std::uint64_t block = 1 << 16;  // steps between two reports of progress

/// The largest quotient of two neighbouring weights, the larger by the smaller. It is off by three roundings, so its logarithm is
/// within log_margin of the largest logarithm, although another quotient may be the true largest.
struct Steepest {
  Real quotient = 1;
  std::uint64_t at = 0;

  void take(Real next, std::uint64_t next_at) {
    if (next > quotient || (next == quotient && next_at < at)) {
      quotient = next;
      at = next_at;
    }
  }
};

Real quotient_of(Real a, Real b) {
  const Real least = std::min(a, b);
  return least > 0 ? std::max(a, b) / least : std::numeric_limits<Real>::infinity();
}

Steepest steepest_in(const WeightOfDistance& weight, std::uint64_t begin, std::uint64_t end) {
  Steepest steepest{.at = begin};
  Real here = to_real(weight(begin));
  for (std::uint64_t d = begin; d < end; ++d) {
    const Real next = to_real(weight(d + 1));
    steepest.take(quotient_of(here, next), d);
    here = next;
  }
  return steepest;
}

}  // namespace

StepCertificate certify_steps(const WeightOfDistance& weight, std::uint64_t last,
                              const StepOptions& options) {
  Steepest steepest;
  std::mutex merging;
  ProgressMeter meter(options.progress, "checking the rule", last);
  parallel_for((last + block - 1) / block, {.threads = options.threads},
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t i = begin; i < end; ++i) {
                   const std::uint64_t first = i * block, beyond = std::min(last, first + block);
                   const Steepest mine = steepest_in(weight, first, beyond);
                   meter.advance(beyond - first);
                   const std::lock_guard lock(merging);
                   steepest.take(mine.quotient, mine.at);
                 }
               });
  meter.finish();
  constexpr double beyond = std::numeric_limits<double>::infinity();
  if (std::isinf(steepest.quotient)) return {beyond, beyond, steepest.at, last};
  const Real change = std::log(steepest.quotient), margin = log_margin(change);
  return {std::max(0.0, std::nextafter(static_cast<double>(change - margin), -beyond)),
          std::nextafter(static_cast<double>(change + margin), beyond), steepest.at, last};
}

bool holds(const StepCertificate& certificate, const Rational& rate_per_mm) {
  return at_most(certificate.high, rate_per_mm);
}

}  // namespace fogline::kernel
