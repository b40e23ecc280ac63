// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "traces/frame/trip_set.hpp"

namespace fogline::traces {

/// A trip as 32 points at equal distances along it, the first and the last included: what trips of different spacing are compared by.
struct EvenTrip {
  static constexpr std::size_t points = 32;  ///< chosen, not derived: what attacks find is told of these
  std::array<float, points> x{}, y{};
};

EvenTrip evenly(std::span<const PlanePoint> trip);
std::vector<EvenTrip> evenly(const TripSet& trips, const ParallelOptions& parallel);

/// How far two trips are from each other: point by point, in order.
enum class TripDistance : std::uint8_t {
  mean,  ///< of the 32 distances
  worst  ///< the largest of them
};
double distance_m(const EvenTrip& a, const EvenTrip& b, TripDistance by);

/// Finds the nearest of many trips, exactly.
///
///     NearestTrips index(evenly(synthetic, {}), {});
///     auto found = index.nearest(evenly(set.trip(i)), {.by = TripDistance::mean});      // found->index, found->distance_m
///
/// A k-d tree over the centres of the four quarters of each trip: neither the mean nor the largest distance of the points of a quarter is below that of its centres.
/// Cost: 16,000 trips asked for the nearest of 16,000: about a second.
class NearestTrips {
 public:
  /// `user`: per trip, or empty.
  NearestTrips(std::vector<EvenTrip> trips, std::vector<std::uint32_t> user);

  struct Question {
    TripDistance by = TripDistance::mean;
    double within_m = std::numeric_limits<double>::infinity();  ///< farther trips do not count
    std::optional<std::uint32_t> not_of_user = {};              ///< trips of this user do not count
  };
  struct Found {
    std::size_t index = 0;
    double distance_m = 0;
  };
  /// Of trips equally near, the same one each time. Nothing if none counts.
  std::optional<Found> nearest(const EvenTrip& trip, const Question& question) const;

 private:
  // What is found does not depend on these, only how long it takes: chosen, not derived.
  static constexpr std::size_t quarters = 4, dimensions = 2 * quarters, leaf_size = 16;
  using Centres = std::array<float, dimensions>;
  struct Node {
    Centres low{}, high{};
    std::size_t begin = 0, end = 0;  // into order_
    std::size_t right = 0;           // the left child follows; 0: a leaf
  };
  struct Search;

  static Centres centres_of(const EvenTrip& trip);
  void build(std::size_t begin, std::size_t end);
  void search(std::size_t node, Search& search) const;

  std::vector<EvenTrip> trips_;
  std::vector<std::uint32_t> user_;
  std::vector<Centres> centres_;
  std::vector<std::size_t> order_;
  std::vector<Node> nodes_;
};

}  // namespace fogline::traces
