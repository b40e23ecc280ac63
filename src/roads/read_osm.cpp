// SPDX-License-Identifier: Apache-2.0
#include "roads/read_osm.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <limits>
#include <new>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <osmium/io/bzip2_compression.hpp>
#include <osmium/io/gzip_compression.hpp>
#include <osmium/io/pbf_input.hpp>
#include <osmium/io/xml_input.hpp>
#include <osmium/osm/node.hpp>
#include <osmium/osm/tag.hpp>
#include <osmium/osm/way.hpp>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/threads.hpp"
#include "geometry/geodesic.hpp"
#include "io/held_files.hpp"
#include "io/limits.hpp"
#include "roads/contract.hpp"
#include "roads/draft.hpp"
#include "roads/osm_tags.hpp"

namespace fogline::roads {
namespace {

using geometry::LonLat;
using graph::VertexId;

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
constexpr VertexId unplaced = std::numeric_limits<VertexId>::max();

struct OsmWay {
  std::size_t first_node;
  std::size_t node_count;
  WayKind kind;
};

struct OsmRoads {
  std::vector<OsmWay> ways;
  std::vector<std::int64_t> way_nodes;
  std::vector<std::int64_t> ids;  // of the nodes the ways use, rising
  std::vector<LonLat> positions;  // per id; nowhere until found
  std::uint64_t other_ways = 0;
  std::uint64_t repeated_nodes = 0;
};

// Cuts the bytes up to the next NUL off the front.
std::string_view next_text(std::string_view& bytes) {
  const std::size_t length = bytes.find('\0');
  if (length == std::string_view::npos) throw osmium::io_error("a tag holds a NUL character");
  const std::string_view text = bytes.substr(0, length);
  bytes.remove_prefix(length + 1);
  return text;
}

// The library's own tag iterator runs past the end of the list if a key or value of a damaged file holds a NUL;
// this one stays inside.
WayTags tags_of(const osmium::Way& way) {
  const osmium::TagList& list = way.tags();
  constexpr std::size_t head = sizeof(osmium::TagList);
  std::string_view bytes(reinterpret_cast<const char*>(list.data()), list.byte_size());
  bytes.remove_prefix(std::min(head, bytes.size()));
  WayTags tags;
  while (!bytes.empty()) {
    const std::string_view key = next_text(bytes);
    const std::string_view value = next_text(bytes);
    if (key == "highway") tags.highway = value;
    if (key == "area") tags.area = value;
    if (key == "oneway") tags.oneway = value;
    if (key == "junction") tags.junction = value;
  }
  return tags;
}

/// A file, and what is asked of it while it is read.
struct OsmSource {
  const osmium::io::File& file;
  const std::string& name;
  const Progress& progress;  // asked for each of the library's buffers, some megabytes
  io::ReadLimits limits = io::current_limits();
  io::ReadingTime time{limits};
};

template <class Object, class Use>
void for_each(const OsmSource& source, osmium::osm_entity_bits::type kind, Use&& use) {
  io::RecordCounter counter(source.limits);
  std::uint64_t record = 0;
  osmium::thread::Pool decoders(threads_at_hand());
  osmium::io::Reader reader(source.file, kind, osmium::io::read_meta::no, decoders);
  while (const osmium::memory::Buffer buffer = reader.read()) {
    require_wanted(source.progress, "reading");
    source.time.require_left(source.name);
    for (const Object& object : buffer.select<Object>()) {
      ++record;
      counter.add([&] { return FileSpot{source.name, 0, record}; });
      if (object.visible()) use(object);
    }
  }
  reader.close();
}

void read_ways(const OsmSource& source, TravelMode mode, OsmRoads& roads) {
  for_each<osmium::Way>(source, osmium::osm_entity_bits::way, [&](const osmium::Way& way) {
    const WayTags tags = tags_of(way);
    const auto kind = tags.highway.empty() ? std::nullopt : classify_way(tags, mode);
    if (!kind) {
      ++roads.other_ways;
      return;
    }
    roads.ways.push_back({roads.way_nodes.size(), way.nodes().size(), *kind});
    for (const osmium::NodeRef& node : way.nodes()) roads.way_nodes.push_back(node.ref());
  });
  roads.ids = roads.way_nodes;
  std::sort(roads.ids.begin(), roads.ids.end());
  roads.ids.erase(std::unique(roads.ids.begin(), roads.ids.end()), roads.ids.end());
  if (roads.ids.size() >= unplaced) throw std::bad_alloc();
}

void read_nodes(const OsmSource& source, OsmRoads& roads) {
  roads.positions.assign(roads.ids.size(), {nowhere, nowhere});
  auto expected = roads.ids.begin();
  for_each<osmium::Node>(source, osmium::osm_entity_bits::node, [&](const osmium::Node& node) {
    // Files are sorted by id almost always; then the next id sought is at hand or just ahead.
    if (expected == roads.ids.end() || *expected != node.id()) {
      expected = std::lower_bound(roads.ids.begin(), roads.ids.end(), node.id());
      if (expected == roads.ids.end() || *expected != node.id()) return;
    }
    LonLat& position = roads.positions[static_cast<std::size_t>(expected - roads.ids.begin())];
    ++expected;
    if (!node.location().valid()) return;
    if (geometry::is_valid(position)) ++roads.repeated_nodes;
    position = {node.location().lon_without_check(), node.location().lat_without_check()};
  });
}

// Per node id its vertex, and the draft's vertices: the nodes that have a position.
std::vector<VertexId> place_vertices(const OsmRoads& roads, Draft& draft) {
  std::vector<VertexId> vertex_of(roads.ids.size(), unplaced);
  for (std::size_t i = 0; i < roads.ids.size(); ++i) {
    if (!geometry::is_valid(roads.positions[i])) continue;
    vertex_of[i] = static_cast<VertexId>(draft.position.size());
    draft.position.push_back(roads.positions[i]);
    draft.vertex_name.push_back(roads.ids[i]);
  }
  return vertex_of;
}

void cut_into_segments(const OsmRoads& roads, const std::vector<VertexId>& vertex_of, Draft& draft) {
  for (const OsmWay& way : roads.ways) {
    VertexId before = unplaced;
    for (std::size_t i = way.first_node; i < way.first_node + way.node_count; ++i) {
      const auto id = std::lower_bound(roads.ids.begin(), roads.ids.end(), roads.way_nodes[i]);
      const VertexId here = vertex_of[static_cast<std::size_t>(id - roads.ids.begin())];
      if (before != unplaced && here != unplaced && before != here) {
        draft.roads.push_back({.tail = before,
                               .head = here,
                               .road_class = way.kind.road_class,
                               .direction = way.kind.direction});
      }
      before = here;
    }
  }
}

void measure_segments(Draft& draft) {
  constexpr graph::LengthMm too_long = 0;
  parallel_for(draft.roads.size(), {.grain = 4096}, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Road& road = draft.roads[i];
      const std::uint64_t length_mm =
          geometry::geodesic_mm(draft.position[road.tail], draft.position[road.head]);
      const bool fits = length_mm <= std::numeric_limits<graph::LengthMm>::max();
      road.length_mm = fits ? static_cast<graph::LengthMm>(length_mm) : too_long;
    }
  });
  const std::uint64_t left_out =
      std::erase_if(draft.roads, [](const Road& road) { return road.length_mm == too_long; });
  note_dropped(draft, left_out, "segment longer than 4,294 km", "segments longer than 4,294 km");
}

