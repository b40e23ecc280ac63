// SPDX-License-Identifier: Apache-2.0
#include "traces/rules/open_ground.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#ifndef __clang__
// GCC takes boxes that the library fills piece by piece for uninitialised once it has inlined the calls.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#define BOOST_ALLOW_DEPRECATED_HEADERS  // the library's own use of them is not ours to mend
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>

namespace fogline::traces {
namespace {

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

using geometry::AreaIndex;
using geometry::distance_m;
using geometry::PointXY;
using TreePoint = bg::model::d2::point_xy<double>;
using TreeEntry = std::pair<bg::model::segment<TreePoint>, std::uint32_t>;

/// How many of the nearest edges are looked beyond before a place further away is taken; how many cells along each side
/// have such a place, and where in a cell it is looked for, along either side: in the middle first. More of them
/// would find nearer places on ground in many small pieces, and take longer. Chosen, not derived.
constexpr unsigned edges_tried = 24;
constexpr int refuge_cells = 64;
constexpr std::array<double, 5> refuge_shares = {0.5, 0.1, 0.9, 0.3, 0.7};

PointXY between(const PointXY& a, const PointXY& b, double share) {
  return {a.x_m + share * (b.x_m - a.x_m), a.y_m + share * (b.y_m - a.y_m)};
}

/// Towards the open side.
PointXY normal(const AreaIndex::Edge& edge) {
  const double length = distance_m(edge.from, edge.to);
  if (!(length > 0)) return {0, 0};
  return {(edge.from.y_m - edge.to.y_m) / length, (edge.to.x_m - edge.from.x_m) / length};
}

double share_along(const AreaIndex::Edge& edge, const PointXY& p) {
  const double dx = edge.to.x_m - edge.from.x_m, dy = edge.to.y_m - edge.from.y_m;
  const double square = dx * dx + dy * dy;
  if (!(square > 0)) return 0;
  return std::clamp(((p.x_m - edge.from.x_m) * dx + (p.y_m - edge.from.y_m) * dy) / square, 0.0, 1.0);
}

/// A line with the metres from its beginning at each corner.
struct Way {
  std::vector<PointXY> corner;
  std::vector<double> at_m;

