// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "audit/statements/recompute.hpp"

namespace fogline::audit {

/// recompute() for a statement of a release of a stream.
///
///     for (const privacy::Check& check : recompute_stream(statement, {.folder = "out"})) ...
///
/// Guarantee and words follow exactly from stream::StreamTerms. With the model at hand the whole release is walked through again from its
/// drawn integers: every step is certified anew, every answer must be one that the step could give, answers and baselines must be those that
/// follow from the draws, and the outcome the one that the steps add up to.
///
/// Cost: that of the release; more than 20,000 steps are not walked through.
std::vector<privacy::Check> recompute_stream(const privacy::Statement& statement,
                                             const RecomputeOptions& options);

}  // namespace fogline::audit
