// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "traces/counts/statistics.hpp"

namespace fogline::traces {

/// Laws of one hump: what remains to be believed of a histogram where noise hides its bins. Two numbers, where the
/// hump lies and how wide it is, are told by all bins together, so that no single bin raised by noise can make a hump
/// of its own. Both are posterior means given the noisy bins, about what is usual, so where noise hides everything
/// the usual hump comes out.

/// A bump among bins that grow by a factor each, such as those of steps and speeds: normal, and nothing beyond 2.5 of
/// its widths.
struct UsualBump {
  double bin = 0;             ///< where it usually lies
  double strays = 4;          ///< how many bins from there it may lie, as a standard deviation
  double width = 2;           ///< in bins
  double width_strays = 0.7;  ///< standard deviation of the width's logarithm: half or twice as wide
};
struct Bump {
  double bin = 0, width = 0;  ///< in bins
  std::vector<double> bins(std::size_t count, double total) const;
};
Bump believed_bump(const NoisyTable& noisy, double total, const UsualBump& usual);

/// A Gamma law of lengths in bins that grow like squares up to `most`: its tail falls exponentially with the length,
/// as that of trips does.
struct UsualLengths {
  double mean_m = 0;
  double strays = 0;  ///< standard deviation of the mean's logarithm
  double most_m = 0;  ///< where the last bin ends
};
std::vector<double> believed_gamma(const NoisyTable& noisy, double total, const UsualLengths& usual);

/// Which runs of bins can show more than a law. A Gamma law that does not fit the middle of lengths does not fit their
/// tail either, so that any run tells. A bump may be too wide or narrow for what lies in two bins, and tells no less of
/// the others for that: only what lies in its tails counts against it, or a few cars would fly.
enum class TellingRuns { anywhere, in_tails };

/// Leaves an estimate what its noisy bins can show. Beyond the middle of the law, and beyond the last runs of noisy
/// bins that hold more than the law says and noise would make of them, the law is believed instead. Sums to `total`.
void keep_what_shows(std::span<double> estimate, const NoisyTable& noisy, std::span<const double> law,
                     double total, TellingRuns runs);

}  // namespace fogline::traces
