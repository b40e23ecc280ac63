// SPDX-License-Identifier: Apache-2.0
#include "fogline/analysis.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "fogline/error.hpp"
#include "fogline/request.hpp"
#include "privacy/test_folder.hpp"

namespace fogline::analysis_test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

class Analyses : public testing::Test {
 protected:
  static Analysis plan() {
    Analysis asked("place", "plan");
    asked.set("network", "lattice:4x4:400").set("epsilon", "1/100").set("mechanism", "gem");
    return asked;
  }
  privacy::TestFolder folder_;
  Ledger ledger_{folder_.path("ledger")};
  Listener listener_;
};

TEST_F(Analyses, PlanFromTheLedgerThatIsHandedOver) {
  Request release("place");
  release.set("network", "lattice:4x4:400")
      .set("epsilon", "1/100")
      .set("dataset", "riders")
      .set("anyway", true);
  release.input(ColumnSet().hold("lon", std::vector<double>{0.001}).hold("lat", std::vector<double>{0.001}));
  ledger_.add_uncapped_dataset("riders");
  release.run(ledger_, listener_);
  Analysis asked = plan();
  asked.set("dataset", "riders").ask(ledger_);
  const Findings found = asked.run(listener_);
  const Json json = Json::parse(found.json);
  EXPECT_EQ(json["kind"], "place");
  EXPECT_EQ(json["spent_per_metre"], "0.01");
  EXPECT_GT(json["q_loss_m"], 100);
  EXPECT_TRUE(found.passed);
  const auto& rows = std::get<Findings::Rows>(found.pieces.front());
  EXPECT_EQ(rows.front().first, "network");
  EXPECT_EQ(Json::parse(asked.run(listener_).json), json) << "as often as wanted";
}

TEST_F(Analyses, SayWhatIsWrongWithTheirFields) {
  EXPECT_THROW(Analysis("place", "release"), InvalidOption);
  EXPECT_THROW(Analysis("ship", "plan"), InvalidOption);
  EXPECT_THROW(Analysis("place", "audit").set("epsilon", "1").run(listener_), InvalidOption) << "no network";
  EXPECT_THROW(plan().set("remap", 7).run(listener_), InvalidOption);
  EXPECT_THROW(plan().set("ledger", "x").ask(ledger_).run(listener_), InvalidOption);
  EXPECT_THROW(Analysis("place", "audit")
                   .set_json(R"({"network": "line:9:800", "epsilon": "1/50"})")
                   .ask(ledger_)
                   .run(listener_),
               InvalidOption);
  EXPECT_THROW(Analysis("place", "plan").set_json("[]"), InvalidOption);
}

TEST_F(Analyses, CertifyAndListTheirFields) {
  Analysis audit("place", "audit");
  audit.set_json(R"({"network": "line:9:800", "epsilon": "1/50", "mechanism": "gem", "samples": 1000})");
  const Findings found = audit.run(listener_);
  EXPECT_TRUE(found.passed);
  EXPECT_EQ(Json::parse(found.json)["certified"], true);
  EXPECT_THAT(std::get<Findings::Sentence>(found.pieces.back()), HasSubstr("."));
  EXPECT_TRUE(Json::parse(audit.schema())["properties"].contains("comparisons"));
}

/// Data to try releases on, whoever needs them.
TEST_F(Analyses, MakeInventedData) {
  const std::string points = folder_.path("points.csv");
  Analysis sample("sample", "place");
  sample.set("network", "line:5:400").set("count", 3).set("output", points);
  const Findings found = sample.run(listener_);
  EXPECT_EQ(Json::parse(found.json), (Json{{"output", points}, {"positions", 3}}));
  std::ifstream file(points);
  EXPECT_EQ(std::count(std::istreambuf_iterator<char>(file), {}, '\n'), 4) << "and a header";
  EXPECT_THROW(sample.run(listener_), FileError) << "the file exists";
  EXPECT_NO_THROW(sample.set("overwrite", true).run(listener_));
  EXPECT_THROW(Analysis("sample", "path").set("network", "line:5:400").set("from", "0").run(listener_),
               InvalidOption)
      << "to where?";
  const Findings city =
      Analysis("sample", "city").set("people", 1).set("output", folder_.path("city")).run(listener_);
  EXPECT_EQ(Json::parse(city.json)["people"], 1);
}

