// SPDX-License-Identifier: Apache-2.0
#include "release/caller.hpp"

namespace fogline::release {

void Caller::warn(const Warnings& warnings) {
  for (const auto& item : warnings.items()) warn(to_string(item));
}

void Caller::warn_once(const std::string& text) {
  if (warned_.insert(text).second) warn(text);
}

}  // namespace fogline::release
