// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/traces_audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "random/samplers.hpp"
#include "traces/invention/synthesis.hpp"

namespace fogline::audit::traces_audit_test {
namespace {

using testing::HasSubstr;
using traces::Frame;
using traces::TraceStatistics;
using traces::TraceTerms;
using traces::TripSet;

TraceTerms square_terms() {
  return {.frame = Frame::parse("0,0,6000,6000", Frame::Unit::metres), .epsilon = privacy::Epsilon{1, 1}};
}

TraceTerms square_terms_of_users() {
  TraceTerms terms = square_terms();
  terms.unit = traces::Unit::user;
  terms.trips_per_user = 4;
  terms.times = true;
  return terms;
}

/// A mechanism that gives its noisy counts away as points, which takes a fraction of the time of making trips.
TraceMechanism counts_alone(const TraceTerms& terms) {
  return [statistics = TraceStatistics(terms.options())](const TripSet& trips, const random::Key& key) {
    random::Stream noise = key.stream("traces");
    const traces::NoisyStatistics known = statistics.release(trips, noise);
    TripSet told;
    told.point.push_back({static_cast<float>(known.trips), 0});
    for (const traces::NoisyTable& table : known.table)
      for (const double value : table.value) told.point.push_back({static_cast<float>(value), 0});
    told.end_trip();
    return told;
  };
}

/// One replay of each pair is enough for tests.
TracesAuditOptions quick_audit() {
  return {.runs = 1, .noise_runs = 3, .trips_to_make = 10};
}

TEST(TracesAudit, FindsNothingWrongWithTheReleasedMechanism) {
  for (const TraceTerms& terms : {square_terms(), square_terms_of_users()}) {
    const TracesAudit audit = audit_traces(terms, quick_audit());
    EXPECT_TRUE(audit.passed) << audit.sentence;
    EXPECT_LE(audit.declared, 1.0);
    EXPECT_GT(audit.declared, 0.99);
    EXPECT_GT(audit.largest_loss, 0.5);
    EXPECT_GE(audit.trials.size(), 10U);
    EXPECT_GE(audit.meetings, traces::statistic_count - 3);  // no hours, no speeds, a number that is declared
    EXPECT_GT(audit.noise.draws, 10'000U);
  }
}

TEST(TracesAudit, CatchesNoiseForHalfOfATrip) {
  TraceTerms louder = square_terms();
  louder.epsilon = privacy::Epsilon{2, 1};
  const TracesAudit audit = audit_traces(square_terms(), counts_alone(louder), quick_audit());
  EXPECT_FALSE(audit.passed);
  EXPECT_THAT(audit.sentence, HasSubstr("above the claimed 1"));
}

TEST(TracesAudit, CatchesUsersWhoseTripsAllCount) {
  TraceTerms by_trip = square_terms_of_users();
  by_trip.unit = traces::Unit::trip;
  by_trip.epsilon = privacy::Epsilon{1, 4};  // four trips would be paid for; one has more
  const TracesAudit audit = audit_traces(square_terms_of_users(), counts_alone(by_trip), quick_audit());
  EXPECT_FALSE(audit.passed);
}

TEST(TracesAudit, ComparesNoiseWithTheLawOfItsOwnRun) {
  // Where shares depend on the noisy number of trips, runs differ in theirs.
  TraceTerms terms = square_terms();
  terms.epsilon = privacy::Epsilon{60, 1};
  TracesAuditOptions options = quick_audit();
  options.noise_runs = 20;
  const TracesAudit audit = audit_traces(terms, counts_alone(terms), options);
  EXPECT_TRUE(audit.passed) << audit.sentence;
  EXPECT_LT(audit.noise.largest_deviations, 5);
}

TEST(TracesAudit, CatchesANumberOfTripsReadFromTheData) {
  const TraceTerms terms = square_terms();
  const TraceMechanism reads = [&](const TripSet& trips, const random::Key& key) {
    TraceTerms with_number = terms;
    with_number.trips = std::max<std::size_t>(1, trips.size());
    return counts_alone(with_number)(trips, key);
  };
  const TracesAudit audit = audit_traces(terms, reads, quick_audit());
  EXPECT_FALSE(audit.passed);
}

TEST(TracesAudit, CatchesATripThatGoesRoundTheNoise) {
  const TraceTerms terms = square_terms();
  const TraceMechanism leaks = [&](const TripSet& trips, const random::Key& key) {
    TripSet made = counts_alone(terms)(trips, key);
    made.point.front().x += static_cast<float>(trips.size());
    return made;
  };
  const TracesAudit audit = audit_traces(terms, leaks, quick_audit());
  EXPECT_FALSE(audit.passed);
  EXPECT_THAT(audit.sentence, HasSubstr("went round the noise"));
}

TEST(TracesAudit, CatchesNoiseOfAnotherLaw) {
  const random::DiscreteLaplace laplace(Rational(1, 100));
  const auto fit_of = [&](std::int64_t divide) {
    random::Meeting meeting;
    meeting.name = "visits";
    meeting.epsilon = 1;
    meeting.sensitivity = 100;
    random::Stream noise = random::SeededKey(1).stream("law");
    for (int i = 0; i < 4'000; ++i) {
      meeting.values.push_back(7);
      meeting.answers.push_back(static_cast<long double>(7 + laplace(noise) / divide));
    }
    return fit_noise({{meeting}});
  };
  EXPECT_TRUE(fit_of(1).fits);
  EXPECT_FALSE(fit_of(2).fits);
  EXPECT_EQ(fit_of(2).worst, "visits");
}

TEST(TracesAudit, RefusesOptionsOutOfRange) {
  EXPECT_THROW(audit_traces(square_terms(), {.runs = 0}), InvalidOption);
  EXPECT_THROW(audit_traces(square_terms(), {.trips_to_make = 0}), InvalidOption);
}

}  // namespace
}  // namespace fogline::audit::traces_audit_test
