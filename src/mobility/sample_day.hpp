// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "graph/graph.hpp"
#include "io/points.hpp"
#include "roads/city.hpp"

namespace fogline::mobility {

/// Midnight at the start of the sample day, Tuesday 10 March 2026, UTC.
inline constexpr std::int64_t sample_day_start = 1'773'100'800;

enum class DayPlan : std::uint8_t { day_worker, student, night_worker, at_home };

struct SampleDayOptions {
  std::uint64_t seed = 1;
  std::uint32_t users = 2000;     ///< 1 to 1,000,000
  std::uint32_t interval_s = 15;  ///< seconds between points of a trip, 1 to 3,600
  ParallelOptions parallel = {};  ///< the result does not depend on it
};

/// A day of car trips of invented people, in the columns every reader of trips gives.
struct SampleDay {
  io::PointTable points;    ///< traj_id (t1, t2, ...), user_id (u1, u2, ...), t, lon, lat; by user and time
  io::PointTable commuter;  ///< one row: a day worker at home at 07:30
  std::uint32_t commuter_user = 0;    ///< index of that person
  std::vector<graph::VertexId> home;  ///< per person
  std::vector<graph::VertexId> work;  ///< per person; a student's campus; the home of who stays at home
  std::vector<DayPlan> plan;          ///< per person
};

/// Makes up a day in a sample city. People live where the city has homes and prefer work nearby; they drive to
/// work around 08:00 and home around 17:30, some by way of a shop; students go to the campus, a few work at
/// night, others run errands; some go out in the evening. Cars take the quickest way (a little different for
/// each driver), respect one-way streets and slow down in the rush hours.
///
///     SampleDay day = make_sample_day(city, {.seed = 1, .users = 2000});
///     io::OutputFile out("trips.csv", {});
///     io::write_points_csv(day.points, out);
///
/// The same city, seed and options give the same day. The first trip of everybody starts at home; night workers
/// return the next morning. Throws InvalidOption outside the ranges, or for a city without homes or work.
/// Cost: about a second for 2,000 people.
SampleDay make_sample_day(const roads::City& city, const SampleDayOptions& options);

}  // namespace fogline::mobility
