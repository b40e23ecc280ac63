// SPDX-License-Identifier: Apache-2.0
#include "roads/write_osm.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <string_view>

#include <osmium/builder/osm_object_builder.hpp>
#include <osmium/io/any_compression.hpp>
#include <osmium/io/pbf_output.hpp>
#include <osmium/io/writer.hpp>
#include <osmium/io/xml_output.hpp>

#include "base/error.hpp"

namespace fogline::roads {
namespace {

using NodeId = osmium::object_id_type;

const char* highway_of(RoadClass road_class) {
  switch (road_class) {
    case RoadClass::motorway:
      return "motorway";
    case RoadClass::trunk:
      return "trunk";
    case RoadClass::primary:
      return "primary";
    case RoadClass::secondary:
      return "secondary";
    case RoadClass::tertiary:
      return "tertiary";
    case RoadClass::unclassified:
      return "unclassified";
    case RoadClass::residential:
      return "residential";
    case RoadClass::living_street:
      return "living_street";
    case RoadClass::service:
      return "service";
    case RoadClass::track:
      return "track";
    case RoadClass::path:
      return "path";
    case RoadClass::other:
      return "road";
  }
  return "road";
}

/// Empty if it is none.
std::string osm_format_of(const std::string& file) {
  for (const char* format : {"osm.pbf", "osm.gz", "osm.bz2", "osm"}) {
    if (file.ends_with(std::string(".") + format)) return format;
  }
  return "";
}

/// What a file holds of a network.
struct Written {
  std::span<const geometry::LonLat> position;
  std::span<const std::int64_t> vertex_name;
  std::span<const Road> roads;
};

class OsmWriter {
 public:
  OsmWriter(const Written& network, const osmium::io::File& file)
      : network_(network), writer_(file, header(), osmium::io::overwrite::allow) {
    for (graph::VertexId v = 0; v < network_.position.size(); ++v)
      next_node_ = std::max(next_node_, id(v) + 1);
  }

  void write(std::span<const std::vector<geometry::LonLat>> footpaths) {
    for (graph::VertexId v = 0; v < network_.position.size(); ++v) add_node(id(v), network_.position[v]);
    // Nodes come before ways in an OSM file; ways then count through the same ids again.
    const NodeId first_shape = next_node_;
    for (const Road& road : network_.roads) add_nodes(road.shape);
    for (const auto& path : footpaths) add_nodes(path);
    next_node_ = first_shape;
    for (const Road& road : network_.roads) add_road(road);
    for (const auto& path : footpaths) add_footpath(path.size());
    writer_(std::move(buffer_));
    writer_.close();
  }

 private:
  static osmium::io::Header header() {
    osmium::io::Header result;
    result.set("generator", "fogline");
    return result;
  }

  NodeId id(graph::VertexId v) const {
    return network_.vertex_name.empty() ? static_cast<NodeId>(v) + 1 : network_.vertex_name[v];
  }

  void add_nodes(std::span<const geometry::LonLat> points) {
    for (const geometry::LonLat& p : points) add_node(next_node_++, p);
  }

  void add_node(NodeId node, const geometry::LonLat& p) {
    {
      osmium::builder::NodeBuilder builder(buffer_);
      builder.set_id(node).set_version(1u).set_location(osmium::Location(p.lon, p.lat));
    }
    finish_object();
  }

  void add_road(const Road& road) {
    {
      osmium::builder::WayBuilder builder(buffer_);
      builder.set_id(next_way_++).set_version(1u);
      {
        osmium::builder::WayNodeListBuilder nodes(builder);
        nodes.add_node_ref(id(road.tail));
        for (std::size_t i = 0; i < road.shape.size(); ++i) nodes.add_node_ref(next_node_++);
        nodes.add_node_ref(id(road.head));
      }
      osmium::builder::TagListBuilder tags(builder);
      tags.add_tag("highway", highway_of(road.road_class));
      if (road.direction == Direction::forward) tags.add_tag("oneway", "yes");
      if (road.direction == Direction::backward) tags.add_tag("oneway", "-1");
      // A motorway without the tag counts as one-way.
      if (road.direction == Direction::both && road.road_class == RoadClass::motorway) {
        tags.add_tag("oneway", "no");
      }
    }
    finish_object();
  }

  void add_footpath(std::size_t points) {
    {
      osmium::builder::WayBuilder builder(buffer_);
      builder.set_id(next_way_++).set_version(1u);
      {
        osmium::builder::WayNodeListBuilder nodes(builder);
        for (std::size_t i = 0; i < points; ++i) nodes.add_node_ref(next_node_++);
      }
      osmium::builder::TagListBuilder tags(builder);
      tags.add_tag("highway", "footway");
    }
    finish_object();
  }

  void finish_object() {
    buffer_.commit();
    constexpr std::size_t flush_bytes = 1 << 20;
    if (buffer_.committed() < flush_bytes) return;
    osmium::memory::Buffer full(flush_bytes * 2, osmium::memory::Buffer::auto_grow::yes);
    std::swap(full, buffer_);
    writer_(std::move(full));
  }

  Written network_;
  osmium::io::Writer writer_;
  osmium::memory::Buffer buffer_{1 << 20, osmium::memory::Buffer::auto_grow::yes};
  NodeId next_node_ = 1;
  NodeId next_way_ = 1;
};

void write(const Written& network, const std::string& file, const WriteOsmOptions& options) {
  const std::string format = osm_format_of(file);
  if (format.empty()) throw InvalidOption("output", "must end in .osm, .osm.gz, .osm.bz2 or .osm.pbf");
  if (!options.overwrite && std::filesystem::exists(file)) {
    throw FileError(file, "exists already", "choose another name or add `overwrite`");
  }
  const std::string temporary = file + ".part";
  try {
    OsmWriter(network, osmium::io::File(temporary, format)).write(options.footpaths);
    std::filesystem::rename(temporary, file);
  } catch (const std::exception& problem) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw FileError(file, problem.what());
  }
}

}  // namespace

void write_osm(const RoadNetwork& network, const std::string& file, const WriteOsmOptions& options) {
  write({network.position, network.vertex_name, network.roads}, file, options);
}

bool is_osm_name(const std::string& file) {
  return !osm_format_of(file).empty();
}

void write_osm(const Draft& draft, const std::string& file, const WriteOsmOptions& options) {
  write({draft.position, draft.vertex_name, draft.roads}, file, options);
}

}  // namespace fogline::roads
