// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/blocks.hpp"
#include "cli/worth.hpp"
#include "place/catalogue.hpp"
#include "place/terms.hpp"
#include "roads/network.hpp"

namespace fogline::cli {

/// What every verb of `place` shares: the network, the mechanism and its parameters.
///
///     const roads::RoadNetwork map = place_.network.read(session);
///     const auto mechanism = place_.make(map, session);
///
/// A verb that writes a statement keeps the parts: terms() before the map is read, then choice(), then place::make_place_mechanism.
struct PlaceBlock {
  NetworkBlock network;
  EpsilonPerMetreBlock epsilon;
  std::string mechanism{place::automatic};
  std::string range;
  std::string prior;
  bool remap = false;

  void declare(OptionSet& options);

  /// What the options settle about a release; hashes the public inputs.
  place::PlaceTerms terms() const;

  /// What the mechanism is built from; reads range and prior.
  place::MechanismChoice choice(const roads::RoadNetwork& map, const place::PlaceTerms& terms,
                                Session& session) const;
  std::unique_ptr<place::PlaceMechanism> make(const roads::RoadNetwork& map, Session& session) const;

  /// The files of network, range and prior.
  std::vector<std::string> files() const;
};

/// What a release of positions promises and does beyond its mechanism; a plan takes the same.
struct ReportsBlock {
  double max_snap_m = 500;
  std::string too_far = "refuse";
  std::uint64_t reports_per_person = 0;
  std::string keep;

  void declare(OptionSet& options);
  std::vector<std::string> kept() const;  ///< the columns of --keep, each once
  void require() const;                   ///< throws InvalidOption
  void add_to(place::PlaceTerms& terms) const;
};

/// Beside the answer that costs nothing, from public things alone. Nothing if parts of the map are not joined.
std::optional<Worth> worth_of(const roads::RoadNetwork& map, const place::MechanismChoice& choice,
                              const place::ExpectedError& error);

/// "328.8 m", "328.8 m (standard error 4.1 m over 400 vertices)", or "200.0 m in a straight line".
std::string to_text(const place::ExpectedError& error);

}  // namespace fogline::cli
