// SPDX-License-Identifier: Apache-2.0
#include "fuzz_edges.hpp"
#include "weights/estimates/groups.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  return fuzz::run(data, size, "fuzz.csv", fuzz::Form::table, [](io::TextSource& source) {
    const weights::EdgeGroups groups = weights::read_groups(source, fuzz::square());
    fuzz::require(groups.of.size() == fuzz::square().edge_count() && groups.count >= 1);
    for (const std::uint32_t group : groups.of) fuzz::require(group < groups.count);
  });
}
