// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "place/catalogue.hpp"
#include "place/prepared.hpp"
#include "place/terms.hpp"
#include "release/common_fields.hpp"
#include "release/person_fields.hpp"
#include "release/spacing_field.hpp"
#include "release/worth.hpp"
#include "roads/network.hpp"

namespace fogline::release {

/// Is what `mechanism` names the file of a table?
bool names_table(std::string_view mechanism);

/// What every verb of `place` shares: the network, the mechanism and its parameters.
///
///     place_.require();                                              // a bad field is said before a large map is read
///     const place::PlaceTerms terms = place_.terms(caller);
///     const auto prepared = place_.prepare(terms, caller);           // map, mechanism, expected error
///
/// `kernel` names a file of a prepared mechanism in place of all the others; a network beside it is compared with the kernel's map. Without one, what was built before is taken from the caller's
/// cache folder, unless `no-cache` is set.
struct PlaceFields {
  NetworkFields network;
  SpacingField spacing;
  EpsilonPerMetreField epsilon;
  std::string mechanism{place::automatic};
  std::string range;
  std::string prior;
  bool remap = false;
  std::string kernel;
  bool no_cache = false;
  bool exact_error = false;
  bool takes_any_table = false;  ///< no field: for verbs that release nothing
  bool takes_kernel = true;      ///< no field: one is not prepared of another

  void declare(FieldTable& table);

  bool names_table() const { return release::names_table(mechanism); }

  /// Throws InvalidOption: no epsilon, or one that is none; a mechanism or an epsilon, and a kernel.
  void require() const;

  /// What the options settle about a release; hashes the public inputs, and has a kernel certified that is new here.
  /// Vertices that are put along roads by themselves see to it that no point of a road is farther than `max_snap_m` from one.
  place::PlaceTerms terms(Caller& caller, double max_snap_m = SpacingField::usual_max_snap_m) const;

  /// The mechanism on its map: from the kernel, from the cache, or built. Its guarantee names terms.unit_of_report().
  /// Who has read the network already gives it.
  std::unique_ptr<place::PreparedPlace> prepare(const place::PlaceTerms& terms, Caller& caller,
                                                const roads::RoadNetwork* map = nullptr) const;
  bool is_kept(const place::PlaceTerms& terms, Caller& caller) const;  ///< in the cache
  /// Is the map the kernel's own, that nobody held against the network it names? A promise for metres of road is as true as the roads are.
  bool is_map_believed() const;
  /// What the mechanism says of itself, and of which of it a kernel's maker is the only witness.
  std::vector<std::string> remarks_of(const place::PlaceMechanism& mechanism) const;

  /// What the mechanism is built from; reads range and prior.
  place::MechanismChoice choice(const roads::RoadNetwork& map, const place::PlaceTerms& terms,
                                Caller& caller) const;

  /// The files of network, range, prior and kernel.
  std::vector<std::string> files() const;

 private:
  /// Reads the network as the kernel's was read. Throws InvalidOption if it is another than the kernel names, DataError if the kernel holds another map.
  void require_map_of(const place::PreparedFile& file, Caller& caller) const;
  graph::LengthMm spacing_mm(double max_snap_m) const;
};

/// What a release of positions promises and does beyond its mechanism; a plan takes the same.
struct ReportFields {
  double max_snap_m = SpacingField::usual_max_snap_m;
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
std::optional<Worth> worth_of(const place::PreparedPlace& prepared);

/// Of a mechanism with a bound that came from a file.
std::string whose_bound();

/// "328.8 m", "328.8 m (standard error 4.1 m over 400 vertices)", or "200.0 m in a straight line".
std::string to_text(const place::ExpectedError& error);

/// Expected error and snapping as one figure: "at most 351.9 m in a straight line, the sum of the two".
std::string to_text_with_snap(const place::ExpectedError& error, const roads::SnapDistance& snap);

/// "city:1: 1,240 vertices, 1,874 roads".
std::string size_of(const roads::RoadNetwork& map);

}  // namespace fogline::release
