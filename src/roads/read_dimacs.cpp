// SPDX-License-Identifier: Apache-2.0
#include "roads/read_dimacs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "graph/components.hpp"
#include "io/numbers.hpp"
#include "io/words.hpp"
#include "roads/draft.hpp"

namespace fogline::roads {
namespace {

using geometry::LonLat;
using graph::VertexId;

constexpr double degrees_per_unit = 1e-6;

// One DIMACS file: skips comments, cuts each line into words, and reports errors with the line.
class DimacsLines {
 public:
  explicit DimacsLines(io::TextSource& source) : lines_(source), counter_(source.limits()) {}

  bool next() {
    for (std::string_view line; lines_.next(line);) {
      count_ = io::split_words(line, words_);
      if (count_ == 0 || words_[0] == "c") continue;
      if (words_[0] != "p") counter_.add([&] { return spot(); });
      return true;
    }
    return false;
  }

  std::string_view kind() const { return words_[0]; }

  /// The line must be `fields` words long, and those of `start` its first.
  void expect(std::size_t fields, std::initializer_list<std::string_view> start,
              std::string_view form) const {
    const bool fits = count_ == fields && std::equal(start.begin(), start.end(), words_.begin());
    if (!fits) fail(fmt::format("the line is not of the form `{}`", form));
  }

  std::int64_t integer(std::size_t field, std::string_view meaning) const {
    const auto number = io::parse_int64(words_[field]);
    if (!number) fail(fmt::format("{} is not a whole number", meaning));
    return *number;
  }

  std::uint64_t count(std::size_t field, std::string_view meaning) const {
    const std::int64_t number = integer(field, meaning);
    if (number < 0) fail(fmt::format("{} is negative", meaning));
    return static_cast<std::uint64_t>(number);
  }

  FileSpot spot() const { return {lines_.name(), lines_.line_number()}; }
  const std::string& name() const { return lines_.name(); }

  [[noreturn]] void fail(std::string_view problem, std::string_view what_to_try = "") const {
    throw DataError(spot(), problem, what_to_try);
  }

 private:
  io::LineReader lines_;
  io::RecordCounter counter_;
  std::array<std::string_view, 6> words_;
  std::size_t count_ = 0;
};

void check_count(const std::string& file, std::string_view what, std::uint64_t announced,
                 std::uint64_t found) {
  if (announced == found) return;
  throw DataError({file}, fmt::format("announces {} {} but holds {}", announced, what, found),
                  "the file may be cut short; fetch it again");
}

struct Place {
  std::int64_t vertex;
  LonLat position;
  std::uint64_t line;
};

LonLat position_of(const DimacsLines& lines, std::int64_t longitude, std::int64_t latitude) {
  const LonLat position{static_cast<double>(longitude) * degrees_per_unit,
                        static_cast<double>(latitude) * degrees_per_unit};
  if (geometry::is_valid(position)) return position;
  if (geometry::is_valid({position.lat, position.lon})) {
    lines.fail("latitude is beyond 90 degrees", "longitude comes first; are the two swapped?");
  }
  lines.fail("position is out of range", "write millionths of a degree, longitude first");
}

std::vector<Place> read_places(DimacsLines& lines) {
  std::optional<std::uint64_t> announced;
  std::vector<Place> places;
  while (lines.next()) {
    if (lines.kind() == "p" && !announced) {
      lines.expect(5, {"p", "aux", "sp", "co"}, "p aux sp co VERTICES");
      announced = lines.count(4, "the number of vertices");
    } else if (lines.kind() == "v" && announced) {
      lines.expect(4, {"v"}, "v VERTEX LONGITUDE LATITUDE");
      const LonLat position = position_of(lines, lines.integer(2, "longitude"), lines.integer(3, "latitude"));
      places.push_back({lines.integer(1, "the vertex"), position, lines.spot().line});
    } else {
      lines.fail("not a line of a .co file", "`p aux sp co N` comes first, then lines `v ID LON LAT`");
    }
  }
  if (!announced) throw DataError({lines.name()}, "has no line `p aux sp co N`");
  check_count(lines.name(), "vertices", *announced, places.size());
  if (places.size() >= std::numeric_limits<VertexId>::max()) {
    throw DataError({lines.name()}, "holds more vertices than the 2^32 - 2 a network may have");
  }
  return places;
}

std::vector<LonLat> read_coordinates(io::TextSource& source) {
  DimacsLines lines(source);
  const std::vector<Place> places = read_places(lines);
  std::vector<LonLat> positions(places.size(), {std::numeric_limits<double>::quiet_NaN(), 0});
  for (const Place& place : places) {
    const FileSpot spot{lines.name(), place.line};
    if (place.vertex < 1 || static_cast<std::uint64_t>(place.vertex) > places.size()) {
      throw DataError(spot, fmt::format("vertices are numbered 1 to {}, this one is not", places.size()));
    }
    LonLat& position = positions[static_cast<std::size_t>(place.vertex - 1)];
    if (geometry::is_valid(position)) throw DataError(spot, "the vertex was given a position before");
    position = place.position;
  }
  return positions;
}

class ArcReader {
 public:
  ArcReader(io::TextSource& source, Draft& draft, double length_unit_m)
      : lines_(source), draft_(draft), mm_per_unit_(length_unit_m * 1000) {}

