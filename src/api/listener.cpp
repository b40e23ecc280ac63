// SPDX-License-Identifier: Apache-2.0
#include "fogline/listener.hpp"

#include <chrono>

namespace fogline {

double Listener::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::int64_t Listener::now() const {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace fogline
