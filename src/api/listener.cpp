// SPDX-License-Identifier: Apache-2.0
#include "fogline/listener.hpp"

#include <chrono>

namespace fogline {

std::int64_t Listener::now() const {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace fogline
