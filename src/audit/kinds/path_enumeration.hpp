// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "path/labels.hpp"

namespace fogline::audit {

/// The probability of every publication of one input, without the bit of direction: numbers of stops, then labels, in a fixed order.
using PathDistribution = std::vector<long double>;

/// How many publications there are, if there are at most `most`. `certain` holds pairs of vertices whose labels are certain, and the same, in everything that
/// will be compared: they are left out. One stop a vertex only; empty otherwise.
std::optional<std::uint64_t> publications(std::size_t vertices, const path::PathLabels& labels,
                                          const graph::BitGraph& certain, std::uint64_t most);

/// Computed from the tables of the mechanism, for every number of stops and every way in which visits take stops; the caller has asked publications() first.
/// The pieces are those of PathLabels::release_pieces. Sums to 1 but for rounding.
PathDistribution distribution_of(const path::RouteMap& map, std::span<const path::Route> pieces,
                                 const path::PathLabels& labels, const graph::BitGraph& certain);

/// The largest ln(first / second) over all publications; infinite where only the first is possible.
double largest_loss(const PathDistribution& first, const PathDistribution& second);

}  // namespace fogline::audit
