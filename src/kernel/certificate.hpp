// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/parallel.hpp"
#include "graph/graph.hpp"
#include "kernel/weight_row.hpp"

namespace fogline::kernel {

/// The largest privacy loss per millimetre of a kernel, over all edges of the graph of what must look alike,
/// both ways, and all outputs. Since ratios multiply along a shortest path, it bounds the loss of every pair
/// of inputs.
struct Certificate {
  double loss_per_mm_low = 0;  ///< the true largest loss is at least this
  double loss_per_mm_high =
      0;  ///< and at most this; infinite if some output is possible for one end of an edge only
  graph::Edge worst_edge;  ///< where it was found
  std::size_t worst_output = 0;
};

/// Certifies from the weights alone; the formula they came from is not looked at.
///
///     auto certificate = certify(graph, [&](graph::VertexId v) { return row_of(v); });
///     bool holds = certificate.loss_per_mm_high <= claimed;
///
/// Logarithms are taken in 80-bit floating point and widened by 2^-53 on each side, more than their error, so
/// the interval cannot be optimistic. Cost: edges * outputs logarithms; memory: all rows.
Certificate certify(const graph::Graph& graph, const std::function<WeightRow(graph::VertexId)>& row,
                    const ParallelOptions& parallel = {});

}  // namespace fogline::kernel
