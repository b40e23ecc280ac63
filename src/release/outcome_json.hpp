// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "release/driver.hpp"

namespace fogline::release {

/// What was released, where, under which promise, who paid and what is left: the one JSON form of an outcome, whoever
/// shows it. `request` is the one that was released.
///
///     Outcome done = release(*request, caller);
///     nlohmann::ordered_json json = outcome_json(*request, done);      // {"output": "safe.csv", "records": 100, ...}
///
/// Names of budgets end in `_per_metre` where the kind's epsilons are per metre. What could not be read of the ledger
/// is null, and so is what is left without a cap, and a statement that went to no file. What the kind has to say of
/// itself follows (Told::json).
nlohmann::ordered_json outcome_json(const Release& request, const Outcome& outcome);

}  // namespace fogline::release
