// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "audit/specimens/published.hpp"
#include "weights/paper/published.hpp"

namespace fogline::audit {

/// With which settings a published way to release edge weights is put to the test.
struct PublishedWeightsSettings {
  double epsilon = 1;                       ///< that the paper claims; above 0, at most 1,000
  weights::WeightRange range = {100, 600};  ///< public; the paper's first graph
  int k = 1;  ///< of MB: merge where this many groups have the same size; 1 to 1,000
};

/// "lap", "mb", "lap-ci" or "mb-ci" on two graphs that the paper calls neighbours: one edge's weight differs.
///
///     PublishedCase mb = published_weights_case("mb", {.epsilon = 2, .k = 5});
///     falsify(mb.pairs, {.key = random::SeededKey(1)}).broken;              // true
///
/// Throws InvalidOption for another name, or a setting out of range.
PublishedCase published_weights_case(std::string_view mechanism,
                                     const PublishedWeightsSettings& settings = {});

/// All of them at epsilon 1, with the forms that tell cause from effect: Lap with the data's own range, consistency along a public order.
std::vector<PublishedCase> published_weights_cases();

}  // namespace fogline::audit
