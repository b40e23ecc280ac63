// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "path/map_file.hpp"
#include "path/public_path.hpp"
#include "path/terms.hpp"
#include "release/common_fields.hpp"
#include "release/person_fields.hpp"

namespace fogline::release {

/// `network` of the verbs of `path`: a list of roads, or a road network.
struct RouteNetworkFields {
  std::string network;
  std::string mode = "drivable";
  bool shape_points = false;

  void declare(FieldTable& table, const std::string& help);
  void declare_optional(FieldTable& table, const std::string& help);  ///< `network` may be left out
  path::MapOptions options(const path::Corridor& corridor) const;

  /// The whole network, or its part in a corridor; prints warnings.
  path::RouteMap read(Caller& caller, const path::Corridor& corridor) const;
  /// The part that a publication speaks of.
  path::RouteMap read_for(Caller& caller, const path::PublicPath& shown) const;

 private:
  void declare_reading(FieldTable& table);
};

/// What `path plan`, `release` and `audit` settle in the same words.
///
///     const path::PathTerms terms = path_.terms();
struct PathFields {
  std::string epsilon_edges, epsilon_vertices, epsilon_direction;
  std::uint64_t visits = 0;  ///< 1 to 8; 0: not given
  bool two_sided = false;
  bool no_direction = false;
  bool every_vertex = false;
  std::string from, to, area, stretch;
  PersonFields persons;

  void declare(FieldTable& table);
  path::PathTerms terms() const;  ///< throws InvalidOption
};

}  // namespace fogline::release