TEST_F(Analyses, WriteTheFileThatIsTheirAnswer) {
  Analysis asked("place", "optimise");
  asked.set("network", "lattice:4x4:400").set("epsilon", "1/100").set("output", folder_.path("range.csv"));
  const Json json = Json::parse(asked.run(listener_).json);
  std::ifstream range(folder_.path("range.csv"));
  EXPECT_EQ(std::count(std::istreambuf_iterator<char>(range), {}, '\n'), json["range_vertices"]);
  EXPECT_THROW(asked.run(listener_), FileError) << "it exists";
  EXPECT_NO_THROW(asked.set("overwrite", true).run(listener_));
  EXPECT_THROW(asked.set("output", "-").run(listener_), InvalidOption) << "the library prints nothing";
}

TEST_F(Analyses, LearnAModelOfNamedStates) {
  std::ofstream(folder_.path("rooms.csv")) << "sequence,state\n1,hall\n1,study\n1,hall\n";
  const auto learn = [&] {
    Analysis asked("stream", "learn");
    asked.set("trips", folder_.path("rooms.csv")).set("output", folder_.path("rooms.json"));
    return asked;
  };
  EXPECT_EQ(Json::parse(learn().run(listener_).json)["states"], 2);
  std::ifstream model(folder_.path("rooms.json"));
  EXPECT_EQ(Json::parse(model)["states"], Json::array({"hall", "study"}));
  for (const auto& [field, wrong] : std::vector<std::pair<std::string, double>>{
           {"smoothing", -1}, {"smoothing", 1001}, {"tolerance", -1}, {"grid", -1}, {"noise-m", -1}}) {
    try {
      learn().set(field, wrong).run(listener_);
      ADD_FAILURE() << field << " " << wrong;
    } catch (const InvalidOption& error) {
      EXPECT_EQ(error.option(), field);
      EXPECT_THAT(error.problem().allowed, HasSubstr("a number")) << field;
    }
  }
  for (const auto& [field, wrong] : std::vector<std::pair<std::string, std::int64_t>>{
           {"rounds", 0}, {"rounds", 10'001}, {"step-s", 1'000'001}, {"gap-s", 1'000'000'001}}) {
    EXPECT_THROW(learn().set(field, wrong).run(listener_), InvalidOption) << field << " " << wrong;
  }
}

/// A route is published, read by who knows the roads, and drawn; then all of it is on a page, if pages are built in.
TEST_F(Analyses, ReadAndDrawAPublishedRoute) {
  std::ofstream(folder_.path("net.csv")) << "source,target\na,b\nb,c\nc,d\na,d\n";
  Request release("path");
  release.set("network", folder_.path("net.csv"))
      .set("epsilon-edges", "1")
      .set("dataset", "riders")
      .set("output", folder_.path("public.json"));
  release.input(ColumnSet().hold("vertex", std::vector<std::string>{"a", "b", "c"}));
  ledger_.add_uncapped_dataset("riders");
  release.run(ledger_, listener_);
  Analysis read("path", "recover");
  read.set("public", folder_.path("public.json"))
      .set("network", folder_.path("net.csv"))
      .set("output", folder_.path("route.csv"));
  const Findings found = read.run(listener_);
  EXPECT_TRUE(found.passed);
  EXPECT_EQ(Json::parse(found.json)["route"], Json::array({"a", "b", "c"}));
  EXPECT_THROW(read.set("overwrite", true).set("nodes", 0).run(listener_), InvalidOption);
  Analysis drawn("path", "draw");
  drawn.set("public", folder_.path("public.json")).set("output", folder_.path("layers.svg"));
  EXPECT_EQ(Json::parse(drawn.run(listener_).json)["private"], false);
  EXPECT_THROW(drawn.set("route", true).run(listener_), InvalidOption) << "needs a map";
}

}  // namespace
}  // namespace fogline::analysis_test
