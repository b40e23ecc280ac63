// SPDX-License-Identifier: Apache-2.0
#include "mobility/sample_day.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include "base/error.hpp"
#include "geometry/geodesic.hpp"
#include "mobility/car_router.hpp"
#include "mobility/car_trip.hpp"
#include "random/key.hpp"

namespace fogline::mobility {
namespace {

using graph::VertexId;

constexpr std::int64_t hour_s = 3600;
constexpr std::int64_t minute_s = 60;

/// Draws vertices in proportion to whole-number weights.
class VertexDraw {
 public:
  explicit VertexDraw(const std::vector<std::uint64_t>& weights) {
    sums_.resize(weights.size());
    std::partial_sum(weights.begin(), weights.end(), sums_.begin());
  }
  std::uint64_t total() const { return sums_.empty() ? 0 : sums_.back(); }
  VertexId operator()(random::Stream& stream) const {
    const std::uint64_t ticket = stream.below(total());
    return static_cast<VertexId>(std::upper_bound(sums_.begin(), sums_.end(), ticket) - sums_.begin());
  }

 private:
  std::vector<std::uint64_t> sums_;
};

/// Whole minutes and seconds around a time of day: the sum of three dice, so that the middle is likelier.
std::int64_t around(std::int64_t middle_s, std::int64_t spread_s, random::Stream& stream) {
  const auto die = [&] {
    return static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(2 * spread_s / 3 + 1)));
  };
  return middle_s - spread_s + die() + die() + die();
}

bool chance(std::uint64_t percent, random::Stream& stream) {
  return stream.below(100) < percent;
}

struct Outing {
  VertexId from = 0;
  VertexId to = 0;
  std::int64_t leave_s = 0;  ///< since midnight; later if the driver is still on the road
};

struct Person {
  VertexId home = 0;
  VertexId work = 0;
  DayPlan plan = DayPlan::at_home;
  std::uint64_t taste = 0;
  std::vector<Outing> outings;
  std::vector<CarTrip> trips;
};

class DayMaker {
 public:
  DayMaker(const roads::City& city, const SampleDayOptions& options)
      : city_(city),
        options_(options),
        key_(options.seed),
        homes_(plain(city.home_weight)),
        work_(plain(city.work_weight)) {
    if (homes_.total() == 0 || work_.total() == 0) {
      throw InvalidOption("city", "needs vertices with homes and vertices with work");
    }
    campus_ = campus_of(city);
  }

  SampleDay make() {
    std::vector<Person> people(options_.users);
    parallel_for(people.size(), options_.parallel, [&](std::size_t begin, std::size_t end) {
      CarRouter router(city_.network);
      for (std::size_t i = begin; i < end; ++i) people[i] = live(i, router);
    });
    return gather(people);
  }

 private:
  static std::vector<std::uint64_t> plain(const std::vector<std::uint32_t>& weights) {
    return {weights.begin(), weights.end()};
  }

  Person live(std::size_t number, CarRouter& router) const {
    random::Stream stream = key_.stream("sample day person", number);
    Person person;
    person.taste = stream.next64() | 1;
    person.home = homes_(stream);
    person.plan = draw_plan(stream);
    person.work = draw_work(person, stream);
    plan_day(person, stream);
    drive(person, stream, router);
    return person;
  }

  static DayPlan draw_plan(random::Stream& stream) {
    const std::uint64_t ticket = stream.below(100);
    if (ticket < 62) return DayPlan::day_worker;
    if (ticket < 74) return DayPlan::student;
    return ticket < 78 ? DayPlan::night_worker : DayPlan::at_home;
  }

  VertexId draw_work(const Person& person, random::Stream& stream) const {
    if (person.plan == DayPlan::at_home) return person.home;
    if (person.plan == DayPlan::student && !campus_.empty()) return campus_[stream.below(campus_.size())];
    return near(person.home, stream);
  }

  /// For each block of the campus the vertex nearest to its middle, among those where people work.
  static std::vector<VertexId> campus_of(const roads::City& city) {
    std::vector<VertexId> campus;
    for (const roads::CityArea& area : city.areas) {
      if (area.kind != roads::AreaKind::campus) continue;
      geometry::LonLat middle;
      for (const geometry::LonLat& p : area.outer) {
        middle.lon += p.lon / static_cast<double>(area.outer.size());
        middle.lat += p.lat / static_cast<double>(area.outer.size());
      }
      double best = std::numeric_limits<double>::infinity();
      VertexId nearest = 0;
      for (VertexId v = 0; v < city.work_weight.size(); ++v) {
        const double distance = geometry::geodesic_m(middle, city.network.position[v]);
        if (city.work_weight[v] == 0 || distance >= best) continue;
        best = distance;
        nearest = v;
      }
      campus.push_back(nearest);
    }
    return campus;
  }

  /// A place of work or business; one twice as far is several times less likely.
  VertexId near(VertexId home, random::Stream& stream) const {
    constexpr double usual_m = 1000;
    std::vector<std::uint64_t> weights(city_.work_weight.size());
    const geometry::LonLat here = city_.network.position[home];
    for (VertexId v = 0; v < weights.size(); ++v) {
      const geometry::LonLat there = city_.network.position[v];
      const double east = (there.lon - here.lon) * 78'850 / usual_m;
      const double north = (there.lat - here.lat) * 111'130 / usual_m;
      const double pull = 1000.0 * city_.work_weight[v] / (1 + east * east + north * north);
      weights[v] = v == home ? 0 : static_cast<std::uint64_t>(pull);
    }
    const VertexDraw draw(weights);
    return draw.total() > 0 ? draw(stream) : work_(stream);
  }

