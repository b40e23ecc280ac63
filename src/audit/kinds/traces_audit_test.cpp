// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/traces_audit.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "audit/statements/recompute_traces.hpp"
#include "base/error.hpp"
#include "io/gzip.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/release.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"
#include "random/samplers.hpp"
#include "traces/invention/synthesis.hpp"
#include "traces/trip_file.hpp"

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

/// A folder with a real release of trips in it.
class RecomputeTraces : public testing::Test {
 protected:
  privacy::Statement release(const std::string& output) const {
    if (!std::filesystem::exists(folder_.path("ledger"))) privacy::declare(folder_.path("ledger"), "taxis");
    return privacy::release({.draft = terms_.draft(),
                             .dataset = "taxis",
                             .ledger = folder_.path("ledger"),
                             .output = folder_.path(output)},
                            [&](const random::Key& key) {
                              TripSet few = trace_neighbours(terms_).front().with;
                              const TripSet made = trace_mechanism(terms_, 7)(few, key);
                              std::string text = traces::trips_text(
                                  made, terms_.frame, traces::trip_format_of(output), 0, made.size());
                              if (output.ends_with(".gz")) text = io::gzip(text);
                              return privacy::Drawn{text, made.size()};
                            })
        .statement;
  }
  privacy::Outcome outcome_of(const privacy::Statement& statement, const std::string& name) const {
    for (const privacy::Check& check : recompute_traces(statement, {.folder = folder_.path("")}))
      if (check.name == name) return check.outcome;
    return privacy::Outcome::not_checked;
  }
  /// Changes the released file and makes the statement fit it, as a forger would.
  void append(privacy::Statement& statement, const std::string& more) const {
    const std::string file = folder_.path(statement.outputs[0].name);
    std::ofstream(file, std::ios::app | std::ios::binary) << more;
    statement.outputs[0].sha256 = privacy::sha256_of_file(file);
  }

  privacy::TestFolder folder_;
  TraceTerms terms_ = square_terms();
};

TEST_F(RecomputeTraces, PassesAnHonestRelease) {
  for (const std::string output : {"synthetic.csv", "synthetic.dat", "synthetic.csv.gz"}) {
    const privacy::Statement statement = release(output);
    for (const privacy::Check& check : recompute_traces(statement, {.folder = folder_.path("")}))
      EXPECT_EQ(check.outcome, privacy::Outcome::passed) << check.name << ": " << check.sentence;
  }
}

TEST_F(RecomputeTraces, SeesWhatDoesNotFollow) {
  const privacy::Statement honest = release("synthetic.csv");
  privacy::Statement forged = honest;
  forged.guarantee = privacy::Guarantee::pure({1, 2}, "one trip", privacy::Exactness::exact);
  EXPECT_EQ(outcome_of(forged, "guarantee"), privacy::Outcome::failed);
  forged = honest;
  forged.not_protected.erase(forged.not_protected.begin());
  EXPECT_EQ(outcome_of(forged, "words"), privacy::Outcome::failed);
  forged = honest;
  forged.parameters["shares_of_10000"]["pairs"] = 1;
  EXPECT_EQ(outcome_of(forged, "parameters"), privacy::Outcome::failed);
  forged = honest;
  forged.outputs[0].records = 8;
  EXPECT_EQ(outcome_of(forged, "released file"), privacy::Outcome::failed);
  forged = honest;
  append(forged, "\r\n");
  EXPECT_EQ(outcome_of(forged, "released file"), privacy::Outcome::failed);
  privacy::Statement packed = release("other.csv.gz");
  append(packed, io::gzip(""));
  EXPECT_EQ(outcome_of(packed, "released file"), privacy::Outcome::failed);
}

}  // namespace
}  // namespace fogline::audit::traces_audit_test
