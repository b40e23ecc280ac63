// SPDX-License-Identifier: Apache-2.0
#include "audit/statements/recompute.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "audit/statements/recompute_parts.hpp"
#include "audit/statements/recompute_place.hpp"
#include "audit/statements/test_release.hpp"
#include "base/error.hpp"
#include "place/catalogue.hpp"
#include "place/gem.hpp"

namespace fogline::audit::recompute_test {
namespace {

using privacy::Check;
using privacy::Outcome;
using testing::HasSubstr;

const std::vector<Recomputation> known{
    {"place", place::mechanism_names(), privacy::Form::sound, recompute_place},
    {"place", {"table"}, privacy::Form::sound, recompute_place}};

class Recompute : public testing::Test {
 protected:
  Recompute() {
    release_.use_line();
    release_.make();
  }

  std::vector<Check> checks(bool read_map = true) {
    return recompute(statement(), known, {.folder = release_.folder.name(), .read_map = read_map});
  }
  Check check(const std::string& name, bool read_map = true) {
    for (const Check& one : checks(read_map)) {
      if (one.name == name) return one;
    }
    return {"missing", Outcome::passed, ""};
  }
  void expect_failure(const std::string& name, const std::string& why) {
    const Check found = check(name);
    EXPECT_EQ(found.outcome, Outcome::failed) << found.name;
    EXPECT_THAT(found.sentence, HasSubstr(why));
  }
  void expect_all_passed() {
    const auto all = checks();
    EXPECT_GE(all.size(), 7U);
    for (const Check& one : all) EXPECT_EQ(one.outcome, Outcome::passed) << one.name << ": " << one.sentence;
  }
  privacy::Statement& statement() { return release_.statement(); }

