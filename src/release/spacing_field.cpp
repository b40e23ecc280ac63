// SPDX-License-Identifier: Apache-2.0
#include "release/spacing_field.hpp"

#include <cmath>

#include "base/error.hpp"
#include "io/numbers.hpp"
#include "place/automatic_spacing.hpp"
#include "roads/read_network.hpp"

namespace fogline::release {

void SpacingField::declare(FieldTable& table) {
  table
      .value("spacing", "METRES", spacing,
             "longest road between vertices, none, or auto: 0.75 / epsilon (OSM: auto)")
      .unit("m")
      .stated("spacing_m")
      .stated("snap_mean_m")
      .stated("snap_max_m");
}

graph::LengthMm SpacingField::value_mm(const From& from) const {
  // A map that is defined by its vertices keeps them: figures that were published for one must come out again.
  const bool is_automatic =
      spacing == "auto" || (spacing.empty() && !roads::has_given_vertices(from.network));
  if (is_automatic) return place::automatic_spacing_mm(from.epsilon, from.max_snap_m);
  if (spacing.empty() || spacing == "none") return 0;
  const auto metres = io::parse_double(spacing);
  if (!metres || !(*metres >= least_m && *metres <= most_m))
    throw InvalidOption("spacing", "must be auto, none, or metres from 1 to 1,000,000");
  return static_cast<graph::LengthMm>(std::lround(*metres * 1000));
}

}  // namespace fogline::release
