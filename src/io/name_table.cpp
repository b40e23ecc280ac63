// SPDX-License-Identifier: Apache-2.0
#include "io/name_table.hpp"

#include <limits>
#include <stdexcept>

#include "base/error.hpp"
#include "io/numbers.hpp"

namespace fogline::io {

std::size_t NameTable::slot_of(std::string_view name) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = std::hash<std::string_view>{}(name)&mask;
  while (slots_[slot] != 0 && names_[slots_[slot] - 1] != name) slot = (slot + 1) & mask;
  return slot;
}

void NameTable::grow() {
  slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, 0);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    slots_[slot_of(names_[i])] = static_cast<std::uint32_t>(i + 1);
  }
}

std::uint32_t NameTable::intern(std::string_view name) {
  if (last_ < names_.size() && names_[last_] == name) return last_;
  if (2 * (names_.size() + 1) > slots_.size()) grow();
  const std::size_t slot = slot_of(name);
  if (slots_[slot] == 0) {
    if (names_.size() >= std::numeric_limits<std::uint32_t>::max() - 1)
      throw Error("more than 4294967294 names");
    names_.emplace_back(name);
    slots_[slot] = static_cast<std::uint32_t>(names_.size());
  }
  last_ = slots_[slot] - 1;
  return last_;
}

std::optional<std::uint32_t> NameTable::find(std::string_view name) const {
  if (slots_.empty()) return std::nullopt;
  const std::uint32_t entry = slots_[slot_of(name)];
  return entry == 0 ? std::nullopt : std::optional(entry - 1);
}

VertexLookup numbered_vertices(std::uint32_t count) {
  return [count](std::string_view name) -> std::optional<std::uint32_t> {
    const auto number = parse_uint64(name);
    if (!number || *number >= count) return std::nullopt;
    return static_cast<std::uint32_t>(*number);
  };
}

VertexLookup named_vertices(const NameTable& names) {
  return [&names](std::string_view name) { return names.find(name); };
}

}  // namespace fogline::io
