// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "mobility/sequences.hpp"

namespace fogline::stream {

/// Whether somebody has several of these sequences. False if no column says whose they are.
bool has_repeated_people(const mobility::StateSequences& sequences);

/// Throws DataError unless a column says whose every sequence is, and nobody has more than `most` of them. The message
/// names the number of a sequence, which its release tells too, and never a person.
void require_sequences_at_most(const mobility::StateSequences& sequences, std::uint64_t most,
                               const std::string& file);

}  // namespace fogline::stream
