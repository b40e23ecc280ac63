// SPDX-License-Identifier: Apache-2.0
// Audits run the releases themselves: a fault anywhere between the records and the bytes that are written must show.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "privacy/test_folder.hpp"
#include "release/analyses/analysis.hpp"
#include "release/kinds.hpp"
#include "release/test_caller.hpp"

namespace fogline::release::audits_test {
namespace {

using Json = nlohmann::ordered_json;

class Audits : public testing::Test {
 protected:
  Findings run(std::unique_ptr<Analysis> analysis, const Json& fields) {
    FieldTable table;
    analysis->declare(table);
    set_fields(table, fields);
    return analysis->run(caller_);
  }
  std::string house() const {
    std::ofstream(folder_.path("house.csv"))
        << "from,to,probability\nhall,hall,0.5\nhall,lab,0.5\nlab,hall,0.5\nlab,lab,0.5\n";
    return folder_.path("house.csv");
  }
  privacy::TestFolder folder_;
  TestCaller caller_;
};

TEST_F(Audits, ReplayReleasesOfStreamsThroughEveryStep) {
  for (const char* mechanism : {"k-norm", "laplace", "optimal"}) {
    const Findings found = run(stream_audit(), {{"model", house()},
                                                {"policy", "complete"},
                                                {"epsilon", "1"},
                                                {"mechanism", mechanism},
                                                {"walks", 1},
                                                {"steps", 4},
                                                {"samples", 1000}});
    EXPECT_TRUE(found.passed) << mechanism << found.json.json().dump(1);
    const Json& releases = found.json.json()["releases"];
    EXPECT_EQ(releases["broken"], false) << releases;
    EXPECT_GT(releases["largest_loss"], 0.01) << mechanism;
    EXPECT_LE(releases["largest_loss"], 1 + 1e-9) << mechanism;
  }
}

TEST_F(Audits, ReplayReleasesOfTripsWithTheirRules) {
  std::ofstream(folder_.path("closed.geojson"))
      << R"({"type":"FeatureCollection","features":[{"type":"Feature","properties":{"rule":"closed"},)"
      << R"("geometry":{"type":"Polygon","coordinates":[[[2000,2000],[3000,2000],[3000,3000],[2000,3000],[2000,2000]]]}}]})";
  const Json fields{{"area", "0,0,6000,6000"},
                    {"plane", true},
                    {"epsilon", "1"},
                    {"runs", 1},
                    {"noise-runs", 2},
                    {"trips-to-make", 10},
                    {"trips", 500},
                    {"constraints", folder_.path("closed.geojson")}};
  const Findings found = run(traces_audit(), fields);
  EXPECT_TRUE(found.passed) << found.json.json().dump(1);
  EXPECT_EQ(found.json.json()["replays"].size(), 6U);
}

TEST_F(Audits, NeverDrawWithASecretKey) {
  const auto draw = [&](const random::Key& key) {
    const auto request = place_release();
    FieldTable table;
    request->declare(table);
    set_fields(table, {{"network", "lattice:4x4:400"}, {"epsilon", "1/100"}, {"anyway", true}},
               {"input", "output"});
    request->from.columns =
        ColumnSet().hold("lon", std::vector<double>{0.001}).hold("lat", std::vector<double>{0.001});
    return draw_for_audit(*request, key, caller_);
  };
  EXPECT_THAT(draw(random::SeededKey(1)), testing::HasSubstr("1 records"));
  EXPECT_THROW(draw(random::Key::from_operating_system()), Error);
}

}  // namespace
}  // namespace fogline::release::audits_test
