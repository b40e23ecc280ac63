// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "random/key.hpp"

namespace fogline::audit {

/// Runs a mechanism on one fixed input with the streams of this key, and gives its whole output as exact text. With several streams or threads:
/// one thread, please.
using TextRun = std::function<std::string(const random::Key&)>;

/// Two neighbouring inputs of a mechanism whose outputs are too rich to sample: graphs, trips.
struct ReplayCase {
  std::string words;  ///< "one trip replaced"
  TextRun first, second;
  double claimed_loss = 0;  ///< epsilon times the distance
  double distance = 1;      ///< in units of protection: private numbers may differ by that many sensitivities
  /// One-sided claims: only ln P(o|first) - ln P(o|second) is bounded.
  bool one_sided = false;
};

struct ReplayOptions {
  random::Key key;          ///< a SeededKey
  std::uint64_t runs = 20;  ///< with different noise, at least 1
};

/// What went wrong first, or how near the claim the runs came.
struct ReplayFinding {
  bool broken = false;
  std::string reason = {};  ///< empty if nothing is wrong
  double largest_loss =
      0;  ///< of a whole run: what its meetings cost together; infinite if an answer was impossible for the other input
  double claimed_loss = 0;
  std::uint64_t runs = 0;      ///< of the first input
  std::uint64_t meetings = 0;  ///< of private data with noise, in the last run
};

/// Records a run on the first input and replays it on the second with the same noise, at each meeting shifted so that the answer is the same
/// (random/tape.hpp). Whatever follows has then seen the same answers, so a mechanism that uses private data only through its noisy answers must
/// meet noise at the same places with the same settings, draw as many random words, and give the same output. It is broken if
///
/// - one run refuses its input and the other does not, or they refuse with different messages;
/// - one random stream is opened twice, so that its noise can be subtracted;
/// - they meet noise at different places, in different numbers, with another epsilon or sensitivity, or draw different numbers of words;
/// - the private numbers at a meeting differ by more than the declared sensitivity, or are not numbers;
/// - the meetings together cost more than the claim: sums of epsilon * distance / sensitivity, and of log ratios of weights;
/// - the outputs differ, although all answers were the same: private data went round the noise.
///
/// If that never happens, whatever the noise, and if each meeting draws what it declares (audit/engine/fit.hpp and the falsifier look at that), the mechanism
/// keeps its claim for this pair (each answer's probability changes by at most what it
/// costs); a finite number of runs tests it. Both directions are tried. Adaptive mechanisms, which decide by noisy answers what to ask next, are not accused,
/// as they would be if the noise itself were repeated.
ReplayFinding replay(const ReplayCase& pair, const ReplayOptions& options);

}  // namespace fogline::audit
