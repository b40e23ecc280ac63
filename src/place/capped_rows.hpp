// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "graph/dijkstra.hpp"
#include "io/section_file.hpp"
#include "kernel/capped_exponential.hpp"
#include "place/mechanism.hpp"

namespace fogline::place {

/// Rows of a capped exponential kernel: outputs within the cap are listed, all others weigh the same.
///
///     CappedRows rows(kernel, graph);                    // the kernel's graph; both must outlive it
///     const NearRow& row = rows.of(vertex);
///
/// Cost: a search of radius cap.
class CappedRows : public VertexMechanism::NearRows {
 public:
  CappedRows(const kernel::CappedExponential& kernel, const graph::Graph& graph)
      : kernel_(kernel), search_(graph) {}
  const NearRow& of(graph::VertexId input) override;

 private:
  const kernel::CappedExponential& kernel_;
  graph::Dijkstra search_;
  NearRow row_;
};

/// What CappedExponential::near_outputs() gave a file of a prepared mechanism. Throws DataError if there is none: the kernel would look for them itself, and
/// nobody could tell that from what was prepared.
std::vector<std::uint32_t> near_outputs_in(const io::SectionFile& file);

}  // namespace fogline::place
