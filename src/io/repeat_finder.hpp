// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <vector>

namespace fogline::io {

/// Finds numbers that occur twice among any number of them, in bounded memory: they are dealt into buckets by their highest bits, and buckets
/// that grow too large go to a temporary file.
///
///     RepeatFinder finder({});
///     finder.add(fingerprints);                             // hashes: spread evenly over 64 bits
///     for (std::uint64_t twice : finder.repeats()) ...
///
/// Throws FileError if the temporary file cannot be written. Cost: a sort in all; 8 bytes a number, in memory up to the limit.
class RepeatFinder {
 public:
  struct Options {
    std::uint64_t most_in_memory = 4'000'000;  ///< numbers, at least 1,000
    int threads = 0;                           ///< for sorting; 0 (all cores) to 1,024
  };
  explicit RepeatFinder(const Options& options);

  void add(std::span<const std::uint64_t> numbers);
  std::vector<std::uint64_t> repeats();  ///< increasing, each once; call it once, after the last add()

 private:
  static constexpr std::size_t bucket_count = 256;
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void spill();
  void take_back(std::size_t bucket, std::vector<std::uint64_t>& numbers) const;

  Options options_;
  std::vector<std::vector<std::uint64_t>> buckets_;
  std::uint64_t in_memory_ = 0;
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<std::vector<std::uint64_t>>
      spilled_;  // per spill: where each bucket begins, in numbers; and the end
  std::uint64_t in_file_ = 0;
};

}  // namespace fogline::io
