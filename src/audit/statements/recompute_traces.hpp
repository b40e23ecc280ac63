// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "audit/statements/recompute.hpp"

namespace fogline::audit {

/// recompute() for the statement of released trips: parameters, shares of the budget, guarantee and words follow from traces::TraceTerms; the released file holds
/// trips in the area and nothing else; the counts are those that a release with these terms counts, and the trips, made again of them, are the released ones
/// byte by byte; the trips break no hard rule of the constraints, and are legal drives on the network.
std::vector<privacy::Check> recompute_traces(const privacy::Statement& statement,
                                             const RecomputeOptions& options);

/// The same for the paper's form, of which nothing is promised.
std::vector<privacy::Check> recompute_published_traces(const privacy::Statement& statement,
                                                       const RecomputeOptions& options);

}  // namespace fogline::audit
