// SPDX-License-Identifier: Apache-2.0
#include "traces/counts/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/error.hpp"
#include "random/noise.hpp"
#include "traces/beliefs/beliefs.hpp"
#include "traces/beliefs/move_beliefs.hpp"
#include "traces/counts/moves.hpp"
#include "traces/frame/cell_grid.hpp"
#include "traces/frame/trip_shape.hpp"

namespace fogline::traces {
namespace {

/// Shares of epsilon are multiples of 2^-18, rounded down: whatever fraction epsilon is, a share of it remains one that
/// the exact sampler takes.
constexpr std::uint64_t epsilon_steps = std::uint64_t{1} << 18;

Rational share_of(const Rational& epsilon, std::uint32_t of_ten_thousand) {
  const Uint128 steps = static_cast<Uint128>(epsilon.numerator()) * of_ten_thousand * epsilon_steps /
                        (static_cast<Uint128>(epsilon.denominator()) * Layout::all_shares);
  return Rational(static_cast<std::uint64_t>(steps), epsilon_steps);
}

/// Integer sums over trips, which get their noise once complete.
class Counter {
 public:
  Counter(const Layout& layout, Statistic statistic)
      : counts_(layout.bins_of(statistic)), statistic_(statistic) {}
  void add(std::uint32_t bin, std::uint64_t amount) { counts_[bin] += static_cast<std::int64_t>(amount); }

  Statistic statistic() const { return statistic_; }

  std::span<const std::int64_t> answer(const Rational& epsilon, std::uint64_t sensitivity,
                                       random::Stream& noise) {
    const random::NoisyCounts noisy(
        {.name = to_string(statistic_), .epsilon = epsilon, .sensitivity = sensitivity});
    noisy.answer(counts_, noise, counts_);
    return counts_;
  }

