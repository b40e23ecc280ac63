// SPDX-License-Identifier: Apache-2.0
#include "release/outcome_json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"
#include "release/json_text.hpp"
#include "release/kinds.hpp"
#include "release/test_caller.hpp"

namespace fogline::release::outcome_json_test {
namespace {

using Json = nlohmann::ordered_json;

/// A release of one position into memory, or into a file.
class OutcomeJson : public testing::Test {
 protected:
  std::unique_ptr<Release> request() const {
    auto made = place_release();
    FieldTable table;
    made->declare(table);
    set_fields(table, {{"network", "lattice:5x5:400"}, {"epsilon", "0.01"}, {"anyway", true}},
               {"input", "output"});
    made->from.columns =
        ColumnSet().hold("lon", std::vector<double>{0.001}).hold("lat", std::vector<double>{0.001});
    made->to.ledger.ledger = folder_.path("ledger");
    return made;
  }

  privacy::TestFolder folder_;
  TestCaller caller_;
};

TEST_F(OutcomeJson, SaysWhatWasReleasedAndWhatIsLeft) {
  privacy::declare(folder_.path("ledger"), "default");
  const auto made = request();
  made->to.output.output = folder_.path("safe.csv");
  const Outcome done = release(*made, caller_);
  const Json json = outcome_json(*made, done);
  EXPECT_EQ(json["output"], folder_.path("safe.csv"));
  EXPECT_EQ(json["statement"], folder_.path("safe.csv.statement.json"));
  EXPECT_EQ(json["records"], 1);
  EXPECT_EQ(json["guarantee"], to_string(done.released.statement.guarantee));
  EXPECT_EQ(json["ledger"], folder_.path("ledger"));
  EXPECT_EQ(json["entry"], done.entry);
  EXPECT_EQ(json["dataset"], "default");
  EXPECT_EQ(json["spent_per_metre"], "0.01");
  ASSERT_TRUE(json.contains("remaining_per_metre"));
  EXPECT_FALSE(json.contains("spent")) << "of another measure";
  for (const auto& item : done.told.json.json().items()) EXPECT_EQ(json[item.key()], item.value());
}

TEST_F(OutcomeJson, HasNullsForWhatIsNotThere) {
  privacy::declare(folder_.path("ledger"), "default");
  const auto made = request();
  std::string text;
  made->to.output.receive = [&](std::string_view piece) { text += piece; };
  Outcome done = release(*made, caller_);
  Json json = outcome_json(*made, done);
  EXPECT_EQ(json["output"], "-");
  EXPECT_EQ(json["statement"], nullptr);
  done.book.reset();  // as if the ledger could not be read
  json = outcome_json(*made, done);
  EXPECT_EQ(json["spent_per_metre"], nullptr);
  EXPECT_EQ(json["remaining_per_metre"], nullptr);
}

TEST(JsonText, TakesNamesThatAreNotUtf8) {
  EXPECT_EQ(json_text({{"file", "a"}}), "{\n  \"file\": \"a\"\n}");
  EXPECT_EQ(json_text(Json("\xff")), "\"\xef\xbf\xbd\"");
}

}  // namespace
}  // namespace fogline::release::outcome_json_test
