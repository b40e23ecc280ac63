// SPDX-License-Identifier: Apache-2.0
#include "release/worth.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline::release {

std::string Worth::sentence() const {
  return fmt::format(
      "the release is expected to err by {:.4g}{}, and the best guess without it, which costs nothing, by "
      "{:.4g}{}",
      error, unit, free_error, unit);
}

std::vector<std::string> Worth::remarks() const {
  if (is_better()) return {};
  return {fmt::format("No better than nothing: {}. A release needs `anyway`.", sentence())};
}

void AnywayField::declare(FieldTable& table) {
  table.flag("anyway", anyway, "charge even for what is no better than a guess that costs nothing");
}

void AnywayField::require(const Worth& worth) const {
  require(worth.is_better(), worth.sentence());
}

void AnywayField::require(bool is_better, const std::string& sentence) const {
  if (anyway || is_better) return;
  throw InvalidOption(
      "anyway", fmt::format("is needed: {}; nothing was charged, raise epsilon or add `anyway`", sentence));
}

}  // namespace fogline::release
