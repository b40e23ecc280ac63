// SPDX-License-Identifier: Apache-2.0
#include "traces/measures/nearest_trips.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "traces/frame/trip_shape.hpp"

namespace fogline::traces {
namespace {

// Centres are rounded to floats, so that their distance may be above that of the points by this much.
constexpr double rounding_m = 0.5;

double hypotenuse(double x, double y) {
  return std::sqrt(x * x + y * y);
}

/// Distances put together one by one, as the question asks.
class Together {
 public:
  explicit Together(TripDistance by) : by_(by) {}
  void add(double distance) { sum_ = by_ == TripDistance::mean ? sum_ + distance : std::max(sum_, distance); }
  double of(std::size_t n) const { return by_ == TripDistance::mean ? sum_ / static_cast<double>(n) : sum_; }

 private:
  TripDistance by_;
  double sum_ = 0;
};

}  // namespace

EvenTrip evenly(std::span<const PlanePoint> trip) {
  const double step = length_m(trip) / (EvenTrip::points - 1);
  EvenTrip even;
  std::size_t at = 0;  // the piece from point `at` to the next
  double before = 0, piece = distance_m(trip[0], trip[1]);
  for (std::size_t i = 0; i < EvenTrip::points; ++i) {
    const double along = step * static_cast<double>(i);
    while (before + piece < along && at + 2 < trip.size()) {
      before += piece;
      ++at;
      piece = distance_m(trip[at], trip[at + 1]);
    }
    const double share = piece > 0 ? std::min(1.0, (along - before) / piece) : 0;
    even.x[i] = static_cast<float>(trip[at].x + share * (static_cast<double>(trip[at + 1].x) - trip[at].x));
    even.y[i] = static_cast<float>(trip[at].y + share * (static_cast<double>(trip[at + 1].y) - trip[at].y));
  }
  return even;
}

std::vector<EvenTrip> evenly(const TripSet& trips, const ParallelOptions& parallel) {
  constexpr std::size_t trips_a_task = 256;  // a single one takes less than handing it to a thread
  std::vector<EvenTrip> even(trips.size());
  parallel_for(trips.size(), {.threads = parallel.threads, .grain = trips_a_task},
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t i = begin; i < end; ++i) even[i] = evenly(trips.trip(i));
               });
  return even;
}

double distance_m(const EvenTrip& a, const EvenTrip& b, TripDistance by) {
  Together together(by);
  for (std::size_t i = 0; i < EvenTrip::points; ++i)
    together.add(hypotenuse(static_cast<double>(a.x[i]) - b.x[i], static_cast<double>(a.y[i]) - b.y[i]));
  return together.of(EvenTrip::points);
}

struct NearestTrips::Search {
  const EvenTrip& trip;
  const Question& question;
  Centres centres;
  Found best;
  bool found = false;

  /// No trip with centres in this box is nearer.
  double at_least(const Centres& low, const Centres& high) const {
    Together together(question.by);
    for (std::size_t q = 0; q < dimensions; q += 2) {
      const double x = std::max({low[q] - centres[q], centres[q] - high[q], 0.0F});
      const double y = std::max({low[q + 1] - centres[q + 1], centres[q + 1] - high[q + 1], 0.0F});
      together.add(hypotenuse(x, y));
    }
    return together.of(quarters) - rounding_m;
  }
};

NearestTrips::NearestTrips(std::vector<EvenTrip> trips, std::vector<std::uint32_t> user)
    : trips_(std::move(trips)), user_(std::move(user)), centres_(trips_.size()), order_(trips_.size()) {
  for (std::size_t i = 0; i < trips_.size(); ++i) centres_[i] = centres_of(trips_[i]);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  if (!trips_.empty()) build(0, trips_.size());
}

NearestTrips::Centres NearestTrips::centres_of(const EvenTrip& trip) {
  constexpr std::size_t each = EvenTrip::points / quarters;
  Centres centres{};
  for (std::size_t q = 0; q < quarters; ++q) {
    centres[2 * q] = std::accumulate(&trip.x[q * each], &trip.x[q * each] + each, 0.0F) / each;
    centres[2 * q + 1] = std::accumulate(&trip.y[q * each], &trip.y[q * each] + each, 0.0F) / each;
  }
  return centres;
}

void NearestTrips::build(std::size_t begin, std::size_t end) {
  const std::size_t at = nodes_.size();
  Node node{centres_[order_[begin]], centres_[order_[begin]], begin, end, 0};
  for (std::size_t i = begin; i < end; ++i)
    for (std::size_t d = 0; d < dimensions; ++d) {
      node.low[d] = std::min(node.low[d], centres_[order_[i]][d]);
      node.high[d] = std::max(node.high[d], centres_[order_[i]][d]);
    }
  nodes_.push_back(node);
  if (end - begin <= leaf_size) return;
  std::size_t widest = 0;
  for (std::size_t d = 1; d < dimensions; ++d)
    if (node.high[d] - node.low[d] > node.high[widest] - node.low[widest]) widest = d;
  const std::size_t middle = begin + (end - begin) / 2;
  const auto from = order_.begin();
  std::nth_element(
      from + static_cast<std::ptrdiff_t>(begin), from + static_cast<std::ptrdiff_t>(middle),
      from + static_cast<std::ptrdiff_t>(end), [&](std::size_t a, std::size_t b) {
        return centres_[a][widest] != centres_[b][widest] ? centres_[a][widest] < centres_[b][widest] : a < b;
      });
  build(begin, middle);
  nodes_[at].right = nodes_.size();
  build(middle, end);
}

void NearestTrips::search(std::size_t at, Search& search) const {
  const Node& node = nodes_[at];
  if (node.right > 0) {
    const Node &left = nodes_[at + 1], &right = nodes_[node.right];
    const double to_left = search.at_least(left.low, left.high),
                 to_right = search.at_least(right.low, right.high);
    const bool left_first = to_left <= to_right;
    if (std::min(to_left, to_right) <= search.best.distance_m)
      this->search(left_first ? at + 1 : node.right, search);
    if (std::max(to_left, to_right) <= search.best.distance_m)
      this->search(left_first ? node.right : at + 1, search);
    return;
  }
  for (std::size_t i = node.begin; i < node.end; ++i) {
    const std::size_t trip = order_[i];
    if (search.question.not_of_user && !user_.empty() && user_[trip] == *search.question.not_of_user)
      continue;
    if (search.at_least(centres_[trip], centres_[trip]) > search.best.distance_m) continue;
    const double distance = distance_m(search.trip, trips_[trip], search.question.by);
    const bool nearer =
        distance < search.best.distance_m || (!search.found && distance == search.best.distance_m);
    if (!nearer && !(distance == search.best.distance_m && trip < search.best.index)) continue;
    search.best = {trip, distance};
    search.found = true;
  }
}

std::optional<NearestTrips::Found> NearestTrips::nearest(const EvenTrip& trip,
                                                         const Question& question) const {
  Search run{trip, question, centres_of(trip), {0, question.within_m}, false};
  if (!nodes_.empty()) search(0, run);
  return run.found ? std::optional(run.best) : std::nullopt;
}

}  // namespace fogline::traces
