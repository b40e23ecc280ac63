// SPDX-License-Identifier: Apache-2.0
#include "audit/statements/recompute_stream.hpp"

#include <filesystem>
#include <fstream>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "privacy/file_hash.hpp"
#include "privacy/release.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"
#include "random/key.hpp"
#include "stream/public_stream.hpp"
#include "stream/run.hpp"

namespace fogline::audit::recompute_stream_test {
namespace {

using privacy::Check;
using privacy::Outcome;
using stream::StreamTerms;

/// A folder with a real release of a walk through a house in it.
class RecomputeStream : public testing::Test {
 protected:
  RecomputeStream() {
    terms_.model = write(
        "house.csv",
        "from,to,probability\nhall,hall,0.5\nhall,lab,0.5\nlab,hall,0.25\nlab,lab,0.5\nlab,office,0.25\n"
        "office,lab,0.5\noffice,office,0.5\n");
    terms_.query_file = write("rooms.csv", "state,warmth,noise\nhall,1,0\nlab,2,1\noffice,4,2\n");
    terms_.policy = "file:pairs.csv";
    terms_.policy_files = {write("pairs.csv", "state,other\nhall,lab\n")};
  }

  privacy::PublicInput write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path(name)) << text;
    return {name, privacy::sha256_of_text(text), ""};
  }

  privacy::Statement release() const {
    const stream::PublicStream stream(terms_, stream::files_of(terms_, [&](const privacy::PublicInput& file) {
                                        return folder_.path(file.name);
                                      }));
    if (!std::filesystem::exists(folder_.path("ledger"))) privacy::declare(folder_.path("ledger"), "house");
    return privacy::release(
               {.draft = terms_.draft(),
                .dataset = "house",
                .ledger = folder_.path("ledger"),
                .output = folder_.path("safe.csv")},
               [&](const random::Key& key) {
                 random::Stream noise = key.stream("stream", 0);
                 stream::Tracker tracker = stream.tracker();
                 stream::RowMaker rows(tracker, terms_, "1");
                 const stream::ReleasedFormat format(stream.model().space);
                 std::string text = format.header();
                 for (const stream::StateId truth : {0U, 1U, 2U, 1U, 0U}) {
                   const stream::StepMechanism& mechanism = tracker.prepare();
                   if (const auto row = rows.take(mechanism.draw(tracker.place_of(truth), noise)))
                     text += format.row(*row);
                 }
                 for (const auto& row : rows.finish()) text += format.row(row);
                 return privacy::Drawn{text, 5, rows.tally().outcome(terms_)};
               })
        .statement;
  }

  std::vector<Check> checks(const privacy::Statement& statement) const {
    return recompute_stream(statement, {.folder = folder_.path("")});
  }
  Outcome outcome_of(const privacy::Statement& statement, const std::string& name) const {
    for (const Check& check : checks(statement)) {
      if (check.name == name) return check.outcome;
    }
    ADD_FAILURE() << "no check " << name;
    return Outcome::not_checked;
  }
  /// Changes the released file and makes the statement fit it, as a forger would.
  void change_file(privacy::Statement& statement, const std::function<void(std::string&)>& change) const {
    std::string text = privacy::content_of(folder_.path("safe.csv"));
    change(text);
    std::ofstream(folder_.path("safe.csv")) << text;
    statement.outputs[0].sha256 = privacy::sha256_of_text(text);
  }

  privacy::TestFolder folder_;
  StreamTerms terms_{.epsilon = privacy::Epsilon(1, 1)};
};

TEST_F(RecomputeStream, AnHonestReleasePassesEveryCheck) {
  for (const stream::Finish finish :
       {stream::Finish::estimate, stream::Finish::smoothed, stream::Finish::raw}) {
    terms_.finish = finish;
    terms_.mechanism =
        finish == stream::Finish::raw ? stream::MechanismKind::k_norm : stream::MechanismKind::automatic;
    std::filesystem::remove(folder_.path("safe.csv"));
    std::filesystem::remove(folder_.path("safe.csv.statement.json"));
    for (const Check& check : checks(release()))
      EXPECT_EQ(check.outcome, Outcome::passed) << check.name << ": " << check.sentence;
  }
}

