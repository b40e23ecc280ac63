// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.hpp"
#include "io/input_file.hpp"

namespace fogline::fuzz {

/// Runs a reader on one input. The contract of every reader: bad input throws fogline::Error, nothing else
/// escapes, nothing crashes, memory stays bounded.
///
///     extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
///       return run(data, size, "fuzz.csv", [](io::TextSource& source) { io::read_points(source, {}); });
///     }
template <class Reader>
int run(const std::uint8_t* data, std::size_t size, const char* name, Reader reader) {
  try {
    auto source = io::TextSource::from_memory(name, std::string(data, data + size));
    reader(source);
  } catch (const Error&) {
    // The input was refused, as it may be.
  }
  return 0;
}

/// Ends the program, so that libFuzzer keeps the input: a reader gave out something it promises not to.
inline void require(bool promise) {
  if (!promise) std::abort();
}

/// What we wrote ourselves must be readable: a refusal here is a fault, not bad input.
template <class Body>
void require_accepted(Body body) {
  try {
    body();
  } catch (const Error&) {
    std::abort();
  }
}

}  // namespace fogline::fuzz
