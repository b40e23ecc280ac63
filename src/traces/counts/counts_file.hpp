// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "traces/counts/statistics.hpp"

namespace fogline::traces {

/// How the name of such a file ends, beside the released trips: "trips.csv.counts.json".
inline constexpr std::string_view counts_ending = ".counts.json";

/// The noisy counts of a release as a text: all that is known of the private trips, with what is needed to understand it. docs/formats.md has the format.
///
///     std::string text = counts_text(known, statistics);
///     NoisyStatistics again = parse_counts(text, "trips.csv.counts.json", statistics);
///
/// Each count as it was drawn, a whole number of steps of 1/4096 of a trip, before anything is made of it; the law of its noise; and what follows from these
/// and from public things, for whoever has the file alone. One text for the same counts, so that a key can be derived from it (random/public_key.hpp).
std::string counts_text(const NoisyStatistics& known, const TraceStatistics& statistics);

/// How many counts there are.
std::uint64_t count_of_counts(const NoisyStatistics& known);

/// Reads what counts_text() writes for a release with these options, and nothing else: a text that differs in a single byte from the one that its counts
/// have is refused. The file may come from anybody. Throws DataError, naming the field. Limits: 4 MiB; a count lies within 2^53 of 0.
NoisyStatistics parse_counts(std::string_view text, const std::string& name,
                             const TraceStatistics& statistics);
NoisyStatistics read_counts(const std::string& file, const TraceStatistics& statistics);

}  // namespace fogline::traces
