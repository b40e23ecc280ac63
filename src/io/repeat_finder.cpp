// SPDX-License-Identifier: Apache-2.0
#include "io/repeat_finder.hpp"

#include <algorithm>

#include <unistd.h>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace fogline::io {
namespace {

[[noreturn]] void fail() {
  throw FileError("temporary file", "cannot be written or read",
                  "free some space in the folder TMPDIR names");
}

}  // namespace

RepeatFinder::RepeatFinder(const Options& options) : options_(options), buckets_(bucket_count) {
  if (options.most_in_memory < 1000) throw InvalidOption("most_in_memory", "must be at least 1,000");
}

void RepeatFinder::add(std::span<const std::uint64_t> numbers) {
  for (const std::uint64_t number : numbers) buckets_[number >> 56].push_back(number);
  in_memory_ += numbers.size();
  if (in_memory_ > options_.most_in_memory) spill();
}

void RepeatFinder::spill() {
  if (!file_) file_.reset(std::tmpfile());
  if (!file_) fail();
  std::vector<std::uint64_t> begins;
  for (auto& bucket : buckets_) {
    begins.push_back(in_file_);
    if (bucket.empty()) continue;
    if (std::fwrite(bucket.data(), sizeof(std::uint64_t), bucket.size(), file_.get()) != bucket.size())
      fail();
    in_file_ += bucket.size();
    bucket.clear();
  }
  begins.push_back(in_file_);
  spilled_.push_back(std::move(begins));
  in_memory_ = 0;
}

void RepeatFinder::take_back(std::size_t bucket, std::vector<std::uint64_t>& numbers) const {
  for (const auto& begins : spilled_) {
    const std::size_t count = static_cast<std::size_t>(begins[bucket + 1] - begins[bucket]);
    const std::size_t old = numbers.size();
    numbers.resize(old + count);
    auto* into = reinterpret_cast<char*>(numbers.data() + old);
    std::size_t left = count * sizeof(std::uint64_t);
    auto from = static_cast<off_t>(begins[bucket] * sizeof(std::uint64_t));
    while (left > 0) {  // at a place of its own for each thread
      const ssize_t got = pread(fileno(file_.get()), into, left, from);
      if (got <= 0) fail();
      into += got;
      from += got;
      left -= static_cast<std::size_t>(got);
    }
  }
}

std::vector<std::uint64_t> RepeatFinder::repeats() {
  if (file_ && std::fflush(file_.get()) != 0) fail();
  std::vector<std::vector<std::uint64_t>> found(bucket_count);
  parallel_for(bucket_count, {.threads = options_.threads}, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      std::vector<std::uint64_t> numbers = std::move(buckets_[b]);
      if (file_) take_back(b, numbers);
      std::sort(numbers.begin(), numbers.end());
      for (std::size_t i = 1; i < numbers.size(); ++i) {
        const bool is_second =
            numbers[i] == numbers[i - 1] && (found[b].empty() || found[b].back() != numbers[i]);
        if (is_second) found[b].push_back(numbers[i]);
      }
    }
  });
  std::vector<std::uint64_t> all;
  for (const auto& some : found) all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace fogline::io
