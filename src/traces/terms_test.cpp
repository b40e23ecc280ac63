// SPDX-License-Identifier: Apache-2.0
#include "traces/terms.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "mobility/trips.hpp"
#include "traces/released_file.hpp"

namespace fogline::traces::terms_test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const privacy::PublicInput rules_file{"closed.geojson", std::string(64, 'a'), ""};

TraceTerms plain_trace_terms() {
  return {.frame = Frame::parse("116.15,39.75,116.60,40.10", Frame::Unit::degrees),
          .epsilon = privacy::Epsilon{1, 1}};
}

std::vector<TraceTerms> kinds_of_trace_terms() {
  std::vector<TraceTerms> all{plain_trace_terms()};
  all.push_back({.frame = Frame::parse("0,0,38400,38920", Frame::Unit::metres),
                 .epsilon = privacy::Epsilon{1, 2},
                 .unit = Unit::user,
                 .trips_per_user = 20,
                 .times = true,
                 .max_length_m = 50'000,
                 .max_duration_s = 7200});
  all.push_back(all.back());
  all.back().persons = privacy::Persons::declared;
  all.push_back(plain_trace_terms());
  all.back().trips = 14'448;
  all.back().trips_to_make = 500;
  all.back().constraints = rules_file;
  all.back().network = roads::PublicNetwork{.inputs = {{"porto.osm.pbf", std::string(64, 'b'), ""}}};
  all.push_back(plain_trace_terms());
  all.back().network = roads::PublicNetwork{.inputs = {{"network", "", "city:1"}}};
  return all;
}

privacy::Statement changed_statement(const std::string& name, const nlohmann::ordered_json& value) {
  privacy::Statement statement = plain_trace_terms().draft();
  statement.parameters[name] = value;
  return statement;
}

TEST(TraceTerms, AreReadBackFromTheirStatement) {
  for (const TraceTerms& terms : kinds_of_trace_terms()) {
    const TraceTerms again = terms_from(terms.draft());
    EXPECT_EQ(again.guarantee(), terms.guarantee());
    EXPECT_EQ(again.parameters().dump(), terms.parameters().dump());
    EXPECT_EQ(again.public_inputs(), terms.public_inputs());
    EXPECT_EQ(again.promise(), terms.promise());
    EXPECT_EQ(again.not_protected(), terms.not_protected());
  }
}

TEST(TraceTerms, SayWhatIsProtectedAndWhatIsNot) {
  const auto all = kinds_of_trace_terms();
  EXPECT_EQ(to_string(all[0].guarantee()), "pure DP, epsilon 1, protecting one trip, exact");
  EXPECT_EQ(to_string(all[1].guarantee()), "pure DP, epsilon 0.5, protecting one user, exact");
  EXPECT_THAT(all[0].promise(), Contains(HasSubstr("2.72 times as likely with any one trip as without")));
  EXPECT_THAT(all[0].not_protected(), Contains(HasSubstr("30 trips is protected with an epsilon of 30")));
  EXPECT_THAT(all[1].promise(), Contains(HasSubstr("more than 20 trips counts each for less")));
  EXPECT_THAT(all[1].not_protected(), Contains(HasSubstr("that trips have times")));
  EXPECT_THAT(all[3].not_protected(), Contains("How many trips there are, which is declared."));
  EXPECT_THAT(all[3].not_protected(), Contains(HasSubstr("constraints")));
  EXPECT_FALSE(all[1].guarantee().covers_person());
  EXPECT_TRUE(all[2].guarantee().covers_person());
  EXPECT_THAT(all[2].promise(), Contains(HasSubstr("Nobody has more than 20 trips.")));
  EXPECT_THAT(all[0].not_protected(), Not(Contains(HasSubstr("How many trips"))));
}

