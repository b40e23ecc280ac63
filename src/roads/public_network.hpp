// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "privacy/parameter_table.hpp"
#include "privacy/statement.hpp"
#include "roads/read_options.hpp"

namespace fogline::roads {

/// A network as a statement names it: enough for anybody who has the files to read the same network, and to see whether
/// two releases measured metres alike.
///
///     PublicNetwork porto{.inputs = {{"porto.osm.pbf", sha256, ""}}, .reading = {.mode = TravelMode::walkable}};
///     porto.identity();                                            // "porto.osm.pbf 5fd1970f"
///     PublicNetwork{.inputs = {{"network", "", "line:9:800"}}}.identity();   // "line:9:800"
///
/// It comes from public inputs and parameters alone, so that a statement's reader computes what its writer did.
struct PublicNetwork {
  std::vector<privacy::PublicInput> inputs =
      {};  ///< one specification, or the files in the order they are read
  ReadOptions reading =
      {};  ///< `coordinates` and `edges` say where files lie on one machine; they are no part of it

  /// A short name for units of protection: the specification, or the first file's name and 8 digits of a hash over the
  /// files' hashes and the reading options. Throws InvalidOption without inputs.
  std::string identity() const;

  /// The reading options as a statement's parameters, network_mode to network_length_unit_m.
  void declare(privacy::ParameterTable& table);
};

}  // namespace fogline::roads
