// SPDX-License-Identifier: Apache-2.0
#include "release/field_table.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "release/kinds.hpp"

namespace fogline::release::field_table_test {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

class FieldTableTest : public testing::Test {
 protected:
  FieldTableTest() {
    table_.positional("points", "POINTS", points_, "private positions")
        .required()
        .role(FieldRole::private_input);
    table_.value("epsilon", "E", epsilon_, "privacy parameter");
    table_.value("unit", "UNIT", unit_, "what is protected").choices({"trip", "user"});
    table_.value("trips", "N", trips_, "how many there are").nonzero();
    table_.value("threads", "N", threads_, "threads to use");
    table_.value("length", "KM", length_, "the longest").nonzero();
    table_.value("from", "VERTEX", from_, "only from this one");
    table_.flag("round", round_, "round what lies between");
  }

  std::string problem(const Json& request) {
    try {
      set_fields(table_, request);
    } catch (const InvalidOption& error) {
      return error.what();
    }
    return "none";
  }

  FieldTable table_;
  std::string points_, epsilon_, unit_ = "trip";
  std::uint64_t trips_ = 0;
  int threads_ = 0;
  double length_ = 0;
  std::vector<std::string> from_;
  bool round_ = false;
};

TEST_F(FieldTableTest, TakesEveryTypeOfValue) {
  EXPECT_EQ(problem({{"points", "p.csv"},
                     {"epsilon", "1/50"},
                     {"unit", "user"},
                     {"trips", std::numeric_limits<std::uint64_t>::max()},
                     {"threads", -1},
                     {"length", 2.5},
                     {"from", {"a", 7}},
                     {"round", true}}),
            "none");
  EXPECT_EQ(points_, "p.csv");
  EXPECT_EQ(epsilon_, "1/50");
  EXPECT_EQ(unit_, "user");
  EXPECT_EQ(trips_, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(threads_, -1);
  EXPECT_EQ(length_, 2.5);
  EXPECT_EQ(from_, (std::vector<std::string>{"a", "7"}));
  EXPECT_TRUE(round_);
}

TEST_F(FieldTableTest, TakesNumbersWhereTextsHoldThem) {
  EXPECT_EQ(problem({{"points", "p.csv"}, {"epsilon", 0.5}}), "none");
  EXPECT_EQ(epsilon_, "0.5");
}

TEST_F(FieldTableTest, RefusesWhatIsNoValueAndNamesTheField) {
  EXPECT_EQ(problem({{"epsilon", "1"}}), "points: is needed");
  EXPECT_EQ(problem({{"points", "p"}, {"epsilom", "1"}}), "epsilom: is not a field of this request");
  EXPECT_THAT(problem({{"points", ""}}), HasSubstr("points: must not be empty"));
  EXPECT_THAT(problem({{"points", {"a"}}}), HasSubstr("points: must be a text"));
  EXPECT_THAT(problem({{"points", nullptr}}), HasSubstr("points: must be a text"));
  EXPECT_THAT(problem({{"unit", "edge"}}), HasSubstr("unit: must be one of trip, user"));
  EXPECT_THAT(problem({{"unit", 5}}), HasSubstr("unit: must be one of trip, user"));
  EXPECT_EQ(problem({{"trips", 0}}), "trips: must be above 0");
  EXPECT_THAT(problem({{"trips", -1}}), HasSubstr("trips: must be a whole number from 0"));
  EXPECT_THAT(problem({{"trips", 1.5}}), HasSubstr("trips: must be a whole number from 0"));
  EXPECT_THAT(problem({{"trips", "7"}}), HasSubstr("trips: must be a whole number from 0"));
  EXPECT_THAT(problem({{"threads", 3'000'000'000LL}}), HasSubstr("threads: must be a whole number"));
  EXPECT_THAT(problem({{"threads", -3'000'000'000}}), HasSubstr("threads: must be a whole number"));
  EXPECT_THAT(problem({{"threads", std::numeric_limits<std::uint64_t>::max()}}), HasSubstr("threads:"));
  EXPECT_EQ(problem({{"length", 0.0}}), "length: must be above 0");
  EXPECT_THAT(problem({{"length", "1"}}), HasSubstr("length: must be a number"));
  EXPECT_THAT(problem({{"from", "a"}}), HasSubstr("from: must be a list"));
  EXPECT_THAT(problem({{"round", 1}}), HasSubstr("round: must be true or false"));
  EXPECT_THAT(problem(Json::array({1})), HasSubstr("request: must be an object"));
}

TEST_F(FieldTableTest, SaysItsSchema) {
  const Json told = schema(table_, "place", "release");
  EXPECT_EQ(told["properties"]["points"]["x-positional"], true);
  EXPECT_FALSE(told["properties"]["epsilon"].contains("x-positional"));
  EXPECT_EQ(told["title"], "place release");
  EXPECT_EQ(told["required"], Json::array({"points"}));
  EXPECT_EQ(told["additionalProperties"], false);
  const Json& fields = told["properties"];
  EXPECT_EQ(fields.size(), 8U);
  EXPECT_EQ(fields["points"]["x-role"], "private input");
  EXPECT_EQ(fields["unit"]["enum"], Json::array({"trip", "user"}));
  EXPECT_EQ(fields["unit"]["default"], "trip");
  EXPECT_EQ(fields["trips"]["exclusiveMinimum"], 0);
  EXPECT_FALSE(fields["trips"].contains("default"));
  EXPECT_EQ(fields["round"]["type"], "boolean");
}

/// The names that Python arguments, JSON keys and options share.
TEST(Requests, HaveFieldsOfOneNameAndASentenceEach) {
  for (const auto& request : all_releases()) {
    FieldTable table;
    request->declare(table);
    std::vector<std::string> private_inputs;
    for (const Field& field : table.fields()) {
      EXPECT_EQ(table.find(field.name), &field)
          << request->kind() << ": " << field.name << " stands there twice";
      EXPECT_THAT(field.name, testing::MatchesRegex("[a-z][a-z-]*")) << request->kind();
      EXPECT_FALSE(field.help.empty() || field.help.ends_with('.')) << request->kind() << ": " << field.name;
      if (field.role == FieldRole::private_input) private_inputs.push_back(field.name);
    }
    EXPECT_THAT(private_inputs, testing::Contains("input")) << request->kind();
    for (const char* name : {"ledger", "dataset", "output", "statement", "overwrite", "seed"})
      EXPECT_NE(table.find(name), nullptr) << request->kind() << ": " << name;
    EXPECT_EQ(table.find("output")->role, FieldRole::output) << request->kind();
  }
}

TEST(FieldTable, AsksForRanges) {
  std::string share;
  double length = 1;
  std::uint64_t count = 0;
  FieldTable table;
  table.value("share", "X", share, "a part").below("0", "1");
  table.value("length", "M", length, "how long").above("0", "1000");
  table.value("count", "N", count, "how many").nonzero().range("1", "8");
  EXPECT_NO_THROW(require_in_range(table));  // what was not given is not asked
  const auto refused = [&] {
    try {
      require_in_range(table);
    } catch (const InvalidOption& error) {
      return error.option();
    }
    return std::string();
  };
  for (const char* good : {"0", "0.999999999", "1/3"}) EXPECT_EQ((share = good, refused()), "");
  for (const char* bad : {"1", "1.0", "-0.1", "nan", "x"})
    EXPECT_EQ((share = bad, refused()), "share") << bad;
  share.clear();
  for (const double good : {1e-300, 0.0012345678901234567, 1000.0}) EXPECT_EQ((length = good, refused()), "");
  for (const double bad : {0.0, -1.0, 1000.0000001, std::nan(""), HUGE_VAL})
    EXPECT_EQ((length = bad, refused()), "length") << bad;
  // NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): the table reads it
  length = 1;
  for (const std::uint64_t good : {1U, 8U}) EXPECT_EQ((count = good, refused()), "");
  EXPECT_EQ((count = 9, refused()), "count");
  EXPECT_EQ((count = UINT64_MAX, refused()), "count");
  const auto described = schema(table, "place", "release")["properties"];
  EXPECT_EQ(described["share"]["exclusiveMaximum"], 1);
  EXPECT_EQ(described["length"]["exclusiveMinimum"], 0);
  EXPECT_EQ(described["count"]["maximum"], 8);
}

/// What a field takes, for whoever is refused: the value that was given is not repeated.
TEST(FieldTable, SaysWhatIsAllowed) {
  double length = 1;
  std::string mode = "drivable", title;
  bool overwrite = false;
  std::uint64_t count = 0;
  FieldTable table;
  table.value("length", "METRES", length, "how long").above("0", "1000").unit("m");
  table.value("mode", "MODE", mode, "roads to keep").choices({"drivable", "all"});
  table.value("title", "TEXT", title, "above the picture").required();
  table.value("count", "N", count, "how many").nonzero();
  table.flag("overwrite", overwrite, "replace it");
  const auto allowed_after = [&](const nlohmann::ordered_json& given) {
    try {
      set_fields(table, given);
      require_in_range(table);
    } catch (const InvalidOption& error) {
      return error.problem().allowed;
    }
    return std::string("everything was fine");
  };
  EXPECT_EQ(allowed_after({{"title", "x"}, {"mode", "flying"}}), "one of drivable, all");
  EXPECT_EQ(allowed_after({{"title", "x"}, {"overwrite", 1}}), "true or false");
  EXPECT_EQ(allowed_after({{"mode", "all"}}), "a text");
  EXPECT_EQ(allowed_after({{"title", "x"}, {"count", 0}}), "a number above 0");
  EXPECT_EQ(allowed_after({{"title", "x"}, {"length", "far"}}), "a number above 0 and at most 1000, in m");
  EXPECT_EQ(allowed_after({{"title", "x"}, {"length", 1001}}), "a number above 0 and at most 1000, in m");
  EXPECT_EQ(schema(table, "path", "draw")["properties"]["length"]["x-unit"], "m");
  EXPECT_FALSE(schema(table, "path", "draw")["properties"]["count"].contains("x-unit"));
}

}  // namespace
}  // namespace fogline::release::field_table_test
