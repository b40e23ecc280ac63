// SPDX-License-Identifier: Apache-2.0
#include "traces/invention/legs.hpp"

#include <cmath>
#include <cstdlib>

namespace fogline::traces {
namespace {

std::uint32_t number(int x, int y, std::uint32_t columns) {
  return static_cast<std::uint32_t>(y) * columns + static_cast<std::uint32_t>(x);
}

template <class At, class Cells>
void walk(At& from, const At& to, std::uint32_t columns, Cells& entered) {
  const int dx = to.x - from.x, dy = to.y - from.y;
  const int moves = std::max(std::abs(dx), std::abs(dy));
  if (moves == 1) {
    entered.push(number(to.x, to.y, columns));
  } else if (moves > 1) {
    const auto part = [&](int d, int i) {  // rounded, halves away from zero
      const int twice = 2 * d * i;
      return (twice >= 0 ? twice + moves : twice - moves) / (2 * moves);
    };
    for (int i = 1; i <= moves; ++i)
      entered.push(number(from.x + part(dx, i), from.y + part(dy, i), columns));
  }
  from = to;
}

/// However near each other a trip's points lie, a leg is not looked at more often than three times in a cell of the usual fine grid (finer ones have a
/// multiple of its columns): what lies between two looks is filled in by walk(), and more of them would only cost time.
constexpr double usual_columns = 30, steps_a_usual_cell = 3;

}  // namespace

LegReader::LegReader(const Layout& layout)
    : limit_(static_cast<int>(layout.fine) - 1),
      per_x_(static_cast<float>(layout.fine / layout.width_m)),
      per_y_(static_cast<float>(layout.fine / layout.height_m)),
      least_step_(static_cast<float>(std::min(layout.width_m, layout.height_m) / usual_columns /
                                     steps_a_usual_cell)) {
  for (std::uint32_t i = 0; i < layout.fine; ++i) {
    to_coarse_.push_back(static_cast<std::uint8_t>(i * Layout::coarse / layout.fine));
    to_medium_.push_back(static_cast<std::uint8_t>(i * Layout::medium / layout.fine));
  }
}

void LegReader::begin(const PlanePoint& p, Leg& leg) const {
  leg.coarse.clear();
  leg.medium.clear();
  leg.fine.clear();
  const At fine = place(p), medium = medium_of(fine), coarse = coarse_of(fine);
  leg.fine.push(number(fine.x, fine.y, static_cast<std::uint32_t>(limit_ + 1)));
  leg.medium.push(number(medium.x, medium.y, Layout::medium));
  leg.coarse.push(number(coarse.x, coarse.y, Layout::coarse));
}

void LegReader::read(const PlanePoint& from, const PlanePoint& to, float step, Leg& leg) const {
  leg.coarse.clear();
  leg.medium.clear();
  leg.fine.clear();
  const float dx = to.x - from.x, dy = to.y - from.y;
  At fine = place(from);
  const At last = place(to);
  // A straight way within one cell leaves it nowhere.
  if (fine.x == last.x && fine.y == last.y) return;
  At medium = medium_of(fine), coarse = coarse_of(fine);
  const float length = std::sqrt(dx * dx + dy * dy);
  const int pieces = std::max(1, static_cast<int>(length / std::max(step, least_step_) + 0.5F));
  const float by = 1.0F / static_cast<float>(pieces);
  for (int p = 1; p <= pieces; ++p) {
    const float u = by * static_cast<float>(p);
    const At next = p < pieces ? place({from.x + dx * u, from.y + dy * u}) : last;
    if (next.x == fine.x && next.y == fine.y) continue;
    walk(fine, next, static_cast<std::uint32_t>(limit_ + 1), leg.fine);
    walk(medium, medium_of(next), Layout::medium, leg.medium);
    walk(coarse, coarse_of(next), Layout::coarse, leg.coarse);
  }
}

}  // namespace fogline::traces
