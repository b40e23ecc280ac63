// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "fogline/field_values.hpp"
#include "privacy/parameters.hpp"

namespace fogline {

struct FieldValues::Impl {
  privacy::Parameters values;
};

namespace api {

/// The JSON schema of a request's fields for programs, which hand over a ledger and may hold records and outputs in memory.
std::string schema_for_programs(nlohmann::ordered_json schema);

}  // namespace api
}  // namespace fogline