  explicit Way(std::vector<PointXY> corners) : corner(std::move(corners)), at_m(corner.size()) {
    for (std::size_t i = 1; i < corner.size(); ++i)
      at_m[i] = at_m[i - 1] + distance_m(corner[i - 1], corner[i]);
  }
  PointXY place(double metres) const {
    const auto above = std::upper_bound(at_m.begin(), at_m.end(), metres);
    if (above == at_m.begin()) return corner.front();
    if (above == at_m.end()) return corner.back();
    const auto i = static_cast<std::size_t>(above - at_m.begin());
    return between(corner[i - 1], corner[i], (metres - at_m[i - 1]) / (at_m[i] - at_m[i - 1]));
  }
  /// Where on the way, not before `from_m`, a point is nearest.
  double nearest_to(const PointXY& p, double from_m) const {
    double best = from_m, least = distance_m(p, place(from_m));
    for (std::size_t i = 1; i < corner.size(); ++i) {
      if (at_m[i] < from_m) continue;
      const double share = share_along({corner[i - 1], corner[i], 0}, p);
      const double metres = std::max(from_m, at_m[i - 1] + share * (at_m[i] - at_m[i - 1]));
      const double away = distance_m(p, place(metres));
      if (away < least) {
        least = away;
        best = metres;
      }
    }
    return best;
  }
};

/// Added points pass in proportion to the way between the points that have times.
void time_added(Course& course) {
  for (std::size_t i = 1; i < course.size(); ++i) {
    if (course[i].origin != CoursePoint::added) continue;
    std::size_t j = i;
    double way = distance_m(course[i - 1].at, course[i].at);
    const double first = way;
    for (; course[j].origin == CoursePoint::added && j + 1 < course.size(); ++j)
      way += distance_m(course[j].at, course[j + 1].at);
    const auto gap = static_cast<double>(course[j].t - course[i - 1].t);
    course[i].t = course[i - 1].t + (way > 0 ? static_cast<std::int64_t>(gap * first / way) : 0);
  }
}

}  // namespace

struct OpenGround::Tree {
  static constexpr std::size_t entries_a_node = 16;  // usual numbers are 8 to 32
  bgi::rtree<TreeEntry, bgi::rstar<entries_a_node>> edges;
};

OpenGround::~OpenGround() = default;
OpenGround::OpenGround(OpenGround&&) noexcept = default;

OpenGround::OpenGround(const geometry::Polygons& open, const Options& options) {
  index_ =
      AreaIndex(std::span(&open, 1), {.south_west = options.south_west, .north_east = options.north_east});
  const auto edges = index_.edges_of(0);
  std::vector<TreeEntry> entries;
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    const AreaIndex::Edge& edge = edges[e];
    if (e == 0 || edges[e - 1].ring != edge.ring) {
      first_.push_back(e);
      ring_length_m_.push_back(0);
    }
    along_.push_back(ring_length_m_.back());
    ring_length_m_.back() += distance_m(edge.from, edge.to);
    // Far more than areas are rounded when they are cut, and far less than skirt_m.
    constexpr double same_m = 0.1;
    const bool of_outline = options.outline->near_border(0, edge.from, same_m) &&
                            options.outline->near_border(0, edge.to, same_m) &&
                            options.outline->near_border(0, between(edge.from, edge.to, 0.5), same_m);
    outline_edge_.push_back(of_outline ? 1 : 0);
    entries.push_back({{{edge.from.x_m, edge.from.y_m}, {edge.to.x_m, edge.to.y_m}}, e});
  }
  first_.push_back(static_cast<std::uint32_t>(edges.size()));
  tree_ = std::make_unique<Tree>(Tree{decltype(Tree::edges)(entries.begin(), entries.end())});
  find_refuges(options);
}

// Places to go to when nothing nearer is wide enough: one in each cell of a coarse grid, and one beside each edge, for ground too narrow for the grid.
void OpenGround::find_refuges(const Options& options) {
  const double width = options.north_east.x_m - options.south_west.x_m;
  const double height = options.north_east.y_m - options.south_west.y_m;
  const auto try_cell = [&](int column, int row) {
    for (const double x : refuge_shares)
      for (const double y : refuge_shares) {
        const PointXY p{options.south_west.x_m + (column + x) * width / refuge_cells,
                        options.south_west.y_m + (row + y) * height / refuge_cells};
        if (clear(p)) {
          refuge_.push_back(p);
          return;
        }
      }
  };
  for (int row = 0; row < refuge_cells; ++row)
    for (int column = 0; column < refuge_cells; ++column) try_cell(column, row);
  const auto edges = index_.edges_of(0);
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    const PointXY p = beside({between(edges[e].from, edges[e].to, 0.5), e}, 2 * clear_m);
    if (clear(p)) refuge_.push_back(p);
  }
  if (!refuge_.empty()) refuges_.emplace(refuge_);
}

std::uint32_t OpenGround::before(std::uint32_t edge) const {
  const std::uint32_t ring = index_.edge(edge).ring;
  return edge == first_[ring] ? first_[ring + 1] - 1 : edge - 1;
}

std::uint32_t OpenGround::after(std::uint32_t edge) const {
  const std::uint32_t ring = index_.edge(edge).ring;
  return edge + 1 == first_[ring + 1] ? first_[ring] : edge + 1;
}

double OpenGround::offset_of(std::uint32_t edge, double beyond_m) const {
  return outline_edge_[edge] != 0 ? skirt_m : beyond_m;
}

PointXY OpenGround::beside(const Spot& spot, double beyond_m) const {
  const double share = share_along(index_.edge(spot.edge), spot.at);
  if (share <= 0) return beside_corner(spot.edge, beyond_m);
  if (share >= 1) return beside_corner(after(spot.edge), beyond_m);
  const PointXY n = normal(index_.edge(spot.edge));
  const double offset = offset_of(spot.edge, beyond_m);
  return {spot.at.x_m + n.x_m * offset, spot.at.y_m + n.y_m * offset};
}

