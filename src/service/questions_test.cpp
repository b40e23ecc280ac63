// SPDX-License-Identifier: Apache-2.0
#include "service/questions.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::service::questions_test {
namespace {

std::string field_of(const std::string& body) {
  try {
    question_from(body);
  } catch (const Error& error) {
    return error.problem().code + " " + error.problem().field;
  }
  return "";
}

TEST(Question, IsOnePositionOrAList) {
  const auto one = question_from(R"({"subject": "anna", "lon": -30.01, "lat": 45})");
  EXPECT_EQ(one.subject, "anna");
  EXPECT_FALSE(one.is_list);
  EXPECT_EQ(one.records.numbers("lon")[0], -30.01);
  const auto list =
      question_from(R"({"subject": "a", "positions": [{"lon": 1, "lat": 2}, {"lat": 4, "lon": 3}]})");
  EXPECT_TRUE(list.is_list);
  EXPECT_EQ(list.records.records(), 2);
  EXPECT_EQ(list.records.numbers("lat")[1], 4);
}

TEST(Question, AtTheEndsOfItsRangesIsTaken) {
  for (const char* body : {R"({"subject":"a","lon":-180,"lat":-90})", R"({"subject":"a","lon":180,"lat":90})",
                           R"({"subject":"a","lon":0,"lat":-0.0})"})
    EXPECT_EQ(field_of(body), "") << body;
  EXPECT_EQ(field_of(R"({"subject":"a","lon":-180.0000001,"lat":0})"), "invalid-option lon");
  EXPECT_EQ(field_of(R"({"subject":"a","lon":0,"lat":90.0000001})"), "invalid-option lat");
  EXPECT_EQ(field_of(R"({"subject":"a","lon":0,"lat":1e400})"), "bad-data ");
  EXPECT_EQ(field_of(R"({"subject":"a","lon":0,"lat":null})"), "bad-data ");
  EXPECT_EQ(field_of(R"({"subject":"","lon":0,"lat":0})"), "invalid-option subject");
}

TEST(Plan, IsOfOnePositionOrMore) {
  EXPECT_EQ(positions_planned("{}"), 1);
  EXPECT_EQ(positions_planned(R"({"positions": 2.0})"), 2);
  EXPECT_EQ(positions_planned(R"({"positions": 1000})"), 1000);
  for (const char* bad : {R"({"positions": 0})", R"({"positions": 1001})", R"({"positions": -1})",
                          R"({"positions": 1.5})", R"({"position": 1})", "[]", ""})
    EXPECT_THROW(positions_planned(bad), Error) << bad;
}

/// What is told of a body goes back to whoever sent it, and into his logs.
TEST(Question, NothingOfThePositionIsToldBack) {
  for (const char* body :
       {R"({"subject":"a","lon":512.25,"lat":0})", R"({"subject":"a","lon":"512.25","lat":0})",
        R"({"subject":"a","positions":[512.25]})", "512.25"}) {
    try {
      question_from(body);
      ADD_FAILURE() << body;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find("512"), std::string::npos) << error.what();
    }
  }
}

TEST(Question, IsNotBoth) {
  EXPECT_EQ(field_of(R"({"subject":"a","lon":1,"lat":1,"positions":[{"lon":1,"lat":1}]})"), "bad-data ");
}

TEST(Question, TheNameOfAStrangeFieldIsNotToldBack) {
  for (const char* body : {R"({"subject":"a","lon":1,"lat":1,"x512":2})", R"({"x512":1,"x512":2})",
                           R"({"subject":"a","positions":[{"lon":1,"lat":1,"x512":2}]})"}) {
    try {
      question_from(body);
      ADD_FAILURE() << body;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find("x512"), std::string::npos) << error.what();
    }
  }
}

TEST(RequestMarks, AreKnownToWhoHasTheTokenOnly) {
  const auto mark = mark_of("k", "token", "body");
  ASSERT_TRUE(mark);
  EXPECT_EQ(mark, mark_of("k", "token", "body"));
  EXPECT_EQ(mark->key, mark_of("k", "token", "other")->key);
  EXPECT_NE(mark->body, mark_of("k", "token", "other")->body);
  EXPECT_NE(mark->key, mark_of("k", "tokem", "body")->key);
  EXPECT_NE(mark->body, mark_of("k", "tokem", "body")->body);
  EXPECT_NE(mark_of("same", "t", "same")->key, mark_of("same", "t", "same")->body);
  EXPECT_FALSE(mark_of("", "token", "body"));
  EXPECT_TRUE(mark_of(std::string(255, 'k'), "token", "body"));
  for (const std::string& bad :
       {std::string(256, 'k'), std::string("a b"), std::string("a\n"), std::string("\xc3\xa4")})
    EXPECT_THROW(mark_of(bad, "token", "body"), InvalidOption);
}

TEST(StatementIds, AreWrittenInOneWay) {
  EXPECT_EQ(place_from("12-3"), (privacy::SubjectPlace{12, 3}));
  EXPECT_EQ(id_of({12, 3}), "12-3");
  for (const char* bad :
       {"", "-", "1-", "-1", "01-1", "1-01", "1-1-1", "+1-1", "1- 1", "18446744073709551616-1", "a-b"})
    EXPECT_FALSE(place_from(bad)) << bad;
}

TEST(Decoded, TakesPercentSigns) {
  EXPECT_EQ(decoded("anna%40example.org"), "anna@example.org");
  EXPECT_EQ(decoded("%61"), "a");
  EXPECT_EQ(decoded(""), "");
  for (const char* bad : {"%", "%4", "a%", "a%4", "%zz", "%4z"}) EXPECT_FALSE(decoded(bad)) << bad;
}

TEST(Utc, IsWrittenAsProgramsReadIt) {
  EXPECT_EQ(utc(1'700'000'000), "2023-11-14T22:13:20Z");
  EXPECT_EQ(utc(0), "1970-01-01T00:00:00Z");
}

}  // namespace
}  // namespace fogline::service::questions_test
