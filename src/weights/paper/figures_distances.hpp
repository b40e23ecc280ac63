// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/figure_kind.hpp"

namespace fogline::weights {

/// `weights-distances`: the mean absolute error of released distances by hops, for every method, on a path, a tree, a corridor with little and with much
/// noise, and roads. One unit on one edge is protected.
///
///     Figure figure = distances_figure({.quick = true});
///     figure.values("tree", "error", "path");
///
/// Roads: the volumes of Chicago, from `data`/graphs/ChicagoSketch_flow.tntp; without data a lattice of 30 x 30. Cost: about ten seconds.
Figure distances_figure(const FigureOptions& options);

}  // namespace fogline::weights