// Where the two lines beside the edges meet; not further from a pointed corner than a few offsets.
PointXY OpenGround::beside_corner(std::uint32_t edge, double beyond_m) const {
  constexpr double farthest = 8;             // offsets: beyond, a corner is a spike of less than 15 degrees
  constexpr double sine_of_straight = 0.01;  // edges that turn by less have no lines that meet nearby
  const PointXY corner = index_.edge(edge).from;
  const PointXY n1 = normal(index_.edge(before(edge))), n2 = normal(index_.edge(edge));
  const double o1 = offset_of(before(edge), beyond_m), o2 = offset_of(edge, beyond_m);
  const double turn = n1.x_m * n2.y_m - n1.y_m * n2.x_m, widest = std::max(o1, o2);
  PointXY out{n2.x_m * widest, n2.y_m * widest};  // straight on: beside the edge
  if (std::abs(turn) > sine_of_straight) {
    out = {(o1 * n2.y_m - o2 * n1.y_m) / turn, (o2 * n1.x_m - o1 * n2.x_m) / turn};
  } else if (n1.x_m * n2.x_m + n1.y_m * n2.y_m < 0) {
    out = {-n2.y_m * widest, n2.x_m * widest};  // back: ahead of the tip
  }
  const double length = std::hypot(out.x_m, out.y_m);
  const double scale = length > farthest * widest ? farthest * widest / length : 1;
  return {corner.x_m + out.x_m * scale, corner.y_m + out.y_m * scale};
}

std::optional<PointXY> OpenGround::nearest(const PointXY& p, double beyond_m) const {
  if (clear(p)) return p;
  const auto nearest_edges = bgi::nearest(TreePoint(p.x_m, p.y_m), edges_tried);
  for (auto found = tree_->edges.qbegin(nearest_edges); found != tree_->edges.qend(); ++found) {
    const AreaIndex::Edge& edge = index_.edge(found->second);
    const Spot spot{between(edge.from, edge.to, share_along(edge, p)), found->second};
    for (const double offset : {beyond_m, 2 * clear_m}) {
      const PointXY out = beside(spot, offset);
      if (clear(out)) return out;
    }
  }
  if (!refuges_) return std::nullopt;
  return refuge_[refuges_->nearest(p).vertex];
}

// Metres along the border from one spot to another, walked with the open side on the left.
double OpenGround::forward_m(const Spot& from, const Spot& to) const {
  const double begin = along_[from.edge] + distance_m(index_.edge(from.edge).from, from.at);
  const double end = along_[to.edge] + distance_m(index_.edge(to.edge).from, to.at);
  return end >= begin ? end - begin : end - begin + ring_length_m_[index_.edge(from.edge).ring];
}

std::vector<PointXY> OpenGround::walk_round(const Spot& from, const Spot& to, bool forward,
                                            double beyond_m) const {
  std::vector<PointXY> way = {beside(from, beyond_m)};
  const bool ahead =
      distance_m(index_.edge(from.edge).from, from.at) <= distance_m(index_.edge(to.edge).from, to.at);
  if (from.edge != to.edge || ahead != forward) {
    std::uint32_t edge = from.edge;
    do {
      if (forward) edge = after(edge);
      way.push_back(beside_corner(edge, beyond_m));
      if (!forward) edge = before(edge);
    } while (edge != to.edge);
  }
  way.push_back(beside(to, beyond_m));
  return way;
}

