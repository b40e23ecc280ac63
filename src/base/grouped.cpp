// SPDX-License-Identifier: Apache-2.0
#include "base/grouped.hpp"

#include <cstddef>

namespace fogline {

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

}  // namespace fogline
