// SPDX-License-Identifier: Apache-2.0
#include "stream/policy/policy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"

namespace fogline::stream {
namespace {

using Pair = std::pair<StateId, StateId>;
constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

double distance(const mobility::StateSpace& space, StateId a, StateId b) {
  double squares = 0;
  for (std::size_t i = 0; i < space.dimension(); ++i) {
    const double away = space.value(a)[i] - space.value(b)[i];
    squares += away * away;
  }
  return std::sqrt(squares);
}

/// All pairs at most `reach` apart: by a sweep along the first coordinate.
std::vector<Pair> near_pairs(const mobility::StateSpace& space, double reach) {
  std::vector<StateId> order(space.states());
  std::iota(order.begin(), order.end(), StateId{0});
  std::ranges::sort(order, {}, [&](StateId s) { return space.value(s)[0]; });
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      if (space.value(order[j])[0] - space.value(order[i])[0] > reach) break;
      if (distance(space, order[i], order[j]) <= reach)
        pairs.emplace_back(std::min(order[i], order[j]), std::max(order[i], order[j]));
    }
  }
  return pairs;
}

}  // namespace

GroupList::GroupList(std::initializer_list<std::vector<std::uint32_t>> groups) {
  for (const auto& group : groups) add(group);
}

void GroupList::add(std::span<const std::uint32_t> group) {
  member_.insert(member_.end(), group.begin(), group.end());
  offset_.push_back(member_.size());
}

PolicyGraph::PolicyGraph(std::size_t states) : states_(states), pair_offset_(states + 1, 0) {
  if (states == 0) throw InvalidOption("policy", "needs a state");
}

PolicyGraph PolicyGraph::complete(std::size_t states) {
  PolicyGraph policy(states);
  std::vector<StateId> all(states);
  std::iota(all.begin(), all.end(), StateId{0});
  if (states > 1) policy.groups_.add(all);
  return policy;
}

PolicyGraph PolicyGraph::categories(std::span<const std::uint32_t> category_of_state) {
  PolicyGraph policy(category_of_state.size());
  std::vector<StateId> order(category_of_state.size());
  std::iota(order.begin(), order.end(), StateId{0});
  std::ranges::stable_sort(order, {}, [&](StateId s) { return category_of_state[s]; });
  for (auto begin = order.begin(); begin != order.end();) {
    const auto end = std::find_if(
        begin, order.end(), [&](StateId s) { return category_of_state[s] != category_of_state[*begin]; });
    if (end - begin > 1) policy.groups_.add(std::span(begin, end));
    begin = end;
  }
  return policy;
}

PolicyGraph PolicyGraph::within(const mobility::StateSpace& space, double reach) {
  if (!(reach > 0) || !std::isfinite(reach))
    throw InvalidOption("policy", "joins answers within a distance above 0");
  // A hair more than the distance is the distance, rounded.
  return pairs(space.states(), near_pairs(space, reach * (1 + 1e-12)));
}

PolicyGraph PolicyGraph::transition(const mobility::MarkovModel& chain) {
  PolicyGraph policy(chain.states());
  std::vector<StateId> successors;
  for (StateId s = 0; s < chain.states(); ++s) {
    successors.clear();
    for (const auto& transition : chain.row(s)) successors.push_back(transition.to);
    if (successors.size() > 1) policy.groups_.add(successors);
  }
  return policy;
}

PolicyGraph PolicyGraph::pairs(std::size_t states, std::vector<Pair> pairs) {
  PolicyGraph policy(states);
  for (const auto& [a, b] : pairs) {
    if (a >= states || b >= states) throw InvalidOption("policy", "joins a state that does not exist");
    if (a == b) throw InvalidOption("policy", "joins a state with itself");
  }
  const std::size_t given = pairs.size();
  for (std::size_t i = 0; i < given; ++i) pairs.emplace_back(pairs[i].second, pairs[i].first);
  std::ranges::sort(pairs);
  const auto repeated = std::ranges::unique(pairs);
  pairs.erase(repeated.begin(), repeated.end());
  policy.pair_other_.reserve(pairs.size());
  for (const auto& [a, b] : pairs) {
    ++policy.pair_offset_[a + 1];
    policy.pair_other_.push_back(b);
  }
  std::partial_sum(policy.pair_offset_.begin(), policy.pair_offset_.end(), policy.pair_offset_.begin());
  return policy;
}

PolicyGraph PolicyGraph::joined_with(const PolicyGraph& other) const {
  if (states_ != other.states_) throw InvalidOption("policy", "is joined with one over other states");
  std::vector<Pair> pairs;
  for (const PolicyGraph* part : {this, &other}) {
    for (StateId s = 0; s < states_; ++s) {
      for (const StateId neighbour : part->neighbours(s)) {
        if (s < neighbour) pairs.emplace_back(s, neighbour);
      }
    }
  }
  PolicyGraph both = PolicyGraph::pairs(states_, std::move(pairs));
  both.groups_ = groups_;
  for (const auto group : other.groups_) both.groups_.add(group);
  return both;
}

std::span<const StateId> PolicyGraph::neighbours(StateId state) const {
  return std::span(pair_other_).subspan(pair_offset_[state], pair_offset_[state + 1] - pair_offset_[state]);
}

bool PolicyGraph::joined(StateId a, StateId b) const {
  if (a == b) return false;
  if (std::ranges::binary_search(neighbours(a), b)) return true;
  for (const auto group : groups_) {
    if (std::ranges::binary_search(group, a) && std::ranges::binary_search(group, b)) return true;
  }
  return false;
}

std::vector<std::uint32_t> LocalPolicy::disconnected() const {
  std::vector<std::uint8_t> met(states, 0);
  for (const auto group : groups) {
    for (const std::uint32_t member : group) met[member] = 1;
  }
  for (const auto& [a, b] : pairs) met[a] = met[b] = 1;
  std::vector<std::uint32_t> alone;
  for (std::uint32_t s = 0; s < states; ++s) {
    if (!met[s]) alone.push_back(s);
  }
  return alone;
}

LocalPolicy constrained(const PolicyGraph& policy, std::span<const StateId> states,
                        const Progress& progress) {
  LocalPolicy local{.states = states.size()};
  std::vector<std::uint32_t> place(policy.states(), nowhere);
  for (std::uint32_t i = 0; i < states.size(); ++i) place[states[i]] = i;
  std::vector<std::uint32_t> members;
  for (std::size_t g = 0; g < policy.groups(); ++g) {
    members.clear();
    for (const StateId s : policy.group(g)) {
      if (place[s] != nowhere) members.push_back(place[s]);
    }
    if (members.size() > 1) local.groups.add(members);
  }
  for (std::uint32_t i = 0; i < states.size(); ++i) {
    require_wanted(progress, "preparing a step");
    for (const StateId neighbour : policy.neighbours(states[i])) {
      if (place[neighbour] != nowhere && i < place[neighbour]) local.pairs.emplace_back(i, place[neighbour]);
    }
  }
  return local;
}

}  // namespace fogline::stream
