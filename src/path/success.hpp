// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/progress.hpp"
#include "path/labels.hpp"
#include "path/sample_route.hpp"

namespace fogline::path {

struct SuccessOptions {
  PathOptions labels = {.form = PathForm::two_sided};  ///< as the route will be published; two-sided
  std::uint64_t runs = 200;                            ///< 2 to 10^6
  std::uint64_t seed = 1;
  int threads = 0;
  Progress progress = {};
};

/// How often insiders read exactly the steps of the route.
struct Success {
  double share = 0;
  double standard_error = 0;
  std::uint64_t runs = 0;
  std::uint64_t read = 0;  ///< of the runs: share * runs
};

/// What to expect of the two-sided form before anything is spent: invented routes are published and read again, with no private route at all.
///
///     Success expected = expected_success(SampleRouteOptions{.vertices = 100, .roads = 150}, options);
///
/// On invented networks of this size, with a route that visits every vertex; the reader knows that only if options.labels declares it. Direction does
/// not count. The same seed gives the same answer whatever the number of threads. `progress` is asked every few milliseconds. Throws InvalidOption for another form,
/// runs out of range, declared ends, a cyclic route; Cancelled. Cost: `runs` times path/decode.hpp.
Success expected_success(const SampleRouteOptions& network, const SuccessOptions& options);

/// The same on the network itself. A route that is declared to visit every vertex is the heaviest for random weights of the roads; any other is the shortest between the declared ends, or
/// between two random vertices, for random lengths of roads. Throws InvalidOption if there is no such route.
Success expected_success(const RouteMap& map, const SuccessOptions& options);

}  // namespace fogline::path