std::string_view roads_of(TravelMode mode) {
  if (mode == TravelMode::drivable) return "ways that are not drivable roads";
  return mode == TravelMode::walkable ? "ways that are not walkable" : "ways that are neither road nor path";
}

Draft draft_of(const OsmRoads& roads, const std::string& name, TravelMode mode) {
  Draft draft{.source = name};
  const std::vector<VertexId> vertex_of = place_vertices(roads, draft);
  note_dropped(draft, roads.other_ways, roads_of(mode), roads_of(mode));
  note_dropped(draft, roads.ids.size() - draft.position.size(), "node missing from the file",
               "nodes missing from the file");
  if (roads.repeated_nodes > 0) {
    draft.warnings.add("a node occurs twice; its last position is taken", {name}, roads.repeated_nodes);
  }
  cut_into_segments(roads, vertex_of, draft);
  measure_segments(draft);
  note_dropped(draft, simplify(draft.roads).parallel_roads, "segment mapped more than once",
               "segments mapped more than once");
  note_dropped(draft, drop_isolated(draft), "node without a neighbour", "nodes without a neighbour");
  return draft;
}

/// The library unpacks in threads of its own and counts nothing, so packed XML is unpacked once more, ahead of it. That
/// is a small part of the time that reading it takes.
void require_plausible_size(const OsmSource& source) {
  const osmium::io::File& file = source.file;
  const auto require_bytes = [&](std::uint64_t bytes) {
    if (bytes > source.limits.bytes)
      io::refuse_over(&io::ReadLimits::bytes, source.limits.bytes, {source.name});
  };
  if (file.compression() == osmium::io::file_compression::none)
    return require_bytes(file.buffer() != nullptr ? file.buffer_size()
                                                  : std::filesystem::file_size(file.filename()));
  const auto& factory = osmium::io::CompressionFactory::instance();
  const auto unpack = file.buffer() != nullptr
                          ? factory.create_decompressor(file.compression(), file.buffer(), file.buffer_size())
                          : factory.create_decompressor(
                                file.compression(), osmium::io::detail::open_for_reading(file.filename()));
  std::atomic<std::size_t> packed = file.buffer_size();  // of a file: what was read of it so far
  if (file.buffer() == nullptr) unpack->set_offset_ptr(&packed);
  std::uint64_t unpacked = 0;
  for (std::string piece = unpack->read(); !piece.empty(); piece = unpack->read()) {
    unpacked += piece.size();
    io::require_plausible_unpacking(source.limits, source.name, packed, unpacked);
    require_bytes(unpacked);
    source.time.require_left(source.name);
  }
  unpack->close();
}

