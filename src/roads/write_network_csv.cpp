// SPDX-License-Identifier: Apache-2.0
#include "roads/write_network_csv.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/csv.hpp"
#include "io/output_file.hpp"
#include "roads/read_network_csv.hpp"

namespace fogline::roads {
namespace {

std::string name_of_vertex(const Draft& draft, graph::VertexId v) {
  if (!draft.vertex_label.empty()) return draft.vertex_label[v];
  return std::to_string(draft.vertex_name.empty() ? std::int64_t{v} : draft.vertex_name[v]);
}

std::string nodes_text(const Draft& draft) {
  std::string text = "id,lon,lat\n";
  for (graph::VertexId v = 0; v < draft.position.size(); ++v) {
    io::append_csv_field(text, name_of_vertex(draft, v));
    text += fmt::format(",{},{}\n", draft.position[v].lon, draft.position[v].lat);
  }
  return text;
}

std::string_view one_way_word(Direction direction) {
  switch (direction) {
    case Direction::forward:
      return "yes";
    case Direction::backward:
      return "-1";
    case Direction::both:
      break;
  }
  return "no";
}

std::string edges_text(const Draft& draft) {
  const bool has_one_way =
      std::ranges::any_of(draft.roads, [](const Road& road) { return road.direction != Direction::both; });
  std::string text = has_one_way ? "source,target,length_m,oneway\n" : "source,target,length_m\n";
  for (const Road& road : draft.roads) {
    if (road.tail == road.head) continue;
    io::append_csv_field(text, name_of_vertex(draft, road.tail));
    text += ',';
    io::append_csv_field(text, name_of_vertex(draft, road.head));
    text += fmt::format(",{}.{:03}", road.length_mm / 1000, road.length_mm % 1000);
    if (has_one_way) text += fmt::format(",{}", one_way_word(road.direction));
    text += '\n';
  }
  return text;
}

}  // namespace

void write_network_csv(const Draft& draft, const std::string& file, const WriteNetworkCsvOptions& options) {
  const std::filesystem::path nodes_file(file);
  if (!file.ends_with(".csv")) throw InvalidOption("output", "must end in .csv");
  if (nodes_file.filename() == "edges.csv")
    throw InvalidOption("output", "is what files of roads are called; call the places nodes.csv");
  io::OutputFile nodes(file, {.overwrite = options.overwrite});
  io::OutputFile edges(edges_file_of(file), {.overwrite = options.overwrite});
  nodes.write(nodes_text(draft));
  edges.write(edges_text(draft));
  edges.commit();
  nodes.commit();
}

}  // namespace fogline::roads
