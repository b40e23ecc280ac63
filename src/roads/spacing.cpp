// SPDX-License-Identifier: Apache-2.0
#include "roads/spacing.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "base/int128.hpp"
#include "geometry/geodesic.hpp"

namespace fogline::roads {
namespace {

using geometry::LonLat;
using graph::LengthMm;
using graph::VertexId;

/// A tenth of a millimetre: finer than lengths are, so that a piece is not shorter than the straight line between its ends.
constexpr double steps_per_degree = 1e9;
constexpr std::int64_t steps_round = 360'000'000'000;

/// Positions are interpolated in whole numbers: whoever checks a release must get the same digits on every processor.
std::int64_t steps_of(double degrees) {
  return std::llround(degrees * steps_per_degree);
}

double degrees_of(std::int64_t steps) {
  return static_cast<double>(steps) / steps_per_degree;
}

std::int64_t between(std::int64_t from, std::int64_t to, std::uint64_t along, std::uint64_t whole) {
  return from + static_cast<std::int64_t>(static_cast<Int128>(to - from) * along / whole);
}

/// The point `along` of `whole` millimetres from one point to the next. A segment over the 180th meridian goes the short way.
LonLat point_between(const LonLat& from, const LonLat& to, std::uint64_t along, std::uint64_t whole) {
  const std::int64_t lon = steps_of(from.lon);
  std::int64_t to_lon = steps_of(to.lon);
  if (to_lon - lon > steps_round / 2) to_lon -= steps_round;
  if (lon - to_lon > steps_round / 2) to_lon += steps_round;
  std::int64_t at = between(lon, to_lon, along, whole);
  if (at > steps_round / 2) at -= steps_round;
  if (at < -steps_round / 2) at += steps_round;
  return {degrees_of(at), degrees_of(between(steps_of(from.lat), steps_of(to.lat), along, whole))};
}

/// A walk along the shape of a road, from cut to cut.
class ShapeWalk {
 public:
  ShapeWalk(const Road& road, const std::vector<LonLat>& position) {
    points_.reserve(road.shape.size() + 2);
    points_.push_back(position[road.tail]);
    points_.insert(points_.end(), road.shape.begin(), road.shape.end());
    points_.push_back(position[road.head]);
    for (std::size_t i = 0; i + 1 < points_.size(); ++i)
      from_start_mm_.push_back(from_start_mm_.back() + geometry::geodesic_mm(points_[i], points_[i + 1]));
    shape_mm_ = from_start_mm_.back();
  }

  /// The shape's points up to there, without that point itself; and the point. A file may give a road another length than its shape has:
  /// then shares of the one are shares of the other.
  std::vector<LonLat> walk_to(LengthMm along, LengthMm length, LonLat& there) {
    const auto shape_mm = static_cast<std::uint64_t>(static_cast<Uint128>(along) * shape_mm_ / length);
    std::vector<LonLat> passed;
    for (; segment_ + 2 < points_.size() && from_start_mm_[segment_ + 1] <= shape_mm; ++segment_) {
      if (from_start_mm_[segment_ + 1] < shape_mm) passed.push_back(points_[segment_ + 1]);
    }
    const std::uint64_t start = from_start_mm_[segment_];
    there = point_between(points_[segment_], points_[segment_ + 1], shape_mm - start,
                          from_start_mm_[segment_ + 1] - start);
    return passed;
  }

  /// What is left of the shape.
  std::vector<LonLat> walk_to_end() const {
    return {points_.begin() + static_cast<std::ptrdiff_t>(segment_) + 1, points_.end() - 1};
  }

 private:
  std::vector<LonLat> points_;
  std::vector<std::uint64_t> from_start_mm_{0};
  std::uint64_t shape_mm_ = 0;
  std::size_t segment_ = 0;
};

std::uint64_t piece_count(const Road& road, LengthMm spacing_mm) {
  const std::uint64_t pieces = (std::uint64_t{road.length_mm} + spacing_mm - 1) / spacing_mm;
  if (pieces < 2) return 1;
  constexpr std::uint64_t least_of_loop = 3;  // two would be parallel
  const std::uint64_t least = road.tail == road.head ? least_of_loop : 1;
  return std::min<std::uint64_t>(std::max(pieces, least), road.length_mm);
}

class Spacing {
 public:
  Spacing(Draft& draft, LengthMm spacing_mm) : draft_(draft), spacing_mm_(spacing_mm) {}

  void run() {
    put_in_order();
    const std::uint64_t added = added_vertices();
    if (added == 0) return;
    if (added > most_added_vertices) {
      throw DataError({draft_.source},
                      fmt::format("would get {} vertices along its roads at this spacing, and may get {}",
                                  grouped(added), grouped(most_added_vertices)),
                      "give a larger `spacing`, or none");
    }
    const std::uint64_t vertices = draft_.position.size() + added;
    name_given_vertices(vertices);
    draft_.position.reserve(vertices);
    for (Road& road : draft_.roads) cut(road);
    draft_.roads = std::move(pieces_);
    require_different_names();
  }

