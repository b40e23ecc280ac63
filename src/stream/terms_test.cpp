// SPDX-License-Identifier: Apache-2.0
#include "stream/terms.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "stream/policy/policy_text.hpp"
#include "stream/released_file.hpp"
#include "stream/test_stream.hpp"

namespace fogline::stream::terms_test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

privacy::PublicInput some_file(const std::string& name) {
  return {.name = name, .sha256 = std::string(64, 'a'), .specification = ""};
}

StreamTerms some_terms() {
  return {
      .epsilon = privacy::Epsilon(1, 2), .policy = "util:1000+transition", .model = some_file("model.json")};
}

TEST(StreamTerms, AreReadBackFromTheirStatement) {
  StreamTerms terms = some_terms();
  terms.policy = "category:rooms.csv+file:pairs.csv";
  terms.policy_files = {some_file("rooms.csv"), some_file("pairs.csv")};
  terms.query_file = some_file("query.csv");
  terms.initial_file = some_file("first.csv");
  terms.repair = Repair::partners;
  terms.partners_file = some_file("partners.csv");
  terms.begin_file = some_file("walker.json");
  terms.lattice_step = "0.5";
  terms.finish = Finish::raw;
  terms.part = ProtectedPart::sequence;
  terms.steps = 20;
  terms.sequences_per_person = 3;
  terms.persons = privacy::Persons::file;
  terms.too_many = privacy::TooMany::leave_out;
  const StreamTerms again = terms_from(terms.draft());
  EXPECT_EQ(again.parameters(), terms.parameters());
  EXPECT_EQ(again.public_inputs(), terms.public_inputs());
  EXPECT_EQ(again.guarantee(), terms.guarantee());
  EXPECT_EQ(again.guarantee().epsilon(), Rational(30));
  EXPECT_EQ(again.promise(), terms.promise());
  EXPECT_EQ(again.not_protected(), terms.not_protected());
}

TEST(StreamTerms, ALikelySetIsReadBackAndHasNoPromiseForSequences) {
  StreamTerms terms = some_terms();
  terms.delta = Rational(1, 100);
  EXPECT_EQ(terms_from(terms.draft()).promise(), terms.promise());
  EXPECT_THAT(terms.promise().front(), HasSubstr("likely states"));
  terms.part = ProtectedPart::sequence;
  terms.steps = 5;
  EXPECT_THROW(terms.guarantee(), InvalidOption);
}

TEST(StreamTerms, ChargeOneStepOrAll) {
  StreamTerms terms = some_terms();
  EXPECT_EQ(terms.guarantee().epsilon(), Rational(1, 2));
  EXPECT_EQ(terms.guarantee().notion(), privacy::Notion::policy_dp);
  EXPECT_THAT(terms.guarantee().unit(), HasSubstr("one state"));
  terms.part = ProtectedPart::sequence;
  terms.steps = 100;
  EXPECT_EQ(terms.guarantee().epsilon(), Rational(50));
  terms.steps = 100'000;
  EXPECT_THROW(terms.guarantee(), InvalidOption);
}

TEST(StreamTerms, AllSequencesOfAPersonArePromisedAndCharged) {
  StreamTerms terms = some_terms();
  EXPECT_THAT(terms.not_protected(), Contains(HasSubstr("Several sequences of one person together")));
  terms.sequences_per_person = 200;
  EXPECT_EQ(terms.guarantee().epsilon(), Rational(100));
  EXPECT_THAT(terms.guarantee().unit(),
              HasSubstr("one state of each of one person's sequences, at most 200"));
  EXPECT_THAT(terms.promise(), Contains(HasSubstr("exp(100) times")));
  terms.part = ProtectedPart::sequence;
  terms.steps = 4;
  EXPECT_EQ(terms.epsilon_of_sequence(), Rational(2));
  EXPECT_EQ(terms.guarantee().epsilon(), Rational(400));
  EXPECT_FALSE(terms.guarantee().covers_person());
  terms.persons = privacy::Persons::column;
  EXPECT_FALSE(terms.guarantee().covers_person());  // what the policy does not join is told apart for certain
  terms.policy = "complete";
  EXPECT_TRUE(terms.guarantee().covers_person());
  EXPECT_THAT(terms.guarantee().unit(), HasSubstr("one person's sequences, at most 200 of at most 4 steps"));
  terms.sequences_per_person = 501;
  EXPECT_THROW(terms.guarantee(), InvalidOption);
  terms.part = ProtectedPart::step;
  terms.sequences_per_person = 2;
  EXPECT_FALSE(terms.guarantee().covers_person());  // one state of each sequence is less than a person
  terms.sequences_per_person = 2'000'001;
  EXPECT_THROW(terms.guarantee(), InvalidOption);
}

