// SPDX-License-Identifier: Apache-2.0
#include "kernel/extension.hpp"

#include <cmath>

namespace fogline::kernel {

Extension::Extension(const Relation& relation, double epsilon_per_unit, double floor)
    : floor_(floor),
      first_step_(relation.inputs() + 1, 0),
      steps_(2 * relation.pairs().size()),
      value_(relation.inputs(), 0) {
  for (const RelatedPair& pair : relation.pairs()) {
    ++first_step_[pair.from + 1];
    ++first_step_[pair.to + 1];
  }
  for (std::size_t v = 1; v < first_step_.size(); ++v) first_step_[v] += first_step_[v - 1];
  std::vector<std::size_t> next(first_step_.begin(), first_step_.end() - 1);
  for (const RelatedPair& pair : relation.pairs()) {
    const double factor = std::exp(-epsilon_per_unit * pair.distance);
    steps_[next[pair.from]++] = {pair.to, factor};
    steps_[next[pair.to]++] = {pair.from, factor};
  }
}

void Extension::spread() {
  while (!queue_.empty()) {
    const auto [value, input] = queue_.top();
    queue_.pop();
    if (value < value_[input]) continue;
    for (std::size_t at = first_step_[input]; at < first_step_[input + 1]; ++at) {
      reach(steps_[at].input, value * steps_[at].factor);
    }
  }
}

}  // namespace fogline::kernel
