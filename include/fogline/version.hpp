// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace fogline {

/// The version, as CMake has it; written into every statement.
extern const std::string_view version;

}  // namespace fogline