 private:
  std::vector<std::int64_t> counts_;
  Statistic statistic_;
};

CellGrid grid_of(const Layout& layout, std::uint32_t side) {
  return CellGrid({.width_m = layout.width_m, .height_m = layout.height_m, .columns = side, .rows = side});
}

/// Each cell once, in order of number.
void keep_distinct(std::vector<std::uint32_t>& cells) {
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
}

}  // namespace

TripShape shape_of(std::span<const PlanePoint> trip) {
  TripShape shape;
  shape.length_m = length_m(trip);
  shape.displacement_m = distance_m(trip.front(), trip.back());
  // The two farthest points are extreme in some direction; of sixteen directions one is within 6 degrees of theirs, so at most 0.5 % is missed.
  constexpr int directions = 16;
  for (int k = 0; k < directions; ++k) {
    const double angle = std::numbers::pi * k / directions;
    const float c = static_cast<float>(std::cos(angle)), s = static_cast<float>(std::sin(angle));
    const PlanePoint *low = &trip[0], *high = &trip[0];
    float least = low->x * c + low->y * s, most = least;
    for (const PlanePoint& p : trip) {
      const float at = p.x * c + p.y * s;
      if (at < least) least = at, low = &p;
      if (at > most) most = at, high = &p;
    }
    shape.diameter_m = std::max(shape.diameter_m, distance_m(*low, *high));
  }
  return shape;
}

std::vector<std::uint32_t> trip_weights(const TripSet& trips, Unit unit, std::uint32_t trips_per_user) {
  std::vector<std::uint32_t> weights(trips.size(), TraceStatistics::per_trip);
  if (unit == Unit::trip) return weights;
  if (trips.user.size() != trips.size())
    throw InvalidOption("trips", "must say whose each of them is, for users to be protected");
  std::vector<std::uint64_t> of_user;
  for (const std::uint32_t u : trips.user) {
    if (u >= of_user.size()) of_user.resize(u + 1);
    ++of_user[u];
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::uint64_t all = of_user[trips.user[i]];
    if (all > trips_per_user)
      weights[i] =
          static_cast<std::uint32_t>(std::uint64_t{TraceStatistics::per_trip} * trips_per_user / all);
  }
  return weights;
}

TraceStatistics::TraceStatistics(const Options& options) : options_(options) {
  // In steps of a count 2^42, far below 2^53, from where doubles no longer tell whole numbers apart.
  constexpr std::uint64_t most_public_trips = 1'000'000'000;
  // 100,000 km, more than twice round the Earth: beyond, a number is a slip of the unit.
  constexpr double most_length_m = 1e8;
  // The least share of it is then just above one step of 2^-18.
  constexpr double least_epsilon = 0.001;
  if (options.trips_per_user < 1 || options.trips_per_user > most_trips_per_user)
    throw InvalidOption("trips per user", "must lie between 1 and 1000");
  if (options.public_trips && (*options.public_trips < 1 || *options.public_trips > most_public_trips))
    throw InvalidOption("trips", "must lie between 1 and 10^9");
  if (options.max_length_m == 0) options_.max_length_m = usual_sides_long * options.frame.larger_side_m();
  if (!(options_.max_length_m > 0) || options_.max_length_m > most_length_m)
    throw InvalidOption("max length", "must lie above 0 and be at most 100,000 km");
  if (options.epsilon.value().to_double() < least_epsilon ||
      share_of(options.epsilon.value(), Layout::least_share).is_zero())
    throw InvalidOption("epsilon", "must be at least 0.001: its shares would be too small to draw exactly");
}

privacy::Guarantee TraceStatistics::guarantee() const {
  const auto promise = privacy::Guarantee::pure(
      options_.epsilon, options_.unit == Unit::trip ? "one trip" : "one user", privacy::Exactness::exact);
  // Statements from before say nothing of persons.
  const bool covers_person = options_.unit == Unit::user && options_.persons != privacy::Persons::unsaid;
  return covers_person ? promise.for_person(privacy::PersonCover::presence) : promise;
}

Layout TraceStatistics::layout(double trips) const {
  const double of_one = options_.unit == Unit::user ? options_.trips_per_user : 1;
  return make_layout({.width_m = options_.frame.width_m(),
                      .height_m = options_.frame.height_m(),
                      .max_length_m = options_.max_length_m,
                      .trips = trips,
                      .epsilon = options_.epsilon.value().to_double() / of_one,
                      .has_time = options_.has_time,
                      .counts_trips = !options_.public_trips});
}

AnswersSoFar::AnswersSoFar(const TraceStatistics& statistics) : statistics_(statistics) {
  const auto& declared = statistics_.options().public_trips;
  if (declared) known_.trips = static_cast<double>(*declared);
  known_.layout = statistics_.layout(known_.trips);
}

Rational AnswersSoFar::epsilon_of(Statistic statistic) const {
  return share_of(statistics_.options().epsilon.value(), known_.layout.share_of(statistic));
}

std::uint64_t AnswersSoFar::sensitivity() const {
  const TraceStatistics::Options& options = statistics_.options();
  return std::uint64_t{TraceStatistics::per_trip} * (options.unit == Unit::user ? options.trips_per_user : 1);
}

void AnswersSoFar::take(Statistic statistic, std::span<const std::int64_t> counts) {
  NoisyTable& table = known_.table[static_cast<std::size_t>(statistic)];
  table.scale =
      static_cast<double>(sensitivity()) / TraceStatistics::per_trip / epsilon_of(statistic).to_double();
  table.value.clear();
  for (const std::int64_t c : counts)
    table.value.push_back(static_cast<double>(c) / TraceStatistics::per_trip);
  if (statistic == Statistic::trips) {
    known_.trips = std::max(1.0, std::round(table.value.front()));
    known_.layout = statistics_.layout(known_.trips);
  }
  if (statistic == Statistic::triples && asks(Statistic::strings)) known_.strings = likely_strings(known_);
  if (statistic == Statistic::fine_visits) {
    Favours favours = favours_of(known_);
    known_.favour = std::move(favours.medium);
    known_.coarse_favour = std::move(favours.coarse);
  }
}

namespace {

/// One release under way.
class Survey {
 public:
  Survey(const TraceStatistics& statistics, const TripSet& input, random::Stream& noise)
      : options_(statistics.options()),
        trips_(input),
        noise_(noise),
        weight_(trip_weights(input,
                             options_.persons == privacy::Persons::declared ? Unit::trip : options_.unit,
                             options_.trips_per_user)),
        answers_(statistics) {
    length_.reserve(trips_.size());
    for (std::size_t i = 0; i < trips_.size(); ++i) length_.push_back(length_m(trips_.trip(i)));
  }

  NoisyStatistics run() {
    count_trips();
    measure_ends();
    measure_moves();
    measure_visits();
    measure_shapes();
    measure_points();
    if (options_.has_time) measure_times();
    return std::move(answers_).known();
  }

 private:
  using enum Statistic;

