// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string>

namespace fogline::testing_support {

/// Where a file of real data would lie: in $FOGLINE_DATA, else in ../shared/data beside the project. For tests
/// and benchmarks only, which skip when it is not there:
///
///     const std::string map = real_data("maps/monaco-2021.osm.pbf");
///     if (!std::filesystem::exists(map)) GTEST_SKIP() << "skipped: no real data at " << map;
inline std::string real_data(const std::string& name) {
  if (const char* folder = std::getenv("FOGLINE_DATA")) return std::string(folder) + "/" + name;
  const char* source = std::getenv("FOGLINE_SOURCE");
  return std::string(source == nullptr ? "." : source) + "/../shared/data/" + name;
}

}  // namespace fogline::testing_support
