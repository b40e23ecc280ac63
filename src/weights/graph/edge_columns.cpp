// SPDX-License-Identifier: Apache-2.0
#include "weights/graph/edge_columns.hpp"

#include <array>
#include <string>

#include "base/error.hpp"

namespace fogline::weights {
namespace {

std::size_t column(const io::CsvReader& csv, std::string_view prefix, std::string_view meaning,
                   std::string_view other_name, std::string_view example) {
  const std::string first = std::string(prefix) + std::string(meaning);
  const std::string second = std::string(prefix) + std::string(other_name);
  const std::array<std::string_view, 2> names = {first, second};
  return csv.require_column(first, names, example);
}

}  // namespace

EdgeColumns::EdgeColumns(const io::CsvReader& csv, std::string_view prefix, const EdgeLookup& lookup,
                         std::string_view example)
    : csv_(csv),
      lookup_(lookup),
      source_(column(csv, prefix, "source", "from", example)),
      target_(column(csv, prefix, "target", "to", example)) {}

std::uint32_t EdgeColumns::edge() const {
  const auto found = lookup_.find(csv_.trimmed(source_), csv_.trimmed(target_));
  if (!found)
    throw DataError(csv_.spot(), "the graph has no edge between these ends",
                    "name edges as the graph's file does");
  return *found;
}

void EdgeColumns::fail_repeated() const {
  throw DataError(csv_.spot(), "the edge was named before", "remove one of the two lines");
}

}  // namespace fogline::weights
