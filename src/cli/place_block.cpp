// SPDX-License-Identifier: Apache-2.0
#include "cli/place_block.hpp"

#include <fmt/format.h>

#include "place/range_file.hpp"

namespace fogline::cli {
void PlaceBlock::declare(OptionSet& options) {
  network.declare(options);
  options.group("Mechanism");
  options.value("--mechanism", "NAME", mechanism, "how positions are moved").choices({"gem"});
  epsilon.declare(options);
  options.value("--range", "FILE", range, "allowed outputs, one vertex a line; otherwise every vertex");
}

place::Gem PlaceBlock::make(const roads::RoadNetwork& map, const place::GemTerms& terms) const {
  place::Gem::Options options{.epsilon = terms.epsilon, .unit = terms.unit_of_report()};
  if (!range.empty()) options.range = place::read_range(range, map);
  return place::Gem(map.graph, options);
}

place::GemTerms PlaceBlock::terms() const {
  place::GemTerms terms{.epsilon = epsilon.value(), .network = network.named()};
  if (!range.empty()) terms.range = public_file(range);
  return terms;
}

std::string to_text(const place::ExpectedError& error) {
  std::string text = fmt::format("{:.1f} m", error.q_loss_m);
  if (error.standard_error_m > 0) {
    text += fmt::format(" (standard error {:.1f} m over {} vertices)", error.standard_error_m,
                        grouped(error.vertices_used));
  }
  return text;
}

}  // namespace fogline::cli
