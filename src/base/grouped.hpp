// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace fogline {

/// 58066 as "58,066".
std::string grouped(std::uint64_t number);

}  // namespace fogline