  TestRelease release_;
};

TEST_F(Recompute, AnHonestReleasePasses) {
  expect_all_passed();
  EXPECT_EQ(check("range").sentence, "5 of 5 vertices may be released, and no others were");
  EXPECT_THAT(check("expected error").sentence, HasSubstr("computed anew"));
}

TEST_F(Recompute, AShortStatementCausesNoLongWork) {
  for (const char* network : {"lattice:1000x1000:100", "line:1000000:100", "line:300001:100"}) {
    statement().public_inputs = {{"network", "", network}};
    for (const char* name : {"range", "expected error", "positions"}) {
      const Check found = check(name);
      EXPECT_EQ(found.outcome, Outcome::not_checked) << name;
      EXPECT_THAT(found.sentence,
                  testing::AnyOf(HasSubstr("`no-limit`"), HasSubstr("it needs the mechanism")));
    }
  }
}

TEST(DifferenceInWords, IsShortHoweverLongTheValues) {
  using Json = nlohmann::ordered_json;
  const auto equal = [](const Json& a, const Json& b) { return a == b; };
  EXPECT_EQ(difference_in_words("steps", 3, 3, equal), "");
  EXPECT_EQ(difference_in_words("steps", 3, 4, equal), "steps is 3, and the statement says 4");
  Json anew = Json::object(), said = Json::object();
  for (int i = 0; i < 200; ++i) {
    anew["loss"][std::to_string(i)] = i;
    said["loss"][std::to_string(i)] = i < 100 ? i : i + 1;
  }
  EXPECT_EQ(difference_in_words("outcome", anew, said, equal),
            "outcome.loss.100 is 100, and the statement says 101; 99 more differ");
  EXPECT_EQ(difference_in_words("outcome", anew, Json(), equal),
            "outcome is an object of size 1, and the statement says null");
  EXPECT_EQ(difference_in_words("x", Json::array({1, 2}), Json::array({1, 5}), equal),
            "x[1] is 2, and the statement says 5");
  EXPECT_EQ(difference_in_words("x", Json::array({1}), Json::array({1, 5}), equal),
            "x is a list of length 1, and the statement says a list of length 2");
  EXPECT_LT(
      difference_in_words("x", std::string(5000, 'a'), Json::object({{"b", std::string(5000, 'c')}}), equal)
          .size(),
      200U);
}

TEST_F(Recompute, EveryOptionPasses) {
  release_.terms.reports_per_person = 3;
  release_.terms.columns_copied = {"t", "user_id"};
  release_.terms.range = release_.write("range.csv", "1\n3\n");
  release_.make();
  expect_all_passed();
  EXPECT_EQ(check("range").sentence, "2 of 5 vertices may be released, and no others were");
}

TEST_F(Recompute, APriorPasses) {
  release_.terms.prior = release_.write("prior.csv", "vertex,probability\n0,0.75\n4,0.25\n");
  release_.make();
  expect_all_passed();
  EXPECT_THAT(statement().expected_error->method, HasSubstr("as likely as the prior says"));
  std::filesystem::remove(release_.folder.path("prior.csv"));
  EXPECT_EQ(check("expected error").outcome, Outcome::not_checked);
  EXPECT_EQ(check("guarantee").outcome, Outcome::passed);
}

TEST_F(Recompute, EveryMechanismPassesWithAndWithoutARemap) {
  release_.terms.prior = release_.write("prior.csv", "vertex,probability\n0,0.25\n1,0.25\n2,0.25\n4,0.25\n");
  for (const place::MechanismKind& kind : place::mechanism_kinds()) {
    if (kind.from_file) continue;
    for (const bool remap : {false, true}) {
      if (remap && kind.releases_points()) continue;
      SCOPED_TRACE(fmt::format("{} {}", kind.name, remap));
      release_.terms.mechanism = kind.name;
      release_.terms.remap = remap;
      release_.make();
      expect_all_passed();
    }
  }
}

TEST_F(Recompute, ARemapCannotBeHiddenOrInvented) {
  release_.terms.epsilon = privacy::EpsilonPerMetre{1, 100};
  release_.terms.remap = true;
  release_.make();
  EXPECT_EQ(check("range").sentence, "3 of 5 vertices may be released, and no others were");
  statement().parameters.json().erase("remap");
  expect_failure("words", "under \"promise\"");
  expect_failure("range", "5 vertices may be released, and the statement says 3");
  release_.terms.remap = false;
  release_.make();
  statement().parameters["remap"] = true;
  expect_failure("words", "under \"promise\"");
  expect_failure("range", "3 vertices may be released, and the statement says 5");
}

TEST_F(Recompute, AnotherPriorIsNotRead) {
  release_.terms.prior = release_.write("prior.csv", "vertex,probability\n0,0.75\n4,0.25\n");
  release_.make();
  release_.write("prior.csv", "vertex,probability\n0,0.25\n4,0.75\n");
  EXPECT_THAT(check("expected error").sentence, HasSubstr("it needs the mechanism"));
  EXPECT_THAT(check("range").sentence, HasSubstr("is another file"));
}

/// A kernel says which files it was made from, and its maker may have made it from others.
TEST_F(Recompute, AKernelOfOtherFilesThanItNamesFails) {
  release_.terms.range = release_.write("range.csv", "1\n3\n");
  release_.terms.prior = release_.write("prior.csv", "vertex,probability\n0,0.75\n4,0.25\n");
  const auto make = [&](const place::MechanismChoice& held) {
    release_.prepare(held);
    release_.make();
  };
  const place::MechanismChoice honest = release_.choice(release_.map());
  make(honest);
  expect_all_passed();
  place::MechanismChoice other = honest;
  other.range = {0, 4};
  make(other);
  expect_failure("kernel", "its range is not that of the file");
  other = honest;
  other.prior = {0.25, 0, 0, 0, 0.75};
  make(other);
  expect_failure("kernel", "its prior is not that of the file");
  make(honest);
  std::filesystem::remove(release_.folder.path("prior.csv"));
  EXPECT_EQ(check("kernel").outcome, Outcome::not_checked);
}

TEST_F(Recompute, AKernelOfAnotherTableThanItNamesFails) {
  const auto table = [](double near) {
    std::string text = "input,output,probability\n";
    for (int v = 0; v < 5; ++v)
      for (int o = 0; o < 5; ++o) text += fmt::format("{},{},{}\n", v, o, v == o ? near : (1 - near) / 4);
    return text;
  };
  release_.terms.mechanism = "table";
  release_.terms.given_table = release_.write("theirs.csv", table(0.25));
  const place::MechanismChoice honest = release_.choice(release_.map());
  release_.prepare(honest);
  release_.make();
  expect_all_passed();
  EXPECT_THAT(check("table").sentence, HasSubstr("taken from the kernel and certified"));
  place::MechanismChoice other = honest;
  release_.write("others.csv", table(0.26));
  other.table = release_.folder.path("others.csv");
  release_.prepare(other);
  release_.make();
  expect_failure("kernel", "its table is not that of the file");
}

TEST_F(Recompute, ASeededRunPasses) {
  release_.make(7);
  ASSERT_EQ(statement().guarantee.notion(), privacy::Notion::none);
  expect_all_passed();
}

TEST_F(Recompute, NetworkFilesAreReadWhereTheyLie) {
  release_.use_files();
  release_.make();
  expect_all_passed();
  std::filesystem::create_directory(release_.folder.path("maps"));
  for (const std::string name : {"nodes.csv", "edges.csv"}) {
    std::filesystem::rename(release_.folder.path(name), release_.folder.path("maps/my-" + name));
  }
  EXPECT_EQ(check("range").outcome, Outcome::not_checked);
  EXPECT_EQ(check("expected error").outcome, Outcome::not_checked);
  EXPECT_EQ(check("guarantee").outcome, Outcome::passed);
  const auto found = recompute(statement(), known,
                               {.folder = release_.folder.name(),
                                .files = {{"nodes.csv", release_.folder.path("maps/my-nodes.csv")},
                                          {"edges.csv", release_.folder.path("maps/my-edges.csv")}}});
  for (const Check& one : found) EXPECT_EQ(one.outcome, Outcome::passed) << one.name << ": " << one.sentence;
}

TEST_F(Recompute, AChangedMapIsNotRead) {
  release_.use_files();
  release_.make();
  release_.write("edges.csv", "source,target,length_m\na,b,100\nb,c,200\n");
  EXPECT_EQ(check("range").outcome, Outcome::not_checked);
  EXPECT_THAT(check("range").sentence, HasSubstr("is another file"));
}

TEST_F(Recompute, WithoutTheMapGuaranteeAndWordsAreStillChecked) {
  EXPECT_EQ(check("guarantee", false).outcome, Outcome::passed);
  EXPECT_EQ(check("words", false).outcome, Outcome::passed);
  EXPECT_EQ(check("range", false).outcome, Outcome::not_checked);
  EXPECT_EQ(check("expected error", false).outcome, Outcome::not_checked);
}

TEST_F(Recompute, AnUnknownMechanismIsNeverPassed) {
  statement().mechanism = "jam";
  const auto found = checks();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "guarantee");
  EXPECT_EQ(found[0].outcome, Outcome::not_checked);
  statement().mechanism = "gem";
  statement().kind = "path";
  EXPECT_EQ(checks()[0].outcome, Outcome::not_checked);
}

TEST_F(Recompute, APromiseInTheWrongFormFails) {
  statement().form = privacy::Form::published;
  expect_failure("guarantee", "promises nothing in the form");
}

TEST_F(Recompute, ALowerEpsilonInTheGuaranteeFails) {
  statement().guarantee =
      privacy::Guarantee::metric({1, 100}, statement().guarantee.unit(), privacy::Exactness::exact);
  expect_failure("guarantee", "the parameters give: metric DP, epsilon 0.02 per metre");
}

TEST_F(Recompute, ALowerEpsilonEverywhereFailsByItsCapAndWords) {
  statement().guarantee =
      privacy::Guarantee::metric({1, 100}, statement().guarantee.unit(), privacy::Exactness::exact);
  statement().parameters["epsilon_per_metre"] = "0.01";
  expect_failure("parameters", "cap_m");
  statement().parameters["cap_m"] = place::Gem::fixed_parameters({1, 100})["cap_m"];
  EXPECT_EQ(check("guarantee").outcome, Outcome::passed);
  expect_failure("words", "under \"promise\"");
  expect_failure("expected error", "the statement says");
}

TEST_F(Recompute, AnotherUnitFails) {
  statement().guarantee =
      privacy::Guarantee::metric({1, 50}, "one person, by distance on line:5:400", privacy::Exactness::exact);
  expect_failure("guarantee", "protecting one report, by distance on line:5:400");
}

TEST_F(Recompute, ReportsPerPersonCannotBeDropped) {
  release_.terms.reports_per_person = 3;
  release_.make();
  EXPECT_EQ(statement().guarantee.epsilon(), Rational(3, 50));
  statement().parameters.json().erase("reports_per_person");
  expect_failure("guarantee", "protecting one report");
}

TEST_F(Recompute, ReportsPerPersonBeyondEveryEpsilonFails) {
  statement().parameters["reports_per_person"] = 1'000'000;
  expect_failure("guarantee", "the parameters give none");
}

TEST_F(Recompute, AChangedSentenceFails) {
  statement().promise[1] = "This holds for ever.";
  expect_failure("words", "under \"promise\"");
  statement().promise = release_.terms.promise();
  statement().not_protected.pop_back();
  expect_failure("words", "under \"not_protected\"");
}

TEST_F(Recompute, WordsOfAnotherVersionAreNotCompared) {
  statement().version = "0.0.9";
  EXPECT_EQ(check("words").outcome, Outcome::not_checked);
  EXPECT_THAT(check("words").sentence, HasSubstr("0.0.9"));
  EXPECT_EQ(check("guarantee").outcome, Outcome::passed);
}

TEST_F(Recompute, CopiedColumnsCannotBeHidden) {
  release_.terms.columns_copied = {"user_id"};
  release_.make();
  statement().parameters.json().erase("columns_copied");
  statement().not_protected.pop_back();
  EXPECT_EQ(check("words").outcome, Outcome::passed);
  expect_failure("released file", "columns");
}

TEST_F(Recompute, TruePositionsBesideReleasedVerticesFail) {
  const std::string text = "record,vertex,lon,lat\n1,1,0.0001234,0.0001234\n";
  statement().outputs[0] = {"safe.csv", release_.write("safe.csv", text).sha256, 1};
  EXPECT_EQ(check("released file").outcome, Outcome::passed);
  expect_failure("positions", "it holds other positions, or more");
  EXPECT_EQ(check("positions", false).outcome, Outcome::not_checked);
}

TEST_F(Recompute, NothingFitsBetweenTheLines) {
  const std::string honest = privacy::content_of(release_.folder.path("safe.csv"));
  for (const std::string& text :
       {honest + "\n", "\xEF\xBB\xBF" + honest, honest.substr(0, honest.size() - 1)}) {
    statement().outputs[0].sha256 = release_.write("safe.csv", text).sha256;
    expect_failure("positions", "it holds other positions, or more");
  }
}

TEST_F(Recompute, NothingFitsBesideReleasedPoints) {
  release_.terms.mechanism = "plm";
  release_.make();
  expect_all_passed();
  EXPECT_THAT(check("positions", false).sentence, HasSubstr("points of the plane, which cannot be computed"));
  const auto forge = [&](const std::string& text) {
    statement().outputs[0] = {"safe.csv", release_.write("safe.csv", text).sha256, 1};
  };
  forge("record,lon,lat\n1,0.1234567,-0.1234567\n");
  expect_all_passed();
  for (const char* text :
       {"record,lon,lat\n1,0.12345678,0.1234567\n", "record,lon,lat\n1,0.1,0.1234567\n",
        "record,lat,lon\n1,0.1234567,0.1234567\n", "record,lon,lat\n1,0.1234567,0.1234567\n\n"}) {
    forge(text);
    expect_failure("positions", "it holds more, or is written otherwise");
  }
  forge("record,vertex,lon,lat\n1,3,0.1234567,0.1234567\n");
  expect_failure("released file", "its columns are not those");
  forge("record,lon,lat\n1,200.0000000,0.1234567\n");
  expect_failure("released file", "has no position");
}

TEST_F(Recompute, ANarrowerPlaneThanTheMapsFails) {
  release_.terms.mechanism = "plm";
  release_.make();
  statement().parameters["stretch"] = 0.5;
  expect_failure("mechanism", "stretch is");
  release_.make();
  statement().expected_error->value = 50;
  expect_failure("expected error", "it is 100 m");
  statement().expected_error->method = "by road";
  statement().expected_error->value = 100;
  expect_failure("expected error", "method");
}

TEST_F(Recompute, NamesInPlaceOfRecordsFail) {
  statement().outputs[0] = {"safe.csv",
                            release_.write("safe.csv", "record,vertex,lon,lat\nann,1,0,0\n").sha256, 1};
  expect_failure("released file", "is record 1, and does not say so");
}

TEST_F(Recompute, TheRecordsAreCounted) {
  statement().outputs[0].records = 6;
  expect_failure("released file", "the statement counts 6 records, and it holds 5");
}

TEST_F(Recompute, AReleasedVertexOutsideTheRangeFails) {
  release_.terms.range = release_.write("range.csv", "1\n3\n");
  release_.make();
  const std::string text = "record,vertex,lon,lat\n1,1,0,0\n2,2,0,0\n";
  statement().outputs[0].sha256 = release_.write("safe.csv", text).sha256;
  expect_failure("range", "vertices that may not be released");
}

TEST_F(Recompute, AnotherNumberOfAllowedVerticesFails) {
  statement().parameters["range_vertices"] = 4;
  expect_failure("range", "5 vertices may be released, and the statement says 4");
  EXPECT_EQ(check("expected error").outcome, Outcome::not_checked);
}

TEST_F(Recompute, ARangeThatIsLeftOutFails) {
  release_.terms.range = release_.write("range.csv", "1\n3\n");
  release_.make();
  statement().public_inputs.pop_back();
  expect_failure("range", "5 vertices may be released, and the statement says 2");
}

TEST_F(Recompute, AnotherExpectedErrorFails) {
  statement().expected_error->value /= 2;
  expect_failure("expected error", "the statement says");
  statement().expected_error = std::nullopt;
  expect_failure("expected error", "gives none");
  EXPECT_EQ(check("expected error", false).outcome, Outcome::failed);
}

TEST_F(Recompute, AnotherHashOfTheNetworkIsAnotherUnit) {
  release_.use_files();
  release_.make();
  statement().public_inputs[1].sha256[0] = statement().public_inputs[1].sha256[0] == 'a' ? 'b' : 'a';
  expect_failure("guarantee", "by distance on nodes.csv");
}

TEST_F(Recompute, AnotherWayOfReadingIsAnotherUnit) {
  release_.use_files();
  release_.make();
  statement().parameters["network_components"] = "all";
  expect_failure("guarantee", "by distance on nodes.csv");
}

TEST_F(Recompute, AWrongSpecificationFails) {
  statement().public_inputs[0].specification = "line:6:400";
  expect_failure("guarantee", "line:6:400");
  statement().public_inputs[0].specification = "line:x:400";
  expect_failure("parameters", "network");
  statement().public_inputs[0].specification = "line:05:400";
  expect_failure("parameters", "write line:5:400");
  statement().public_inputs[0].specification = "moon";
  expect_failure("parameters", "specification");
}

TEST_F(Recompute, CancellingIsPassedOn) {
  RecomputeOptions options{.folder = release_.folder.name()};
  options.progress = [](const ProgressUpdate&) { return false; };
  EXPECT_THROW(recompute(statement(), known, options), Cancelled);
}

}  // namespace
}  // namespace fogline::audit::recompute_test
