// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/blocks.hpp"
#include "place/gem.hpp"
#include "roads/network.hpp"

namespace fogline::cli {

/// What every verb of `place` shares: the network, the mechanism and its parameters.
struct PlaceBlock {
  NetworkBlock network;
  EpsilonPerMetreBlock epsilon;
  std::string mechanism = "gem";
  std::string range;

  void declare(OptionSet& options);
  place::Gem make(const roads::RoadNetwork& map) const;

  /// The parts of a statement that depend on public things only.
  std::vector<std::string> promise() const;
  std::vector<privacy::PublicInput> public_inputs() const;
  nlohmann::ordered_json parameters(const place::Gem& gem) const;
};

/// "328.8 m", or "328.8 m (standard error 4.1 m over 400 vertices)".
std::string to_text(const place::Gem::ExpectedError& error);

/// How the expected error was computed, for statements.
std::string method_of(const place::Gem::ExpectedError& error);

}  // namespace fogline::cli
