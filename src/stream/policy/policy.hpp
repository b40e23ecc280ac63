// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/progress.hpp"
#include "mobility/markov_model.hpp"
#include "stream/steps/lattice_query.hpp"

namespace fogline::stream {

/// Lists of numbers in one block of memory: what a vector of vectors would be, without an allocation per list.
class GroupList {
 public:
  GroupList() = default;
  GroupList(
      std::initializer_list<std::vector<std::uint32_t>> groups);  ///< implicit, as for a vector of vectors

  std::size_t size() const { return offset_.size() - 1; }
  bool empty() const { return size() == 0; }
  std::span<const std::uint32_t> operator[](std::size_t index) const {
    return std::span(member_).subspan(offset_[index], offset_[index + 1] - offset_[index]);
  }
  void add(std::span<const std::uint32_t> group);

  class Iterator {
   public:
    Iterator(const GroupList& list, std::size_t index) : list_(&list), index_(index) {}
    std::span<const std::uint32_t> operator*() const { return (*list_)[index_]; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const GroupList* list_;
    std::size_t index_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }
  friend bool operator==(const GroupList&, const GroupList&) = default;

 private:
  std::vector<std::size_t> offset_ = {0};
  std::vector<std::uint32_t> member_ = {};
};

/// Which states must look alike: an undirected graph, kept as groups whose members are all joined, and single pairs.
///
///     PolicyGraph policy = PolicyGraph::within(model.space, 1000);                 // answers within 1,000 m
///     policy = policy.joined_with(PolicyGraph::transition(model.chain));           // or reachable from one state
///     policy.joined(a, b);
///
/// Groups are never written out as pairs, so the complete policy over n states costs n numbers and the transition policy as many as the
/// model has transitions.
class PolicyGraph {
 public:
  static PolicyGraph complete(std::size_t states);
  static PolicyGraph categories(std::span<const std::uint32_t> category_of_state);  ///< same category: joined
  /// Measurements at most `reach` apart, as they are, before they are rounded to a lattice. Cost: a search per state; memory as many pairs as there are.
  static PolicyGraph within(const mobility::StateSpace& space, double reach);
  static PolicyGraph transition(
      const mobility::MarkovModel& chain);  ///< both reachable in one step from some state
  static PolicyGraph pairs(std::size_t states, std::vector<std::pair<StateId, StateId>> pairs);
  // All throw InvalidOption for a state that does not exist, a state joined with itself, or a distance that is not above 0.

  PolicyGraph joined_with(
      const PolicyGraph& other) const;  ///< the union; throws InvalidOption for another number of states

  std::size_t states() const { return states_; }
  std::size_t groups() const { return groups_.size(); }
  std::span<const StateId> group(std::size_t index) const {
    return groups_[index];
  }                                                          ///< increasing; 2 or more
  std::span<const StateId> neighbours(StateId state) const;  ///< by single pairs only, increasing
  bool joined(StateId a,
              StateId b) const;  ///< by a group or a pair, looked at one by one; false for a state and itself

 private:
  explicit PolicyGraph(std::size_t states);
  std::size_t states_;
  GroupList groups_ = {};
  std::vector<std::uint64_t> pair_offset_ = {};
  std::vector<StateId> pair_other_ = {};
};

/// The same within a constraint set: states are numbered by their place in it.
struct LocalPolicy {
  std::size_t states = 0;
  GroupList groups = {};                                            ///< two members or more, increasing
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs = {};  ///< first < second
  std::vector<std::uint32_t> disconnected() const;  ///< states joined with no other, increasing
};

/// The policy on `states`, which are increasing. Throws Cancelled. Cost: linear in the policy's members and pairs of these
/// states.
LocalPolicy constrained(const PolicyGraph& policy, std::span<const StateId> states,
                        const Progress& progress = {});

/// Visits the single pairs, which may be tens of millions, and asks now and then whether to go on. Throws Cancelled.
template <class Visit>
void each_pair(const LocalPolicy& policy, const Progress& progress, const Visit& visit) {
  constexpr std::size_t pairs_between_questions = 1 << 16;
  for (std::size_t i = 0; i < policy.pairs.size(); ++i) {
    if (i % pairs_between_questions == 0) require_wanted(progress, "preparing a step");
    visit(policy.pairs[i].first, policy.pairs[i].second);
  }
}

}  // namespace fogline::stream
