// SPDX-License-Identifier: Apache-2.0
#include "io/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/limits.hpp"
#include "io/test_text.hpp"

namespace fogline::io::json_test {
namespace {

using testing::HasSubstr;
using testing_text::message_of;

const FileSpot spot{"t.json"};

TEST(Json, GettersGiveTypedFields) {
  const auto value =
      parse_json(R"({"n": 1.5, "i": -3, "u": 7, "s": "x", "b": true, "a": [], "o": {}})", "t.json");
  EXPECT_EQ(get_double(value, "n", spot), 1.5);
  EXPECT_EQ(get_int64(value, "i", spot), -3);
  EXPECT_EQ(get_uint64(value, "u", spot), 7U);
  EXPECT_EQ(get_string(value, "s", spot), "x");
  EXPECT_TRUE(get_bool(value, "b", spot));
  EXPECT_TRUE(get_array(value, "a", spot).is_array());
  EXPECT_TRUE(get_object(value, "o", spot).is_object());
}

TEST(Json, AMissingOrWrongFieldIsNamed) {
  const auto value = parse_json(R"({"n": 1.5, "big": 18446744073709551615, "neg": -1})", "t.json");
  EXPECT_THAT(message_of([&] { get_double(value, "epsilon", spot); }),
              HasSubstr("field \"epsilon\" is missing"));
  EXPECT_THAT(message_of([&] { get_string(value, "n", spot); }), HasSubstr("field \"n\" is not a string"));
  EXPECT_THAT(message_of([&] { get_array(value, "n", spot); }), HasSubstr("field \"n\" is not an array"));
  EXPECT_THAT(message_of([&] { get_int64(value, "n", spot); }), HasSubstr("\"n\" is not a whole number"));
  EXPECT_THAT(message_of([&] { get_int64(value, "big", spot); }), HasSubstr("\"big\" is not a whole number"));
  EXPECT_THAT(message_of([&] { get_uint64(value, "neg", spot); }),
              HasSubstr("\"neg\" is not a whole number"));
  EXPECT_THAT(message_of([&] { get_bool(value["n"], "x", spot); }), HasSubstr("is not a JSON object"));
}

TEST(Json, AKeyGivenTwiceInOneObjectIsRefused) {
  for (const char* twice : {R"({"a": 1, "a": 2})", R"([{"b": {"a": 1, "c": [{"a": 3}], "a": 2}}])",
                            R"({"a": {"a": 1}, "b": [], "a": {}})"}) {
    EXPECT_THAT(message_of([&] { parse_json(twice, "t.json"); }), HasSubstr("an object with one key twice"))
        << twice;
  }
  EXPECT_NO_THROW(parse_json(R"([{"a": {"a": 1}, "b": {"a": 2}}, {"a": [{"a": 1}, {"a": 1}]}])", "t.json"));
}

TEST(Json, BadSyntaxGivesLineAndColumn) {
  EXPECT_THAT(message_of([] { parse_json("{\n  \"a\": 1,,\n}", "t.json"); }),
              HasSubstr("t.json, line 2: is not valid JSON at column 10"));
  EXPECT_THAT(message_of([] { parse_json("", "t.json"); }), HasSubstr("t.json, line 1"));
  EXPECT_THAT(message_of([] { parse_json("[1, 2", "t.json"); }), HasSubstr("is not valid JSON"));
  EXPECT_THAT(message_of([] { parse_json("[1e999]", "t.json"); }), HasSubstr("beyond the range"));
  EXPECT_THAT(message_of([] { parse_json("\"\xFF\"", "t.json"); }), HasSubstr("is not valid JSON"));
}

TEST(Json, NestingIsLimited) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_NO_THROW(parse_json(nested(200), "t.json"));
  EXPECT_THAT(message_of([&] { parse_json(nested(201), "t.json"); }),
              HasSubstr("line 1: nests deeper than 200 levels"));
  EXPECT_THROW(parse_json(std::string(10'000'000, '['), "t.json"), DataError);
  const LimitScope flat({.depth = 1});
  EXPECT_NO_THROW(parse_json("[\"[[[[\\\"[[[[\"]", "t.json"));
}

}  // namespace
}  // namespace fogline::io::json_test