// The side on which the points move less; the shorter one if there are none.
std::vector<PointXY> OpenGround::better_side(const Visit& visit, double beyond_m,
                                             random::Stream& ties) const {
  const double length = ring_length_m_[index_.edge(visit.in.edge).ring];
  const double forward = forward_m(visit.in, visit.out);
  constexpr double same_way_m = 1e-6;  // far above the rounding of a ring's length
  const bool tie = std::abs(2 * forward - length) < same_way_m;
  const bool go_forward = tie ? ties.next_bit() : 2 * forward < length;
  std::vector<PointXY> shorter = walk_round(visit.in, visit.out, go_forward, beyond_m);
  if (visit.strays.empty()) return shorter;
  std::vector<PointXY> longer = walk_round(visit.in, visit.out, !go_forward, beyond_m);
  const auto moved_m = [&](const std::vector<PointXY>& side) {
    const Way way(side);
    double sum = 0;
    for (const Stray& stray : visit.strays)
      sum += distance_m(stray.point.at, way.place(stray.share * way.at_m.back()));
    return sum;
  };
  return moved_m(longer) < moved_m(shorter) ? longer : shorter;
}

// The visits that the course makes to closed ground between points i and j, which are clear, and its points on each of them.
bool OpenGround::visits_between(const Course& course, std::size_t i, std::size_t j,
                                std::vector<Visit>& visits) const {
  std::vector<AreaIndex::Crossing> found;
  std::vector<Stray> early;  // open but too near to a border, before the first visit
  double passed = 0;
  for (std::size_t k = i; k < j; ++k) {
    const PointXY &a = course[k].at, &b = course[k + 1].at;
    index_.crossings(0, a, b, found);
    for (const auto& one : found) {
      const Spot spot{between(a, b, one.share), one.edge};
      const double at_m = passed + one.share * distance_m(a, b);
      if (visits.empty() || visits.back().over) {
        visits.push_back({.in = spot, .begin_m = at_m});
      } else {
        visits.back().out = spot;
        visits.back().end_m = at_m;
        visits.back().over = true;
        if (index_.edge(visits.back().in.edge).ring != index_.edge(one.edge).ring) return false;
      }
    }
    passed += distance_m(a, b);
    if (k + 1 < j) (visits.empty() ? early : visits.back().strays).push_back({course[k + 1], passed});
  }
  if (!visits.empty())
    visits.front().strays.insert(visits.front().strays.begin(), early.begin(), early.end());
  return !visits.empty() && visits.back().over;
}

double OpenGround::moved_m(const Course& course, const Visit& visit) {
  double sum = 0;
  std::size_t next = 0;
  for (const CoursePoint& point : course)
    if (point.origin != CoursePoint::added) sum += distance_m(point.at, visit.strays[next++].point.at);
  return sum;
}

// Points at their shares of the way between the places nearest to where the old one went in and out. Each corner of the way becomes a point: one
// that lies within a quarter of a step of it, else an added one.
Course OpenGround::placed_on(std::vector<PointXY> corners, const Visit& visit) {
  const Way way(std::move(corners));
  const std::vector<Stray>& strays = visit.strays;
  const double begin = way.nearest_to(visit.in.at, 0), end = way.nearest_to(visit.out.at, begin);
  constexpr double part_of_step = 4;
  const double near_m = way.at_m.back() / static_cast<double>(strays.size() + 1) / part_of_step;
  Course result;
  std::size_t next = 0;
  const auto at_m = [&](std::size_t k) { return begin + strays[k].share * (end - begin); };
  const auto put = [&](const PointXY& at) {
    result.push_back(strays[next++].point);
    result.back().at = at;
  };
  const auto before = [&](std::size_t k, double metres) { return k < strays.size() && at_m(k) < metres; };
  for (std::size_t c = 1; c + 1 < way.corner.size(); ++c) {
    // The last one before the corner may become it; those before that one stay where they are.
    while (before(next, way.at_m[c] - near_m) || before(next + 1, way.at_m[c])) put(way.place(at_m(next)));
    if (before(next, way.at_m[c] + near_m)) {
      put(way.corner[c]);
    } else {
      result.push_back({way.corner[c], 0, CoursePoint::added});
    }
  }
  while (next < strays.size()) put(way.place(at_m(next)));
  return result;
}

