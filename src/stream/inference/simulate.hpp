// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/progress.hpp"
#include "random/stream.hpp"
#include "stream/public_stream.hpp"

namespace fogline::stream {

/// A walk of the model: what a sequence may look like. Floating point decides it; it is no release.
std::vector<StateId> walk(const mobility::MarkovModel& chain, std::size_t steps, random::Stream& chance);

/// What releases of such walks look like on average.
struct Forecast {
  std::uint64_t steps = 0;
  double error = 0;         ///< expected distance of the estimate from the truth, in the units of the space
  double raw_error = 0;     ///< expected distance of the raw answer, given the same answers
  double free_error = 0;    ///< expected distance of the best answer without the step's own draw
  double unpaid_error = 0;  ///< expected distance of the best guess from the model alone, without any release
  double dop = 0;           ///< mean degree of protection of the true states
  double exposed_steps = 0;  ///< share of steps at which the policy left some possible state exposed
  double separated_steps =
      0;              ///< share of steps at which an answer can tell two possible states apart for certain
  double states = 0;  ///< mean size of the constraint set
  double largest_loss = 0;  ///< over joined pairs and all steps: at most epsilon
  double any_two_loss = 0;  ///< mean over steps where it is finite

  /// Of what is released. Smoothed answers have no forecast of their own, and err no more than estimates on average.
  double error_of(Finish finish) const { return finish == Finish::raw ? raw_error : error; }
};

struct ForecastOptions {
  std::size_t walks = 4;                     ///< 1 to 10,000
  std::size_t steps = 25;                    ///< of each; 1 to 100,000
  std::uint64_t seed = 1;                    ///< public, so that everybody gets the same figures
  std::optional<Tracker::Saved> begin = {};  ///< the walks go on from here; else they begin as the model says
  Progress progress = {};
};

/// Simulates releases of walks of the model itself; reads nothing private. Cost: walks * steps steps of a tracker.
///
/// Beside what a step's draw adds to the answers before it (free_error) stands what the whole release adds to the model
/// (unpaid_error): in a stream whose states change slowly a step may add little to the others and all of them much to
/// what was known without them.
Forecast forecast(const PublicStream& stream, const ForecastOptions& options = {});

}  // namespace fogline::stream
