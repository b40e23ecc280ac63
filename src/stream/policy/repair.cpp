// SPDX-License-Identifier: Apache-2.0
#include "stream/policy/repair.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "stream/policy/protection.hpp"

namespace fogline::stream {
namespace {

using geometry::cross;
using geometry::LatticeBody;
using geometry::LatticePoints;
using geometry::LatticeXY;

LatticeXY difference(const LatticePoints& points, std::uint32_t a, std::uint32_t b) {
  return {points[a][0] - points[b][0], points[a][1] - points[b][1]};
}

/// A sensitivity hull in the plane that grows by one difference at a time.
class GrowingHull {
 public:
  explicit GrowingHull(const LatticeBody& body) : body_(body) {}

  const LatticeBody& body() const { return body_; }

  void add(LatticeXY v) {
    LatticePoints points = body_.vertices();
    points.add(std::array{v.x, v.y});
    body_ = LatticeBody::hull(points);
  }

  /// Twice the area that v and its mirror image add. Of a polygon, they see the edges beyond whose lines they lie, and each of those adds a
  /// triangle; a hull that is flat has no area, and becomes a parallelogram.
  Int128 growth(LatticeXY v) const {
    const LatticePoints& corners = body_.vertices();
    const auto corner = [&](std::size_t i) {
      return LatticeXY{corners[i % corners.size()][0], corners[i % corners.size()][1]};
    };
    if (body_.rank() < 2) {
      const Int128 area = cross(corner(0), v);
      return 4 * (area < 0 ? -area : area);
    }
    Int128 sum = 0;
    for (std::size_t i = 0; i < corners.size() / 2; ++i) {
      const LatticeXY from = corner(i), to = corner(i + 1);
      const Int128 level = cross(v, to - from), reach = cross(from, to);
      sum += 2 * std::max<Int128>(0, (level < 0 ? -level : level) - reach);
    }
    return sum;
  }

  /// Can no difference that goes this far along the first coordinate add less than `growth`? The new hull holds the old one's chord across that
  /// coordinate, and so a rhombus as wide as the difference.
  bool is_beyond(std::int64_t along_first, Int128 growth) const {
    if (body_.rank() < 2) return false;
    const double chord = 1 / body_.norm(std::array<std::int64_t, 2>{0, 1});
    return 4 * chord * static_cast<double>(along_first) >
           1.000001 * (2 * body_.volume() + static_cast<double>(growth));
  }

 private:
  LatticeBody body_;
};

class Repairer {
 public:
  Repairer(Situation& situation, std::span<const StateId> partner, const Progress& progress)
      : situation_(situation),
        partner_(partner),
        progress_(progress),
        protection_(situation.points),
        joined_(situation.states.size(), true) {
    for (const std::uint32_t state : situation.policy.disconnected()) joined_[state] = false;
  }

  const Protection& protection() const { return protection_; }
  bool is_joined(std::uint32_t state) const { return joined_[state]; }

  void join(std::uint32_t a, std::uint32_t b) {
    situation_.policy.pairs.emplace_back(std::min(a, b), std::max(a, b));
    joined_[a] = joined_[b] = true;
  }
  void repair(std::uint32_t state, std::uint32_t with) {
    join(state, with);
    situation_.repairs.push_back(situation_.policy.pairs.back());
  }

  /// States that the hull hides among others, joined with the nearest of them.
  void join_hidden(const LatticeBody& body) {
    for (std::uint32_t state = 0; state < joined_.size(); ++state) {
      if (joined_[state]) continue;
      if (const auto other = protection_.nearest_within(state, body)) join(state, *other);
    }
  }

  std::optional<std::uint32_t> chosen(std::uint32_t state) const {
    if (partner_.empty()) return std::nullopt;
    const StateId wanted = partner_[situation_.states[state]];
    const auto place = std::ranges::lower_bound(situation_.states, wanted);
    if (place == situation_.states.end() || *place != wanted || wanted == situation_.states[state])
      return std::nullopt;
    return static_cast<std::uint32_t>(place - situation_.states.begin());
  }

  void by_distance() {
    for (const std::uint32_t state : situation_.exposed) {
      require_wanted(progress_, "preparing a step");
      if (joined_[state]) continue;
      auto other = chosen(state);
      if (!other) other = protection_.nearest(state);
      if (other) repair(state, *other);
    }
  }

  void by_area(const LatticeBody& body) {
    GrowingHull hull(body);
    for (const std::uint32_t state : situation_.exposed) {
      require_wanted(progress_, "preparing a step");
      if (joined_[state] || protection_.nearest_within(state, hull.body())) continue;
      if (const auto other = least_growth(state, hull)) {
        repair(state, *other);
        hull.add(difference(situation_.points, state, *other));
      }
    }
    join_hidden(hull.body());
  }

 private:
  /// Ties go to the nearest, then by number.
  std::optional<std::uint32_t> least_growth(std::uint32_t state, const GrowingHull& hull) const {
    std::optional<std::uint32_t> best;
    std::pair<Int128, Int128> least = {};
    protection_.sweep(state, [&](std::uint32_t other, std::int64_t along_first) {
      if (best && hull.is_beyond(along_first, least.first)) return false;
      const LatticeXY v = difference(situation_.points, other, state);
      const Int128 square = static_cast<Int128>(v.x) * v.x + static_cast<Int128>(v.y) * v.y;
      const std::pair<Int128, Int128> now = {hull.growth(v), square};
      if (!best || now < least || (now == least && other < *best)) {
        best = other;
        least = now;
      }
      return true;
    });
    return best;
  }

  Situation& situation_;
  std::span<const StateId> partner_;
  const Progress& progress_;
  Protection protection_;
  std::vector<bool> joined_;
};

std::shared_ptr<const LatticeBody> hull_of(const Situation& situation, const SensitivityHulls* hulls,
                                           const Progress& progress) {
  if (hulls != nullptr) return hulls->hull(situation, progress);
  return std::make_shared<const LatticeBody>(sensitivity_hull(situation.policy, situation.points));
}

/// The hull with the repaired pairs, which are all that can have made it grow.
std::shared_ptr<const LatticeBody> grown(const std::shared_ptr<const LatticeBody>& body,
                                         const Situation& situation) {
  if (situation.repairs.empty()) return body;
  LatticePoints points = body->vertices();
  for (const auto& [a, b] : situation.repairs)
    points.add_difference(situation.points[a], situation.points[b]);
  return std::make_shared<const LatticeBody>(LatticeBody::hull(points));
}

}  // namespace

std::shared_ptr<const LatticeBody> repair(Situation& situation, Repair how, std::span<const StateId> partner,
                                          const SensitivityHulls* hulls, const Progress& progress) {
  if (how == Repair::partners && (situation.states.empty() || partner.size() <= situation.states.back()))
    throw InvalidOption("partners", "must name one state for each state, itself for none");
  situation.exposed.clear();
  situation.repairs.clear();
  if (situation.policy.disconnected().empty()) return nullptr;
  const auto body = hull_of(situation, hulls, progress);
  Repairer repairer(situation, how == Repair::partners ? partner : std::span<const StateId>(), progress);
  situation.exposed = repairer.protection().exposed(situation.policy, *body);
  repairer.join_hidden(*body);
  if (how == Repair::none) return body;
  if (how == Repair::least_area && situation.points.dimension == 2)
    repairer.by_area(*body);
  else
    repairer.by_distance();
  return grown(body, situation);
}

}  // namespace fogline::stream
