// SPDX-License-Identifier: Apache-2.0
#include "release/analyses/fit_view.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"

namespace fogline::release {

std::string fit_words(const audit::FitVerdict& fit, std::uint64_t draws, std::uint64_t public_seed) {
  return fmt::format("{} draws (public seed {}): {}; chi-square {:+.2f} deviations at most", grouped(draws),
                     public_seed, fit.fits ? "as they should be" : "not as they should be",
                     fit.largest_deviations());
}

nlohmann::ordered_json fit_inputs(const audit::FitVerdict& fit, const std::string& name,
                                  const std::vector<std::string>& words) {
  nlohmann::ordered_json inputs = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < words.size(); ++i) {
    const audit::InputFit& one = fit.inputs[i];
    inputs.push_back({{name, words[i]},
                      {"samples", one.samples},
                      {"impossible", one.impossible},
                      {"events", one.events},
                      {"failures", one.failures},
                      {"chi_square_deviations", one.chi_square.deviations}});
  }
  return inputs;
}

}  // namespace fogline::release
