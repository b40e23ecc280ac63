// SPDX-License-Identifier: Apache-2.0
#include "audit/statements/recompute_traces.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/gzip.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/release.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"
#include "traces/counts/counts_file.hpp"
#include "traces/make_trips.hpp"
#include "traces/rules/constraints_file.hpp"
#include "traces/trip_file.hpp"

namespace fogline::audit::recompute_traces_test {
namespace {

using privacy::Outcome;
using testing::HasSubstr;

/// A folder with a release of invented trips in it.
class RecomputeTraces : public testing::Test {
 protected:
  static traces::TripSet private_trips() {
    traces::TripSet set;
    for (int i = 0; i < 60; ++i) {
      for (int p = 0; p < 8; ++p) {
        set.point.push_back({static_cast<float>(50 * i + 200 * p), static_cast<float>(500 * p + 10 * i)});
        set.t.push_back(30'000 + 300 * i + 60 * p);
      }
      set.end_trip();
    }
    return set;
  }

  void release(const std::string& name = "trips.csv") {
    if (!std::filesystem::exists(folder_.path("ledger"))) privacy::declare(folder_.path("ledger"));
    const privacy::ReleasePlan plan{.draft = terms_.draft(),
                                    .dataset = "riders",
                                    .ledger = folder_.path("ledger"),
                                    .output = folder_.path(name),
                                    .more_outputs = {folder_.path(name + ".counts.json")},
                                    .time_unix_s = 1'700'000'000};
    statement_ =
        privacy::release_in_pieces(plan, [&](const random::Key& key, const privacy::WriteOutput& write) {
          const traces::CountedTrips counted =
              traces::count_trips(private_trips(), traces::TraceStatistics(terms_.options()), key);
          const traces::TripSet made = traces::make_trips(counted, terms_, rules_, {}).trips;
          traces::write_trips(made, terms_.frame, traces::trip_format_of(name),
                              {.packed = name.ends_with(".gz")}, write);
          return privacy::DrawnInPieces(
              made.size(), {}, {},
              {{.text = counted.text, .records = traces::count_of_counts(counted.known)}});
        }).statement;
  }

  /// Writes another text for an output, and its hash into the statement.
  void forge(std::size_t output, const std::function<void(std::string&)>& change) {
    privacy::ReleasedFile& file = statement_->outputs.at(output);
    std::ifstream in(folder_.path(file.name), std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    change(text);
    std::ofstream(folder_.path(file.name), std::ios::binary) << text;
    file.sha256 = privacy::sha256_of_text(text);
  }

  privacy::Check check(const std::string& name, RecomputeOptions options = {}) {
    options.folder = folder_.path("");
    for (const privacy::Check& one : recompute_traces(*statement_, options))
      if (one.name == name) return one;
    return {name, Outcome::not_checked, "there is no such check"};
  }
  void expect(const std::string& name, Outcome outcome, const std::string& words,
              const RecomputeOptions& options = {}) {
    const privacy::Check found = check(name, options);
    EXPECT_EQ(found.outcome, outcome) << name << ": " << found.sentence;
    EXPECT_THAT(found.sentence, HasSubstr(words));
  }

  privacy::TestFolder folder_;
  traces::TraceTerms terms_{.frame = traces::Frame::parse("0,0,6000,6000", traces::Frame::Unit::metres),
                            .epsilon = {5, 1},
                            .times = true};
  traces::TripRules rules_;
  std::optional<privacy::Statement> statement_;
};

TEST_F(RecomputeTraces, MakesTheSameTripsOfTheCounts) {
  for (const char* name : {"trips.csv", "trips.csv.gz", "trips.dat", "other.dat.gz"}) {
    terms_.times = std::string(name).find(".csv") != std::string::npos;
    release(name);
    for (const privacy::Check& one : recompute_traces(*statement_, {.folder = folder_.path("")}))
      EXPECT_EQ(one.outcome, Outcome::passed) << one.name << ": " << one.sentence;
    expect("trips", Outcome::passed, "to the last byte", {.threads = 1});
  }
}

TEST_F(RecomputeTraces, SeesWhatDoesNotFollow) {
  release();
  const privacy::Statement honest = *statement_;
  statement_->guarantee = privacy::Guarantee::pure({1, 2}, "one trip", privacy::Exactness::exact);
  expect("guarantee", Outcome::failed, "the statement claims");
  statement_ = honest;
  statement_->not_protected.erase(statement_->not_protected.begin());
  expect("words", Outcome::failed, "not_protected");
  statement_ = honest;
  statement_->parameters["shares_of_10000"]["few_trips"]["pairs"] = 1;
  expect("parameters", Outcome::failed, "shares_of_10000");
  statement_ = honest;
  statement_->outputs[0].records += 1;
  expect("released file", Outcome::failed, "the statement counts");
  statement_ = honest;
  forge(0, [](std::string& text) { text += "\r\n"; });
  expect("released file", Outcome::failed, "");
  release("packed.csv.gz");
  forge(0, [](std::string& text) { text += io::gzip(""); });
  expect("released file", Outcome::failed, "beside the text");
}

TEST_F(RecomputeTraces, MakesTripsThatObeyTheSameRules) {
  const std::string text =
      R"({"type":"FeatureCollection","features":[{"type":"Feature","properties":{"rule":"closed"},)"
      R"("geometry":{"type":"Polygon","coordinates":[[[500,500],[3000,500],[3000,3000],[500,3000],[500,500]]]}}]})";
  std::ofstream(folder_.path("closed.geojson")) << text;
  terms_.constraints = {"closed.geojson", privacy::sha256_of_text(text), ""};
  terms_.trips_to_make = 40;
  Warnings warnings;
  rules_.constraints = std::make_unique<const traces::Constraints>(
      traces::read_constraints(folder_.path("closed.geojson"), terms_.frame, {.timed = true}, warnings));
  release();
  expect("constraints", Outcome::passed, "no trip breaks a hard rule");
  expect("trips", Outcome::passed, "to the last byte");
  std::filesystem::remove(folder_.path("closed.geojson"));
  expect("trips", Outcome::not_checked, "is not there");
}

/// Trips in the area, as many as told, whose hash the statement has: nothing but making them again shows it.
TEST_F(RecomputeTraces, FindsTripsThatWereWrittenByHand) {
  release();
  forge(0, [](std::string& text) { text[text.size() - 2] = text[text.size() - 2] == '3' ? '4' : '3'; });
  expect("released file", Outcome::passed, "all in the area");
  expect("counts", Outcome::passed, "noisy counts");
  expect("trips", Outcome::failed, "the released ones are not the mechanism's");
}

TEST_F(RecomputeTraces, FindsTripsThatWereWrittenByHandAndPacked) {
  release("trips.csv.gz");
  const privacy::Statement first = *statement_;
  std::ifstream in(folder_.path("trips.csv.gz"), std::ios::binary);
  const std::string trips{std::istreambuf_iterator<char>(in), {}};
  for (const std::string name : {"trips.csv.gz", "trips.csv.gz.counts.json", "trips.csv.gz.statement.json"})
    std::filesystem::remove(folder_.path(name));
  release("trips.csv.gz");
  statement_->outputs[0] = first.outputs[0];
  std::ofstream(folder_.path("trips.csv.gz"), std::ios::binary) << trips;
  expect("released file", Outcome::passed, "all in the area");
  expect("trips", Outcome::failed, "the released ones are not the mechanism's");
}

/// Whoever reads a pipe may leave, and what went out before has a statement that is right.
TEST_F(RecomputeTraces, KnowsTheBeginningOfAnOutputThatWasCutShort) {
  release();
  statement_->outputs[0].name = "-";
  const RecomputeOptions kept{.files = {{"-", folder_.path("trips.csv")}}};
  expect("trips", Outcome::passed, "to the last byte", kept);
  // Noise decides how many trips there are, and so how long the file is.
  const std::string trips = folder_.path("trips.csv");
  std::filesystem::resize_file(trips, std::filesystem::file_size(trips) / 2);
  statement_->outputs[0].sha256 = privacy::sha256_of_file(folder_.path("trips.csv"));
  expect("trips", Outcome::passed, "cut short", kept);
  expect("trips", Outcome::not_checked, "is not there");
  statement_->outputs[0].name = "trips.csv";
  expect("trips", Outcome::failed, "they are others");
}

TEST_F(RecomputeTraces, FindsCountsThatWereWrittenByHand) {
  release();
  const privacy::Statement honest = *statement_;
  forge(1, [](std::string& text) { text.insert(text.find("\"turns\""), " "); });
  expect("counts", Outcome::failed, "another spelling");
  expect("trips", Outcome::failed, "another spelling");
  statement_ = honest;
  expect("counts", Outcome::not_checked, "is another file");
  forge(1, [](std::string& text) { text = "{}"; });
  expect("counts", Outcome::failed, "tables");
  statement_->outputs.pop_back();
  expect("released file", Outcome::failed, "and not two");
  expect("trips", Outcome::failed, "name no counts");
}

TEST_F(RecomputeTraces, FindsAnotherNumberOfCounts) {
  release();
  statement_->outputs[1].records += 1;
  expect("counts", Outcome::failed, "the statement speaks of");
}

/// A parameter that trips depend on must be the one that they were made with.
TEST_F(RecomputeTraces, FindsTripsOfOtherParameters) {
  release();
  terms_.max_duration_s = 1;  // which no trip keeps to
  statement_->parameters = terms_.parameters();
  expect("counts", Outcome::passed, "noisy counts");
  expect("trips", Outcome::failed, "they are others");
}

TEST_F(RecomputeTraces, LeavesOutWhatNobodyAskedFor) {
  release();
  expect("trips", Outcome::not_checked, "not made again", {.read_map = false});
  expect("counts", Outcome::not_checked, "no file was opened", {.read_files = false});
  terms_.trips_to_make = 300'000;
  statement_->parameters = terms_.parameters();
  expect("trips", Outcome::not_checked, "300000 trips are more than the 200000");
}

TEST_F(RecomputeTraces, SaysThatAnotherVersionMadeThem) {
  release();
  statement_->version = "0.0.1";
  expect("trips", Outcome::passed, "to the last byte");
  const privacy::Statement honest = *statement_;
  forge(0, [](std::string& text) { text[text.size() - 2] = text[text.size() - 2] == '3' ? '4' : '3'; });
  expect("trips", Outcome::not_checked, "version 0.0.1 made them");
  statement_->outputs.pop_back();
  expect("released file", Outcome::passed, "all in the area");
  expect("trips", Outcome::not_checked, "version 0.0.1 released no counts");
}

}  // namespace
}  // namespace fogline::audit::recompute_traces_test
