// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"
#include "geometry/bounding_box.hpp"
#include "release/analyses/analysis.hpp"
#include "release/kinds.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

class NetworkInfo : public Analysis {
 public:
  std::string kind() const override { return "network"; }
  std::string verb() const override { return "info"; }

  void declare(FieldTable& table) override {
    table.positional("network", "NETWORK", network_.network, "file or specification")
        .role(FieldRole::public_input)
        .required();
    network_.declare_reading(table);
  }

  Findings run(Caller& caller) override {
    const roads::RoadNetwork network = network_.read(caller);
    const Summary summary = summarise(network);
    Findings found(as_json(network, summary));
    found.add(rows(network, summary));
    found.add(classes(summary));
    for (const std::string& sentence : network.dropped) found.add("left out: " + sentence);
    return found;
  }

 private:
  static constexpr std::size_t class_count = static_cast<std::size_t>(roads::RoadClass::other) + 1;

  struct Summary {
    std::uint64_t length_mm = 0;
    double shortest_m = 0, longest_m = 0;
    std::array<std::uint64_t, class_count> roads_of_class{};
    std::array<std::uint64_t, class_count> length_mm_of_class{};
    std::array<std::uint64_t, 3> of_direction{};
    std::uint64_t dead_ends = 0;
  };

  static double km(std::uint64_t length_mm) { return static_cast<double>(length_mm) / 1e6; }

  static Summary summarise(const roads::RoadNetwork& network) {
    Summary summary;
    graph::LengthMm shortest = ~graph::LengthMm{0}, longest = 0;
    for (const roads::Road& road : network.roads) {
      const auto road_class = static_cast<std::size_t>(road.road_class);
      summary.length_mm += road.length_mm;
      summary.length_mm_of_class[road_class] += road.length_mm;
      ++summary.roads_of_class[road_class];
      ++summary.of_direction[static_cast<std::size_t>(road.direction)];
      shortest = std::min(shortest, road.length_mm);
      longest = std::max(longest, road.length_mm);
    }
    if (!network.roads.empty()) {
      summary.shortest_m = shortest / 1e3;
      summary.longest_m = longest / 1e3;
    }
    for (graph::VertexId v = 0; v < network.vertex_count(); ++v)
      summary.dead_ends += network.graph.degree(v) == 1 ? 1U : 0U;
    return summary;
  }

  static Json as_json(const roads::RoadNetwork& network, const Summary& summary) {
    const auto box = geometry::bounding_box(network.position);
    Json classes = Json::object();
    for (std::size_t c = 0; c < class_count; ++c) {
      if (summary.roads_of_class[c] == 0) continue;
      classes[std::string(to_string(static_cast<roads::RoadClass>(c)))] = {
          {"roads", summary.roads_of_class[c]}, {"length_km", km(summary.length_mm_of_class[c])}};
    }
    return {{"source", network.source},
            {"vertices", network.vertex_count()},
            {"roads", network.graph.edge_count()},
            {"length_km", km(summary.length_mm)},
            {"shortest_road_m", summary.shortest_m},
            {"longest_road_m", summary.longest_m},
            {"dead_ends", summary.dead_ends},
            {"one_way_roads", summary.of_direction[1] + summary.of_direction[2]},
            {"components_in_source", network.component_count},
            {"west", box.south_west.lon},
            {"south", box.south_west.lat},
            {"east", box.north_east.lon},
            {"north", box.north_east.lat},
            {"classes", classes},
            {"dropped", network.dropped}};
  }

  static Findings::Rows rows(const roads::RoadNetwork& network, const Summary& summary) {
    const auto box = geometry::bounding_box(network.position);
    return {
        {"network", network.source},
        {"vertices",
         fmt::format("{} ({} dead ends)", grouped(network.vertex_count()), grouped(summary.dead_ends))},
        {"roads", fmt::format("{} ({} one way)", grouped(network.graph.edge_count()),
                              grouped(summary.of_direction[1] + summary.of_direction[2]))},
        {"length", fmt::format("{:.1f} km; a road is {:.1f} to {:.1f} m", km(summary.length_mm),
                               summary.shortest_m, summary.longest_m)},
        {"extent", fmt::format("{:.4f} to {:.4f} E, {:.4f} to {:.4f} N", box.south_west.lon,
                               box.north_east.lon, box.south_west.lat, box.north_east.lat)},
        {"components", fmt::format("{} in the source", grouped(network.component_count))},
    };
  }

  static Findings::Table classes(const Summary& summary) {
    Findings::Table table{{{"", 2}, {"", 14, Findings::Align::left}, {"", 15}, {"", 14}}, {}};
    for (std::size_t c = 0; c < class_count; ++c) {
      if (summary.roads_of_class[c] == 0) continue;
      table.rows.push_back({"", std::string(to_string(static_cast<roads::RoadClass>(c))),
                            fmt::format("{} roads", grouped(summary.roads_of_class[c])),
                            fmt::format("{:.1f} km", km(summary.length_mm_of_class[c]))});
    }
    return table;
  }

  NetworkFields network_;
};

}  // namespace

std::unique_ptr<Analysis> network_info() {
  return std::make_unique<NetworkInfo>();
}

}  // namespace fogline::release
