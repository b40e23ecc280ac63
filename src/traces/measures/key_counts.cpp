// SPDX-License-Identifier: Apache-2.0
#include "traces/measures/key_counts.hpp"

#include <algorithm>
#include <utility>

namespace fogline::traces {
namespace {

constexpr std::size_t first_slots = 64;  // a power of two, and doubled from there

/// Knuth's multiplicative hashing, by 2^64 over the golden ratio: keys that lie side by side are spread.
std::uint64_t mixed(std::uint64_t key) {
  constexpr std::uint64_t by_golden_ratio = 0x9E3779B97F4A7C15U;
  key *= by_golden_ratio;
  return key ^ (key >> 32U);
}

bool by_key(const KeyCounts::Entry& a, const KeyCounts::Entry& b) {
  return a.key < b.key;
}

}  // namespace

KeyCounts::Entry& KeyCounts::slot(std::uint64_t key) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = mixed(key) & mask;
  while (slots_[at].count > 0 && slots_[at].key != key) at = (at + 1) & mask;
  return slots_[at];
}

void KeyCounts::grow() {
  std::vector<Entry> old(std::max(first_slots, slots_.size() * 2));
  old.swap(slots_);
  for (const Entry& entry : old)
    if (entry.count > 0) slot(entry.key) = entry;
}

void KeyCounts::add(std::uint64_t key, std::uint64_t count) {
  if (count == 0) return;
  if (used_ * 2 >= slots_.size()) grow();
  Entry& entry = slot(key);
  if (entry.count == 0) {
    entry.key = key;
    ++used_;
  }
  entry.count += count;
}

void KeyCounts::add(const KeyCounts& other) {
  for (const Entry& entry : other.slots_) add(entry.key, entry.count);
}

std::vector<KeyCounts::Entry> KeyCounts::sorted() const {
  std::vector<Entry> entries;
  entries.reserve(used_);
  for (const Entry& entry : slots_)
    if (entry.count > 0) entries.push_back(entry);
  std::sort(entries.begin(), entries.end(), by_key);
  return entries;
}

std::vector<KeyCounts::Entry> KeyCounts::most(std::size_t n) const {
  std::vector<Entry> entries = sorted();
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.count > b.count; });
  entries.resize(std::min(n, entries.size()));
  std::sort(entries.begin(), entries.end(), by_key);
  return entries;
}

}  // namespace fogline::traces
