// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "audit/engine/exact.hpp"
#include "place/mechanism.hpp"
#include "release/analyses/findings.hpp"
#include "release/place_fields.hpp"
#include "roads/network.hpp"

namespace fogline::release {

/// What the integers of somebody's table say of the epsilon that is claimed of it, in the words of the audit; nothing
/// for mechanisms of ours.
std::optional<audit::ExactVerdict> verdict_on_table(const place::PlaceTerms& terms,
                                                    const place::PlaceMechanism& mechanism, Caller& caller);
/// keeps_promise (null: too close to tell) and certificate, the sentence.
void add_to(nlohmann::ordered_json& json, const audit::ExactVerdict& verdict);

/// What is measured or attacked: a mechanism as it was asked for, on its map. Measures and attacks say it first, in the same words.
///
///     const PlaceSubject subject{terms, map, *mechanism, verdict_on_table(terms, *mechanism, caller)};
///     subject.warn(caller);
///     Json json = subject.json();
///     found.add(subject.rows());
struct PlaceSubject {
  const place::PlaceTerms& asked;
  const roads::RoadNetwork& map;
  const place::PlaceMechanism& mechanism;
  std::optional<audit::ExactVerdict> on_table;

  /// Of a table that does not keep what is claimed.
  void warn(Caller& caller) const;
  /// kind, mechanism, epsilon, network, vertices, range_vertices where outputs are vertices, prior, remap;
  /// keeps_promise and certificate of a table.
  nlohmann::ordered_json json() const;
  /// "network", "mechanism", "range" and "prior"; of a table "promise".
  Findings::Rows rows() const;

 private:
  std::string epsilon() const;
  std::string prior() const;
  std::string range() const;
  std::string promise() const;
};

}  // namespace fogline::release
