// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "audit/statements/recompute.hpp"

namespace fogline::audit {

/// recompute() for the statement of a published route: parameters, guarantee and words follow from path::PathTerms; the table of labels is certified anew; the
/// released file holds what such a release writes and nothing else.
std::vector<privacy::Check> recompute_path(const privacy::Statement& statement,
                                           const RecomputeOptions& options);

/// The same for the paper's form, of which nothing is promised.
std::vector<privacy::Check> recompute_published_path(const privacy::Statement& statement,
                                                     const RecomputeOptions& options);

}  // namespace fogline::audit
