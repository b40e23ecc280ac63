// SPDX-License-Identifier: Apache-2.0
#include "release/kinds.hpp"

namespace fogline::release {

std::vector<std::unique_ptr<Release>> all_releases() {
  std::vector<std::unique_ptr<Release>> all;
  for (const auto make :
       {place_release, stream_release, path_release, weights_release, weights_distances, traces_release})
    all.push_back(make());
  return all;
}

}  // namespace fogline::release
