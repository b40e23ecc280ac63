// SPDX-License-Identifier: Apache-2.0
#include "stream/steps/grouped.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "stream/steps/state_groups.hpp"
#include "stream/steps/table_points.hpp"

namespace fogline::stream {
namespace {

std::vector<std::uint32_t> distinct(std::vector<std::uint32_t> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// The policy between groups: joined if any two members are.
LocalPolicy policy_of_groups(const LocalPolicy& policy, const StateGroups& groups, const Progress& progress) {
  LocalPolicy result{.states = groups.members.size()};
  std::vector<std::vector<std::uint32_t>> sets;
  for (const auto group : policy.groups) {
    std::vector<std::uint32_t> set;
    for (const std::uint32_t s : group) set.push_back(groups.group_of[s]);
    set = distinct(std::move(set));
    if (set.size() > 1) sets.push_back(std::move(set));
  }
  std::sort(sets.begin(), sets.end());
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  for (const auto& set : sets) result.groups.add(set);
  // Many pairs of states become few of groups. Sorting them now and then keeps the list, and each sort, short.
  const auto sort_out = [&pairs = result.pairs] {
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs.size();
  };
  constexpr std::size_t many = 1 << 20;
  std::size_t distinct_pairs = 0;
  each_pair(policy, progress, [&](std::uint32_t a, std::uint32_t b) {
    const auto [low, high] = std::minmax(groups.group_of[a], groups.group_of[b]);
    if (low == high) return;
    result.pairs.emplace_back(low, high);
    if (result.pairs.size() >= 2 * distinct_pairs + many) distinct_pairs = sort_out();
  });
  sort_out();
  return result;
}

/// Answers: the free centre of each group, and that of all.
std::vector<double> centres(const Situation& situation, const StateGroups& groups,
                            std::span<const std::uint32_t> of, std::span<const std::uint32_t> all) {
  const std::size_t dimension = situation.points.dimension;
  std::vector<std::vector<double>> points{free_centre(situation, all)};
  for (const std::uint32_t g : of) points.push_back(free_centre(situation, groups.members[g]));
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  std::vector<double> result;
  result.reserve(points.size() * dimension);
  for (const auto& point : points) result.insert(result.end(), point.begin(), point.end());
  return result;
}

/// The solver takes a few milliseconds for so many groups: docs/mechanisms/stream-optimal.md has the measurements.
constexpr std::size_t alike_states = 100, alike_groups = 64, other_groups = 20;

bool is_all_alike(const PolicyPart& part) {
  if (part.members.size() < 3) return true;
  for (const auto group : part.policy.groups) {
    if (group.size() == part.members.size()) return true;
  }
  return false;
}

std::size_t fitting_groups(const std::vector<PolicyPart>& parts) {
  std::size_t states = 0;
  for (const PolicyPart& part : parts) {
    if (!is_all_alike(part)) return other_groups;
    states += part.members.size();
  }
  return states <= alike_states ? alike_states : alike_groups;
}

TableStep::Part solved_part(const Situation& situation, const StateGroups& groups, const PolicyPart& part,
                            const Rational& epsilon, const GroupedStepOptions& options) {
  std::vector<std::uint32_t> all;
  for (const std::uint32_t g : part.members)
    all.insert(all.end(), groups.members[g].begin(), groups.members[g].end());
  std::sort(all.begin(), all.end());
  std::vector<double> points = centres(situation, groups, part.members, all);
  const std::size_t dimension = situation.points.dimension;
  TableProgram program{.policy = part.policy, .outputs = points.size() / dimension};
  const double mass = mass_of(situation, all);
  for (const std::uint32_t g : part.members)
    program.prior.push_back(mass_of(situation, groups.members[g]) / mass);
  for (std::size_t o = 0; o < program.outputs; ++o) {
    const auto answer = std::span(points).subspan(o * dimension, dimension);
    for (const std::uint32_t g : part.members)
      program.loss.push_back(mean_distance_to(situation, groups.members[g], answer));
  }
  return {
      certified_table(program, epsilon,
                      {.gap = options.gap, .iterations = options.iterations, .progress = options.progress}),
      std::move(points), mass};
}

}  // namespace

std::unique_ptr<TableStep> make_grouped(const Situation& situation, const Rational& epsilon,
                                        const GroupedStepOptions& options) {
  if (options.groups == 1 || options.groups > 1000)
    throw InvalidOption("groups", "must lie between 2 and 1,000, or be 0");
  const std::vector<PolicyPart> of_states = connected_parts(situation.policy, options.progress);
  std::vector<std::vector<std::uint32_t>> sets;
  for (const PolicyPart& part : of_states) sets.push_back(part.members);
  const StateGroups groups =
      group_states(situation, sets, options.groups == 0 ? fitting_groups(of_states) : options.groups);
  std::vector<TableStep::Part> parts;
  std::vector<TableStep::Row> rows(situation.states.size());
  const LocalPolicy between_groups = policy_of_groups(situation.policy, groups, options.progress);
  for (const PolicyPart& part : connected_parts(between_groups, options.progress)) {
    for (std::uint32_t i = 0; i < part.members.size(); ++i) {
      for (const std::uint32_t s : groups.members[part.members[i]])
        rows[s] = {static_cast<std::uint32_t>(parts.size()), i};
    }
    parts.push_back(solved_part(situation, groups, part, epsilon, options));
  }
  const bool is_merged = groups.members.size() < situation.states.size();
  return std::make_unique<TableStep>(is_merged ? "grouped" : "optimal", situation, epsilon, std::move(parts),
                                     std::move(rows), options.progress);
}

}  // namespace fogline::stream
