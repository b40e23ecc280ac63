// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stream/released_file.hpp"
#include "stream/tracker.hpp"

namespace fogline::stream {

/// One step of a release beside the private truth. Distances are in the units of the space.
struct MeasuredStep {
  double error = 0;          ///< of what was released
  double raw_error = 0;      ///< of the drawn answer, as the paper would release it
  double free_error = 0;     ///< of the best answer that looks at nothing private
  std::uint32_t dop = 0;     ///< degree of protection of the true state (Definition 5.2), or of its surrogate
  std::uint32_t states = 0;  ///< that were possible
  bool exposed = false;      ///< the policy as given left some possible state exposed
  bool truth_exposed = false;  ///< and the true one was among them
  bool drift = false;          ///< the true state was not among those possible: a surrogate answered
};

/// Means over steps.
struct StreamMeasures {
  std::uint64_t steps = 0;
  double error = 0, raw_error = 0, free_error = 0;
  double root_mean_square_error = 0;  ///< of what was released: the paper's Equation 3
  double relative_error = 0;          ///< error over free_error; 1 if both are 0
  double dop = 0, states = 0;
  std::uint64_t exposed_steps = 0, truth_exposed_steps = 0, drift_steps = 0;
};

/// What a release of one sequence is good for, step by step. Exact and private: for the curator alone.
///
///     auto steps = measure(stream.tracker(), true_states, rows);
///     StreamMeasures found = summarise(steps);
///
/// The tracker stands where the release began, and walks through the rows' draws again. Throws DataError, naming the row's number, if the rows are
/// not steps of this stream: other steps, or answers that it could not have given; InvalidOption if there is not a row for each state.
/// Cost: that of the release.
std::vector<MeasuredStep> measure(Tracker tracker, std::span<const StateId> truth,
                                  std::span<const ReleasedFormat::Row> rows);

StreamMeasures summarise(std::span<const MeasuredStep> steps);

}  // namespace fogline::stream
