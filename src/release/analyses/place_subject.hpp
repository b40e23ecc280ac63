// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "place/mechanism.hpp"
#include "release/analyses/findings.hpp"
#include "release/place_fields.hpp"
#include "roads/network.hpp"

namespace fogline::release {

/// What is measured or attacked: a mechanism as it was asked for, on its map. Measures and attacks say it first, in the same words.
///
///     const PlaceSubject subject{terms, map, *mechanism};
///     Json json = subject.json();
///     found.add(subject.rows());
struct PlaceSubject {
  const place::PlaceTerms& asked;
  const roads::RoadNetwork& map;
  const place::PlaceMechanism& mechanism;

  /// kind, mechanism, epsilon, network, vertices, range_vertices where outputs are vertices, prior, remap.
  nlohmann::ordered_json json() const;
  /// "network", "mechanism", "range" and "prior".
  Findings::Rows rows() const;

 private:
  std::string epsilon() const;
  std::string prior() const;
  std::string range() const;
};

}  // namespace fogline::release