/// A live release that ended by an error says what went out, and nothing of how it went.
TEST_F(RecomputeStream, AStatementWithoutOutcomeIsNotWrongAndNotChecked) {
  privacy::Statement statement = release();
  statement.outcome = {};
  EXPECT_EQ(outcome_of(statement, "released file"), Outcome::passed);
  EXPECT_EQ(outcome_of(statement, "outcome"), Outcome::not_checked);
}

TEST_F(RecomputeStream, AnAnswerThatDoesNotFollowFromTheDrawsIsFound) {
  privacy::Statement statement = release();
  change_file(statement, [](std::string& text) {
    const std::size_t row = text.find(',', text.find("\n1,3,") + 5) + 1;
    text.replace(row, text.find(',', row) - row, "9.5");
  });
  EXPECT_EQ(outcome_of(statement, "released file"), Outcome::failed);
}

TEST_F(RecomputeStream, ADrawThatNoStateGivesIsFound) {
  privacy::Statement statement = release();
  change_file(statement, [](std::string& text) {
    const std::size_t row = text.find("\n1,2,");
    std::size_t draw = row + 5;
    for (int commas = 0; commas < 3; ++commas) draw = text.find(',', draw) + 1;
    text.replace(draw, text.find(',', draw) - draw, "4000000");
  });
  EXPECT_EQ(outcome_of(statement, "released file"), Outcome::failed);
}

TEST_F(RecomputeStream, APromiseForMoreSequencesThanWereChargedIsFound) {
  terms_.sequences_per_person = 3;
  const privacy::Statement honest = release();
  EXPECT_EQ(honest.guarantee.epsilon(), Rational(3));
  for (const Check& check : checks(honest))
    EXPECT_EQ(check.outcome, Outcome::passed) << check.name << ": " << check.sentence;
  privacy::Statement forged = honest;
  forged.parameters["sequences_per_person"] = 4U;
  EXPECT_EQ(outcome_of(forged, "guarantee"), Outcome::failed);
  EXPECT_EQ(outcome_of(forged, "words"), Outcome::failed);
  forged = honest;
  forged.parameters.json().erase("sequences_per_person");
  EXPECT_EQ(outcome_of(forged, "guarantee"), Outcome::failed);
}

TEST_F(RecomputeStream, AForgedPromiseOrOutcomeIsFound) {
  const privacy::Statement honest = release();
  privacy::Statement forged = honest;
  forged.outcome["exposed_steps"] = 0;
  EXPECT_EQ(outcome_of(forged, "outcome"), Outcome::failed);  // the office is joined with none
  forged = honest;
  forged.outcome["more"] = 1;
  EXPECT_EQ(outcome_of(forged, "outcome"), Outcome::failed);
  forged = honest;
  forged.guarantee =
      privacy::Guarantee::policy(privacy::Epsilon(1, 2), honest.guarantee.unit(), privacy::Exactness::exact);
  EXPECT_EQ(outcome_of(forged, "guarantee"), Outcome::failed);
  forged = honest;
  forged.promise.front() = "Everything.";
  EXPECT_EQ(outcome_of(forged, "words"), Outcome::failed);
  forged = honest;
  forged.parameters["delta"] = "1";
  EXPECT_EQ(outcome_of(forged, "parameters"), Outcome::failed);
}

TEST_F(RecomputeStream, WithoutTheModelNothingIsCalledPassedThatNeedsIt) {
  const privacy::Statement statement = release();
  std::filesystem::remove(folder_.path("house.csv"));
  EXPECT_EQ(outcome_of(statement, "guarantee"), Outcome::passed);
  EXPECT_EQ(outcome_of(statement, "released file"), Outcome::not_checked);
  EXPECT_EQ(outcome_of(statement, "outcome"), Outcome::not_checked);
}

}  // namespace
}  // namespace fogline::audit::recompute_stream_test
