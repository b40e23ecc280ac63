// SPDX-License-Identifier: Apache-2.0
#include "cli/place_block.hpp"

#include <fmt/format.h>

#include "place/prior_file.hpp"
#include "place/range_file.hpp"

namespace fogline::cli {

void PlaceBlock::declare(OptionSet& options) {
  network.declare(options);
  options.group("Mechanism");
  const auto names = place::mechanism_names();
  options.value("--mechanism", "NAME", mechanism, "how positions are moved, gem if not given")
      .choices(std::vector<std::string>(names.begin(), names.end()));
  epsilon.declare(options);
  options.value("--range", "FILE", range, "allowed outputs, one vertex a line; otherwise every vertex");
  options.value("--prior", "FILE", prior,
                "how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike");
  options.flag("--remap", remap, "move each output to the best guess under the prior; costs no budget");
}

place::PlaceTerms PlaceBlock::terms() const {
  place::PlaceTerms terms{
      .mechanism = mechanism, .epsilon = epsilon.value(), .network = network.named(), .remap = remap};
  if (!range.empty()) terms.range = public_file(range);
  if (!prior.empty()) terms.prior = public_file(prior);
  return terms;
}

place::MechanismChoice PlaceBlock::choice(const roads::RoadNetwork& map, const place::PlaceTerms& terms,
                                          Session& session) const {
  place::MechanismChoice choice{.name = mechanism,
                                .epsilon = terms.epsilon,
                                .unit = terms.unit_of_report(),
                                .remap = remap,
                                .threads = session.threads(),
                                .progress = session.progress()};
  if (!range.empty()) choice.range = place::read_range(range, map);
  if (!prior.empty()) choice.prior = place::read_prior(prior, map);
  return choice;
}

std::unique_ptr<place::PlaceMechanism> PlaceBlock::make(const roads::RoadNetwork& map,
                                                        Session& session) const {
  return place::make_place_mechanism(map, choice(map, terms(), session));
}

std::vector<std::string> PlaceBlock::files() const {
  std::vector<std::string> all = network.files();
  for (const std::string& file : {range, prior})
    if (!file.empty()) all.push_back(file);
  return all;
}

std::string to_text(const place::ExpectedError& error) {
  std::string text = fmt::format("{:.1f} m{}", error.q_loss_m, error.straight ? " in a straight line" : "");
  if (error.standard_error_m > 0) {
    text += fmt::format(" (standard error {:.1f} m over {} vertices)", error.standard_error_m,
                        grouped(error.vertices_used));
  }
  return text;
}

}  // namespace fogline::cli
