// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "graph/graph.hpp"
#include "privacy/guarantee.hpp"
#include "release/field_table.hpp"

namespace fogline::release {

/// `spacing`: the longest piece of road between two vertices (roads/spacing.hpp). Every verb of `place` has it.
///
///     reading.spacing_mm = spacing.value_mm({.network = "porto.osm.pbf", .epsilon = {1, 100}});      // 75,000
struct SpacingField {
  /// What it follows from, all of it public.
  struct From {
    std::string network;
    privacy::EpsilonPerMetre epsilon;
    double max_snap_m = usual_max_snap_m;
  };
  static constexpr double usual_max_snap_m = 500;  ///< of releases that say nothing else
  static constexpr double least_m = 1, most_m = 1'000'000;

  std::string spacing;  ///< METRES, auto or none; empty: auto if the map's vertices are our own, else none

  void declare(FieldTable& table);
  bool is_number() const { return !spacing.empty() && spacing != "auto" && spacing != "none"; }
  /// In millimetres; 0: vertices stay as they are. Throws InvalidOption.
  graph::LengthMm value_mm(const From& from) const;
};

}  // namespace fogline::release
