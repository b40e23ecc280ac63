// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <vector>

#include <zlib.h>

#include "fuzz_file.hpp"
#include "place/prepared.hpp"
#include "random/key.hpp"

namespace {

using namespace fogline;

// Of io/section_file.cpp: a header and a table of sections, in rows of 64 bytes.
constexpr std::size_t row_bytes = 64, size_at = 32, count_at = 40, sum_at = 44;
constexpr std::size_t offset_in_row = 40, size_in_row = 48, sum_in_row = 60;
constexpr std::size_t most_bytes = std::size_t{1} << 16;  // a certificate of more takes too long

template <class Number>
Number at(const std::vector<std::uint8_t>& bytes, std::size_t place) {
  Number number = 0;
  std::memcpy(&number, bytes.data() + place, sizeof number);
  return number;
}

template <class Number>
void put(std::vector<std::uint8_t>& bytes, std::size_t place, Number number) {
  std::memcpy(bytes.data() + place, &number, sizeof number);
}

std::uint32_t check_sum_of(const std::vector<std::uint8_t>& bytes, std::size_t begin, std::size_t size) {
  return static_cast<std::uint32_t>(crc32_z(0, bytes.data() + begin, size));
}

/// As a forger would: check sums find damage, and behind them lies everything that is to be tried.
void repair(std::vector<std::uint8_t>& bytes) {
  if (bytes.size() < row_bytes) return;
  put<std::uint64_t>(bytes, size_at, bytes.size());
  const std::size_t count = at<std::uint32_t>(bytes, count_at);
  if (count > bytes.size() / row_bytes - 1) return;
  for (std::size_t row = row_bytes; row < (count + 1) * row_bytes; row += row_bytes) {
    const auto begin = at<std::uint64_t>(bytes, row + offset_in_row);
    const auto size = at<std::uint64_t>(bytes, row + size_in_row);
    if (begin <= bytes.size() && size <= bytes.size() - begin)
      put(bytes, row + sum_in_row, check_sum_of(bytes, begin, size));
  }
  put(bytes, sum_at, check_sum_of(bytes, row_bytes, count * row_bytes));
}

}  // namespace

/// A kernel that is found sound can be drawn from, and answers with vertices of its map.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > most_bytes) return 0;
  std::vector<std::uint8_t> bytes(data, data + size);
  repair(bytes);
  return fuzz::run_file(bytes.data(), bytes.size(), ".kernel", {.form = fuzz::Form::other, .unpacks = false},
                        [](const std::string& path) {
                          const place::PreparedFile file(path);
                          file.require_sound({.threads = 1});
                          const auto prepared = file.restore(file.terms().unit_of_report());
                          const std::size_t n = prepared->map.vertex_count();
                          const std::vector<graph::VertexId> truth{0, static_cast<graph::VertexId>(n - 1)};
                          const auto drawn =
                              prepared->mechanism->release_all(truth, random::SeededKey(1), {.threads = 1});
                          for (const graph::VertexId vertex : std::get<std::vector<graph::VertexId>>(drawn))
                            fuzz::require(vertex < n);
                          return n;
                        });
}
