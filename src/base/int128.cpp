// SPDX-License-Identifier: Apache-2.0
#include "base/int128.hpp"

#include <algorithm>

namespace fogline {

std::string to_string(Uint128 value) {
  std::string digits;
  do {
    digits.push_back(static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace fogline
