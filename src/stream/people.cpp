// SPDX-License-Identifier: Apache-2.0
#include "stream/people.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline::stream {

using mobility::StateSequences;

namespace {

/// Takes over the first `kept[i]` states of each sequence i, and leaves out sequences of which none is kept.
void keep_states(StateSequences& sequences, const std::vector<std::uint64_t>& kept) {
  std::vector<std::uint64_t> offset{0};
  std::vector<std::uint32_t> user;
  std::vector<mobility::StateId> state;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    if (kept[i] == 0) continue;
    const auto all = sequences[i].first(kept[i]);
    state.insert(state.end(), all.begin(), all.end());
    offset.push_back(state.size());
    if (!sequences.user.empty()) user.push_back(sequences.user[i]);
  }
  sequences.offset = std::move(offset);
  sequences.user = std::move(user);
  sequences.state = std::move(state);
}

}  // namespace

bool has_repeated_people(const StateSequences& sequences) {
  std::unordered_set<std::uint32_t> seen;
  // Two sequences that are left blank may be of one person.
  return !std::ranges::all_of(sequences.user, [&](std::uint32_t user) { return seen.insert(user).second; });
}

void bound_sequences(StateSequences& sequences, std::uint64_t most, privacy::TooMany rule,
                     const std::string& file) {
  if (sequences.user.empty())
    throw DataError({file}, "does not say whose each sequence is",
                    "say which column does with `columns` user=NAME, or name a file with `persons`");
  const auto blank = std::ranges::count(sequences.user, StateSequences::nobody);
  if (blank > 0)
    throw DataError({file},
                    fmt::format("leaves user_id blank in {} of its {} sequences", blank, sequences.size()),
                    "say whose they are, or leave out `per-person`");
  std::unordered_map<std::uint32_t, std::uint64_t> seen;
  std::vector<std::uint64_t> kept(sequences.size());
  std::uint64_t beyond = 0;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const bool is_within = ++seen[sequences.user[i]] <= most;
    if (is_within) kept[i] = sequences[i].size();
    if (!is_within) ++beyond;
    if (!is_within && rule == privacy::TooMany::refuse)
      throw DataError({file},
                      fmt::format("sequence {} is of a person who has more than {} of them", i + 1, most),
                      "raise `per-person`, leave out some of them, or declare with `too-many` leave-out that "
                      "those beyond are");
  }
  if (beyond == 0) return;
  sequences.warnings.add(fmt::format("sequence after the first {} of its person left out", most), {file},
                         beyond);
  keep_states(sequences, kept);
}

void bound_steps(StateSequences& sequences, std::uint64_t most, privacy::TooMany rule,
                 const std::string& file) {
  std::vector<std::uint64_t> kept(sequences.size());
  std::uint64_t beyond = 0;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    kept[i] = std::min<std::uint64_t>(sequences[i].size(), most);
    beyond += sequences[i].size() - kept[i];
  }
  if (beyond == 0) return;
  if (rule == privacy::TooMany::refuse)
    throw InvalidOption(
        "steps",
        "is less than a sequence of the file has; declare more, or with `too-many` leave-out that "
        "those beyond are left out");
  sequences.warnings.add(fmt::format("step after the first {} of its sequence left out", most), {file},
                         beyond);
  keep_states(sequences, kept);
}

}  // namespace fogline::stream
