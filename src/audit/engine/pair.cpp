// SPDX-License-Identifier: Apache-2.0
#include "audit/engine/pair.hpp"

#include <fmt/format.h>

namespace fogline::audit {

std::string exact_text(const Numbers& numbers) {
  std::string text;
  for (const double number : numbers) text += fmt::format("{:a}\n", number);
  return text;
}

}  // namespace fogline::audit