TEST(TraceTerms, ShareOutTheWholeBudget) {
  for (const TraceTerms& terms : kinds_of_trace_terms()) {
    const auto shares = terms.parameters()["shares_of_10000"];
    EXPECT_EQ(shares.contains("few_trips"), !terms.trips.has_value());
    for (const auto& list :
         terms.trips ? std::vector{shares} : std::vector{shares["few_trips"], shares["many_trips"]}) {
      std::uint64_t sum = 0;
      for (const auto& share : list) sum += share.get<std::uint64_t>();
      EXPECT_EQ(sum, 10'000U);
    }
  }
  const auto with_number = kinds_of_trace_terms()[2].parameters()["shares_of_10000"];
  EXPECT_FALSE(with_number.contains("trips"));  // a public number is not paid for
  EXPECT_FALSE(with_number.contains("hours"));
}

TEST(TraceTerms, RefuseParametersThatDoNotFollow) {
  EXPECT_THROW(terms_from(changed_statement("epsilon", "1.0")), InvalidOption);
  EXPECT_THROW(terms_from(changed_statement("unit", "person")), InvalidOption);
  EXPECT_THROW(terms_from(changed_statement("area", "116.15,39.75,116.60,40.10")), InvalidOption);
  EXPECT_THROW(terms_from(changed_statement("trips_per_user", 5)), InvalidOption);
  EXPECT_THROW(terms_from(changed_statement("persons", "declared")), InvalidOption);
  EXPECT_THROW(terms_from(changed_statement("max_length_m", 0)), InvalidOption);
  EXPECT_THROW(terms_from(changed_statement("secret", 0)), InvalidOption);
  auto shares = plain_trace_terms().parameters()["shares_of_10000"];
  shares["pairs"] = 1;
  EXPECT_THROW(terms_from(changed_statement("shares_of_10000", shares)), InvalidOption);
  privacy::Statement file_too_many = plain_trace_terms().draft();
  file_too_many.public_inputs.push_back(rules_file);
  EXPECT_THROW(terms_from(file_too_many), InvalidOption);
  privacy::Statement file_missing = kinds_of_trace_terms()[3].draft();
  file_missing.public_inputs.clear();
  EXPECT_THROW(terms_from(file_missing), InvalidOption);
}

TEST(TraceTerms, RefuseOptionsOutOfRange) {
  TraceTerms terms = plain_trace_terms();
  terms.max_duration_s = 0;
  EXPECT_THROW(terms.guarantee(), InvalidOption);
  terms = plain_trace_terms();
  terms.trips_to_make = 1'000'000'000;
  EXPECT_THROW(terms.guarantee(), InvalidOption);
  terms = plain_trace_terms();
  terms.unit = Unit::user;
  terms.trips_per_user = 0;
  EXPECT_THROW(terms.guarantee(), InvalidOption);
}

ReleasedTrips released_from(const std::string& text, const std::string& area, TripFormat format,
                            ReleasedTimes times) {
  io::TextSource source = io::TextSource::from_memory("synthetic", text);
  const bool plane = format == TripFormat::dat;
  return check_released(source, Frame::parse(area, plane ? Frame::Unit::metres : Frame::Unit::degrees),
                        format, times);
}

TEST(ReleasedTrips, AreReadAsTheyAreWritten) {
  TripSet set;
  set.point = {{0, 0}, {500, 999.5F}, {1000, 1000}, {7, 7}};
  set.offset = {0, 2, 4};
  const Frame plane = Frame::parse("0,0,1000,1000", Frame::Unit::metres);
  const std::string dat = trips_text(set, plane, TripFormat::dat, 0, 2);
  const ReleasedTrips held = released_from(dat, "0,0,1000,1000", TripFormat::dat, ReleasedTimes::not_told);
  EXPECT_EQ(held.trips, 2U);
  EXPECT_EQ(held.points, 4U);
  EXPECT_EQ(held.bytes, dat.size());
  set.t = {0, 5, 86'399, 90'000};
  const std::string area = "13.1234567,52,13.2,52.1";
  const std::string csv = trips_text(set, Frame::parse(area, Frame::Unit::degrees), TripFormat::csv, 0, 2);
  const ReleasedTrips timed = released_from(csv, area, TripFormat::csv, ReleasedTimes::told);
  EXPECT_EQ(timed.trips, 2U);
  EXPECT_EQ(timed.bytes, csv.size());
  EXPECT_EQ(trips_in_csv(csv), 2U);
  EXPECT_EQ(trips_in_csv(csv.substr(0, csv.size() - 1)), 2U);
  EXPECT_EQ(trips_in_csv(csv.substr(0, csv.find("\n1,") + 3)), 1U);
  EXPECT_EQ(trips_in_csv(csv.substr(0, csv.find('\n') + 1)), 0U);
  EXPECT_EQ(trips_in_csv(""), 0U);
}

TEST(ReleasedTrips, AreLinesInGeoJson) {
  TripSet set;
  set.point = {{0, 0}, {500, 999.5F}, {1000, 1000}, {7, 7}, {8, 8}};
  set.offset = {0, 2, 5};
  const std::string area = "13.1234567,52,13.2,52.1";
  const Frame frame = Frame::parse(area, Frame::Unit::degrees);
  for (const bool timed : {false, true}) {
    if (timed) set.t = {0, 5, 86'399, 90'000, 90'000};
    // In pieces, as a release writes them.
    const std::string text =
        trips_text(set, frame, TripFormat::geojson, 0, 1) + trips_text(set, frame, TripFormat::geojson, 1, 2);
    const auto held =
        released_from(text, area, TripFormat::geojson, timed ? ReleasedTimes::told : ReleasedTimes::not_told);
    EXPECT_EQ(held.trips, 2U);
    EXPECT_EQ(held.points, 5U);
    EXPECT_EQ(held.bytes, text.size());
    EXPECT_THROW(
        released_from(text, area, TripFormat::geojson, timed ? ReleasedTimes::not_told : ReleasedTimes::told),
        DataError);
    // The project's own reader takes it for the same trips.
    io::TextSource source = io::TextSource::from_memory("s.geojson", text);
    const mobility::Trips trips = mobility::make_trips(io::read_points(source, {}), {});
    EXPECT_EQ(trips.offset, set.offset);
    EXPECT_EQ(trips.t, set.t);
    EXPECT_EQ(trips.name, (std::vector<std::string>{"0", "1"}));
    EXPECT_NEAR(trips.lon[0], 13.1234567, 1e-6);
  }
  EXPECT_THROW(trips_text(set, Frame::parse("0,0,9,9", Frame::Unit::metres), TripFormat::geojson, 0, 2),
               InvalidOption);
}

TEST(ReleasedTrips, HoldNothingElseInGeoJson) {
  const std::string head = std::string(geojson_head) + "\n", tail = std::string(geojson_tail) + "\n";
  const auto line = [](const std::string& id, const std::string& times, const std::string& points) {
    return fmt::format("{}{}{}{}]{}{}{}", geojson_trip, id, geojson_times, times, geojson_line, points,
                       geojson_end);
  };
  const std::string points = "[0.100000,0.200000],[0.100000,0.300000]";
  const auto read = [&](const std::string& text) {
    return released_from(text, "0,0,1,1", TripFormat::geojson, ReleasedTimes::told);
  };
  EXPECT_EQ(read(head + line("0", "5,6", points) + "\n" + tail).trips, 1U);
  const auto refused = [&](const std::string& text) { EXPECT_THROW(read(text), DataError) << text; };
  refused("");
  refused(head);
  refused(head + tail);
  refused(head + line("0", "5,6", points) + "\n");                  // cut short
  refused(head + line("0", "5,6", points) + ",\n" + tail);          // a comma too many
  refused(head + line("0", "5,6", points) + "\n" + tail + "{}\n");  // something behind
  refused(head + line("0", "5,6", points) + "\n" + line("1", "5,6", points) + "\n" + tail);  // no comma
  refused(head + line("1", "5,6", points) + "\n" + tail);                                    // counts from 1
  refused(head + line("00", "5,6", points) + "\n" + tail);
  refused(head + line("0", "5,6", points.substr(0, 19)) + "\n" + tail);  // one point
  refused(head + line("0", "5,6,7", points) + "\n" + tail);              // a time more
  refused(head + line("0", "5,6,", points) + "\n" + tail);
  refused(head + line("0", "", points) + "\n" + tail);
  refused(head + line("0", "6,5", points) + "\n" + tail);          // time falls
  refused(head + line("0", "05,6", points) + "\n" + tail);         // another spelling
  refused(head + line("0", "86400,86401", points) + "\n" + tail);  // another day
  refused(head + line("0", "5,6", points + ",") + "\n" + tail);
  refused(head + line("0", "5,6", "[0.1,0.2],[0.100000,0.300000]") + "\n" + tail);
  refused(head + line("0", "5,6", "[0.100000,0.200000, 7],[0.100000,0.300000]") + "\n" + tail);
  refused(head + line("0", "5,6", "[1.100000,0.200000],[0.100000,0.300000]") + "\n" + tail);  // outside
  refused(head + line(R"(0,"user_id":7)", "5,6", points) + "\n" + tail);
}

TEST(ReleasedTrips, HoldNothingElse) {
  const auto refused = [](const std::string& rows) {
    EXPECT_THROW(released_from("traj_id,t,lon,lat\n" + rows, "0,0,1,1", TripFormat::csv, ReleasedTimes::told),
                 DataError)
        << rows;
  };
  const std::string good = "0,5,0.100000,0.200000\n0,6,0.100000,0.200000\n";
  EXPECT_EQ(
      released_from("traj_id,t,lon,lat\n" + good, "0,0,1,1", TripFormat::csv, ReleasedTimes::told).trips, 1U);
  refused("0,5,0.100000,0.200000\n");                                 // one point
  refused("1,5,0.100000,0.200000\n1,6,0.100000,0.200000\n");          // counts from 1
  refused(good + "2,5,0.100000,0.200000\n2,6,0.100000,0.200000\n");   // leaves one out
  refused("0,5,0.1000001,0.200000\n0,6,0.100000,0.200000\n");         // a digit more
  refused("0,5,0.100000,0.200000,x\n0,6,0.100000,0.200000\n");        // a column more
  refused("0,7,0.100000,0.200000\n0,6,0.100000,0.200000\n");          // time falls
  refused("0,86400,0.100000,0.200000\n0,86401,0.100000,0.200000\n");  // another day
  refused("0,5,1.100000,0.200000\n0,6,0.100000,0.200000\n");          // outside
  refused("0,5,,0.200000\n0,6,0.100000,0.200000\n");
  EXPECT_THROW(released_from("traj_id,user_id,t,lon,lat\n", "0,0,1,1", TripFormat::csv, ReleasedTimes::told),
               DataError);
  EXPECT_THROW(released_from("", "0,0,1,1", TripFormat::csv, ReleasedTimes::told), DataError);
  EXPECT_THROW(released_from("#0:\n>0:1.0,2.0;\n", "0,0,9,9", TripFormat::dat, ReleasedTimes::not_told),
               DataError);
  EXPECT_THROW(
      released_from("#0:\n>0:1.0,2.0;1.00,2.0;\n", "0,0,9,9", TripFormat::dat, ReleasedTimes::not_told),
      DataError);
  // A carriage return shows in the size.
  const std::string hidden = "traj_id,t,lon,lat\n0,5,0.100000,0.200000\r\n0,6,0.100000,0.200000\n";
  EXPECT_NE(released_from(hidden, "0,0,1,1", TripFormat::csv, ReleasedTimes::told).bytes, hidden.size());
}

}  // namespace
}  // namespace fogline::traces::terms_test
