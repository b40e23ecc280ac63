// SPDX-License-Identifier: Apache-2.0
#include "release/json_text.hpp"

#include <nlohmann/json.hpp>

namespace fogline::release {

std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace fogline::release
