// SPDX-License-Identifier: Apache-2.0
#include "io/graph_columns.hpp"

#include <array>
#include <string_view>

namespace fogline::io {
namespace {

constexpr std::array<std::string_view, 9> source_names = {"source", "u",     "from",      "src",    "tail",
                                                          "node1",  "start", "init_node", "from_id"};
constexpr std::array<std::string_view, 10> target_names = {"target", "v",   "to",        "dst",   "dest",
                                                           "head",   "end", "term_node", "node2", "to_id"};
constexpr std::array<std::string_view, 8> weight_names = {"weight", "w",    "volume", "value",
                                                          "count",  "flow", "trips",  "length"};

}  // namespace

GraphColumns graph_columns(const CsvReader& csv) {
  constexpr std::string_view example = "source,target,weight";
  const std::size_t columns = csv.header().size();
  GraphColumns found;
  if (csv.header_is_numeric() && (columns == 2 || columns == 3)) {
    if (columns == 3) found.weight = 2;
    found.has_header = false;
    return found;
  }
  found.source = csv.require_column("source", source_names, example);
  found.target = csv.require_column("target", target_names, example);
  found.weight = csv.find_column(weight_names);
  return found;
}

}  // namespace fogline::io
