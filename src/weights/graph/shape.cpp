// SPDX-License-Identifier: Apache-2.0
#include "weights/graph/shape.hpp"

namespace fogline::weights {

GraphShape shape_of(const io::GraphTable& table) {
  return {.vertices = static_cast<std::uint32_t>(table.vertex_count()),
          .directed = table.directed,
          .source = table.source,
          .target = table.target};
}

}  // namespace fogline::weights
