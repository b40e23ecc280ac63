// SPDX-License-Identifier: Apache-2.0
#include "audit/engine/clopper_pearson.hpp"

#include <algorithm>

#include <boost/math/special_functions/beta.hpp>

#include "base/error.hpp"

namespace fogline::audit {
namespace {

// The inverse of the incomplete beta function is good to far more digits than this; the bound is moved outwards all the same.
constexpr double moved_out = 1e-9;

void require_valid(std::uint64_t hits, std::uint64_t trials, double alpha) {
  if (trials == 0 || hits > trials)
    throw InvalidOption("hits", "must lie between 0 and the number of trials, which is at least 1");
  if (!(alpha > 0 && alpha < 1)) throw InvalidOption("alpha", "must lie strictly between 0 and 1");
}

}  // namespace

double probability_at_least(std::uint64_t hits, std::uint64_t trials, double alpha) {
  require_valid(hits, trials, alpha);
  if (hits == 0) return 0;
  const auto k = static_cast<double>(hits), n = static_cast<double>(trials);
  return std::max(0.0, boost::math::ibeta_inv(k, n - k + 1, alpha) * (1 - moved_out));
}

double probability_at_most(std::uint64_t hits, std::uint64_t trials, double alpha) {
  require_valid(hits, trials, alpha);
  if (hits == trials) return 1;
  const auto k = static_cast<double>(hits), n = static_cast<double>(trials);
  return std::min(1.0, boost::math::ibetac_inv(k + 1, n - k, alpha) * (1 + moved_out));
}

}  // namespace fogline::audit
