// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "kernel/relation.hpp"

namespace fogline::kernel {

/// The least function above given values that never falls faster than a promise allows: the largest of value * exp(-epsilon d). With
/// it a column that is known on some inputs only keeps the promise on all.
///
///     Extension extension(roads, epsilon_per_mm, 1e-11);                            // one per thread
///     extension.extend(inputs, values, [&](InputId input, double value) { ... });    // each input above the floor once
///
/// Cost: a search from the inputs with values to where the function falls below `floor`. Memory: 8 bytes an input, and the graph.
class Extension {
 public:
  Extension(const Relation& relation, double epsilon_per_unit, double floor);

  template <class Take>
  void extend(std::span<const InputId> inputs, std::span<const double> values, const Take& take) {
    for (std::size_t i = 0; i < inputs.size(); ++i) reach(inputs[i], values[i]);
    spread();
    for (const InputId input : reached_) {
      take(input, value_[input]);
      value_[input] = 0;
    }
    reached_.clear();
  }

 private:
  struct Step {
    InputId input = 0;
    double factor = 1;  // exp(-epsilon w)
  };

  void reach(InputId input, double value) {
    if (value <= floor_ || value <= value_[input]) return;
    if (value_[input] == 0) reached_.push_back(input);
    value_[input] = value;
    queue_.emplace(value, input);
  }
  void spread();

  double floor_;
  std::vector<std::size_t> first_step_;  // per input, and one more
  std::vector<Step> steps_;
  std::vector<double> value_;  // 0 where not reached
  std::vector<InputId> reached_;
  std::priority_queue<std::pair<double, InputId>> queue_;
};

}  // namespace fogline::kernel
