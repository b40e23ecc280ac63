// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "audit/engine/replay.hpp"
#include "base/progress.hpp"
#include "random/tape.hpp"
#include "traces/terms.hpp"

namespace fogline::audit {

/// What is audited: counts trips with noise, and makes trips of the noisy counts. The last step of a release, so that a fault anywhere in it shows.
using TraceMechanism = std::function<traces::TripSet(const traces::TripSet&, const random::Key&)>;

/// The mechanism that releases with these terms, making so many trips; without its roads and constraints, which see synthetic trips alone.
TraceMechanism trace_mechanism(const traces::TraceTerms& terms, std::uint64_t trips_to_make);

/// The same as exact text: for what is audited as it is written.
using TraceTextRun = std::function<std::string(const traces::TripSet&, const random::Key&)>;
using MakeTraceTextRun = std::function<TraceTextRun(const traces::TraceTerms&)>;

/// Two invented sets of trips that the unit of protection calls neighbours.
struct TraceNeighbours {
  std::string words;  ///< "one trip more: through every cell"
  traces::TripSet without, with;
};

/// One trip more, of every odd kind: standing still, across, through every cell, to and fro a hundred times; and the first trip of all. For users: one user more, with
/// one trip, with as many as count in full, and with many more.
std::vector<TraceNeighbours> trace_neighbours(const traces::TraceTerms& terms);

struct TracesAuditOptions {
  std::uint64_t runs = 3;            ///< replays of each pair, in each direction; 1 to 10,000
  std::uint64_t noise_runs = 10;     ///< whose noise is compared with its law; 1 to 10,000
  std::uint64_t trips_to_make = 40;  ///< in each run, 1 to 100,000
  Progress progress = {};            ///< told of pairs; may cancel

  static constexpr std::uint64_t public_seed = 1;
};

/// How the noise of a run compares with the law it declares.
struct NoiseFit {
  bool fits = false;
  std::uint64_t draws = 0;
  double largest_deviations =
      0;                   ///< chi-square of a statistic's noise above its mean, in standard deviations
  std::string worst = {};  ///< that statistic
};

/// Compares what was added at each meeting with discrete Laplace noise of the declared epsilon and sensitivity, in 16 classes of equal probability. A right
/// mechanism fails in fewer than one of a million audits.
NoiseFit fit_noise(const std::vector<std::vector<random::Meeting>>& runs);

/// Audits a release of trips, reading no private record: replays (audit/engine/replay.hpp) of invented neighbours, the sum of what its meetings with noise declare, and
/// the law of the noise.
///
///     TracesAudit audit = audit_traces(terms);
///     if (!audit.passed) std::cerr << audit.sentence;
///
/// Cost: about 50 ms a replay.
struct TracesAudit {
  struct Trial {
    std::string words;
    ReplayFinding finding;
  };
  bool passed = false;
  std::vector<Trial> trials = {};
  double epsilon = 0;       ///< promised
  double declared = 0;      ///< epsilons of all meetings of a run together
  double largest_loss = 0;  ///< of a replay
  std::uint64_t meetings = 0;
  NoiseFit noise = {};
  std::string sentence = {};
};

/// With these terms, and, unless their number is declared, once more with a great number declared, since more is asked of many trips.
/// `make` gives what is audited: the release itself (release/analyses/traces_audit.cpp), which refuses to release nothing, so that the first trip of all is asked
/// of trace_mechanism(). Throws InvalidOption for an option out of range; Cancelled.
TracesAudit audit_traces(const traces::TraceTerms& terms, const MakeTraceTextRun& make,
                         const TracesAuditOptions& options);

/// The same for trace_mechanism().
TracesAudit audit_traces(const traces::TraceTerms& terms, const TracesAuditOptions& options = {});

/// The same for any mechanism that claims these terms.
TracesAudit audit_traces(const traces::TraceTerms& terms, const TraceMechanism& mechanism,
                         const TracesAuditOptions& options);

}  // namespace fogline::audit
