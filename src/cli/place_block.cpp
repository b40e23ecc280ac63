// SPDX-License-Identifier: Apache-2.0
#include "cli/place_block.hpp"

#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/path_file.hpp"

namespace fogline::cli {
namespace {

/// The vertices a range file names, by the network's own names.
std::vector<graph::VertexId> read_range(const std::string& file, const roads::RoadNetwork& map) {
  std::unordered_map<std::string, graph::VertexId> vertex_of;
  for (graph::VertexId v = 0; v < map.vertex_count(); ++v) vertex_of.emplace(roads::name_of(map, v), v);
  std::vector<graph::VertexId> range;
  const io::PathFile listed = io::read_path(file);
  for (std::size_t i = 0; i < listed.vertex.size(); ++i) {
    const auto found = vertex_of.find(listed.vertex[i]);
    if (found == vertex_of.end()) {
      throw DataError({file, listed.line[i]}, "no vertex of the network has this name",
                      "the range must come from the same network");
    }
    range.push_back(found->second);
  }
  return range;
}

std::string factor_at(double metres, double epsilon) {
  return fmt::format("{:.3g} times at {:.3g} m", std::exp(epsilon * metres), metres);
}

}  // namespace

void PlaceBlock::declare(OptionSet& options) {
  network.declare(options);
  options.group("Mechanism");
  options.value("--mechanism", "NAME", mechanism, "how positions are moved").choices({"gem"});
  epsilon.declare(options);
  options.value("--range", "FILE", range, "allowed outputs, one vertex a line; otherwise every vertex");
}

place::Gem PlaceBlock::make(const roads::RoadNetwork& map) const {
  place::Gem::Options options{.epsilon = epsilon.value(),
                              .unit = "one report, by distance on " + network.identity()};
  if (!range.empty()) options.range = read_range(range, map);
  return place::Gem(map.graph, options);
}

std::vector<std::string> PlaceBlock::promise() const {
  const double rate = epsilon.value().value().to_double();
  // Distances at which the factor is e^(1/2), e and e^2.
  return {fmt::format("Whatever is released is at most exp({} * d) times as likely from one vertex of the "
                      "network as from another "
                      "that is d metres of road away: {}, {}, {}.",
                      epsilon.value().value().to_string(), factor_at(0.5 / rate, rate),
                      factor_at(1 / rate, rate), factor_at(2 / rate, rate)),
          "This holds against anybody, whatever they know and however they compute, for each single report.",
          "Positions are moved to the nearest vertex of the network first; the promise is between vertices."};
}

std::vector<privacy::PublicInput> PlaceBlock::public_inputs() const {
  auto inputs = network.public_inputs();
  if (!range.empty()) inputs.push_back(public_file(range));
  return inputs;
}

nlohmann::ordered_json PlaceBlock::parameters(const place::Gem& gem) const {
  nlohmann::ordered_json result = {{"epsilon_per_metre", epsilon.value().value().to_string()},
                                   {"cap_m", gem.cap_m()},
                                   {"tail_weight_log2", -36},
                                   {"range_vertices", gem.range().size()}};
  for (const auto& [name, value] : network.parameters()) result[name] = value;
  return result;
}

std::string to_text(const place::Gem::ExpectedError& error) {
  std::string text = fmt::format("{:.1f} m", error.q_loss_m);
  if (error.standard_error_m > 0) {
    text += fmt::format(" (standard error {:.1f} m over {} vertices)", error.standard_error_m,
                        grouped(error.vertices_used));
  }
  return text;
}

std::string method_of(const place::Gem::ExpectedError& error) {
  return error.standard_error_m > 0 ? fmt::format(
                                          "mean road distance from truth to output, over {} vertices chosen "
                                          "by a public rule, standard error {:.1f} m",
                                          error.vertices_used, error.standard_error_m)
                                    : "mean road distance from truth to output, every vertex equally likely";
}

}  // namespace fogline::cli
