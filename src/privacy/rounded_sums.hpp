// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/rational.hpp"

namespace fogline::privacy {

/// Sums of what was spent: exact where 64-bit fractions can keep them, else on a grid of billionths, above ten billion of whole numbers. A budget must never become one
/// to which nothing can be added.
Rational sum_rounded_up(const Rational& a, const Rational& b);

/// a - b for b <= a, in the same manner.
Rational difference_rounded_down(const Rational& a, const Rational& b);

}  // namespace fogline::privacy
