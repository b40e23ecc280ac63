// SPDX-License-Identifier: Apache-2.0
#include "stream/steps/state_groups.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace fogline::stream {
namespace {

using Members = std::vector<std::uint32_t>;

/// How prior mass lies along one axis.
struct Spread {
  double mass = 0, sum = 0, squares = 0;
  void add(double weight, double at) {
    mass += weight;
    sum += weight * at;
    squares += weight * at * at;
  }
  /// Mass times variance.
  double inertia() const { return mass > 0 ? std::max(0.0, squares - sum * sum / mass) : 0; }
};

class Cutter {
 public:
  Cutter(const Situation& situation, std::span<const Members> sets) : situation_(situation) {
    for (const Members& set : sets) add(set);
  }

  bool cut_one() {
    while (!queue_.empty()) {
      const auto [gain, index] = queue_.top();
      queue_.pop();
      if (cut(index)) return true;
    }
    return false;
  }
  std::size_t size() const { return groups_.size(); }
  std::vector<Members> take() { return std::move(groups_); }

 private:
  struct Entry {
    double gain = 0;
    std::size_t index = 0;
    // The lower index first among equals, so that the order does not depend on the queue.
    bool operator<(const Entry& other) const {
      return gain != other.gain ? gain < other.gain : index > other.index;
    }
  };

  double weight(std::uint32_t state) const { return situation_.prior[state]; }
  double at(std::uint32_t state, std::size_t axis) const {
    return static_cast<double>(situation_.points[state][axis]);
  }

  /// Along one axis, from the first member's place: sums of large coordinates would lose digits.
  Spread spread(const Members& members, std::size_t axis) const {
    Spread result;
    const double origin = at(members.front(), axis);
    for (const std::uint32_t s : members) result.add(weight(s), at(s, axis) - origin);
    return result;
  }

  void add(Members members) {
    groups_.push_back(std::move(members));
    rate(groups_.size() - 1);
  }

  /// Into the queue, by mass times standard deviation: what the group adds to the expected distance.
  void rate(std::size_t index) {
    const Members& members = groups_[index];
    if (members.size() < 2) return;
    double mass = 0, inertia = 0;
    for (std::size_t axis = 0; axis < situation_.points.dimension; ++axis) {
      const Spread one = spread(members, axis);
      mass = one.mass;
      inertia += one.inertia();
    }
    queue_.push({std::sqrt(mass * inertia), index});
  }

  std::size_t widest_axis(const Members& members) const {
    std::size_t widest = 0;
    double most = -1;
    for (std::size_t axis = 0; axis < situation_.points.dimension; ++axis) {
      const double inertia = spread(members, axis).inertia();
      if (inertia > most) most = inertia, widest = axis;
    }
    return widest;
  }

  /// Where to cut members sorted along an axis so that least inertia is left; 0 if all are at one place.
  std::size_t best_cut(const Members& members, std::size_t axis) const {
    const Spread whole = spread(members, axis);
    const double origin = at(members.front(), axis);
    Spread left;
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + 1 < members.size(); ++i) {
      left.add(weight(members[i]), at(members[i], axis) - origin);
      if (at(members[i], axis) == at(members[i + 1], axis)) continue;
      const Spread right{whole.mass - left.mass, whole.sum - left.sum, whole.squares - left.squares};
      const double rest = left.inertia() + right.inertia();
      if (rest < least) least = rest, best = i + 1;
    }
    return best;
  }

  bool cut(std::size_t index) {
    Members members = groups_[index];
    const std::size_t axis = widest_axis(members);
    std::sort(members.begin(), members.end(), [&](std::uint32_t a, std::uint32_t b) {
      return at(a, axis) != at(b, axis) ? at(a, axis) < at(b, axis) : a < b;
    });
    const std::size_t place = best_cut(members, axis);
    if (place == 0) return false;
    Members upper(members.begin() + static_cast<std::ptrdiff_t>(place), members.end());
    members.resize(place);
    std::sort(members.begin(), members.end());
    std::sort(upper.begin(), upper.end());
    groups_[index] = std::move(members);
    rate(index);
    add(std::move(upper));
    return true;
  }

  const Situation& situation_;
  std::vector<Members> groups_;
  std::priority_queue<Entry> queue_;
};

}  // namespace

StateGroups group_states(const Situation& situation, std::span<const std::vector<std::uint32_t>> sets,
                         std::size_t groups) {
  Cutter cutter(situation, sets);
  while (cutter.size() < groups && cutter.cut_one()) {
  }
  StateGroups result{.group_of = std::vector<std::uint32_t>(situation.states.size()),
                     .members = cutter.take()};
  for (std::uint32_t g = 0; g < result.members.size(); ++g) {
    for (const std::uint32_t s : result.members[g]) result.group_of[s] = g;
  }
  return result;
}

}  // namespace fogline::stream
