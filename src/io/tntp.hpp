// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/graph_file.hpp"
#include "io/input_file.hpp"

namespace fogline::io {

/// Reads a TNTP network (`<NUMBER OF LINKS> 76` ... `1 2 25900.2 6 6 0.15 4 0 0 1 ;`) or flow file
/// (`From To Volume Cost`, then `1 2 4494.66 6.0008`); the first line tells which.
///
/// A network's weight is its free-flow time, and length and free_flow_time fill their columns; a flow file's
/// weight is its volume, and cost fills its column. Both are directed unless the options say otherwise.
/// The link count in a network's head must match, and no node may exceed its node count.
GraphTable read_tntp(TextSource& source, const GraphReadOptions& options);

}  // namespace fogline::io
