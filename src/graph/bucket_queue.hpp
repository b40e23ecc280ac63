// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "graph/graph.hpp"

namespace fogline::graph {

/// The priority queue of a shortest-path search: keys never fall below the last one taken out, and never
/// exceed it by more than the longest edge. Equal keys come out by vertex number.
///
///     BucketQueue queue({.longest_mm = 90'000, .width_mm = 2'000});
///     queue.push({0, source});
///     while (!queue.empty()) { auto nearest = queue.pop(); ... queue.push({nearest.key_mm + 500, v}); }
///
/// A ring of buckets, each a list of the entries that share a range of keys; only the bucket at hand is kept
/// in order, as a small heap. Cost: push O(1), or O(log b) into the bucket at hand; pop O(log b), where b is
/// the fill of one bucket. An entry is not lowered in place: push it again and skip the stale one when it
/// comes out.
class BucketQueue {
 public:
  struct Options {
    DistanceMm longest_mm = 1;  ///< no key is pushed further than this beyond the last one popped; at least 1
    DistanceMm width_mm = 1;  ///< wanted range of keys per bucket; widened where the ring would grow too long
  };
  struct Entry {
    DistanceMm key_mm = 0;
    VertexId vertex = 0;
  };

  explicit BucketQueue(const Options& options) {
    shift_ = static_cast<unsigned>(std::bit_width(std::max<DistanceMm>(options.width_mm, 1)) - 1);
    while ((options.longest_mm >> shift_) + 2 > max_buckets) ++shift_;
    const std::size_t buckets = std::max<std::size_t>(64, std::bit_ceil((options.longest_mm >> shift_) + 2));
    mask_ = buckets - 1;
    first_.assign(buckets, none);
    filled_.assign(buckets / 64, 0);
  }

  bool empty() const { return size_ == 0; }

  void push(const Entry& entry) {
    ++size_;
    const std::uint64_t bucket = entry.key_mm >> shift_;
    if (bucket == current_) {
      active_.push_back(entry);
      std::push_heap(active_.begin(), active_.end(), comes_later);
      return;
    }
    const std::size_t slot = bucket & mask_;
    const std::uint32_t link = new_link(entry, first_[slot]);
    first_[slot] = link;
    filled_[slot / 64] |= std::uint64_t{1} << (slot % 64);
  }

  Entry pop() {
    if (active_.empty()) activate_next();
    --size_;
    const Entry entry = active_.front();
    std::pop_heap(active_.begin(), active_.end(), comes_later);
    active_.pop_back();
    return entry;
  }

  /// Makes the empty queue ready for keys from 0 again.
  void restart() { current_ = 0; }

 private:
  static constexpr std::size_t max_buckets = std::size_t{1} << 15;
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  struct Link {
    Entry entry;
    std::uint32_t next;
  };

  static bool comes_later(const Entry& a, const Entry& b) {
    return a.key_mm != b.key_mm ? a.key_mm > b.key_mm : a.vertex > b.vertex;
  }

  std::uint32_t new_link(const Entry& entry, std::uint32_t next) {
    if (free_ == none) {
      links_.push_back({entry, next});
      return static_cast<std::uint32_t>(links_.size() - 1);
    }
    const std::uint32_t link = free_;
    free_ = links_[link].next;
    links_[link] = {entry, next};
    return link;
  }

  void activate_next() {
    const std::size_t slot = next_filled_slot(current_ & mask_);
    current_ += (slot - current_) & mask_;
    std::uint32_t link = first_[slot];
    first_[slot] = none;
    filled_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    while (link != none) {
      active_.push_back(links_[link].entry);
      const std::uint32_t next = links_[link].next;
      links_[link].next = free_;
      free_ = link;
      link = next;
    }
    std::make_heap(active_.begin(), active_.end(), comes_later);
  }

  // The ring always holds an entry when this is called, so the walk ends.
  std::size_t next_filled_slot(std::size_t slot) const {
    std::size_t word = slot / 64;
    std::uint64_t bits = filled_[word] & (~std::uint64_t{0} << (slot % 64));
    while (bits == 0) {
      word = (word + 1) & (mask_ / 64);
      bits = filled_[word];
    }
    return word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
  }

  unsigned shift_ = 0;
  std::size_t mask_ = 0;
  std::uint64_t current_ = 0;
  std::size_t size_ = 0;
  std::vector<Entry> active_;
  std::vector<std::uint32_t> first_;
  std::vector<std::uint64_t> filled_;
  std::vector<Link> links_;
  std::uint32_t free_ = none;
};

}  // namespace fogline::graph
