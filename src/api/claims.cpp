// SPDX-License-Identifier: Apache-2.0
#include "fogline/claims.hpp"

#include <nlohmann/json.hpp>

#include "release/json_text.hpp"
#include "release/kinds.hpp"

namespace fogline {

std::string claims() {
  return release::json_text(audit::claims_json(release::all_claims()));
}

}  // namespace fogline
