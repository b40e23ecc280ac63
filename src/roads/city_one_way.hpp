// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "roads/city_blocks.hpp"

namespace fogline::roads::sketch {

/// Makes about half of the small streets in and around the old town one-way, neighbours against each other, and
/// takes back those without which some place could not be reached or left by car.
void choose_one_ways(StreetGraph& graph, const Plan& plan);

}  // namespace fogline::roads::sketch
