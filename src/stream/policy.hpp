// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mobility/markov_model.hpp"
#include "stream/lattice_query.hpp"

namespace fogline::stream {

/// Which states must look alike: an undirected graph, kept as groups whose members are all joined, and single pairs.
///
///     PolicyGraph policy = PolicyGraph::within(query, 1000);                       // answers within 1,000 m
///     policy = policy.joined_with(PolicyGraph::transition(model.chain));           // or reachable from one state
///     policy.joined(a, b);
///
/// Groups are never written out as pairs, so the complete policy over n states costs n numbers and the transition policy as many as the
/// model has transitions.
class PolicyGraph {
 public:
  static PolicyGraph complete(std::size_t states);
  static PolicyGraph categories(std::span<const std::uint32_t> category_of_state);  ///< same category: joined
  /// Answers at most `distance` apart, in the units of the query's space. Cost: a search per state; memory as many pairs as there are.
  static PolicyGraph within(const LatticeQuery& query, double distance);
  static PolicyGraph transition(
      const mobility::MarkovModel& chain);  ///< both reachable in one step from some state
  static PolicyGraph pairs(std::size_t states, std::vector<std::pair<StateId, StateId>> pairs);
  // All throw InvalidOption for a state that does not exist, a state joined with itself, or a distance that is not above 0.

  PolicyGraph joined_with(
      const PolicyGraph& other) const;  ///< the union; throws InvalidOption for another number of states

  std::size_t states() const { return states_; }
  std::size_t groups() const { return group_offset_.size() - 1; }
  std::span<const StateId> group(std::size_t index) const;   ///< members, increasing; 2 or more
  std::span<const StateId> neighbours(StateId state) const;  ///< by single pairs only, increasing
  bool joined(StateId a, StateId b) const;  ///< by a group or a pair; false for a state and itself

 private:
  explicit PolicyGraph(std::size_t states);
  std::size_t states_;
  std::vector<std::uint64_t> group_offset_ = {0};
  std::vector<StateId> group_member_ = {};
  std::vector<std::uint64_t> pair_offset_ = {};
  std::vector<StateId> pair_other_ = {};
};

/// The same within a constraint set: states are numbered by their place in it.
struct LocalPolicy {
  std::size_t states = 0;
  std::vector<std::vector<std::uint32_t>> groups = {};              ///< two members or more, increasing
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs = {};  ///< first < second
  std::vector<std::uint32_t> disconnected() const;                  ///< states joined with no other
};

/// The policy on `states`, which are increasing. Cost: linear in the policy's members and pairs of these states.
LocalPolicy constrained(const PolicyGraph& policy, std::span<const StateId> states);

}  // namespace fogline::stream
