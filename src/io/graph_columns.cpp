// SPDX-License-Identifier: Apache-2.0
#include "io/graph_columns.hpp"

#include <string_view>

namespace fogline::io {

GraphColumns graph_columns(const CsvReader& csv, const ColumnMap& map) {
  constexpr std::string_view example = "source,target,weight";
  const std::size_t columns = csv.header().size();
  GraphColumns found;
  if (map.is_empty() && csv.header_is_numeric() && (columns == 2 || columns == 3)) {
    if (columns == 3) found.weight = 2;
    found.has_header = false;
    return found;
  }
  const CsvColumns chosen(csv, {Role::source, Role::target, Role::weight}, {.map = map});
  found.source = chosen.require(Role::source, example);
  found.target = chosen.require(Role::target, example);
  found.weight = chosen.of(Role::weight);
  found.report = chosen.settle();
  return found;
}

}  // namespace fogline::io