TEST(StreamTerms, SayThatAContinuedReleaseIsChargedByItself) {
  StreamTerms terms = some_terms();
  EXPECT_THAT(terms.not_protected(), Not(Contains(HasSubstr("goes on from"))));
  terms.begin_file = some_file("walker.json");
  EXPECT_THAT(terms.not_protected(), Contains(HasSubstr("goes on from: each is charged by itself")));
}

TEST(StreamTerms, AChangedParameterIsNoticed) {
  const privacy::Statement honest = some_terms().draft();
  EXPECT_NO_THROW(terms_from(honest));
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, nlohmann::ordered_json>>{{"epsilon_per_step", "0.50"},
                                                                   {"epsilon_per_step", 0.5},
                                                                   {"policy", "all"},
                                                                   {"repair", "some"},
                                                                   {"protects", "nothing"},
                                                                   {"delta", "2"},
                                                                   {"answer", "exact"},
                                                                   {"more", 1},
                                                                   {"sequences_per_person", 0},
                                                                   {"sequences_per_person", "2"},
                                                                   {"table_states", 1},
                                                                   {"start", "truth"},
                                                                   {"groups", "64"}}) {
    privacy::Statement forged = honest;
    forged.parameters[name] = value;
    EXPECT_THROW(terms_from(forged), InvalidOption) << name;
  }
  privacy::Statement more = honest;
  more.public_inputs.push_back(some_file("more.csv"));
  EXPECT_THROW(terms_from(more), InvalidOption);
}

TEST(PolicyText, HasOneSpelling) {
  EXPECT_EQ(PolicyText::parse("util:1e3+transition+file:/some/where/pairs.csv").text(),
            "util:1000+transition+file:pairs.csv");
  for (const char* bad :
       {"", "all", "util", "util:", "util:-1", "util:nan", "complete:3", "file:", "complete+", "+"})
    EXPECT_THROW(PolicyText::parse(bad), InvalidOption) << bad;
}

class PolicyFiles : public testing::Test {
 protected:
  PolicyFiles() { fs::create_directories(folder_); }
  ~PolicyFiles() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  PolicyGraph build(const std::string& text) const { return PolicyText::parse(text).build(model_); }
  std::string problem(const std::string& text) const {
    try {
      build(text);
    } catch (const DataError& error) {
      return error.what();
    }
    return "";
  }
  fs::path folder_ =
      fs::temp_directory_path() / fs::path(testing::UnitTest::GetInstance()->current_test_info()->name());
  mobility::StateModel model_ = testing_stream::free_walk({{1, 0}, {2, 1}, {3, 0}, {0, 1}});
};

TEST_F(PolicyFiles, JoinWhatTheyList) {
  const std::string rooms = write("rooms.csv", "state,category\ns1,a\ns3,a\ns2,b\n");
  const std::string pairs = write("pairs.csv", "state,other\ns2,s4\n");
  const PolicyGraph both = build("category:" + rooms + "+file:" + pairs);
  EXPECT_TRUE(both.joined(0, 2));
  EXPECT_TRUE(both.joined(1, 3));
  EXPECT_FALSE(both.joined(0, 1));
}