  void answer(Counter& counter) {
    const Statistic statistic = counter.statistic();
    answers_.take(statistic, counter.answer(answers_.epsilon_of(statistic), answers_.sensitivity(), noise_));
  }

  void count_trips() {
    if (!answers_.asks(trips)) return;
    Counter counter(known_.layout, trips);
    for (const std::uint32_t w : weight_) counter.add(0, w);
    answer(counter);
  }

  void measure_ends() {
    const CellGrid coarse = grid_of(known_.layout, Layout::coarse),
                   fine = grid_of(known_.layout, known_.layout.fine);
    Counter both(known_.layout, start_end), first(known_.layout, starts), last(known_.layout, ends);
    for (std::size_t i = 0; i < trips_.size(); ++i) {
      const auto trip = trips_.trip(i);
      both.add(coarse.cell_of(trip.front()) * coarse.size() + coarse.cell_of(trip.back()), weight_[i]);
      first.add(fine.cell_of(trip.front()), weight_[i]);
      last.add(fine.cell_of(trip.back()), weight_[i]);
    }
    answer(both);
    answer(first);
    answer(last);
  }

  void measure_moves() {
    const CellGrid coarse = grid_of(known_.layout, Layout::coarse);
    Counter two(known_.layout, pairs), three(known_.layout, triples);

    std::vector<std::uint32_t> cells, moves;
    for (std::size_t i = 0; i < trips_.size(); ++i) {
      coarse.walk(trips_.trip(i), cells);
      if (cells.size() < 2) continue;
      moves.clear();
      for (std::size_t k = 1; k < cells.size(); ++k)
        moves.push_back(move_of(cells[k - 1], cells[k], Layout::coarse));
      const std::uint64_t each = weight_[i] / std::max<std::size_t>(Layout::least_moves, moves.size());
      for (std::size_t k = 0; k < moves.size(); ++k) two.add(cells[k] * king_moves + moves[k], each);
      const std::uint64_t each_triple =
          weight_[i] / std::max<std::size_t>(Layout::least_moves, moves.size() - 1);
      for (std::size_t k = 1; k < moves.size(); ++k)
        three.add(cells[k - 1] * (king_moves * king_moves) + moves[k - 1] * king_moves + moves[k],
                  each_triple);
    }
    answer(two);
    answer(three);
    if (answers_.asks(strings)) measure_strings(coarse);
  }

  void measure_strings(const CellGrid& coarse) {
    Counter counter(known_.layout, strings);
    std::vector<std::uint32_t> cells, found;
    for (std::size_t i = 0; i < trips_.size(); ++i) {
      coarse.walk(trips_.trip(i), cells);
      found.clear();
      known_.strings.each_from(std::span<const std::uint32_t>(cells), 0, cells.size(),
                               [&](std::uint32_t s) { found.push_back(s); });
      const std::uint64_t each = weight_[i] / std::max<std::size_t>(Layout::least_strings, found.size());
      for (const std::uint32_t s : found) counter.add(s, each);
    }
    answer(counter);
  }

  /// A trip is shared among the cells that it passes, in proportion to their favour.
  void measure_favoured(Statistic statistic, const CellGrid& grid, const std::vector<std::uint32_t>& favour,
                        std::uint64_t least_favours) {
    Counter counter(known_.layout, statistic);
    std::vector<std::uint32_t> cells;
    for (std::size_t i = 0; i < trips_.size(); ++i) {
      grid.walk(trips_.trip(i), cells);
      keep_distinct(cells);
      std::uint64_t favours = 0;
      for (const std::uint32_t c : cells) favours += favour[c];
      for (const std::uint32_t c : cells)
        counter.add(c, std::uint64_t{weight_[i]} * favour[c] / std::max(least_favours, favours));
    }
    answer(counter);
  }