  void plan_day(Person& person, random::Stream& stream) const {
    auto& outings = person.outings;
    const VertexId home = person.home;
    const VertexId work = person.work;
    switch (person.plan) {
      case DayPlan::day_worker: {
        outings.push_back({home, work, around(8 * hour_s, 75 * minute_s, stream)});
        VertexId last = work;
        const std::int64_t leave = around(17 * hour_s + 30 * minute_s, 85 * minute_s, stream);
        if (chance(18, stream)) {
          last = near(work, stream);
          outings.push_back({work, last, leave});
        }
        outings.push_back({last, home, last == work ? leave : leave + around(2400, 1200, stream)});
        break;
      }
      case DayPlan::student:
        outings.push_back({home, work, around(8 * hour_s + 40 * minute_s, 60 * minute_s, stream)});
        outings.push_back({work, home, around(15 * hour_s + 30 * minute_s, 110 * minute_s, stream)});
        break;
      case DayPlan::night_worker:
        outings.push_back({home, work, around(21 * hour_s + 30 * minute_s, 40 * minute_s, stream)});
        outings.push_back({work, home, around(30 * hour_s, 40 * minute_s, stream)});
        return;
      case DayPlan::at_home:
        add_round_trip(person, around(11 * hour_s, 150 * minute_s, stream), stream);
        if (chance(35, stream)) {
          add_round_trip(person, around(15 * hour_s + 30 * minute_s, 90 * minute_s, stream), stream);
        }
        break;
    }
    if (chance(15, stream)) add_round_trip(person, around(20 * hour_s, 50 * minute_s, stream), stream);
  }

  void add_round_trip(Person& person, std::int64_t leave_s, random::Stream& stream) const {
    const VertexId goal = near(person.home, stream);
    person.outings.push_back({person.home, goal, leave_s});
    person.outings.push_back({goal, person.home, leave_s + around(4200, 2700, stream)});
  }

  void drive(Person& person, random::Stream& stream, CarRouter& router) const {
    constexpr std::int64_t shortest_stay_s = 4 * minute_s;
    std::int64_t free_at = 0;
    for (const Outing& outing : person.outings) {
      const std::int64_t leave = std::max(outing.leave_s, free_at);
      const auto steps = router.route(outing.from, outing.to, {.taste_seed = person.taste});
      if (steps.empty()) continue;
      CarTrip trip = drive_route(city_.network, steps, {leave, options_.interval_s}, stream);
      free_at = trip.second.back() + shortest_stay_s;
      person.trips.push_back(std::move(trip));
    }
  }

  SampleDay gather(const std::vector<Person>& people) const {
    SampleDay day;
    day.points.source = fmt::format("sample day {}", options_.seed);
    day.points.has_time = true;
    for (std::size_t i = 0; i < people.size(); ++i) {
      const Person& person = people[i];
      day.home.push_back(person.home);
      day.work.push_back(person.work);
      day.plan.push_back(person.plan);
      for (const CarTrip& trip : person.trips) append(trip, i, day.points);
    }
    choose_commuter(day);
    return day;
  }

  static void append(const CarTrip& trip, std::size_t user, io::PointTable& points) {
    const auto traj = points.traj_names.intern(fmt::format("t{}", points.traj_names.size() + 1));
    const auto who = points.user_names.intern(fmt::format("u{}", user + 1));
    for (std::size_t k = 0; k < trip.second.size(); ++k) {
      points.lon.push_back(trip.place[k].lon);
      points.lat.push_back(trip.place[k].lat);
      points.t.push_back(sample_day_start + trip.second[k]);
      points.traj.push_back(traj);
      points.user.push_back(who);
      points.line.push_back(points.lon.size());
    }
  }

  /// The day worker whose way to work is closest to 3 km as the crow flies: far enough to tell a story.
  void choose_commuter(SampleDay& day) const {
    double best = 1e9;
    for (std::uint32_t i = 0; i < day.plan.size(); ++i) {
      const geometry::LonLat home = city_.network.position[day.home[i]];
      const geometry::LonLat work = city_.network.position[day.work[i]];
      const double east = (work.lon - home.lon) * 78'850;
      const double north = (work.lat - home.lat) * 111'130;
      double off = std::abs(std::sqrt(east * east + north * north) - 3000);
      if (day.plan[i] != DayPlan::day_worker) off += 1e6;
      if (off < best) {
        best = off;
        day.commuter_user = i;
      }
    }
    const geometry::LonLat home = city_.network.position[day.home[day.commuter_user]];
    io::PointTable& row = day.commuter;
    row.source = day.points.source;
    row.has_time = true;
    row.lon = {home.lon};
    row.lat = {home.lat};
    row.t = {sample_day_start + 7 * hour_s + 30 * minute_s};
    row.user = {row.user_names.intern(fmt::format("u{}", day.commuter_user + 1))};
    row.line = {1};
  }

  const roads::City& city_;
  const SampleDayOptions& options_;
  random::SeededKey key_;
  VertexDraw homes_;
  VertexDraw work_;
  std::vector<VertexId> campus_;
};

}  // namespace

SampleDay make_sample_day(const roads::City& city, const SampleDayOptions& options) {
  if (options.users < 1 || options.users > 1'000'000) {
    throw InvalidOption("users", "must lie between 1 and 1,000,000");
  }
  if (options.interval_s < 1 || options.interval_s > 3600) {
    throw InvalidOption("interval_s", "must lie between 1 and 3,600 seconds");
  }
  return DayMaker(city, options).make();
}

}  // namespace fogline::mobility
