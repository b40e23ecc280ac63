// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/error.hpp"
#include "io/input_file.hpp"
#include "io/limits.hpp"

namespace fogline::fuzz {

/// Ends the program, so that libFuzzer keeps the input: a reader gave out something it promises not to.
inline void require(bool promise) {
  if (!promise) std::abort();
}

/// One limit so low that small inputs meet it, chosen by the input's length; the others as always.
inline io::ReadLimits low_limits(std::size_t size) {
  io::ReadLimits limits;
  const io::LimitInfo& low = io::all_limits()[size % io::all_limits().size()];
  limits.*low.value = low.is_size ? 48 : low.name == "ratio" || low.name == "seconds" ? 1 : 2;
  limits.clock = [seconds = 0.0]() mutable {
    return ++seconds;
  };  // a second from each look at it to the next
  return limits;
}

enum class Outcome { accepted, over_limit, refused };

/// `read` may return how many records it was given. It may refuse the input with fogline::Error and with nothing else.
template <class Read>
Outcome outcome_of(Read& read) {
  try {
    if constexpr (std::is_void_v<decltype(read())>) {
      read();
    } else {
      require(read() <= io::current_limits().records);
    }
    return Outcome::accepted;
  } catch (const DataError& error) {
    return error.problem().code == "over-limit" ? Outcome::over_limit : Outcome::refused;
  } catch (const Error&) {
    return Outcome::refused;
  }
}

/// Reads an input with the usual limits, and then with a low one: if it was accepted, that limit is all that may be wrong with it. Gives what came of the second.
template <class Read>
Outcome read_within_limits(const io::ReadLimits& low, Read read) {
  const Outcome usual = outcome_of(read);
  const io::LimitScope scope(low);
  const Outcome limited = outcome_of(read);
  require(usual != Outcome::accepted || limited != Outcome::refused);
  return limited;
}

/// Runs a reader on one input. The contract of every reader: bad input throws fogline::Error, nothing else
/// escapes, nothing crashes, memory stays bounded; and what it accepts is within the limits.
///
///     extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
///       return run(data, size, "fuzz.csv", [](io::TextSource& source) { return io::read_points(source, {}).size(); });
///     }
template <class Reader>
int run(const std::uint8_t* data, std::size_t size, const char* name, Reader reader) {
  const std::string bytes(data, data + size);
  const io::ReadLimits low = low_limits(size);
  const Outcome limited = read_within_limits(low, [&] {
    auto source = io::TextSource::from_memory(name, bytes);
    return reader(source);
  });
  if (limited == Outcome::accepted) {
    require(low.seconds == 0);  // the end of a file is a second look at the clock
    require(size <= low.bytes || std::string_view(bytes).starts_with("\x1F\x8B"));
  }
  return 0;
}

/// What we wrote ourselves must be readable, with the usual limits: a refusal here is a fault, not bad input.
template <class Body>
void require_accepted(Body body) {
  const io::LimitScope usual{io::ReadLimits{}};
  try {
    body();
  } catch (const Error&) {
    std::abort();
  }
}

}  // namespace fogline::fuzz
