// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <zlib.h>

#include "base/error.hpp"
#include "io/input_file.hpp"

/// Helpers of the tests of readers.
namespace fogline::io::testing_text {

/// What `body` throws, as text; fails the test if it throws nothing of type `Expected`.
template <class Expected = DataError, class Body>
std::string message_of(Body body) {
  try {
    body();
  } catch (const Expected& error) {
    return error.what();
  }
  ADD_FAILURE() << "expected an error";
  return "";
}

/// The text, packed as gzip does it.
inline std::string gzip(const std::string& text) {
  std::string packed(text.size() + 1024, '\0');
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string copy = text;
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// Where a file of the real data lies, or would lie.
inline std::string real_data(const std::string& name) {
  if (const char* folder = std::getenv("FOGLINE_DATA")) return std::string(folder) + "/" + name;
  const char* source = std::getenv("FOGLINE_SOURCE");
  return std::string(source == nullptr ? "." : source) + "/../shared/data/" + name;
}

}  // namespace fogline::io::testing_text

/// Leaves the test when the file is not there.
#define FOGLINE_NEEDS_REAL_DATA(file) \
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "skipped: no real data at " << (file)
