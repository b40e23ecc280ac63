// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "release/analyses/whole_releases.hpp"
#include "release/test_caller.hpp"

namespace fogline::release {

/// What a release writes with this key, through the driver: what audits and figures draw by a mechanism is compared
/// with it.
inline std::string released_with(const random::Key& key, std::unique_ptr<Release> (*make)(),
                                 const nlohmann::ordered_json& fields, const ColumnSet& records) {
  TestCaller caller;
  return whole_release(with_fields(make, fields), records, caller)(key);
}

}  // namespace fogline::release
