// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "io/identity.hpp"
#include "mobility/trips.hpp"
#include "traces/counts/statistics.hpp"

// What one person can change, from the file on: however names are spelled, either they are refused or the bound that is declared holds.

namespace fogline::traces::people_test {
namespace {

/// Somebody with trips, as a file spells the name.
struct Person {
  std::string name;
  std::size_t trips = 1;
};

/// By name of trip, what it counts for; nothing if the file is refused.
std::optional<std::map<std::string, std::int64_t>> weights_from_file(const std::vector<Person>& people,
                                                                     std::size_t without,
                                                                     std::uint32_t trips_per_user) {
  std::string csv = "traj_id,user_id,x_m,y_m\n";
  for (std::size_t i = 0; i < people.size(); ++i)
    for (std::size_t trip = 0; i != without && trip < people[i].trips; ++trip)
      csv += fmt::format("p{0}t{1},{2},0,0\np{0}t{1},{2},9,9\n", i, trip, people[i].name);
  auto source = io::TextSource::from_memory("t.csv", csv);
  mobility::Trips trips;
  try {
    trips = mobility::make_trips(io::read_points(source, {}), {});
    mobility::require_users(trips);
  } catch (const DataError&) {
    return std::nullopt;
  }
  if (trips.user.empty()) return std::nullopt;  // nobody is named: refused by whoever asks for users
  Warnings warnings;
  const TripSet set = trips_in_frame(trips, Frame::parse("0,0,10,10", Frame::Unit::metres), {}, warnings);
  const std::vector<std::uint32_t> weights = trip_weights(set, Unit::user, trips_per_user);
  std::map<std::string, std::int64_t> by_name;
  for (std::size_t i = 0; i < weights.size(); ++i) by_name[trips.name[i]] = weights[i];
  return by_name;
}

/// How far all counts together move if one person goes: no statistic moves farther, since a trip adds at most its weight to each.
std::int64_t change(std::map<std::string, std::int64_t> with,
                    const std::map<std::string, std::int64_t>& without) {
  for (const auto& [name, weight] : without) with[name] -= weight;
  std::int64_t sum = 0;
  for (const auto& [name, weight] : with) sum += std::abs(weight);
  return sum;
}

TEST(PeopleOfTrips, PooledUnderOneNameWouldChangeMoreThanIsDeclared) {
  TripSet pooled;  // guests with 30 and 2 trips, as one user
  pooled.user.assign(32, 0);
  pooled.point.resize(64);
  pooled.offset = {};
  for (std::uint64_t i = 0; i <= 32; ++i) pooled.offset.push_back(2 * i);
  TripSet alone = pooled;
  alone.user.resize(2);
  alone.offset.resize(3);
  const std::uint32_t of_both = trip_weights(pooled, Unit::user, 1).front();
  const std::uint32_t of_second = trip_weights(alone, Unit::user, 1).front();
  EXPECT_EQ(30 * of_both + 2 * (of_second - of_both), 7680U);  // 1.875 times what one user may
  for (const char* blank : {"", " ", "NA", "null"})
    EXPECT_FALSE(weights_from_file({{"ada", 3}, {blank, 30}, {blank, 2}}, 99, 1)) << blank;
  EXPECT_TRUE(weights_from_file({{"ada", 3}, {"g1", 30}, {"g2", 2}}, 99, 1));
}

TEST(PeopleOfTrips, ChangeNoMoreThanDeclaredWhateverTheSpelling) {
  EXPECT_TRUE(rc::check([] {
    const auto spellings =
        rc::gen::element<std::string>("7", "7.0", "07", " 7", "", "NA", "nan", "ada", "Ada", "8");
    std::vector<Person> people;
    for (const std::string& name : *rc::gen::container<std::vector<std::string>>(spellings)) {
      // One person has one spelling up to white space: two that share it are the same name to everybody.
      const bool taken = std::ranges::any_of(people, [&](const Person& other) {
        return io::trim_name(other.name) == io::trim_name(name) && !io::is_missing_name(name);
      });
      if (!taken) people.push_back({name, *rc::gen::inRange<std::size_t>(1, 40)});
    }
    RC_PRE(people.size() >= 2);
    const auto k = *rc::gen::inRange<std::uint32_t>(1, 6);
    const std::size_t gone = *rc::gen::inRange<std::size_t>(0, people.size());
    const auto with = weights_from_file(people, people.size(), k);
    if (!with) return;
    const auto without = weights_from_file(people, gone, k);
    RC_ASSERT(without.has_value());
    RC_ASSERT(change(*with, *without) <= std::int64_t{TraceStatistics::per_trip} * k);
  }));
}

TEST(PeopleOfTrips, AreNotMadeUpForTripsThatNameNobody) {
  TripSet nobodys;
  nobodys.point.resize(2);
  nobodys.offset = {0, 2};
  EXPECT_THROW(trip_weights(nobodys, Unit::user, 1), InvalidOption);
}

}  // namespace
}  // namespace fogline::traces::people_test
