// SPDX-License-Identifier: Apache-2.0
#include "base/warnings.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace fogline {

void Warnings::add(std::string_view what, const FileSpot& where, std::uint64_t count) {
  if (count == 0) return;
  const auto found =
      std::find_if(items_.begin(), items_.end(), [&](const Item& item) { return item.what == what; });
  if (found != items_.end()) {
    found->count += count;
  } else {
    items_.push_back({std::string(what), where, count});
  }
}

void Warnings::append(const Warnings& other) {
  for (const Item& item : other.items_) add(item.what, item.first, item.count);
}

std::uint64_t Warnings::count(std::string_view what) const {
  const auto found =
      std::find_if(items_.begin(), items_.end(), [&](const Item& item) { return item.what == what; });
  return found == items_.end() ? 0 : found->count;
}

std::string to_string(const Warnings::Item& item) {
  return item.count == 1
             ? fmt::format("{}: {}", to_string(item.first), item.what)
             : fmt::format("{}: {} (and {} more)", to_string(item.first), item.what, item.count - 1);
}

}  // namespace fogline
