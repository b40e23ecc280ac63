// SPDX-License-Identifier: Apache-2.0
#include "roads/city_blocks.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "roads/city_cells.hpp"

namespace fogline::roads::sketch {
namespace {

constexpr double junction_m = 16;  ///< junctions nearer than this are one
constexpr double stub_m = 48;      ///< dead ends shorter than this go

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

  std::uint32_t junction(Point at) {
    junctions_.push_back(at);
    return static_cast<std::uint32_t>(junctions_.size() - 1);
  }

  void meet_ends_and_ramps() {
    for (std::size_t s = 0; s < strokes_.size(); ++s) {
      const Line& line = strokes_[s].line;
      meetings_[s].push_back({0, junction(line.front())});
      meetings_[s].push_back({static_cast<double>(line.size() - 1), junction(line.back())});
      for (const std::size_t i : strokes_[s].joins) {
        meetings_[s].push_back({static_cast<double>(i), junction(line[i])});
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
    const std::uint32_t at = junction(hit->at);
    meetings_[first.stroke].push_back({first.index + hit->along_first, at});
    meetings_[second.stroke].push_back({second.index + hit->along_second, at});
  }

  void merge_close_junctions() {
    std::vector<std::uint32_t> home(junctions_.size());
    Cells<std::uint32_t> kept(40);
    for (std::uint32_t j = 0; j < junctions_.size(); ++j) {
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
  std::vector<std::vector<Meeting>> meetings_;
};

}  // namespace

StreetGraph cut_at_junctions(const std::vector<Stroke>& strokes) {
  return Cutter(strokes).cut();
}

namespace {

std::vector<std::vector<std::uint32_t>> pieces_at(const StreetGraph& graph) {
  std::vector<std::vector<std::uint32_t>> at(graph.nodes.size());
  for (std::uint32_t i = 0; i < graph.pieces.size(); ++i) {
    at[graph.pieces[i].tail].push_back(i);
    at[graph.pieces[i].head].push_back(i);
  }
  return at;
}

bool drop_stubs(StreetGraph& graph) {
  const auto at = pieces_at(graph);
  const auto is_stub = [&](const Piece& piece) {
    const bool loose = at[piece.tail].size() == 1 || at[piece.head].size() == 1;
    const bool leaves_map = !Plan::on_map(piece.line.front(), 40) || !Plan::on_map(piece.line.back(), 40);
    return loose && !leaves_map && length_m(piece.line) < stub_m;
  };
  return std::erase_if(graph.pieces, is_stub) > 0;
}

/// Of streets that join the same two junctions the widest stays, then the shortest; loops go.
bool drop_doubles(StreetGraph& graph) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> best;
  std::vector<bool> drop(graph.pieces.size(), false);
  for (std::size_t i = 0; i < graph.pieces.size(); ++i) {
    const Piece& piece = graph.pieces[i];
    drop[i] = piece.tail == piece.head;
    if (drop[i]) continue;
    const auto [found, is_new] = best.try_emplace(std::minmax(piece.tail, piece.head), i);
    if (is_new) continue;
    const Piece& rival = graph.pieces[found->second];
    const bool wins = piece.road_class != rival.road_class ? piece.road_class < rival.road_class
                                                           : length_m(piece.line) < length_m(rival.line);
    drop[wins ? found->second : i] = true;
    if (wins) found->second = i;
  }
  std::size_t i = 0;
  return std::erase_if(graph.pieces, [&](const Piece&) { return drop[i++]; }) > 0;
}

void turn_round(Piece& piece) {
  std::swap(piece.tail, piece.head);
  std::reverse(piece.line.begin(), piece.line.end());
}

/// Joins the two streets at a node where no others meet. The longer one gives its class to both; where one is
/// one-way, so is the whole. Two one-way streets against each other lead nowhere: the second goes.
bool join_through(StreetGraph& graph) {
  auto at = pieces_at(graph);
  std::vector<bool> gone(graph.pieces.size(), false);
  for (std::uint32_t node = 0; node < graph.nodes.size(); ++node) {
    if (at[node].size() != 2 || at[node][0] == at[node][1]) continue;
    const std::uint32_t kept_index = at[node][0];
    const std::uint32_t lost_index = at[node][1];
    Piece& kept = graph.pieces[kept_index];
    Piece& lost = graph.pieces[lost_index];
    const bool same_end = (kept.head == node) == (lost.head == node);
    if (same_end && kept.one_way && lost.one_way) {
      gone[lost_index] = true;
      std::erase(at[lost.tail == node ? lost.head : lost.tail], lost_index);
      std::erase(at[node], lost_index);
      continue;
    }
    if (same_end) turn_round(kept.one_way ? lost : kept);
    kept.one_way = kept.one_way || lost.one_way;
    Piece& first = kept.head == node ? kept : lost;
    Piece& second = kept.head == node ? lost : kept;
    if (length_m(lost.line) > length_m(kept.line)) {
      kept.road_class = lost.road_class;
      kept.stroke = lost.stroke;
    }
    Line line = first.line;
    line.insert(line.end(), second.line.begin() + 1, second.line.end());
    const std::uint32_t far = kept.head == node ? lost.head : lost.tail;
    const std::uint32_t tail = first.tail;
    const std::uint32_t head = second.head;
    kept.line = std::move(line);
    kept.tail = tail;
    kept.head = head;
    gone[lost_index] = true;
    std::replace(at[far].begin(), at[far].end(), lost_index, kept_index);
    at[node].clear();
  }
  std::size_t i = 0;
  return std::erase_if(graph.pieces, [&](const Piece&) { return gone[i++]; }) > 0;
}

std::uint32_t root(std::vector<std::uint32_t>& parent, std::uint32_t node) {
  while (parent[node] != node) node = parent[node] = parent[parent[node]];
  return node;
}

void keep_largest_part(StreetGraph& graph) {
  std::vector<std::uint32_t> parent(graph.nodes.size());
  std::iota(parent.begin(), parent.end(), 0u);
  for (const Piece& piece : graph.pieces) parent[root(parent, piece.tail)] = root(parent, piece.head);
  std::vector<std::uint32_t> size(graph.nodes.size(), 0);
  for (std::uint32_t node = 0; node < graph.nodes.size(); ++node) ++size[root(parent, node)];
  const auto largest = static_cast<std::uint32_t>(std::max_element(size.begin(), size.end()) - size.begin());
  std::erase_if(graph.pieces, [&](const Piece& piece) { return root(parent, piece.tail) != largest; });
}

void renumber(StreetGraph& graph) {
  constexpr std::uint32_t unused = ~std::uint32_t{0};
  std::vector<std::uint32_t> number(graph.nodes.size(), unused);
  std::vector<Point> nodes;
  const auto renumbered = [&](std::uint32_t node) {
    if (number[node] == unused) {
      number[node] = static_cast<std::uint32_t>(nodes.size());
      nodes.push_back(graph.nodes[node]);
    }
    return number[node];
  };
  for (Piece& piece : graph.pieces) {
    piece.tail = renumbered(piece.tail);
    piece.head = renumbered(piece.head);
  }
  graph.nodes = std::move(nodes);
}

}  // namespace

void tidy(StreetGraph& graph) {
  keep_largest_part(graph);
  bool changed = true;
  while (changed) {
    changed = drop_doubles(graph);
    changed = drop_stubs(graph) || changed;
    changed = join_through(graph) || changed;
  }
  renumber(graph);
}

namespace {

/// One side of a piece: even numbers run from tail to head, odd ones back.
Point leaving(const StreetGraph& graph, std::size_t side) {
  const Line& line = graph.pieces[side / 2].line;
  return side % 2 == 0 ? line[1] - line[0] : line[line.size() - 2] - line.back();
}

/// Counter-clockwise order of directions, from east, without computing an angle.
bool earlier(Point a, Point b) {
  const auto lower = [](Point p) { return p.y_m < 0 || (p.y_m == 0 && p.x_m < 0); };
  if (lower(a) != lower(b)) return lower(b);
  return cross(a, b) > 0;
}

}  // namespace

std::vector<Line> blocks(const StreetGraph& graph) {
  std::vector<std::vector<std::size_t>> leaving_at(graph.nodes.size());
  for (std::size_t i = 0; i < graph.pieces.size(); ++i) {
    if (graph.pieces[i].raised) continue;
    leaving_at[graph.pieces[i].tail].push_back(2 * i);
    leaving_at[graph.pieces[i].head].push_back(2 * i + 1);
  }
  // The next side of a block: arriving at a node, take the first street clockwise from the way back.
  std::vector<std::size_t> next(2 * graph.pieces.size());
  for (auto& sides : leaving_at) {
    std::sort(sides.begin(), sides.end(),
              [&](std::size_t a, std::size_t b) { return earlier(leaving(graph, a), leaving(graph, b)); });
    for (std::size_t k = 0; k < sides.size(); ++k) {
      next[sides[k] ^ 1] = sides[(k + sides.size() - 1) % sides.size()];
    }
  }
  std::vector<Line> rings;
  std::vector<bool> seen(2 * graph.pieces.size(), false);
  for (std::size_t start = 0; start < seen.size(); ++start) {
    if (seen[start] || graph.pieces[start / 2].raised) continue;
    Line ring;
    for (std::size_t side = start; !seen[side]; side = next[side]) {
      seen[side] = true;
      const Line& line = graph.pieces[side / 2].line;
      if (side % 2 == 0) {
        ring.insert(ring.end(), line.begin(), line.end() - 1);
      } else {
        ring.insert(ring.end(), line.rbegin(), line.rend() - 1);
      }
    }
    if (signed_area_m2(ring) > 0) rings.push_back(std::move(ring));
  }
  return rings;
}

}  // namespace fogline::roads::sketch
