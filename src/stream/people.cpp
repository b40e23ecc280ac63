// SPDX-License-Identifier: Apache-2.0
#include "stream/people.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline::stream {

using mobility::StateSequences;

bool has_repeated_people(const StateSequences& sequences) {
  std::unordered_set<std::uint32_t> seen;
  // Two sequences that are left blank may be of one person.
  return !std::ranges::all_of(sequences.user, [&](std::uint32_t user) { return seen.insert(user).second; });
}

void require_sequences_at_most(const StateSequences& sequences, std::uint64_t most, const std::string& file) {
  if (sequences.user.empty())
    throw DataError({file}, "does not say whose each sequence is",
                    "add a column user_id, or leave out `sequences-per-person`");
  const auto blank = std::ranges::count(sequences.user, StateSequences::nobody);
  if (blank > 0)
    throw DataError({file},
                    fmt::format("leaves user_id blank in {} of its {} sequences", blank, sequences.size()),
                    "say whose they are, or leave out `sequences-per-person`");
  std::unordered_map<std::uint32_t, std::uint64_t> seen;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    if (++seen[sequences.user[i]] > most)
      throw DataError({file},
                      fmt::format("sequence {} is of a person who has more than {} of them", i + 1, most),
                      "raise `sequences-per-person`, or leave out some of them");
  }
}

}  // namespace fogline::stream
