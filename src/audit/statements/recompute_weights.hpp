// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "audit/statements/recompute.hpp"

namespace fogline::audit {

/// recompute() for a statement of a release of edge weights, sound form.
///
///     for (const privacy::Check& check : recompute_weights(statement, {.folder = "out"})) ...
///
/// Guarantee and words follow exactly from weights::WeightTerms. The released file is written anew from its edges and compared, so that it holds nothing
/// else; its weights must be ones that the mechanism can release, where those are known: not after estimates, an order or a noisy prior, where
/// they must lie in the range. The expected error is computed anew, and the table certified.
std::vector<privacy::Check> recompute_weights(const privacy::Statement& statement,
                                              const RecomputeOptions& options);

/// The same for a form of the paper, which promises nothing: that it says so, and what its file holds.
std::vector<privacy::Check> recompute_published_weights(const privacy::Statement& statement,
                                                        const RecomputeOptions& options);

}  // namespace fogline::audit
