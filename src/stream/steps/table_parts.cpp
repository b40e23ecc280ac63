// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "stream/steps/table_program.hpp"

namespace fogline::stream {
namespace {

/// Sets that grow together, by path halving.
class Unions {
 public:
  explicit Unions(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::uint32_t root(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  // The smaller number stays the root, so that parts come in the order of their first members.
  void join(std::uint32_t a, std::uint32_t b) {
    a = root(a), b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

/// A set of states as bits.
using Bits = std::vector<std::uint64_t>;

Bits bits_of(std::span<const std::uint32_t> members, std::size_t states) {
  Bits bits((states + 63) / 64, 0);
  for (const std::uint32_t s : members) bits[s / 64] |= std::uint64_t{1} << (s % 64);
  return bits;
}

bool covers(const Bits& larger, const Bits& smaller) {
  for (std::size_t w = 0; w < larger.size(); ++w) {
    if ((smaller[w] & ~larger[w]) != 0) return false;
  }
  return true;
}
bool has(const Bits& bits, std::uint32_t state) {
  return (bits[state / 64] >> (state % 64) & 1) != 0;
}

}  // namespace

std::vector<PolicyPart> connected_parts(const LocalPolicy& policy, const Progress& progress) {
  Unions unions(policy.states);
  for (const auto group : policy.groups) {
    for (const std::uint32_t s : group) unions.join(group.front(), s);
  }
  each_pair(policy, progress, [&](std::uint32_t a, std::uint32_t b) { unions.join(a, b); });
  std::vector<PolicyPart> parts;
  std::vector<std::uint32_t> part_of(policy.states), place(policy.states);
  for (std::uint32_t s = 0; s < policy.states; ++s) {
    const std::uint32_t root = unions.root(s);
    if (root == s) {
      part_of[s] = static_cast<std::uint32_t>(parts.size());
      parts.emplace_back();
    }
    part_of[s] = part_of[root];
    PolicyPart& part = parts[part_of[s]];
    place[s] = static_cast<std::uint32_t>(part.members.size());
    part.members.push_back(s);
  }
  for (PolicyPart& part : parts) part.policy.states = part.members.size();
  std::vector<std::uint32_t> renamed;
  for (const auto group : policy.groups) {
    renamed.clear();
    for (const std::uint32_t s : group) renamed.push_back(place[s]);
    parts[part_of[group.front()]].policy.groups.add(renamed);
  }
  each_pair(policy, progress, [&](std::uint32_t a, std::uint32_t b) {
    parts[part_of[a]].policy.pairs.emplace_back(place[a], place[b]);
  });
  return parts;
}

LocalPolicy simplified(const LocalPolicy& policy) {
  std::vector<std::vector<std::uint32_t>> groups;
  for (const auto group : policy.groups) groups.emplace_back(group.begin(), group.end());
  std::sort(groups.begin(), groups.end(),
            [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() > b.size() : a < b; });
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  LocalPolicy result{.states = policy.states};
  std::vector<Bits> kept;
  for (const auto& group : groups) {
    Bits bits = bits_of(group, policy.states);
    if (std::any_of(kept.begin(), kept.end(), [&](const Bits& other) { return covers(other, bits); }))
      continue;
    result.groups.add(group);
    kept.push_back(std::move(bits));
  }
  result.pairs = policy.pairs;
  std::sort(result.pairs.begin(), result.pairs.end());
  result.pairs.erase(std::unique(result.pairs.begin(), result.pairs.end()), result.pairs.end());
  std::erase_if(result.pairs, [&](const auto& pair) {
    return std::any_of(kept.begin(), kept.end(),
                       [&](const Bits& group) { return has(group, pair.first) && has(group, pair.second); });
  });
  return result;
}

}  // namespace fogline::stream
