// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "random/stream.hpp"

namespace fogline::audit {

/// Where somebody was, and when. The paper adds lengths and times as if they had one unit; so do we, and name none.
struct TrackPoint {
  double x = 0, y = 0, t = 0;
  friend bool operator==(const TrackPoint&, const TrackPoint&) = default;
};
using Track = std::vector<TrackPoint>;

/// DPE for a handful of short trajectories: each is moved by gradient steps until its distances to the others sum to a noisy number.
///
///     PublishedDpe dpe({.epsilon = 1, .diameter = 10, .time_span = 3});
///     std::vector<Track> trips = dpe.release(private_trips, stream);
///
/// Guarantee   none. The paper claims epsilon-DP for one trajectory. But the steps start from the private trajectories, so the output is not a function of the
///             noisy sums: steps move pairs of trips equally and oppositely, and the mean of all trips comes out as it went in. And one
///             trajectory changes all m sums, while the noise is for one.
/// Source      Liu, Song, Wang: A Privacy-Preserving Trajectory Synthesis Method Based on Vector Translation Invariance, sections IV.A to IV.D with
///             D' = D, as in its experiments: then the originals are their own embedding (IV.A) and no mapping back is needed (IV.B). Without penalties.
/// Utility     trips close to the private ones, because they are the private ones, moved.
/// Cost        about steps * m^2 * n operations for m trajectories of n points.
/// Parameters  below. At least two trajectories, none empty, all numbers finite.
///
/// Equation (5) has no square; a difference without one has no minimum, so the mean square over trips is descended. Deterministic once the
/// sums have their noise. Safe to call from several threads.
class PublishedDpe {
 public:
  enum class Noise {
    for_one_sum,  ///< equation (11): the largest distance of two tracks
    for_all_sums  ///< what one replaced trip can change in all sums together: 2 (m - 1) times that
  };
  struct Options {
    double epsilon = 0;          ///< above 0, at most 1,000; no default
    double diameter = 0;         ///< of the map, public: the paper's 2r; above 0
    double time_span = 0;        ///< public; 0 or more
    double learning_rate = 0.1;  ///< as for Cabspotting; above 0, at most 1
    int steps = 50;              ///< 1 to 10,000
    Noise noise = Noise::for_one_sum;
    /// Instead of the private trips: public tracks, as many and as long as those once aligned. With them and noise for all sums the release
    /// is epsilon-DP, up to floating-point noise, and of little use.
    std::vector<Track> start = {};
  };
  explicit PublishedDpe(const Options& options);  ///< throws InvalidOption

  std::vector<Track> release(std::span<const Track> trips,
                             random::Stream& stream) const;  ///< throws InvalidOption
  double sensitivity(std::size_t trips, std::size_t points)
      const;  ///< equation (11), or what is right if there is a public start

 private:
  Options options_;
};

/// All as long as the longest: half of the missing points repeat the first one, the other half (the larger, if odd) the last one.
std::vector<Track> aligned(std::span<const Track> trips);

double track_distance(const Track& a, const Track& b);  ///< Euclidean, of tracks of one length

/// For each track the sum of its distances to all others: equation (4).
std::vector<double> metric_sums(std::span<const Track> tracks);

/// One step of gradient descent on the mean square of metric_sums(tracks) - targets.
void descend(std::vector<Track>& tracks, std::span<const double> targets, double learning_rate);

}  // namespace fogline::audit
