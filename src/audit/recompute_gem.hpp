// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "audit/recompute.hpp"

namespace fogline::audit {

/// recompute() for a statement of place gem, sound form.
///
///     for (const privacy::Check& check : recompute_gem(statement, {.folder = "out", .read_map = false})) ...
///
/// Guarantee and words follow exactly from place::GemTerms. The expected error is computed anew on the map, over the same public
/// sample on large ones, and may differ by one part in a million.
std::vector<privacy::Check> recompute_gem(const privacy::Statement& statement,
                                          const RecomputeOptions& options);

}  // namespace fogline::audit
