// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace fogline::report {

/// Numbers for an axis that shows `low` to `high`, rising: 1, 2 or 5 times a power of ten, at most `count` steps apart.
///
///     ticks(0, 10, 6, false);      // 0 2 4 6 8 10
///     ticks(1, 100, 6, true);      // 1 2 5 10 20 50 100
///
/// On a log axis of more than three orders of magnitude, powers of ten alone; on one too short for two such numbers, even steps. Wants low
/// < high, both above 0 if log, and count >= 1.
std::vector<double> ticks(double low, double high, int count, bool log);

}  // namespace fogline::report
