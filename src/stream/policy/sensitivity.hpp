// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "geometry/lattice_body.hpp"
#include "stream/steps/step_mechanism.hpp"

namespace fogline::stream {

/// Differences of joined states whose hull is that of all differences of joined states: for a group those of the corners of its hull,
/// for pairs each difference once. Of two opposite differences one is listed. `within`, if given, is a body that is part of the hull anyway: what
/// it holds may be left out.
geometry::LatticePoints extreme_differences(const LocalPolicy& policy, const geometry::LatticePoints& points,
                                            const geometry::LatticeBody* within = nullptr,
                                            const Progress& progress = {});

/// The hull of all differences of joined states: Definition 5.1 of the paper. Exact.
///
///     LatticeBody body = sensitivity_hull(situation.policy, situation.points);
///
/// Cost: in the plane n log n in the members of groups and the pairs, groups of the same shape counted once; above, as qhull.
geometry::LatticeBody sensitivity_hull(const LocalPolicy& policy, const geometry::LatticePoints& points);

/// Pairs that the policy joins, those of each group counted.
std::uint64_t joined_pairs(const LocalPolicy& policy);

/// The sensitivity hulls of one policy under many constraint sets: exact, and fast where little is missing.
///
///     SensitivityHulls hulls(policy, query);
///     std::shared_ptr<const LatticeBody> body = hulls.hull(situation);       // the same object while nothing changes
///
/// It knows the hull of the whole policy and, for each of its corners, pairs of joined states that differ by just that. While each corner has
/// such a pair in the constraint set, the hull is the whole one; else those that have one leave few other differences to look at.
class SensitivityHulls {
 public:
  SensitivityHulls(const PolicyGraph& policy, const LatticeQuery& query);

  const std::shared_ptr<const geometry::LatticeBody>& whole() const { return whole_; }
  /// Of situation.policy, which must be the policy constrained to situation.states, before any repair.
  std::shared_ptr<const geometry::LatticeBody> hull(const Situation& situation,
                                                    const Progress& progress = {}) const;

 private:
  using StatePair = std::pair<StateId, StateId>;
  void find_witnesses(const LocalPolicy& policy, const geometry::LatticePoints& points);

  std::shared_ptr<const geometry::LatticeBody> whole_;
  geometry::LatticePoints corners_ = {};                // one of each two opposite ones
  std::vector<std::vector<StatePair>> witnesses_ = {};  // of each of these
};

}  // namespace fogline::stream
