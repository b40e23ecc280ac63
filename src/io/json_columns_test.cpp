// SPDX-License-Identifier: Apache-2.0
#include "io/json_columns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/test_text.hpp"

namespace fogline::io::json_columns_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_text::message_of;

std::string refusal(const std::string& text) {
  return message_of([&] { JsonColumns(text, "t.json"); });
}

TEST(JsonColumns, GivesFieldsByPath) {
  JsonColumns fields(
      R"({"name": "walk", "grid": {"side": 2.5, "rows": 3, "deep": {"x": -1}}, "to": [0, 1, 2.5],
                         "states": ["a", "b"], "none": [], "e": {}})",
      "t.json");
  EXPECT_EQ(fields.text("name"), "walk");
  EXPECT_TRUE(fields.is_text("name"));
  EXPECT_FALSE(fields.is_text("to"));
  EXPECT_TRUE(fields.has("grid"));
  EXPECT_FALSE(fields.has("side"));
  EXPECT_EQ(fields.number("grid.side"), 2.5);
  EXPECT_EQ(fields.whole_number("grid.rows", 3), 3);
  EXPECT_EQ(fields.number("grid.deep.x"), -1);
  EXPECT_THAT(fields.take_numbers("to"), ElementsAre(0, 1, 2.5));
  EXPECT_THAT(fields.take_texts("states"), ElementsAre("a", "b"));
  EXPECT_THAT(message_of([&] { fields.require_all_used(); }), HasSubstr("\"none\" is not known here"));
  EXPECT_THAT(fields.take_texts("none"), IsEmpty());
  fields.require_all_used();
}

TEST(JsonColumns, NamesWhatIsMissingOrOfAnotherType) {
  JsonColumns fields(R"({"a": 1.5, "b": "x", "c": [1], "d": {}})", "t.json");
  EXPECT_THAT(message_of([&] { fields.number("z"); }), HasSubstr("t.json: field \"z\" is missing"));
  EXPECT_THAT(message_of([&] { fields.number("b"); }), HasSubstr("field \"b\" is not a number"));
  EXPECT_THAT(message_of([&] { fields.whole_number("a", 9); }), HasSubstr("whole number from 0 to 9"));
  EXPECT_THAT(message_of([&] { fields.text("d"); }), HasSubstr("not a text"));
  EXPECT_THAT(message_of([&] { fields.take_texts("c"); }), HasSubstr("list of texts"));
  EXPECT_THAT(message_of([&] { fields.take_numbers("a"); }), HasSubstr("list of numbers"));
}

TEST(JsonColumns, RefusesOtherShapes) {
  EXPECT_THAT(refusal(""), HasSubstr("line 1"));
  EXPECT_THAT(refusal("{\"a\": 1,\n\"b\": }"), HasSubstr("line 2: is not valid JSON at column"));
  EXPECT_THAT(refusal("{\"a\": [1, 2"), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal("[1]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal("7"), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal("{} {}"), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal(R"({"a": {"b": 1, "b": 2}})"), HasSubstr("\"a.b\" is given twice"));
  EXPECT_THAT(refusal(R"({"a": [[1]]})"), HasSubstr("array in an array"));
  EXPECT_THAT(refusal(R"({"a": [{}]})"), HasSubstr("object in an array"));
  EXPECT_THAT(refusal(R"({"a": [1, "x"]})"), HasSubstr("mixes numbers and texts"));
  EXPECT_THAT(refusal(R"({"a": null})"), HasSubstr("is null"));
  EXPECT_THAT(refusal(R"({"a": [true]})"), HasSubstr("true or false"));
  EXPECT_THAT(refusal(R"({"a": [1e999]})"), HasSubstr("beyond the range of a double"));
}

TEST(JsonColumns, RefusesPathsWhoseFieldsWouldTakeTheSquareOfTheText) {
  std::string nested;
  for (int i = 0; i < 100'000; ++i) nested += "{\"a\":";
  EXPECT_THAT(refusal(nested), HasSubstr("nests deeper than 200 levels"));
  std::string wide = "{\"" + std::string(100'000, 'x') + "\":{";
  for (int i = 0; i < 10'000; ++i) wide += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":1";
  EXPECT_THAT(refusal(wide + "}}"), HasSubstr("more than 500 bytes of a field's path"));
  EXPECT_EQ(JsonColumns("{\"" + std::string(500, 'x') + "\": 1}", "t").number(std::string(500, 'x')), 1);
}

}  // namespace
}  // namespace fogline::io::json_columns_test