TEST_F(PolicyFiles, NameTheLineOfWhatIsWrong) {
  EXPECT_THAT(problem("file:" + write("a.csv", "state,other\ns1,s2\ns1,nowhere\n")), HasSubstr("line 3"));
  EXPECT_THAT(problem("file:" + write("b.csv", "state,other\ns1,s1\n")), HasSubstr("line 2"));
  EXPECT_THAT(problem("category:" + write("c.csv", "state,category\ns1,a\ns1,b\n")), HasSubstr("line 3"));
  EXPECT_THAT(problem("category:" + write("d.csv", "state\ns1\n")), HasSubstr("category"));
}

TEST_F(PolicyFiles, PartnersAreTheStatesThemselvesUnlessListed) {
  EXPECT_THAT(read_partners(write("p.csv", "state,partner\ns2,s4\n"), model_.space), ElementsAre(0, 3, 2, 3));
  EXPECT_THROW(read_partners(write("q.csv", "state,partner\ns2,s2\n"), model_.space), DataError);
  EXPECT_THROW(read_partners(write("r.csv", "state,partner\ns2,s1\ns2,s3\n"), model_.space), DataError);
}

TEST(ReleasedFormat, IsReadBack) {
  const auto model = testing_stream::free_walk({{1, 0}, {2, 1}});
  const ReleasedFormat format(model.space);
  const std::string text =
      format.header() +
      format.row(
          {.sequence = "1", .step = 1, .state = "s1", .value = {1.5, 2}, .draw = {3, -4}, .free = {0, 1}}) +
      format.row({.sequence = "1", .step = 2, .state = "s2", .value = {2.5, 2}, .draw = {7}, .free = {0, 1}});
  EXPECT_THAT(
      text,
      HasSubstr(
          "sequence,step,state,temperature,noise,draw,free_temperature,free_noise\n1,1,s1,1.5,2,3 -4,0,1\n"));
  io::TextSource source = io::TextSource::from_memory("safe.csv", text);
  const auto rows = format.read(source);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_THAT(rows[0].draw, ElementsAre(3, -4));
  EXPECT_THAT(rows[1].value, ElementsAre(2.5, 2));
}

TEST(ReleasedFormat, RefusesWhatNoReleaseWrites) {
  const auto model = testing_stream::free_walk({{1, 0}, {2, 1}});
  const ReleasedFormat format(model.space);
  for (const std::string row :
       {"1,0,s,1,2,3,0,1\n", "1,1,s,1,2,,0,1\n", "1,1,s,1,2,x,0,1\n", "1,1,s,1,nan,3,0,1\n",
        "1,1,s,1,2,3,0,1\n1,3,s,1,2,3,0,1\n", "1,1,s,1,2,1 2 3 4 5 6 7 8 9,0,1\n", "1,1,s,1,2,3\n"}) {
    io::TextSource source = io::TextSource::from_memory("safe.csv", format.header() + row);
    EXPECT_THROW(format.read(source), DataError) << row;
  }
  io::TextSource other = io::TextSource::from_memory("safe.csv", "a,b\n1,2\n");
  EXPECT_THROW(format.read(other), DataError);
}

TEST(ReleasedFormat, PlacesGoOutInDegrees) {
  const mobility::StateSpace space =
      mobility::grid_space({.cell_m = 100, .columns = 2, .rows = 2}, geometry::LonLat{13.4, 52.5});
  const ReleasedFormat format(space);
  io::TextSource source =
      io::TextSource::from_memory("safe.csv", format.header() + format.row({.sequence = "1",
                                                                            .step = 1,
                                                                            .state = "c0r1",
                                                                            .value = {50, 150},
                                                                            .draw = {1},
                                                                            .free = {0, 0}}));
  const auto rows = format.read(source);
  EXPECT_NEAR(rows.at(0).value[0], 50, 0.01);
  EXPECT_NEAR(rows.at(0).value[1], 150, 0.01);
}

}  // namespace
}  // namespace fogline::stream::terms_test