 private:
  /// From the lower end, which names begin with; the shortest of parallel roads first.
  void put_in_order() {
    for (Road& road : draft_.roads) {
      if (road.tail <= road.head) continue;
      std::swap(road.tail, road.head);
      road.direction = reversed(road.direction);
      std::reverse(road.shape.begin(), road.shape.end());
    }
    std::stable_sort(draft_.roads.begin(), draft_.roads.end(), [](const Road& a, const Road& b) {
      return std::tie(a.tail, a.head, a.length_mm) < std::tie(b.tail, b.head, b.length_mm);
    });
  }

  std::uint64_t added_vertices() const {
    std::uint64_t added = 0;
    for (const Road& road : draft_.roads) added += piece_count(road, spacing_mm_) - 1;
    return added;
  }

  void name_given_vertices(std::uint64_t vertices) {
    labels_given_ = !draft_.vertex_label.empty();
    draft_.vertex_label.reserve(vertices);
    if (labels_given_) return;
    for (std::size_t v = 0; v < draft_.position.size(); ++v)
      draft_.vertex_label.push_back(
          std::to_string(draft_.vertex_name.empty() ? static_cast<std::int64_t>(v) : draft_.vertex_name[v]));
    draft_.vertex_name.clear();
  }

  void cut(Road& road) {
    const std::pair ends(road.tail, road.head);
    parallel_ = parallel_ > 0 && ends == last_ends_ ? parallel_ + 1 : 1;
    last_ends_ = ends;
    const std::uint64_t count = piece_count(road, spacing_mm_);
    if (count == 1) {
      pieces_.push_back(std::move(road));
      return;
    }
    ShapeWalk walk(road, draft_.position);
    Road piece{.tail = road.tail, .head = 0, .road_class = road.road_class, .direction = road.direction};
    LengthMm from = 0;
    for (std::uint64_t i = 1; i < count; ++i) {
      const auto to = static_cast<LengthMm>(road.length_mm * i / count);
      LonLat there;
      piece.shape = walk.walk_to(to, road.length_mm, there);
      piece.head = add_vertex(road, to, there);
      piece.length_mm = to - from;
      pieces_.push_back(piece);
      piece.tail = piece.head;
      from = to;
    }
    piece.shape = walk.walk_to_end();
    piece.head = road.head;
    piece.length_mm = road.length_mm - from;
    pieces_.push_back(std::move(piece));
  }

  VertexId add_vertex(const Road& road, LengthMm along, const LonLat& there) {
    const auto& label = draft_.vertex_label;
    const std::string beside = parallel_ > 1 ? fmt::format("/{}", parallel_) : "";
    draft_.vertex_label.push_back(fmt::format("{}-{}{}@{}.{:03}", label[road.tail], label[road.head], beside,
                                              along / 1000, along % 1000));
    draft_.position.push_back(there);
    return static_cast<VertexId>(draft_.position.size() - 1);
  }

  /// Whole numbers can be told apart within a name; words of a file can hold anything.
  void require_different_names() const {
    if (!labels_given_) return;
    std::unordered_set<std::string_view> names;
    for (const std::string& name : draft_.vertex_label) {
      if (!names.insert(name).second)
        throw DataError({draft_.source}, "names its vertices so that two along roads would have one name",
                        "name them without \"-\" and \"@\", or set `spacing` to none");
    }
  }

  Draft& draft_;
  LengthMm spacing_mm_;
  bool labels_given_ = false;
  std::pair<VertexId, VertexId> last_ends_;
  std::uint64_t parallel_ = 0;  // of the roads between these ends, which one is being cut; 0: none yet
  std::vector<Road> pieces_;
};

}  // namespace

void space_roads(Draft& draft, LengthMm spacing_mm) {
  if (spacing_mm == 0) throw InvalidOption("spacing_mm", "must be at least 1");
  Spacing(draft, spacing_mm).run();
}

std::uint64_t spaced_vertex_count(const RoadNetwork& network, LengthMm spacing_mm) {
  std::uint64_t vertices = network.vertex_count();
  for (const Road& road : network.roads) vertices += piece_count(road, spacing_mm) - 1;
  return vertices;
}

RoadNetwork spaced(RoadNetwork network, LengthMm spacing_mm) {
  const std::uint64_t components = network.component_count;
  RoadNetwork result =
      finish(draft_of(std::move(network)), {.largest_component = false, .spacing_mm = spacing_mm});
  result.component_count = components;
  return result;
}

}  // namespace fogline::roads
