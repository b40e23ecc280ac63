// SPDX-License-Identifier: Apache-2.0
#include "traces/invention/curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "traces/invention/outline.hpp"

namespace fogline::traces {
namespace {

float apart(const PlanePoint& a, const PlanePoint& b) {
  const float dx = a.x - b.x, dy = a.y - b.y;
  return std::sqrt(dx * dx + dy * dy);
}

/// Added to what is believed of visits: a cell that nobody is believed to pass can still be passed, where no other is.
constexpr float least_visits = 1e-6F;

/// How much wider or longer than it shall be a trip may come out over the places chosen; and which part of its width or
/// length is taken for nearly all of it. About what Wanted::miss() takes for a small miss.
constexpr float tolerance = 1.02F, nearly = 0.97F;

}  // namespace

CurveDrawer::CurveDrawer(const Beliefs& b, QuickRandom& random)
    : fine_(b.layout.fine),
      width_(static_cast<float>(b.layout.width_m)),
      height_(static_cast<float>(b.layout.height_m)) {
  // Strides are drawn from a table in which each bin has its believed part, rounded by running sums: one look-up
  // instead of a search, and no chance in the proportions.
  constexpr double strides_a_doubling = 3;  // bins are third roots of two: Layout::stride_edge
  const double total = std::accumulate(b.strides.begin(), b.strides.end(), 0.0);
  double upto = 0;
  for (std::uint32_t bin = 0; bin < Layout::stride_bins; ++bin) {
    upto += b.strides[bin];
    const auto end = static_cast<std::size_t>(upto / total * table_size + 0.5);
    while (strides_.size() < std::min<std::size_t>(end, table_size))
      strides_.push_back(
          static_cast<float>(Layout::stride_edge(bin) * std::exp2(random.uniform() / strides_a_doubling)));
  }
  while (strides_.size() < table_size) strides_.push_back(1);
  for (std::uint32_t i = 0; i < table_size; ++i) {
    normals_.push_back(static_cast<float>(random.normal()));
    cosines_.push_back(static_cast<float>(std::cos(2 * std::numbers::pi * i / table_size)));
  }
  visits_.assign(b.fine_visits.mean.begin(), b.fine_visits.mean.end());
  std::vector<std::vector<std::uint32_t>> members(std::size_t{Layout::coarse} * Layout::coarse);
  for (std::uint32_t f = 0; f < fine_ * fine_; ++f)
    members[f / fine_ * Layout::coarse / fine_ * Layout::coarse + f % fine_ * Layout::coarse / fine_]
        .push_back(f);
  // For each coarse cell a table of fine ones in proportion to visits: the quantiles of (k + 1/2) / places_a_cell.
  constexpr double least_mass = 1e-6;  // likewise, in double precision
  for (const auto& cells : members) {
    double mass = 0;
    for (const std::uint32_t f : cells) mass += visits_[f] + least_mass;
    double passed = 0;
    std::size_t at = 0;
    for (std::uint32_t k = 0; k < places_a_cell; ++k) {
      while (at + 1 < cells.size() &&
             passed + visits_[cells[at]] + least_mass < mass * (k + 0.5) / places_a_cell) {
        passed += visits_[cells[at]] + least_mass;
        ++at;
      }
      places_.push_back(static_cast<std::uint16_t>(cells[at]));
    }
  }
}

float CurveDrawer::visited(const PlanePoint& p) const {
  const auto x = std::min(static_cast<std::uint32_t>(p.x / width_ * static_cast<float>(fine_)), fine_ - 1);
  const auto y = std::min(static_cast<std::uint32_t>(p.y / height_ * static_cast<float>(fine_)), fine_ - 1);
  return visits_[y * fine_ + x] + least_visits;
}

/// A place as far from the start as the trip shall be wide, rather where trips go.
PlanePoint CurveDrawer::turning_place(const PlanePoint& start, const PlanePoint& end, const CurveShape& shape,
                                      QuickRandom& random) const {
  // Some places are tried, and one of those that are possible is taken in proportion to visits, in one pass (weighted
  // reservoir sampling). More tries would follow visits more closely and cost time in every new way.
  constexpr int tries = 6;
  PlanePoint best = end;
  float total = 0;
  for (int k = 0; k < tries; ++k) {
    const std::uint32_t angle = random.below(table_size);
    // From either end, since both see the whole width of the trip.
    const PlanePoint& from = k % 2 == 0 ? start : end;
    const PlanePoint p{from.x + shape.diameter_m * cosines_[angle],
                       from.y + shape.diameter_m * cosines_[(angle + quarter_turn) % table_size]};
    if (p.x < 0 || p.y < 0 || p.x > width_ || p.y > height_) continue;
    const float first = apart(start, p), second = apart(p, end);
    if (std::max(first, second) > shape.diameter_m * tolerance || first + second > shape.length_m * tolerance)
      continue;
    const float weight = visited(p);
    total += weight;
    if (random.uniform_f() * total < weight) best = p;
  }
  return best;
}

/// The places that a way leads over: its ends, one as far off as it shall be wide, and, if it is much longer than wide,
/// more where trips go: in a disc of its width about the middle between its start and the place farthest off, so that
/// they hardly widen it.
CurveDrawer::Route CurveDrawer::draw_route(const PlanePoint& start, const PlanePoint& end,
                                           const CurveShape& shape, QuickRandom& random) const {
  // Up to ten places, from up to eight tries to add one, each one of four by visits. Chosen, not derived.
  constexpr int most_tries = 8, tries_a_place = 4;
  constexpr std::size_t most_route_places = 10;
  constexpr float filled = 0.75F;  // of the length; the rest is left to wind
  Route route;
  route.place[0] = start;
  if (apart(start, end) < nearly * shape.diameter_m)
    route.place[route.places++] = turning_place(start, end, shape, random);
  route.place[route.places++] = end;
  float straight = 0;
  for (std::size_t k = 1; k < route.places; ++k) straight += apart(route.place[k - 1], route.place[k]);
  const PlanePoint& far = route.place[1];
  const PlanePoint middle{(start.x + far.x) / 2, (start.y + far.y) / 2};
  for (int more = 0;
       more < most_tries && route.places < most_route_places && straight < filled * shape.length_m; ++more) {
    PlanePoint best = middle;
    float total = 0;
    for (int k = 0; k < tries_a_place; ++k) {
      const std::uint32_t angle = random.below(table_size);
      const float reach = 0.5F * shape.diameter_m * std::sqrt(random.uniform_f());  // even over the disc
      const PlanePoint p{middle.x + reach * cosines_[angle],
                         middle.y + reach * cosines_[(angle + quarter_turn) % table_size]};
      if (p.x < 0 || p.y < 0 || p.x > width_ || p.y > height_) continue;
      const float weight = visited(p);
      total += weight;
      if (random.uniform_f() * total < weight) best = p;
    }
    if (!(total > 0)) continue;
    const std::size_t at = 1 + random.below(static_cast<std::uint32_t>(route.places - 1));
    const PlanePoint &a = route.place[at - 1], &z = route.place[at];
    const float longer = apart(a, best) + apart(best, z) - apart(a, z);
    if (straight + longer > nearly * shape.length_m) continue;
    for (std::size_t k = route.places; k > at; --k) route.place[k] = route.place[k - 1];
    route.place[at] = best;
    ++route.places;
    straight += longer;
  }
  for (std::size_t k = 1; k < route.places; ++k)
    route.upto[k] = route.upto[k - 1] + apart(route.place[k - 1], route.place[k]);
  return route;
}

void CurveDrawer::draw(const PlanePoint& start, const PlanePoint& end, const CurveShape& shape,
                       QuickRandom& random, std::span<PlanePoint> nodes) const {
  draw_along(draw_route(start, end, shape, random), shape, random, nodes);
}

bool CurveDrawer::draw_over(std::span<const std::uint16_t> cells, const PlanePoint& start,
                            const PlanePoint& end, const CurveShape& shape, QuickRandom& random,
                            std::span<PlanePoint> nodes) const {
  // Nearly tight is tight enough, and how loose a way is need not be known better than to an eighth: chosen, not
  // derived.
  constexpr int pulls = 3, bisections = 4;
  // So far from a cell's border, in cells, does a way pass it: it must be seen to enter.
  constexpr float margin = 0.03F;
  // Cells leave less freedom than a free way has, so that less is left to wind than in draw_route().
  constexpr float filled_share = 0.85F;
  Route route;
  route.places = cells.size();
  std::array<PlanePoint, most_places> loose;
  loose.front() = start;
  loose[cells.size() - 1] = end;
  const float cell_width = width_ / Layout::coarse, cell_height = height_ / Layout::coarse;
  for (std::size_t k = 1; k + 1 < cells.size(); ++k) {
    const std::uint32_t f = places_[cells[k] * places_a_cell + random.below(places_a_cell)];
    loose[k] = {(static_cast<float>(f % fine_) + random.uniform_f()) * width_ / static_cast<float>(fine_),
                (static_cast<float>(f / fine_) + random.uniform_f()) * height_ / static_cast<float>(fine_)};
  }
  // As short as a way over these cells can nearly be: each place is pulled half way between its neighbours, as far as
  // its cell allows, like a string that is drawn tight.
  std::array<PlanePoint, most_places> taut = loose;
  for (int round = 0; round < pulls; ++round)
    for (std::size_t k = 1; k + 1 < cells.size(); ++k) {
      const auto x = static_cast<float>(cells[k] % Layout::coarse),
                 y = static_cast<float>(cells[k] / Layout::coarse);
      taut[k] = {std::clamp((taut[k - 1].x + taut[k + 1].x) / 2, (x + margin) * cell_width,
                            (x + 1 - margin) * cell_width),
                 std::clamp((taut[k - 1].y + taut[k + 1].y) / 2, (y + margin) * cell_height,
                            (y + 1 - margin) * cell_height)};
    }
  const auto lay = [&](float slack) {
    for (std::size_t k = 0; k < cells.size(); ++k) {
      route.place[k] = {taut[k].x + slack * (loose[k].x - taut[k].x),
                        taut[k].y + slack * (loose[k].y - taut[k].y)};
      if (k > 0) route.upto[k] = route.upto[k - 1] + apart(route.place[k - 1], route.place[k]);
    }
    return route.upto[cells.size() - 1];
  };
  if (lay(0) > shape.length_m) return false;
  // Between tight and loose, as loose as the length allows: all the way first, since that is often short enough, then
  // by bisection.
  float low = 0, high = 1;
  const float filled = filled_share * shape.length_m;
  for (int round = 0; round < bisections; ++round) {
    const float slack = round == 0 ? 1 : (low + high) / 2;
    if (lay(slack) <= filled) {
      low = slack;
      if (round == 0) break;
    } else {
      high = slack;
    }
  }
  lay(low);
  draw_along(route, shape, random, nodes);
  return true;
}

/// Nodes along a route at strides as believed, moved off it by a random walk that is tied at both ends (a bridge), as
/// far as makes the whole as long as it shall be.
void CurveDrawer::draw_along(const Route& route, const CurveShape& shape, QuickRandom& random,
                             std::span<PlanePoint> nodes) const {
  const std::size_t count = nodes.size();
  const float straight = route.upto[route.places - 1];
  std::array<float, most_nodes> along{}, sx{}, sy{}, bx{}, by{};
  for (std::size_t k = 1; k < count; ++k) {
    const float w = stride(random);
    along[k] = along[k - 1] + w;
    // Long strides are shaken far and short ones little, so that strides keep their proportions.
    sx[k] = sx[k - 1] + w * normals_[random.below(table_size)];
    sy[k] = sy[k - 1] + w * normals_[random.below(table_size)];
  }
  // The walk less its end's part, so that it returns to zero.
  const float per = 1 / along[count - 1], last_x = sx[count - 1], last_y = sy[count - 1];
  std::size_t leg = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const float part = along[k] * per, at = part * straight;
    while (leg + 2 < route.places && route.upto[leg + 1] < at) ++leg;
    const float begin = route.upto[leg], length = route.upto[leg + 1] - begin;
    const float u = length > 0 ? std::min(1.0F, (at - begin) / length) : 1;
    const PlanePoint &p = route.place[leg], &q = route.place[leg + 1];
    bx[k] = p.x + u * (q.x - p.x);
    by[k] = p.y + u * (q.y - p.y);
    sx[k] = (sx[k] - part * last_x) * per;
    sy[k] = (sy[k] - part * last_y) * per;
  }
  const auto length_at = [&](float shake) {
    float sum = 0;
    for (std::size_t k = 1; k < count; ++k) {
      const float dx = bx[k] - bx[k - 1] + shake * (sx[k] - sx[k - 1]),
                  dy = by[k] - by[k - 1] + shake * (sy[k] - sy[k - 1]);
      sum += std::sqrt(dx * dx + dy * dy);
    }
    return sum;
  };
  // The length grows convexly with the shake: false position from below. The guess keeps off both ends, so that
  // neither stays where it is for ever. The lower end is taken, so that a way comes out rather too short than too
  // long. Six rounds: chosen, not derived.
  constexpr int position_rounds = 6;
  constexpr float least_guess = 0.02F, most_guess = 0.98F;
  float low = 0, high = 2 * shape.length_m + 1, at_low = straight, at_high = length_at(high);
  for (int round = 0; round < position_rounds && at_high > at_low; ++round) {
    const float guess = std::clamp((shape.length_m - at_low) / (at_high - at_low), least_guess, most_guess);
    const float middle = low + (high - low) * guess, found = length_at(middle);
    if (found < shape.length_m) {
      low = middle;
      at_low = found;
    } else {
      high = middle;
      at_high = found;
    }
  }
  const float shake = at_low < shape.length_m ? low : 0;
  for (std::size_t k = 1; k + 1 < count; ++k)
    nodes[k] = {std::clamp(bx[k] + shake * sx[k], 0.0F, width_),
                std::clamp(by[k] + shake * sy[k], 0.0F, height_)};
  nodes[0] = route.place[0];
  nodes[count - 1] = route.place[route.places - 1];
}

}  // namespace fogline::traces