Draft read_draft(const osmium::io::File& file, const std::string& name, const ReadOptions& options) {
  const OsmSource source{.file = file, .name = name, .progress = options.progress};
  require_plausible_size(source);
  OsmRoads roads;
  read_ways(source, options.mode, roads);
  read_nodes(source, roads);
  Draft draft = draft_of(roads, name, options.mode);
  roads = {};
  if (options.detail == Detail::junctions) contract_to_junctions(draft);
  return draft;
}

RoadNetwork finished(Draft draft, const ReadOptions& options) {
  return finish(std::move(draft),
                {.largest_component = options.largest_component, .spacing_mm = options.spacing_mm});
}

// The libraries below throw errors of many kinds; ours has one for a damaged file.
template <class Read>
auto translated(const std::string& name, Read&& read_it) {
  try {
    return read_it();
  } catch (const Error&) {
    throw;
  } catch (const std::system_error& problem) {
    throw FileError(name, problem.code().message());
  } catch (const std::bad_alloc&) {
    throw DataError({name}, "holds more than fits into memory", "cut out a smaller region");
  } catch (const std::exception& problem) {
    throw DataError({name}, fmt::format("cannot be read as OpenStreetMap data: {}", problem.what()),
                    "fetch it again; the names known are .osm.pbf, .osm, .osm.gz and .osm.bz2");
  }
}

}  // namespace

Draft draft_osm_file(const std::string& file, const ReadOptions& options) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) throw FileError(file, "is a folder");
  // The format by the name, whatever stands for it; the library takes commas and equals signs for options.
  const std::string format = file.substr(file.find_last_of("/,=") + 1);
  return translated(
      file, [&] { return read_draft(osmium::io::File(io::place_of_file(file), format), file, options); });
}

RoadNetwork read_osm_file(const std::string& file, const ReadOptions& options) {
  Draft draft = draft_osm_file(file, options);
  return translated(file, [&] { return finished(std::move(draft), options); });
}

RoadNetwork read_osm_memory(std::string_view bytes, const std::string& format, const std::string& name,
                            const ReadOptions& options) {
  return translated(name, [&] {
    return finished(read_draft(osmium::io::File(bytes.data(), bytes.size(), format), name, options), options);
  });
}

}  // namespace fogline::roads
