// SPDX-License-Identifier: Apache-2.0
#include "fuzz_points.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  return fuzz::run(data, size, "fuzz.gpx", fuzz::Form::tags,
                   [](io::TextSource& source) { return fuzz::check_points(source, {}); });
}
