// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace fogline::release {

/// JSON as every front end writes it: indented by two, without an end of line. Names of files need not be UTF-8; what
/// is not gets replacement characters instead of an exception.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace fogline::release