// Cuts corners on the way to the area and from it, unless that takes its points further away: a course that came far to visit it should still come near.
Course OpenGround::way_past(const Visit& visit, const PointXY& from, const PointXY& to, double beyond_m,
                            random::Stream& ties) const {
  std::vector<PointXY> near = better_side(visit, beyond_m, ties);
  std::vector<PointXY> direct = near;
  const auto with_ends = [&](std::vector<PointXY>& way) {
    way.insert(way.begin(), from);
    way.push_back(to);
  };
  with_ends(direct);
  tauten(direct);
  Course shortest = placed_on(std::move(direct), visit);
  if (visit.strays.empty()) return shortest;
  tauten(near);
  with_ends(near);
  Course nearest = placed_on(std::move(near), visit);
  constexpr double hardly_further = 1.05;  // chosen, not derived
  return moved_m(shortest, visit) <= hardly_further * moved_m(nearest, visit) ? shortest : nearest;
}

bool OpenGround::lead_between(Course& course, std::size_t i, std::size_t j, double beyond_m,
                              random::Stream& ties) const {
  std::vector<Visit> visits;
  if (!visits_between(course, i, j, visits)) return false;
  Course moved;
  PointXY from = course[i].at;
  for (std::size_t v = 0; v < visits.size(); ++v) {
    Visit& visit = visits[v];
    const double length = visit.end_m - visit.begin_m;
    for (Stray& stray : visit.strays)
      stray.share = length > 0 ? std::clamp((stray.share - visit.begin_m) / length, 0.0, 1.0) : 0;
    const bool last = v + 1 == visits.size();
    const PointXY to = last ? course[j].at : between(visit.out.at, visits[v + 1].in.at, 0.5);
    const Course part = way_past(visit, from, to, beyond_m, ties);
    moved.insert(moved.end(), part.begin(), part.end());
    if (!last) moved.push_back({to, 0, CoursePoint::added});
    from = to;
  }
  const auto at = course.begin() + static_cast<std::ptrdiff_t>(i) + 1;
  course.insert(course.erase(at, at + static_cast<std::ptrdiff_t>(j - i - 1)), moved.begin(), moved.end());
  return true;
}

// Drops every corner that its neighbours need not pass: from each one straight to the furthest that can be seen, looked for in doubling steps.
void OpenGround::tauten(std::vector<PointXY>& way) const {
  const auto seen = [&](std::size_t a, std::size_t b) { return b == a + 1 || !crosses(way[a], way[b]); };
  std::vector<PointXY> taut = {way.front()};
  for (std::size_t at = 0; at + 1 < way.size();) {
    std::size_t next = at + 1;
    if (seen(at, way.size() - 1)) {
      next = way.size() - 1;
    } else {
      for (std::size_t step = 1; step >= 1;) {
        const bool further = next + step < way.size() && seen(at, next + step);
        if (further) next += step;
        if (!further && step == 1) break;
        step = further ? step * 2 : step / 2;
      }
    }
    taut.push_back(way[next]);
    at = next;
  }
  way = std::move(taut);
}

bool OpenGround::put_right(CoursePoint& point, double beyond_m) const {
  const auto place = nearest(point.at, beyond_m);
  if (place) point.at = *place;
  return place.has_value();
}

bool OpenGround::lead(Course& course, const LeadOptions& options, random::Stream& ties) const {
  if (course.empty()) return true;
  if (!put_right(course.front(), options.beyond_m) || !put_right(course.back(), options.beyond_m))
    return false;
  for (std::size_t i = 0; i + 1 < course.size();) {
    std::size_t j = i + 1;
    while (!clear(course[j].at)) ++j;
    const bool blocked = j > i + 1 || crosses(course[i].at, course[j].at);
    const std::size_t behind = course.size() - j;
    if (blocked && lead_between(course, i, j, options.beyond_m, ties)) j = course.size() - behind;
    // What the way did not reach, or leads too near to a border.
    for (std::size_t k = i + 1; k < j; ++k) put_right(course[k], options.beyond_m);
    i = j;
  }
  time_added(course);
  return true;
}

}  // namespace fogline::traces
