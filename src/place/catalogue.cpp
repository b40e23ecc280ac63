// SPDX-License-Identifier: Apache-2.0
#include "place/catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "place/gem.hpp"

namespace fogline::place {

std::vector<std::string_view> mechanism_names() {
  return {"gem"};
}

std::unique_ptr<VertexMechanism> make_mechanism(const roads::RoadNetwork& map,
                                                const MechanismChoice& choice) {
  if (choice.name == "gem") {
    return std::make_unique<Gem>(
        map.graph, Gem::Options{.epsilon = choice.epsilon, .range = choice.range, .unit = choice.unit});
  }
  throw InvalidOption("--mechanism", fmt::format("is one of {}", fmt::join(mechanism_names(), ", ")));
}

}  // namespace fogline::place
