// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/progress.hpp"
#include "place/mechanism.hpp"
#include "roads/network.hpp"

namespace fogline::place {

/// Writes a mechanism's table for others to compute with, by its suffix:
///
///     write_matrix("m.npz", *mechanism, map, {});                 // scipy.sparse.load_npz("m.npz")
///     write_matrix("m.npz", *mechanism, map, {.dense = true});    // numpy.load("m.npz")["probability"]
///     write_matrix("w.csv", *mechanism, map, {.weights = true});  // input,output,weight: the integers that are drawn from
///
/// .npz  sparse: CSR as scipy writes it (format, shape, indptr, indices, data), a row and a column for each vertex;
///       outputs that are not listed have the probability `of_each_other` of their row, and 0 outside the `range`.
///       dense: `probability`, a column for each output of the `range`, in its order. With `weights` the integers
///       instead, each in two halves, times 2^64 and 1: `weight_high` and `weight_low`, of_each_other in the same two
///       parts, and besides the `total` of each row.
/// .csv  every entry above 0 that is listed, or all of them with `dense` or `weights`.
///
/// Also in an .npz: `vertex`, the name of each vertex if it is a number, `lon` and `lat`. The probabilities are rounded
/// to double; the weights are exact, and read_matrix() gives them back. Throws InvalidOption for another suffix, or a
/// dense table of more than 36 million entries; FileError, Cancelled.
struct MatrixOptions {
  static constexpr std::uint64_t most_dense = 36'000'000;

  bool dense = false;
  bool weights = false;  ///< integers; the mechanism must have rows
  bool overwrite = false;
  Progress progress = {};
};
void write_matrix(const std::string& path, const VertexMechanism& mechanism, const roads::RoadNetwork& map,
                  const MatrixOptions& options);

}  // namespace fogline::place
