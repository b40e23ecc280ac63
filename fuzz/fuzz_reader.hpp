// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "fuzz_heap.hpp"
#include "io/input_file.hpp"
#include "io/limits.hpp"
#include "io/test_limits.hpp"

namespace fogline::fuzz {

using io::testing_limits::Form;
using Files = std::vector<std::string>;

/// Ends the program, so that libFuzzer keeps the input: a reader gave out something it promises not to.
inline void require(bool promise) {
  if (!promise) std::abort();
}

/// What a reader may take of the heap: its buffers, and those of the libraries it calls; and far more than any of them needs for a byte.
constexpr std::int64_t most_buffered = std::int64_t{256} << 20, most_for_a_byte = std::int64_t{16} << 10;

/// Gives what is read away; it may refuse the input with fogline::Error and with nothing else.
template <class Body>
void accept_or_refuse(Body body) {
  try {
    body();
  } catch (const Error&) {
    // Bad input is told so.
  }
}

/// One limit for each input: any change of it is likely to ask for another one.
inline const io::LimitInfo& limit_for(const Files& files) {
  std::size_t sum = 0;
  for (const std::string& file : files) {
    for (const char c : file) sum = sum * 31 + static_cast<unsigned char>(c);
  }
  return io::all_limits()[sum % io::all_limits().size()];
}

/// Runs a reader of one file or more. The contract of every reader: bad input throws fogline::Error, nothing else escapes, nothing crashes, memory stays bounded; and of io::ReadLimits
/// it keeps every one that concerns it, which io/test_limits.hpp tells from the input's form. `reader` may return how many records it was given.
template <class Reader>
int run_files(const io::testing_limits::Input& input, Reader reader) {
  std::size_t size = 0;
  for (const std::string& file : input.files) size += file.size();
  const HeapWatch heap;
  accept_or_refuse([&] { reader(input.files); });
  require(heap.most() <= most_buffered + most_for_a_byte * static_cast<std::int64_t>(size));
  require(io::testing_limits::keeps(limit_for(input.files), input, reader));
  return 0;
}

/// The same for a reader of one text.
///
///     extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
///       return run(data, size, "fuzz.csv", Form::table, [](io::TextSource& source) { return io::read_points(source, {}).size(); });
///     }
template <class Reader>
int run(const std::uint8_t* data, std::size_t size, const char* name, Form form, Reader reader) {
  return run_files({.form = form, .files = {std::string(data, data + size)}}, [&](const Files& files) {
    auto source = io::TextSource::from_memory(name, files[0]);
    return reader(source);
  });
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
