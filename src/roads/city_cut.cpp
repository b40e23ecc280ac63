// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <tuple>

#include "roads/city_blocks.hpp"
#include "roads/city_cells.hpp"

namespace fogline::roads::sketch {
namespace {

constexpr double junction_m = 16;  ///< junctions nearer than this are one

/// Where a stroke meets something: how far along (segment number plus fraction) and the junction's number.
struct Meeting {
  double along = 0;
  std::uint32_t junction = 0;
};

class Cutter {
 public:
  explicit Cutter(const std::vector<Stroke>& strokes) : strokes_(strokes), meetings_(strokes.size()) {}

  StreetGraph cut() {
    meet_ends_and_ramps();
    meet_crossings();
    merge_close_junctions();
    StreetGraph graph;
    graph.nodes = junctions_;
    for (std::uint32_t s = 0; s < strokes_.size(); ++s) cut_stroke(s, graph);
    return graph;
  }

 private:
  struct Segment {
    std::uint32_t stroke = 0;
    std::uint32_t index = 0;
  };

  std::uint32_t junction(Point at, RoadClass widest) {
    junctions_.push_back(at);
    widest_.push_back(widest);
    return static_cast<std::uint32_t>(junctions_.size() - 1);
  }

  void meet_ends_and_ramps() {
    for (std::size_t s = 0; s < strokes_.size(); ++s) {
      const Line& line = strokes_[s].line;
      meetings_[s].push_back({0, junction(line.front(), strokes_[s].road_class)});
      meetings_[s].push_back(
          {static_cast<double>(line.size() - 1), junction(line.back(), strokes_[s].road_class)});
      for (const std::size_t i : strokes_[s].joins) {
        meetings_[s].push_back({static_cast<double>(i), junction(line[i], strokes_[s].road_class)});
      }
    }
  }

  void meet_crossings() {
    constexpr double longest_segment_m = 130;
    Cells<Segment> cells(40);
    for (std::uint32_t s = 0; s < strokes_.size(); ++s) {
      if (strokes_[s].raised) continue;
      for (std::uint32_t i = 0; i + 1 < strokes_[s].line.size(); ++i) {
        const Point a = strokes_[s].line[i];
        const Point b = strokes_[s].line[i + 1];
        const double reach = std::min(longest_segment_m, norm(b - a)) + longest_segment_m;
        // Most segments are one step long; only run-on ends are longer, and those look further.
        const bool is_long = norm(b - a) > line_step_m * 1.5;
        cells.each(a, is_long ? reach : 2.6 * line_step_m, [&](Point, const Segment& other) {
          cross(Segment{s, i}, other);
        });
        cells.add(a, {s, i});
        if (is_long) spread(cells, {s, i}, a, b);
      }
    }
  }

  /// A long segment is entered at several of its points, so that short ones find it.
  static void spread(Cells<Segment>& cells, Segment segment, Point a, Point b) {
    const double size = norm(b - a);
    for (double done = line_step_m; done < size; done += line_step_m) {
      cells.add(a + (b - a) * (done / size), segment);
    }
  }

  void cross(Segment first, Segment second) {
    if (first.stroke == second.stroke && first.index <= second.index + 1) return;
    const Line& one = strokes_[first.stroke].line;
    const Line& two = strokes_[second.stroke].line;
    const auto hit =
        crossing(one[first.index], one[first.index + 1], two[second.index], two[second.index + 1]);
    if (!hit) return;
    const std::uint32_t at =
        junction(hit->at, std::min(strokes_[first.stroke].road_class, strokes_[second.stroke].road_class));
    meetings_[first.stroke].push_back({first.index + hit->along_first, at});
    meetings_[second.stroke].push_back({second.index + hit->along_second, at});
  }

  /// Of junctions close together the one on the widest road keeps its place, so that wide roads stay smooth.
  void merge_close_junctions() {
    std::vector<std::uint32_t> order(junctions_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return widest_[a] < widest_[b]; });
    std::vector<std::uint32_t> home(junctions_.size());
    Cells<std::uint32_t> kept(40);
    for (const std::uint32_t j : order) {
      home[j] = j;
      double nearest = junction_m;
      kept.each(junctions_[j], junction_m, [&](Point at, std::uint32_t other) {
        if (norm(at - junctions_[j]) < nearest) {
          nearest = norm(at - junctions_[j]);
          home[j] = other;
        }
      });
      if (home[j] == j) kept.add(junctions_[j], j);
    }
    for (auto& meetings : meetings_) {
      for (Meeting& meeting : meetings) meeting.junction = home[meeting.junction];
    }
  }

  void cut_stroke(std::uint32_t s, StreetGraph& graph) {
    auto& meetings = meetings_[s];
    std::sort(meetings.begin(), meetings.end(), [](const Meeting& a, const Meeting& b) {
      return std::tie(a.along, a.junction) < std::tie(b.along, b.junction);
    });
    for (std::size_t m = 0; m + 1 < meetings.size(); ++m) {
      const Meeting from = meetings[m];
      const Meeting to = meetings[m + 1];
      if (from.junction == to.junction) continue;
      Piece piece{from.junction,       to.junction,        {}, strokes_[s].road_class,
                  strokes_[s].one_way, strokes_[s].raised, s};
      piece.line = between(strokes_[s].line, from, to);
      graph.pieces.push_back(std::move(piece));
    }
  }

  /// The part of a line between two junctions. Points beside a junction are left out: junctions have moved a
  /// little, and a point next to one would make a kink.
  Line between(const Line& line, Meeting from, Meeting to) const {
    const Point start = junctions_[from.junction];
    const Point end = junctions_[to.junction];
    Line part{start};
    for (auto i = static_cast<std::size_t>(from.along) + 1; i < line.size(); ++i) {
      if (static_cast<double>(i) >= to.along) break;
      if (norm(line[i] - start) > junction_m && norm(line[i] - end) > junction_m) part.push_back(line[i]);
    }
    part.push_back(end);
    return part;
  }

  const std::vector<Stroke>& strokes_;
  std::vector<Point> junctions_;
  std::vector<RoadClass> widest_;  // per junction
  std::vector<std::vector<Meeting>> meetings_;
};

}  // namespace

StreetGraph cut_at_junctions(const std::vector<Stroke>& strokes) {
  return Cutter(strokes).cut();
}

}  // namespace fogline::roads::sketch
