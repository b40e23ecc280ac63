// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "privacy/guarantee.hpp"
#include "random/stream.hpp"
#include "traces/paper/penalties.hpp"
#include "traces/paper/trip_vectors.hpp"

namespace fogline::traces {

/// What an embedding in another number of dimensions keeps.
enum class DpeMatch {
  sums,  ///< each trip's sum of distances, as equation (8) is bracketed
  pairs  ///< each distance, as its words have it: "the relationship information is completely preserved"
};

enum class PenaltyFactors {
  fixed,     ///< as given: the paper's
  automatic  ///< doubled until no point violates a rule
};

/// What DPE gives back, and how it went.
struct DpeOutput {
  TripSet trips;
  double first_loss = 0, last_loss = 0;  ///< of the noisy sums, before and after the steps
  double factor = 1;                     ///< by which automatic penalties were multiplied
  std::uint64_t violations = 0;          ///< points that still break a rule
  std::uint64_t delayed = 0;             ///< points whose time ran backwards
};

/// DPE as published: trips are moved by gradient steps until each one's distances to the others sum to a noisy number.
///
///     Dpe dpe({.epsilon = 1, .diameter_m = 55'000, .time_span_s = 86'400});
///     DpeOutput released = dpe.release(private_trips, stream);          // as many trips, close to the private ones
///
/// Guarantee   none. The paper claims epsilon-DP for one trip. But one trip changes every one of the m sums, and the noise is made for one; and the steps start from the
///             private trips or an embedding of them, so the output is no function of the noisy sums. docs/mechanisms/dpe.md shows both.
/// Source      Liu, Song, Wang: A Privacy-Preserving Trajectory Synthesis Method Based on Vector Translation Invariance Supporting Traffic Constraints, section IV.
/// Utility     trips close to the private ones, because they are the private ones, moved.
/// Cost        a step about two products of m x D by D x m, where D is 2 or 3 times the points of the longest of m trips; memory 12 bytes m D.
/// Parameters  below. At least two trips.
///
/// How the paper is read. Alignment, vectors: traces/paper/trip_vectors.hpp. Equations (5), (8) and (13) are differences without a square, which have no minimum: squares of the
/// m differences are summed. The sum is divided by (2m)^2, so that every learning rate below 1 is stable, as the paper's are (traces/paper/pair_distances.hpp); it states no scale. If D' = D the
/// trips are their own embedding (IV.A) and no mapping is needed (IV.B); else the embedding starts from normal numbers of the trips' own spread, and the mapping
/// of equation (9) is the linear least squares. Penalties are told in the original space (equation (13) maps the areas instead): with D' = D that is the same, else
/// the mapping's transpose carries their gradient back. They push points out by the shortest way. Noisy sums may be negative, and stay so.
class Dpe {
 public:
  using Input = TripSet;
  using Output = DpeOutput;

  struct Options {
    double epsilon = 0;                   ///< above 0, at most 1,000; no default
    double diameter_m = 0;                ///< of the map, public: the paper's 2r; above 0
    double time_span_s = 0;               ///< public: the paper's tau; 0 or more; counts if trips have times
    std::size_t dimensions = 0;           ///< the paper's D'; 0: as many as the trips have; else 1 to 100,000
    DpeMatch embed_by = DpeMatch::sums;   ///< if D' is not D
    double embed_rate = 0.005;            ///< above 0, at most 10
    int embed_steps = 500;                ///< 1 to 100,000
    double learning_rate = 0.1;           ///< above 0, at most 10
    int steps = 100;                      ///< 1 to 100,000
    std::vector<ClosedArea> closed = {};  ///< where no point may lie
    std::optional<BoxBounds> bounds = {};  ///< where all must
    PenaltyFactors factors = PenaltyFactors::fixed;
    TripEnds ends = TripEnds::kept;
    ParallelOptions parallel = {};
    Progress progress = {};
  };
  explicit Dpe(const Options& options);  ///< throws InvalidOption

  privacy::Guarantee guarantee() const;
  DpeOutput release(const TripSet& trips, random::Stream& stream) const;  ///< throws InvalidOption

  /// Equation (11): the largest distance of two trips of so many points.
  double sensitivity(std::size_t points, bool times) const;

 private:
  Options options_;
};

/// Why DPE promises nothing, in one sentence without its full stop.
std::string_view dpe_reason();

}  // namespace fogline::traces