  void run() {
    std::optional<std::uint64_t> announced;
    while (lines_.next()) {
      if (lines_.kind() == "p" && !announced) {
        lines_.expect(4, {"p", "sp"}, "p sp VERTICES ARCS");
        check_vertices(lines_.count(2, "the number of vertices"));
        announced = lines_.count(3, "the number of arcs");
      } else if (lines_.kind() == "a" && announced) {
        read_arc();
      } else {
        lines_.fail("not a line of a .gr file", "`p sp N M` comes first, then lines `a TAIL HEAD LENGTH`");
      }
    }
    if (!announced) throw DataError({lines_.name()}, "has no line `p sp N M`");
    check_count(lines_.name(), "arcs", *announced, draft_.roads.size() + joined_.size());
  }

  /// Pairs of vertices without any way between them.
  const std::vector<graph::Edge>& joined() const { return joined_; }

 private:
  void check_vertices(std::uint64_t count) const {
    if (count != draft_.position.size()) {
      lines_.fail(
          fmt::format("announces {} vertices, but {} have coordinates", count, draft_.position.size()),
          "name the .co file that belongs to this one");
    }
  }

  VertexId vertex(std::size_t field, std::string_view meaning) const {
    const std::int64_t number = lines_.integer(field, meaning);
    if (number < 1 || static_cast<std::uint64_t>(number) > draft_.position.size()) {
      lines_.fail(
          fmt::format("{} is not a vertex; they are numbered 1 to {}", meaning, draft_.position.size()));
    }
    return static_cast<VertexId>(number - 1);
  }

  void read_arc() {
    lines_.expect(4, {"a"}, "a TAIL HEAD LENGTH");
    const VertexId tail = vertex(1, "the tail");
    const VertexId head = vertex(2, "the head");
    const std::int64_t units = lines_.integer(3, "the length");
    if (units == 0) return joined_.push_back({tail, head, 1});
    if (units < 0) lines_.fail("the length is below 0");
    const double length_mm = std::round(static_cast<double>(units) * mm_per_unit_);
    if (length_mm < 1) lines_.fail("the length is below a millimetre", "check the unit of length");
    if (length_mm > std::numeric_limits<graph::LengthMm>::max()) {
      lines_.fail("the length is above 4,294 km", "check the unit of length");
    }
    draft_.roads.push_back({.tail = tail,
                            .head = head,
                            .length_mm = static_cast<graph::LengthMm>(length_mm),
                            .direction = Direction::forward});
  }

  DimacsLines lines_;
  Draft& draft_;
  double mm_per_unit_;
  std::vector<graph::Edge> joined_;
};

// No distance tells the two ends of an arc of length 0 apart, so that they are one vertex: the lowest of those joined, where that one lies.
void join_vertices(Draft& draft, const std::vector<graph::Edge>& joined) {
  if (joined.empty()) return;
  const graph::Components parts = graph::components(graph::Graph::from_edges(draft.position.size(), joined));
  std::vector<VertexId> lowest;  // per component, which are numbered in the order of their lowest vertex
  for (std::size_t v = 0; v < draft.position.size(); ++v)
    if (parts.of_vertex[v] == lowest.size()) lowest.push_back(static_cast<VertexId>(v));
  for (Road& road : draft.roads) {
    road.tail = lowest[parts.of_vertex[road.tail]];
    road.head = lowest[parts.of_vertex[road.head]];
  }
  draft.warnings.add("arcs of length 0; the vertices they join are taken as one", {draft.source},
                     joined.size());
  note_dropped(draft, draft.position.size() - lowest.size(), "vertex joined to another by an arc of length 0",
               "vertices joined to others by arcs of length 0");
  keep_vertices(draft, lowest);
}

// Makes one road of the arcs between a pair of vertices. An arc and its counterpart are one road, which
// simplify() leaves open both ways; any further arc is a parallel road.
void join_arcs(Draft& draft) {
  const Simplified joined = simplify(draft.roads);
  const auto two_way =
      static_cast<std::uint64_t>(std::ranges::count(draft.roads, Direction::both, &Road::direction));
  note_dropped(draft, joined.self_loops, "arc that ends where it begins", "arcs that end where they begin");
  note_dropped(draft, joined.parallel_roads - two_way, "arc parallel to a shorter or equal one",
               "arcs parallel to a shorter or equal one");
  if (joined.of_other_length > 0) {
    draft.warnings.add("arcs between the same two vertices differ in length; the shortest is taken",
                       {draft.source}, joined.of_other_length);
  }
}

}  // namespace

RoadNetwork read_dimacs(io::TextSource& arcs, io::TextSource& coordinates, const ReadOptions& options) {
  // Written so that NaN fails the comparison.
  if (!(options.length_unit_m > 0 && options.length_unit_m <= 1e6)) {
    throw InvalidOption("length_unit_m", "must be above 0 and at most 1,000,000");
  }
  Draft draft{.source = arcs.name()};
  draft.position = read_coordinates(coordinates);
  ArcReader reader(arcs, draft, options.length_unit_m);
  reader.run();
  draft.vertex_name.resize(draft.position.size());
  for (std::size_t v = 0; v < draft.position.size(); ++v) {
    draft.vertex_name[v] = static_cast<std::int64_t>(v) + 1;
  }
  join_vertices(draft, reader.joined());
  join_arcs(draft);
  return finish(std::move(draft),
                {.largest_component = options.largest_component, .spacing_mm = options.spacing_mm});
}

}  // namespace fogline::roads
