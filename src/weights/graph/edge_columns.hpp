// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/csv.hpp"
#include "weights/graph/edge_lookup.hpp"

namespace fogline::weights {

/// The two columns of a public CSV file that name an edge of the graph: `source,target`, or with a prefix `lower_source,lower_target`.
///
///     EdgeColumns edges(csv, "", lookup, "source,target,rank");
///     while (csv.next()) use(edges.edge());
///
/// DataError with file and line for a missing column and for ends between which the graph has no edge. Reader and lookup must outlive it.
class EdgeColumns {
 public:
  EdgeColumns(const io::CsvReader& csv, std::string_view prefix, const EdgeLookup& lookup,
              std::string_view example);

  std::uint32_t edge() const;               ///< of the current record
  [[noreturn]] void fail_repeated() const;  ///< DataError: the edge was named before

 private:
  const io::CsvReader& csv_;
  const EdgeLookup& lookup_;
  std::size_t source_, target_;
};

}  // namespace fogline::weights
