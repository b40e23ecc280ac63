// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fogline::traces {

/// How often each of many 64-bit keys was seen: open addressing, for tables too sparse to be laid out.
///
///     KeyCounts counts;
///     counts.add(key);
///     for (const auto& [key, count] : counts.sorted()) use(key, count);
///
/// The sorted list does not depend on the order of additions. Limits: the key 2^64 - 1 is not allowed. Cost: about 10 ns an addition, 16 to 32 bytes a
/// distinct key.
class KeyCounts {
 public:
  struct Entry {
    std::uint64_t key = 0, count = 0;
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  void add(std::uint64_t key, std::uint64_t count = 1);
  void add(const KeyCounts& other);
  std::size_t size() const { return used_; }
  std::vector<Entry> sorted() const;             ///< by key
  std::vector<Entry> most(std::size_t n) const;  ///< the n of the largest count, ties by smaller key; by key

 private:
  Entry& slot(std::uint64_t key);
  void grow();

  std::vector<Entry> slots_;  // a power of two of them, at most half used; count 0: free
  std::size_t used_ = 0;
};

}  // namespace fogline::traces
