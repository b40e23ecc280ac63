// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/blocks.hpp"
#include "place/gem.hpp"
#include "place/gem_statement.hpp"
#include "roads/network.hpp"

namespace fogline::cli {

/// What every verb of `place` shares: the network, the mechanism and its parameters.
struct PlaceBlock {
  NetworkBlock network;
  EpsilonPerMetreBlock epsilon;
  std::string mechanism = "gem";
  std::string range;

  void declare(OptionSet& options);
  place::Gem make(const roads::RoadNetwork& map, const place::GemTerms& terms) const;

  /// What the options settle about a release; hashes the public inputs.
  place::GemTerms terms() const;
};

/// "328.8 m", or "328.8 m (standard error 4.1 m over 400 vertices)".
std::string to_text(const place::ExpectedError& error);

}  // namespace fogline::cli
