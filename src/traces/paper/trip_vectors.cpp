// SPDX-License-Identifier: Apache-2.0
#include "traces/paper/trip_vectors.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace fogline::traces {
namespace {

using Eigen::Index;

constexpr std::size_t most_numbers = std::size_t{1} << 30;

/// How many points come before the first of a trip.
std::size_t points_before(std::size_t longest, std::size_t points) {
  return (longest - points) / 2;
}

/// Calls use(trip, column, number) for every number of every aligned trip.
template <class Use>
void for_each_number(const TripSet& trips, const TripVectors& shape, const Use& use) {
  for (std::size_t i = 0; i < trips.size(); ++i) {
    const auto points = trips.trip(i);
    const auto times = trips.times(i);
    const std::size_t before = points_before(shape.points, points.size());
    Index column = 0;
    for (std::size_t k = 0; k < shape.points; ++k) {
      const std::size_t at = k < before ? 0 : std::min(k - before, points.size() - 1);
      use(static_cast<Index>(i), column++, static_cast<double>(points[at].x));
      use(static_cast<Index>(i), column++, static_cast<double>(points[at].y));
      if (shape.times) use(static_cast<Index>(i), column++, static_cast<double>(times[at]));
    }
  }
}

}  // namespace

TripVectors vectors_of(const TripSet& trips) {
  if (trips.size() < 2) throw InvalidOption("trips", "must be at least two");
  TripVectors vectors{.times = trips.has_time(), .rows = {}, .mean = {}};
  for (std::size_t i = 0; i < trips.size(); ++i)
    vectors.points = std::max(vectors.points, trips.trip(i).size());
  const std::size_t columns = vectors.points * static_cast<std::size_t>(vectors.per_point());
  if (columns > most_numbers / trips.size())
    throw InvalidOption("trips",
                        "make vectors of over 2^30 numbers: all are as long as the longest; use fewer trips, "
                        "or cut long ones");
  const auto size = static_cast<Index>(trips.size());
  vectors.mean = Eigen::VectorXd::Zero(static_cast<Index>(columns));
  for_each_number(trips, vectors, [&](Index, Index column, double x) { vectors.mean[column] += x; });
  vectors.mean /= static_cast<double>(size);
  vectors.rows.resize(size, static_cast<Index>(columns));
  for_each_number(trips, vectors, [&](Index trip, Index column, double x) {
    vectors.rows(trip, column) = static_cast<float>(x - vectors.mean[column]);
  });
  return vectors;
}

TripSet trips_of(const TripVectors& vectors, const TripSet& original, TripEnds ends, std::uint64_t& delayed) {
  TripSet trips;
  trips.user = original.user;
  for (std::size_t i = 0; i < original.size(); ++i) {
    const std::size_t points = original.trip(i).size();
    const bool all = ends == TripEnds::kept;
    const std::size_t begin = all ? 0 : points_before(vectors.points, points);
    const std::size_t end = all ? vectors.points : begin + points;
    const auto number = [&](std::size_t k, Index part) {
      const Index column = static_cast<Index>(k) * vectors.per_point() + part;
      return vectors.mean[column] + static_cast<double>(vectors.rows(static_cast<Index>(i), column));
    };
    for (std::size_t k = begin; k < end; ++k) {
      trips.point.push_back({static_cast<float>(number(k, 0)), static_cast<float>(number(k, 1))});
      if (!vectors.times) continue;
      const std::int64_t t = std::llround(number(k, 2));
      const bool late = k > begin && t < trips.t.back();
      delayed += late ? 1 : 0;
      trips.t.push_back(late ? trips.t.back() : t);
    }
    trips.end_trip();
  }
  return trips;
}

}  // namespace fogline::traces
