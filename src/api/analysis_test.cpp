// SPDX-License-Identifier: Apache-2.0
#include "fogline/analysis.hpp"

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

}  // namespace
}  // namespace fogline::analysis_test