  void measure_visits() {
    const CellGrid coarse = grid_of(known_.layout, Layout::coarse),
                   medium = grid_of(known_.layout, Layout::medium),
                   fine = grid_of(known_.layout, known_.layout.fine);
    measure_favoured(fine_visits, fine, std::vector<std::uint32_t>(fine.size(), 1), 0);
    if (answers_.asks(coarse_visits))
      measure_favoured(coarse_visits, coarse, known_.coarse_favour, Layout::least_favour);
    measure_favoured(visits, medium, known_.favour, Layout::least_favour);
    Counter reach(known_.layout, reaches), crossing(known_.layout, crossings);
    std::vector<std::uint32_t> cells;
    for (std::size_t i = 0; i < trips_.size(); ++i) {
      const std::uint32_t row = known_.layout.length_class(length_[i]);
      coarse.walk(trips_.trip(i), cells);
      crossing.add(
          row * Layout::crossing_bins + Layout::crossing_bin(static_cast<std::uint32_t>(cells.size() - 1)),
          weight_[i]);
      medium.walk(trips_.trip(i), cells);
      keep_distinct(cells);
      reach.add(row * Layout::reach_bins + Layout::reach_bin(static_cast<std::uint32_t>(cells.size())),
                weight_[i]);
    }
    answer(reach);
    answer(crossing);
  }

  void measure_shapes() {
    const Layout& layout = known_.layout;
    Counter length(layout, lengths), diameter(layout, diameters), shape(layout, shapes);
    for (std::size_t i = 0; i < trips_.size(); ++i) {
      const TripShape s = shape_of(trips_.trip(i));
      length.add(Layout::square_bin(s.length_m, layout.max_length_m, Layout::length_bins), weight_[i]);
      diameter.add(Layout::square_bin(s.diameter_m, layout.diagonal_m(), Layout::diameter_bins), weight_[i]);
      shape.add(layout.shape_bin(s.diameter_m, s.length_m, s.displacement_m), weight_[i]);
    }
    answer(length);
    answer(diameter);
    answer(shape);
  }

  void measure_points() {
    Counter mean(known_.layout, steps), stride(known_.layout, strides), turn(known_.layout, turns);
    for (std::size_t i = 0; i < trips_.size(); ++i) {
      const auto trip = trips_.trip(i);
      const double length = length_[i], step = length / static_cast<double>(trip.size() - 1);
      mean.add(known_.layout.length_class(length) * Layout::step_bins + Layout::step_bin(step), weight_[i]);
      for (std::size_t p = 1; p < trip.size(); ++p)
        stride.add(Layout::stride_bin(step > 0 ? distance_m(trip[p - 1], trip[p]) / step : 1),
                   weight_[i] / (trip.size() - 1));
      for (std::size_t p = 2; p < trip.size(); ++p)
        turn.add(turn_bin(&trip[p - 2]), weight_[i] / (trip.size() - 2));
    }
    answer(mean);
    answer(stride);
    answer(turn);
  }

  static std::uint32_t turn_bin(const PlanePoint* p) {
    const double ax = p[1].x - p[0].x, ay = p[1].y - p[0].y, bx = p[2].x - p[1].x, by = p[2].y - p[1].y;
    const double angle = std::abs(std::atan2(ax * by - ay * bx, ax * bx + ay * by)) / std::numbers::pi;
    return std::min(static_cast<std::uint32_t>(angle * Layout::turn_bins), Layout::turn_bins - 1);
  }

  void measure_times() {
    constexpr std::int64_t day = 86'400;
    Counter hour(known_.layout, hours), speed(known_.layout, speeds);
    for (std::size_t i = 0; i < trips_.size(); ++i) {
      const auto t = trips_.times(i);
      const std::int64_t second = (t.front() % day + day) % day;
      hour.add(static_cast<std::uint32_t>(second * Layout::hour_bins / day), weight_[i]);
      const double length = length_[i];
      const double seconds = static_cast<double>(std::max<std::int64_t>(1, t.back() - t.front()));
      speed.add(known_.layout.length_class(length) * Layout::speed_bins + Layout::speed_bin(length / seconds),
                weight_[i]);
    }
    answer(hour);
    answer(speed);
  }

  const TraceStatistics::Options& options_;
  const TripSet& trips_;
  random::Stream& noise_;
  std::vector<std::uint32_t> weight_;
  std::vector<double> length_;  // in metres
  AnswersSoFar answers_;
  const NoisyStatistics& known_ = answers_.known();
};

}  // namespace

NoisyStatistics TraceStatistics::release(const TripSet& trips, random::Stream& noise) const {
  if (options_.has_time && trips.t.size() != trips.point.size())
    throw InvalidOption("times", "are to be released but the trips have none");
  if (options_.unit == Unit::user && options_.persons != privacy::Persons::declared &&
      trips.user.size() != trips.size())
    throw InvalidOption("unit", "is a user but the trips name no users");
  return Survey(*this, trips, noise).run();
}

}  // namespace fogline::traces
