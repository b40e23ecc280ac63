// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fogline::audit {

/// Bounds on a probability from `hits` among `trials`, each exceeded with probability at most `alpha`, whatever the
/// probability is (Clopper and Pearson 1934: the binomial distribution itself, no approximation).
///
///     double low = probability_at_least(30, 1000, 1e-6);    // the probability is at least this, or we were unlucky
///
/// `hits` lie between 0 and `trials`, `trials` is at least 1, `alpha` lies strictly between 0 and 1; InvalidOption otherwise.
double probability_at_least(std::uint64_t hits, std::uint64_t trials, double alpha);
double probability_at_most(std::uint64_t hits, std::uint64_t trials, double alpha);

}  // namespace fogline::audit
