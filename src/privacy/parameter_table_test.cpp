// SPDX-License-Identifier: Apache-2.0
#include "privacy/parameter_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace fogline::privacy::parameter_table_test {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

enum class Colour { red, blue };
std::string_view to_string(Colour colour) {
  return colour == Colour::red ? "red" : "blue";
}
Colour colour_from(std::string_view text) {
  if (text != "red" && text != "blue") throw InvalidOption("colour", "is red or blue");
  return text == "red" ? Colour::red : Colour::blue;
}

/// One of each type.
struct Terms {
  std::string text = "t";
  bool truth = false;
  std::uint64_t count = 3;
  std::uint32_t small = 0;
  double number = 0.5;
  Rational fraction{1, 3};
  Epsilon epsilon{1, 2};
  std::optional<Epsilon> other = {};
  std::optional<std::uint64_t> declared = {};
  std::optional<PublicInput> file = {};
  std::vector<std::string> list = {};
  Colour colour = Colour::red;
  Parameters own = {};

  void declare(ParameterTable& table) {
    table.value("text", text, "a text");
    table.value("truth", truth, "a truth");
    table.when(truth).value("count", count, "a count, if it is true", {1, 9});
    table.optional().value("small", small, "a count", {0, 9});
    table.value("number", number, "a number");
    table.value("fraction", fraction, "a fraction");
    table.value("epsilon", epsilon, "an epsilon");
    table.value("other", other, "another");
    table.value("declared", declared, "a number that may be declared");
    table.value("file", file, "a file");
    table.optional().value("list", list, "names");
    table.word("colour", colour, colour_from, "a colour", std::optional(Colour::red));
    table.when(own.json().contains("own") || table.is_given("own")).member("own", own, "its own");
    table.derived(
        "twice", [&] { return Json(2 * number); }, "the number twice");
  }
};

Terms read_back(const Json& given) {
  Terms terms;
  read_parameters(given, terms);
  require_spelling(given, parameters_of(terms));
  return terms;
}

const Json plain{{"text", "t"},       {"truth", false},   {"number", 0.5},
                 {"fraction", "1/3"}, {"epsilon", "0.5"}, {"twice", 1.0}};

TEST(ParameterTable, WritesInOrderAndLeavesOutWhatSaysNothing) {
  EXPECT_EQ(parameters_of(Terms{}).dump(), plain.dump());
}

TEST(ParameterTable, ReadsBackWhatItWrites) {
  Terms all{.text = "x", .truth = true, .count = 9, .small = 1, .number = 2, .fraction = Rational(7)};
  all.other = Epsilon(1, 8);
  all.declared = 0;
  all.file = PublicInput{"f.csv", "", ""};
  all.list = {"a", "b"};
  all.colour = Colour::blue;
  all.own["own"] = {1, 2};
  const Json written = parameters_of(all);
  EXPECT_EQ(written.size(), 14U);
  EXPECT_EQ(parameters_of(read_back(written)).dump(), written.dump());
  EXPECT_EQ(read_back(written).count, 9U);
}

TEST(ParameterTable, RefusesEverythingElse) {
  const auto refused = [](const std::string& name, const Json& value) {
    Json given = plain;
    given[name] = value;
    EXPECT_THAT([&] { read_back(given); }, ThrowsMessage<InvalidOption>(HasSubstr(name))) << name << value;
  };
  for (const char* name : {"text", "truth", "number", "fraction", "epsilon", "other", "declared", "file",
                           "list", "colour", "twice"}) {
    refused(name, nullptr);
    refused(name, Json::object());
    refused(name, -1);
  }
  refused("count", 3);  // not there unless `truth`
  refused("unknown", 1);
  refused("small", 0);  // is not written where it is 0
  refused("small", 10);
  refused("declared", Json::parse("-0"));
  refused("list", Json::array());
  refused("list", {1});
  refused("colour", "red");
  refused("colour", "");
  refused("fraction", "2/6");
  refused("epsilon", "0");
  refused("number", 1);  // 1.0 is how it is written
  refused("twice", 3.0);
  for (const char* name : {"text", "truth", "number", "fraction", "epsilon"}) {
    Json given = plain;
    given.erase(name);
    EXPECT_THAT([&] { read_back(given); }, ThrowsMessage<InvalidOption>(HasSubstr("is missing"))) << name;
  }
  Json given = plain;
  given.erase("twice");
  EXPECT_THROW(read_back(given), InvalidOption);
  EXPECT_THROW(read_back(Json::array()), InvalidOption);
}

TEST(ParameterTable, ListsAllWhateverTheTerms) {
  std::vector<std::string> names;
  Terms terms;
  for (const ParameterTable::Listed& one : list_parameters(terms)) {
    names.push_back(one.name);
    EXPECT_FALSE(one.meaning.empty());
  }
  EXPECT_THAT(names, ElementsAre("text", "truth", "count", "small", "number", "fraction", "epsilon", "other",
                                 "declared", "file", "list", "colour", "own", "twice"));
}

TEST(InputFiles, AreThoseThatAreNamedInOrder) {
  const std::string hash(64, 'a');
  const std::vector<PublicInput> inputs{{"a", hash, ""}, {"b", hash, ""}};
  InputFiles files(inputs);
  std::optional<PublicInput> none, first{{"a", "", ""}}, wrong{{"c", "", ""}};
  files.fill(none);
  files.fill(first);
  EXPECT_EQ(first->sha256, hash);
  EXPECT_THROW(files.require_all_used(), InvalidOption);
  EXPECT_THROW(files.fill(wrong), InvalidOption);
  EXPECT_THROW(files.next(), InvalidOption);
}

}  // namespace
}  // namespace fogline::privacy::parameter_table_test
