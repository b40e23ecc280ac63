// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "release/driver.hpp"

namespace fogline::release {

/// A request of each verb that releases, empty, to be filled through its fields and handed to release().
///
///     auto request = place_release();
///     FieldTable table;
///     request->declare(table);
///     set_fields(table, {{"input", "points.csv"}, {"network", "city:1"}, {"epsilon", "0.01"}, {"output", "safe.csv"}});
///     request->to.ledger.ledger = "my.ledger";
///     Outcome done = release(*request, caller);
std::unique_ptr<Release> place_release();
std::unique_ptr<Release> stream_release();
std::unique_ptr<Release> path_release();
std::unique_ptr<Release> weights_release();
std::unique_ptr<Release> weights_distances();
std::unique_ptr<Release> traces_release();

/// All of them, one each.
std::vector<std::unique_ptr<Release>> all_releases();

}  // namespace fogline::release
