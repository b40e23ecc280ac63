// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "audit/statements/recompute.hpp"

namespace fogline::audit {

/// recompute() for a statement of a place mechanism, sound form.
///
///     for (const privacy::Check& check : recompute_place(statement, {.folder = "out", .read_map = false})) ...
///
/// Guarantee and words follow exactly from place::PlaceTerms. With the map, the mechanism is built anew by its name. Its expected error is
/// computed over the same public sample on large maps, and may differ by one part in a million. A mechanism that a numerical solver
/// builds may differ by one part in ten thousand, and the figures it gives of itself by one in a thousand; the table built anew is then certified
/// too, where roads times outputs are at most 200,000,000.
///
/// Released points of the plane (plm) follow from nothing public: of their file everything else is compared, and the check says so.
std::vector<privacy::Check> recompute_place(const privacy::Statement& statement,
                                            const RecomputeOptions& options);

}  // namespace fogline::audit
