// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "geometry/lattice_body.hpp"
#include "stream/policy/policy.hpp"

namespace fogline::stream {

/// How well a sensitivity hull hides states among each other: the paper's degree of protection (Definition 5.2), exact.
///
///     Protection protection(situation.points);
///     protection.degree(place, body);                         // states within the hull around this one, itself counted
///     protection.exposed(situation.policy, body);             // joined with none, and hidden by none
///
/// Points are kept in the order of their first coordinate, so that a question looks only at those that the hull can reach.
/// Cost: n log n once; then the states within the hull's width, or fewer where the first one found answers. `points` must outlive it.
class Protection {
 public:
  explicit Protection(const geometry::LatticePoints& points);

  std::uint32_t degree(std::uint32_t state, const geometry::LatticeBody& body) const;
  std::vector<std::uint32_t> degrees(
      const geometry::LatticeBody& body) const;  ///< of all; cost as many times

  /// The nearest other state that the body around this one holds; none if it hides nothing.
  std::optional<std::uint32_t> nearest_within(std::uint32_t state, const geometry::LatticeBody& body) const;
  /// The nearest other state, by Euclidean distance, ties by number; none if there is no other.
  std::optional<std::uint32_t> nearest(std::uint32_t state) const;

  /// States of degree 1 that the policy joins with no other, increasing.
  std::vector<std::uint32_t> exposed(const LocalPolicy& policy, const geometry::LatticeBody& body) const;

  /// Calls visit(other) for the other states in the order of their distance along the first coordinate, until it returns false.
  /// `visit` is told that distance too.
  template <class Visit>
  void sweep(std::uint32_t state, const Visit& visit) const {
    std::size_t left = rank_[state], right = rank_[state] + 1;
    const std::int64_t middle = points_[state][0];
    while (left > 0 || right < order_.size()) {
      const bool go_left =
          right == order_.size() || (left > 0 && middle - first(left - 1) <= first(right) - middle);
      const std::size_t at = go_left ? --left : right++;
      if (!visit(order_[at], go_left ? middle - first(at) : first(at) - middle)) return;
    }
  }

 private:
  std::int64_t first(std::size_t at) const { return points_[order_[at]][0]; }

  const geometry::LatticePoints& points_;
  std::vector<std::uint32_t> order_;  // by first coordinate
  std::vector<std::size_t> rank_;     // of each state in it
};

}  // namespace fogline::stream
