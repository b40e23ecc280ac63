// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "audit/statements/recompute.hpp"

namespace fogline::audit {

/// recompute() for a statement of released distances: parameters, guarantee and words follow from weights::DistanceTerms. The expected error
/// needs the graph, which no statement names, and is not checked.
std::vector<privacy::Check> recompute_distances(const privacy::Statement& statement,
                                                const RecomputeOptions& options);

}  // namespace fogline::audit
