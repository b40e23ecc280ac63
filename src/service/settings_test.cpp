// SPDX-License-Identifier: Apache-2.0
#include "service/settings.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace fogline::service::settings_test {
namespace {

const std::string good =
    "ledger = \"s.ledger\"\ncap = \"epsilon 0.1 per metre per subject in 24 h\"\nrefresh = 900\n"
    "[place]\nnetwork = \"city:1\"\nepsilon = \"0.02\"\n"
    "[[token]]\nname = \"app\"\nsha256 = "
    "\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"\n"
    "scopes = [\"release\", \"budget\"]\n";

std::string refusal(const std::string& text, const std::string& instead) {
  std::string changed = good;
  const std::size_t at = changed.find(text);
  if (at == std::string::npos) return "not there";
  changed.replace(at, text.size(), instead);
  try {
    settings_from(changed, "folder/s.toml");
  } catch (const Error& error) {
    const Problem& problem = error.problem();
    return problem.field.empty() ? problem.code + " " + std::to_string(problem.place.line) : problem.field;
  }
  return "";
}

TEST(Settings, AreReadFromToml) {
  const Settings settings = settings_from(good, "folder/s.toml");
  EXPECT_EQ(settings.listen, "127.0.0.1:8080");
  EXPECT_EQ(settings.ledger, "folder/s.ledger");
  EXPECT_EQ(settings.refresh_s, 900);
  EXPECT_TRUE(settings.gives_latest());
  ASSERT_EQ(settings.tokens.size(), 1);
  EXPECT_EQ(settings.tokens.front().scopes, (std::vector{Scope::release, Scope::budget}));
  const auto place = nlohmann::json::parse(settings.place);
  EXPECT_EQ(place.at("network"), "city:1");
  EXPECT_EQ(place.at("dataset"), "service");
}

TEST(Settings, SayWhatIsWrong) {
  EXPECT_EQ(refusal("refresh = 900", "refresh = 31622401"), "refresh");
  EXPECT_EQ(refusal("refresh = 900", "refresh = -1"), "refresh");
  EXPECT_EQ(refusal("refresh = 900", "refresh = 31622400"), "");
  EXPECT_EQ(refusal("refresh = 900", "refresh = 2026-11-19"), "refresh");
  EXPECT_EQ(refusal("refresh = 900", "refreshes = 900"), "refreshes");
  EXPECT_EQ(refusal("refresh = 900", "refresh = "), "bad-data 3");
  EXPECT_EQ(refusal("refresh = 900", "over-budget = \"again\""), "over-budget");
  EXPECT_EQ(refusal("refresh = 900", "tick-ms = 0"), "tick-ms");
  EXPECT_EQ(refusal("refresh = 900", "drain-s = 9"), "drain-s");
  EXPECT_EQ(refusal(" per subject in 24 h", ""), "cap");
  EXPECT_EQ(refusal("ledger = \"s.ledger\"\n", ""), "ledger");
  EXPECT_EQ(refusal("[place]", "[place]\noutput = \"x.csv\""), "output");
  EXPECT_EQ(refusal("[place]\n", "[places]\n"), "places");
  EXPECT_EQ(refusal("0123456789abcdef\"", "0123456789abcdeF\""), "sha256");
  EXPECT_EQ(refusal("\"budget\"]", "\"everything\"]"), "scopes");
  EXPECT_EQ(refusal("name = \"app\"\n", ""), "name");
}

TEST(Token, IsFoundByItsHash) {
  const std::string token = new_token(), other = new_token();
  EXPECT_NE(token, other);
  EXPECT_EQ(token.size(), 4 + 64);
  const std::vector<Token> tokens{{"a", hash_of_token(token), {Scope::release}}};
  ASSERT_NE(find_token(tokens, "Bearer " + token), nullptr);
  EXPECT_EQ(find_token(tokens, "Bearer " + token)->name, "a");
  for (const std::string& bad : {token, "Bearer " + other, "bearer " + token, "Bearer  " + token,
                                 std::string(), std::string("Bearer "), "Bearer " + hash_of_token(token)})
    EXPECT_EQ(find_token(tokens, bad), nullptr);
}

}  // namespace
}  // namespace fogline::service::settings_test
