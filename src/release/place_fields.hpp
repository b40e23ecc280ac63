// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "place/catalogue.hpp"
#include "place/terms.hpp"
#include "release/common_fields.hpp"
#include "release/person_fields.hpp"
#include "release/worth.hpp"
#include "roads/network.hpp"

namespace fogline::release {

/// What every verb of `place` shares: the network, the mechanism and its parameters.
///
///     const roads::RoadNetwork map = place_.network.read(caller);
///     const auto mechanism = place_.make(map, caller);
///
/// A verb that writes a statement keeps the parts: terms() before the map is read, then choice(), then place::make_place_mechanism.
struct PlaceFields {
  NetworkFields network;
  EpsilonPerMetreField epsilon;
  std::string mechanism{place::automatic};
  std::string range;
  std::string prior;
  bool remap = false;

  void declare(FieldTable& table);

  /// What the options settle about a release; hashes the public inputs.
  place::PlaceTerms terms() const;

  /// What the mechanism is built from; reads range and prior.
  place::MechanismChoice choice(const roads::RoadNetwork& map, const place::PlaceTerms& terms,
                                Caller& caller) const;
  std::unique_ptr<place::PlaceMechanism> make(const roads::RoadNetwork& map, Caller& caller) const;

  /// The files of network, range and prior.
  std::vector<std::string> files() const;
};

/// What a release of positions promises and does beyond its mechanism; a plan takes the same.
struct ReportFields {
  double max_snap_m = 500;
  std::string too_far;  ///< empty: not given
  PersonFields persons;
  std::uint64_t reports_per_person = 0;  ///< the old spelling of `per-person`
  std::string keep;

  void declare(FieldTable& table);
  std::vector<std::string> kept() const;  ///< the columns of `keep`, each once
  void require() const;                   ///< throws InvalidOption
  PersonFields::Bound bound() const;      ///< throws InvalidOption
  /// Rules that nobody gave: a guarded release refuses nothing that it can move or leave out.
  void add_to(place::PlaceTerms& terms, bool is_guarded = false) const;
};

/// Beside the answer that costs nothing, from public things alone. Nothing if parts of the map are not joined.
std::optional<Worth> worth_of(const roads::RoadNetwork& map, const place::MechanismChoice& choice,
                              const place::ExpectedError& error);

/// "328.8 m", "328.8 m (standard error 4.1 m over 400 vertices)", or "200.0 m in a straight line".
std::string to_text(const place::ExpectedError& error);

/// "city:1: 1,240 vertices, 1,874 roads".
std::string size_of(const roads::RoadNetwork& map);

}  // namespace fogline::release
