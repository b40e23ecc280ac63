// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "mobility/sequences.hpp"
#include "privacy/persons.hpp"

namespace fogline::stream {

/// Whether somebody has several of these sequences. False if no column says whose they are.
bool has_repeated_people(const mobility::StateSequences& sequences);

/// At most `most` sequences of each person are left. Throws DataError unless it is known whose every sequence is; and if somebody has more and they are to be
/// refused. The message names the number of a sequence, which its release tells too, and never a person. What is left out is counted in the warnings.
void bound_sequences(mobility::StateSequences& sequences, std::uint64_t most, privacy::TooMany rule,
                     const std::string& file);

/// At most `most` steps of each sequence are left; throws InvalidOption, naming `steps`, if one has more and that is to be refused.
void bound_steps(mobility::StateSequences& sequences, std::uint64_t most, privacy::TooMany rule,
                 const std::string& file);

}  // namespace fogline::stream
