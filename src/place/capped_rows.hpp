// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/dijkstra.hpp"
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

}  // namespace fogline::place
