// SPDX-License-Identifier: Apache-2.0
#include "privacy/statement.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include "privacy/composition.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/strict_json.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_statement.hpp"

namespace fogline::privacy::statement_test {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

std::string refusal(const std::string& text) {
  try {
    parse_statement(text, "s.json");
  } catch (const DataError& error) {
    return error.what();
  }
  return "accepted";
}

/// What the parser says after one change to a good statement.
template <class Change>
std::string after(Change change) {
  Json json = Json::parse(to_json(sample_statement()));
  change(json);
  return refusal(json.dump());
}

TEST(Statement, RoundTripsExactly) {
  const Statement statement = sample_statement();
  const std::string text = to_json(statement);
  EXPECT_EQ(parse_statement(text, "s.json"), statement);
  EXPECT_EQ(to_json(parse_statement(text, "s.json")), text);
}

TEST(Statement, RoundTripsWithoutLedgerErrorInputsOrPromise) {
  Statement statement = sample_statement();
  statement.form = Form::published;
  statement.guarantee = Guarantee::none("one weight", "the order is published");
  statement.ledger = NoLedgerEntry{"made by a program that keeps its own books"};
  statement.expected_error.reset();
  statement.public_inputs.clear();
  statement.parameters = Json::object();
  EXPECT_EQ(parse_statement(to_json(statement), "s.json"), statement);
}

TEST(Statement, RoundTripsAnySound) {
  EXPECT_TRUE(rc::check("parse(to_json(s)) == s", [] {
    Statement statement = sample_statement();
    const auto numerator = *rc::gen::inRange<std::uint64_t>(1, ~std::uint64_t{0});
    const auto denominator = *rc::gen::inRange<std::uint64_t>(1, ~std::uint64_t{0});
    statement.guarantee = Guarantee::from_parts(
        {Notion::pure_dp, Rational(numerator, denominator), {}, "one trip", Exactness::exact, ""});
    statement.expected_error->value = std::abs(*rc::gen::arbitrary<double>());
    statement.parameters["x"] = *rc::gen::arbitrary<double>();
    statement.parameters["n"] = *rc::gen::arbitrary<std::int64_t>();
    statement.outputs[0].records = *rc::gen::arbitrary<std::uint64_t>();
    const std::string text = to_json(statement);
    RC_ASSERT(parse_statement(text, "s.json") == statement);
    RC_ASSERT(to_json(parse_statement(text, "s.json")) == text);
  }));
}

TEST(Statement, AByteOrderMarkIsRefused) {
  EXPECT_THAT(refusal("\xEF\xBB\xBF" + to_json(sample_statement())), HasSubstr("byte order mark"));
}

TEST(Statement, NothingFollowsAZeroByte) {
  EXPECT_THAT(refusal(to_json(sample_statement()) + std::string(1, '\0') + "{}"), HasSubstr("zero byte"));
}

TEST(Statement, NamesOfMechanismsCannotLookLikeOthers) {
  for (const char* field : {"kind", "mechanism"}) {
    for (const char* name : {"g\xD0\xB5m", "Gem", "gem ", " gem", "-gem", "gem.", "gem_2", "g\xC2\xA0m"}) {
      EXPECT_THAT(after([&](Json& json) { json[field] = name; }), HasSubstr(std::string("field ") + field))
          << name;
    }
    for (const char* name : {"gem", "k-means 2", "blocks, merged"}) {
      EXPECT_EQ(after([&](Json& json) { json[field] = name; }), "accepted") << name;
    }
  }
}

TEST(Statement, MoreThanAThousandFilesAreRefused) {
  for (const char* field : {"public_inputs", "outputs"}) {
    const auto with = [&](std::size_t count) {
      return after([&](Json& json) { json[field] = Json(count, json[field][0]); });
    };
    EXPECT_EQ(with(1000), "accepted");
    EXPECT_THAT(with(1001), HasSubstr("names more than 1,000 files")) << field;
  }
}

TEST(Statement, ManyValuesAreRefusedBeforeTheyCostTime) {
  EXPECT_THAT(after([](Json& json) { json["public_inputs"] = Json(200'000, Json::object()); }),
              HasSubstr("holds more than 20,000 values"));
  std::string fields = "{";
  for (int i = 0; i < 500'000; ++i) fields += "\"" + std::to_string(i) + "\":1,";
  EXPECT_THAT(refusal(fields), HasSubstr("holds more than 20,000 values"));
}

TEST(Statement, IsReadableByOthers) {
  const Json json = Json::parse(to_json(sample_statement()));
  EXPECT_EQ(json["guarantee"]["notion"], "metric DP");
  EXPECT_EQ(json["guarantee"]["epsilon"], "0.01");
  EXPECT_EQ(json["guarantee"]["epsilon_number"], 0.01);
  EXPECT_EQ(json["guarantee"]["measure"], "per metre");
  EXPECT_TRUE(json["guarantee"]["reason"].is_null());
  EXPECT_EQ(json["randomness"], "operating system");
  EXPECT_EQ(json["ledger"]["entry"], 7);
  EXPECT_EQ(json["public_inputs"][0]["specification"], "line:101:1000");
  EXPECT_EQ(json["parameters"].begin().key(), "range");
}

TEST(Statement, EveryFieldIsNeededAndNoOtherIsAllowed) {
  const Json good = Json::parse(to_json(sample_statement()));
  for (const auto& item : good.items()) {
    Json without = good;
    without.erase(item.key());
    EXPECT_THAT(refusal(without.dump()), HasSubstr('"' + item.key() + "\" is missing"));
  }
  for (const char* part : {"guarantee", "ledger", "expected_error"}) {
    for (const auto& item : good[part].items()) {
      Json without = good;
      without[part].erase(item.key());
      EXPECT_THAT(refusal(without.dump()), HasSubstr(std::string(part) + "." + item.key() + "\" is missing"));
    }
    EXPECT_THAT(after([&](Json& json) { json[part]["extra"] = 1; }),
                HasSubstr(std::string(part) + ".extra\" is not known"));
  }
  EXPECT_THAT(after([](Json& json) { json["note"] = "x"; }), HasSubstr("\"note\" is not known"));
  EXPECT_THAT(after([](Json& json) { json["\x1b[31m"] = "x"; }), HasSubstr("(unprintable name)"));
  EXPECT_THAT(after([](Json& json) { json["outputs"][0]["bytes"] = 1; }), HasSubstr("outputs[0].bytes"));
}

TEST(Statement, WrongTypesAreNamed) {
  const Json good = Json::parse(to_json(sample_statement()));
  for (const auto& item : good.items()) {
    Json spoiled = good;
    spoiled[item.key()] = true;
    EXPECT_THAT(refusal(spoiled.dump()), HasSubstr(item.key())) << item.key();
  }
  EXPECT_THAT(after([](Json& json) { json["ledger"]["entry"] = -1; }), HasSubstr("ledger.entry"));
  EXPECT_THAT(after([](Json& json) { json["ledger"]["entry"] = 1.5; }), HasSubstr("ledger.entry"));
  EXPECT_THAT(after([](Json& json) { json["guarantee"]["epsilon"] = 0.01; }), HasSubstr("guarantee.epsilon"));
  EXPECT_THAT(after([](Json& json) { json["promise"][0] = 3; }), HasSubstr("promise"));
  EXPECT_THAT(after([](Json& json) { json["parameters"] = Json::array(); }), HasSubstr("parameters"));
}

TEST(Statement, UnknownFormatsAreRefused) {
  EXPECT_THAT(after([](Json& json) { json["format_version"] = 2; }), HasSubstr("install a newer Fogline"));
  EXPECT_THAT(after([](Json& json) { json["format"] = "other"; }), HasSubstr("format"));
}

TEST(Statement, ContradictoryGuaranteesAreRefused) {
  const auto guarantee = [](auto change) { return after([&](Json& json) { change(json["guarantee"]); }); };
  EXPECT_THAT(guarantee([](Json& g) { g["measure"] = "plain"; }), HasSubstr("guarantee.measure"));
  EXPECT_THAT(guarantee([](Json& g) { g["notion"] = "pure DP"; }), HasSubstr("guarantee.measure"));
  EXPECT_THAT(guarantee([](Json& g) { g["notion"] = "none"; }), HasSubstr("guarantee.reason"));
  EXPECT_THAT(guarantee([](Json& g) { g["notion"] = "none", g["reason"] = "r", g["measure"] = "plain"; }),
              HasSubstr("epsilon: must be 0"));
  EXPECT_THAT(guarantee([](Json& g) { g["notion"] = "very DP"; }), HasSubstr("notion"));
  EXPECT_THAT(guarantee([](Json& g) { g["epsilon"] = "0", g["epsilon_number"] = 0; }), HasSubstr("epsilon"));
  EXPECT_THAT(guarantee([](Json& g) { g["epsilon"] = "-1", g["epsilon_number"] = -1; }),
              HasSubstr("epsilon"));
  EXPECT_THAT(guarantee([](Json& g) { g["epsilon"] = "0.010"; }), HasSubstr("guarantee.epsilon"));
  EXPECT_THAT(guarantee([](Json& g) { g["epsilon_number"] = 0.001; }), HasSubstr("guarantee.epsilon_number"));
  EXPECT_THAT(guarantee([](Json& g) { g["delta"] = "0.1"; }), HasSubstr("delta"));
  EXPECT_THAT(guarantee([](Json& g) { g["exactness"] = "approximate"; }), HasSubstr("exactness"));
  EXPECT_THAT(guarantee([](Json& g) { g["reason"] = "because"; }), HasSubstr("guarantee.reason"));
  EXPECT_THAT(guarantee([](Json& g) { g["unit"] = ""; }), HasSubstr("unit"));
}

TEST(Statement, ASeededRunCannotPromise) {
  EXPECT_THAT(after([](Json& json) { json["randomness"] = "seeded, not private"; }),
              HasSubstr("a seeded run promises nothing"));
  Statement statement = sample_statement();
  statement.randomness = random::Source::seeded;
  EXPECT_THROW(to_json(statement), InvalidOption);
  statement.guarantee = seeded(statement.guarantee);
  EXPECT_EQ(parse_statement(to_json(statement), "s.json"), statement);
}

TEST(Statement, ASoundFormMustPromise) {
  Statement statement = sample_statement();
  statement.guarantee = Guarantee::none("one report", "who knows");
  EXPECT_THROW(to_json(statement), InvalidOption);
}

TEST(Statement, MalformedPartsAreRefusedOnWritingAndReading) {
  EXPECT_THAT(after([](Json& json) { json["outputs"][0]["sha256"] = "abc"; }), HasSubstr("outputs.sha256"));
  EXPECT_THAT(after([](Json& json) { json["outputs"] = Json::array(); }), HasSubstr("outputs"));
  EXPECT_THAT(after([](Json& json) { json["outputs"][0]["name"] = "../x"; }), HasSubstr("outputs.name"));
  EXPECT_THAT(after([](Json& json) { json["public_inputs"][1]["name"] = "/etc/passwd"; }),
              HasSubstr("public_inputs.name"));
  EXPECT_THAT(after([](Json& json) { json["public_inputs"][0]["sha256"] = std::string(64, 'a'); }),
              HasSubstr("public_inputs[0].sha256"));
  EXPECT_THAT(after([](Json& json) { json["ledger"]["id"] = "x"; }), HasSubstr("ledger.id"));
  EXPECT_THAT(after([](Json& json) { json["ledger"]["entry"] = 0; }), HasSubstr("ledger.entry"));
  EXPECT_THAT(after([](Json& json) { json["expected_error"]["value"] = -1; }),
              HasSubstr("expected_error.value"));
  EXPECT_THAT(after([](Json& json) { json["promise"] = Json::array(); }), HasSubstr("promise"));
  EXPECT_THAT(after([](Json& json) { json["kind"] = "a\nb"; }), HasSubstr("kind"));
  Statement statement = sample_statement();
  statement.parameters["x"] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(to_json(statement), InvalidOption);
  statement = sample_statement();
  statement.parameters["deep"] = {{"text", "\xFF"}};
  EXPECT_THROW(to_json(statement), InvalidOption);
}

TEST(Statement, TextThatIsNotOneJsonObjectIsRefused) {
  for (const char* text : {"", "{", "[]", "null", "{} x", "\xFF", "{\"a\":1e999}", "{\"format\":\"a\",}"}) {
    EXPECT_NE(refusal(text), "accepted") << text;
  }
  EXPECT_THAT(refusal("{\n\n x}"), HasSubstr("line 3"));
}

TEST(Statement, AFieldGivenTwiceIsRefused) {
  std::string text = to_json(sample_statement());
  text.insert(text.find("\"kind\""), "\"kind\": \"path\", ");
  EXPECT_THAT(refusal(text), HasSubstr("the same field twice"));
}

TEST(Statement, DeepNestingIsRefused) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_THAT(refusal("{\"parameters\":" + deep + "}"), HasSubstr("nests deeper"));
  EXPECT_THAT(refusal(deep), HasSubstr("nests deeper"));
}

TEST(Statement, ReadsFilesAndSaysWhichIsMissing) {
  const TestFolder folder;
  std::ofstream(folder.path("s.json")) << to_json(sample_statement());
  EXPECT_EQ(read_statement(folder.path("s.json")), sample_statement());
  EXPECT_THROW(read_statement(folder.path("none.json")), FileError);
  EXPECT_EQ(statement_path("a/safe.csv"), "a/safe.csv.statement.json");
}

}  // namespace
}  // namespace fogline::privacy::statement_test
