// SPDX-License-Identifier: Apache-2.0
#include "fuzz_reader.hpp"
#include "roads/region.hpp"

/// What is accepted is an area, and no lines between degrees enclose the pole.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  return fuzz::run(data, size, "fuzz.geojson", fuzz::Form::tree, [&](io::TextSource& source) {
    const roads::Outline outline = roads::read_polygons(source);
    fuzz::require(!outline.rings.empty());
    fuzz::require(!roads::contains(outline, {0, 90}));
    for (const auto& ring : outline.rings)
      for (const geometry::LonLat& corner : ring) roads::contains(outline, corner);
  });
}
