// SPDX-License-Identifier: Apache-2.0
#include "release/caller.hpp"

namespace fogline::release {

void Caller::warn(const Warnings& warnings) {
  for (const auto& item : warnings.items()) warn(to_string(item));
}

}  // namespace fogline::release
