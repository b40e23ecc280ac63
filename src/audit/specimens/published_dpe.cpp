// SPDX-License-Identifier: Apache-2.0
#include "audit/specimens/published_dpe.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "random/noise.hpp"
#include "random/published_noise.hpp"

namespace fogline::audit {
namespace {

using random::published::laplace;
using random::published::noise_grid;
using random::published::on_grid;

void check_tracks(std::string_view name, std::span<const Track> tracks) {
  for (const Track& track : tracks) {
    if (track.empty()) throw InvalidOption(name, "must not be empty");
    for (const TrackPoint& p : track)
      if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.t))
        throw InvalidOption(name, "must have finite coordinates and times");
  }
}

/// Adds `share` of the difference of two tracks to the move of the one, and takes it from the move of the other.
void push_apart(const Track& a, const Track& b, double share, Track& moved_a, Track& moved_b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = share * (a[i].x - b[i].x), y = share * (a[i].y - b[i].y), t = share * (a[i].t - b[i].t);
    moved_a[i] = {moved_a[i].x + x, moved_a[i].y + y, moved_a[i].t + t};
    moved_b[i] = {moved_b[i].x - x, moved_b[i].y - y, moved_b[i].t - t};
  }
}

void check_start(std::span<const Track> start, std::span<const Track> tracks) {
  const auto fits = [&](const Track& track) { return track.size() == tracks.front().size(); };
  if (!start.empty() && (start.size() != tracks.size() || !std::all_of(start.begin(), start.end(), fits)))
    throw InvalidOption("start", "must be as many tracks as the trips, as long as the longest");
}

}  // namespace

PublishedDpe::PublishedDpe(const Options& options) : options_(options) {
  if (!(options.epsilon > 0 && options.epsilon <= 1000))
    throw InvalidOption("epsilon", "must be above 0 and at most 1,000");
  if (!(options.diameter > 0 && std::isfinite(options.diameter)))
    throw InvalidOption("diameter", "must be above 0 and finite");
  if (!(options.time_span >= 0 && std::isfinite(options.time_span)))
    throw InvalidOption("time_span", "must be 0 or more and finite");
  if (!(options.learning_rate > 0 && options.learning_rate <= 1))
    throw InvalidOption("learning_rate", "must be above 0 and at most 1");
  if (options.steps < 1 || options.steps > 10'000)
    throw InvalidOption("steps", "must lie between 1 and 10,000");
  check_tracks("start", options.start);
}

double PublishedDpe::sensitivity(std::size_t trips, std::size_t points) const {
  const double farthest = std::sqrt(static_cast<double>(points) * (options_.diameter * options_.diameter +
                                                                   options_.time_span * options_.time_span));
  if (options_.noise == Noise::for_one_sum) return farthest;
  // The replaced trip's own sum moves by up to (m - 1) distances, each other sum by one; and each is rounded to the grid.
  return 2 * static_cast<double>(trips - 1) * farthest + static_cast<double>(trips) * noise_grid;
}

std::vector<Track> PublishedDpe::release(std::span<const Track> trips, random::Stream& stream) const {
  if (trips.size() < 2) throw InvalidOption("trips", "must be at least two");
  check_tracks("trips", trips);
  std::vector<Track> tracks = aligned(trips);
  check_start(options_.start, tracks);
  std::vector<double> sums = metric_sums(tracks);
  for (double& sum : sums) sum = on_grid(sum);

  const double sensitivity_of_all = sensitivity(tracks.size(), tracks.front().size());
  const auto sampler = [&](random::Stream& s) {
    return on_grid(laplace(sensitivity_of_all / options_.epsilon, s));
  };
  std::vector<double> targets(sums.size());
  random::add_noise<double>(
      {.name = "metric sums", .epsilon = options_.epsilon, .sensitivity = sensitivity_of_all}, sums, sampler,
      stream, targets);

  if (!options_.start.empty()) tracks = options_.start;
  for (int i = 0; i < options_.steps; ++i) descend(tracks, targets, options_.learning_rate);
  return tracks;
}

std::vector<Track> aligned(std::span<const Track> trips) {
  std::size_t longest = 0;
  for (const Track& trip : trips) longest = std::max(longest, trip.size());
  std::vector<Track> result;
  result.reserve(trips.size());
  for (const Track& trip : trips) {
    Track track((longest - trip.size()) / 2, trip.front());
    track.insert(track.end(), trip.begin(), trip.end());
    track.resize(longest, trip.back());
    result.push_back(std::move(track));
  }
  return result;
}

double track_distance(const Track& a, const Track& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i].x - b[i].x, y = a[i].y - b[i].y, t = a[i].t - b[i].t;
    sum += x * x + y * y + t * t;
  }
  return std::sqrt(sum);
}

std::vector<double> metric_sums(std::span<const Track> tracks) {
  std::vector<double> sums(tracks.size());
  for (std::size_t i = 0; i < tracks.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double distance = track_distance(tracks[i], tracks[j]);
      sums[i] += distance;
      sums[j] += distance;
    }
  return sums;
}

void descend(std::vector<Track>& tracks, std::span<const double> targets, double learning_rate) {
  const std::size_t m = tracks.size();
  const std::vector<Track> before = tracks;
  std::vector<double> distances(m * m), missing(targets.begin(), targets.end());
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double distance = distances[i * m + j] = track_distance(before[i], before[j]);
      missing[i] -= distance;
      missing[j] -= distance;
    }
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double distance = distances[i * m + j];
      if (distance == 0) continue;  // no direction to move in
      const double share = 2 * learning_rate / static_cast<double>(m) * (missing[i] + missing[j]) / distance;
      push_apart(before[i], before[j], share, tracks[i], tracks[j]);
    }
}

}  // namespace fogline::audit
