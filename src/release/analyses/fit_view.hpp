// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "audit/engine/fit.hpp"

namespace fogline::release {

/// How the draws of an audit fared, as audits of several kinds tell it.

/// "500,000 draws (public seed 1): as they should be; chi-square +1.01 deviations at most".
std::string fit_words(const audit::FitVerdict& fit, std::uint64_t draws, std::uint64_t public_seed);

/// One object for each input, which begins with what it is: {"of": "walk 1, step 1", "samples": 2000, ...}.
nlohmann::ordered_json fit_inputs(const audit::FitVerdict& fit, const std::string& name,
                                  const std::vector<std::string>& words);

}  // namespace fogline::release
