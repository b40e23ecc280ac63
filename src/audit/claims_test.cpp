// SPDX-License-Identifier: Apache-2.0
#include "audit/claims.hpp"

#include <cmath>
#include <filesystem>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "audit/specimens/specimen.hpp"

namespace fogline::audit::claims_test {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::vector<Claim> claims() {
  std::vector<Claim> all;
  for (const auto of_kind : {place_claims, stream_claims, path_claims, weights_claims, traces_claims})
    for (Claim& claim : of_kind()) all.push_back(std::move(claim));
  return all;
}

TEST(Claims, HaveEverythingFilledIn) {
  for (const Claim& claim : claims()) {
    const std::string name = claim.kind + " " + claim.mechanism;
    for (const std::string& field :
         {claim.kind, claim.mechanism, claim.unit, claim.epsilon_means, claim.must_be_public, claim.page})
      EXPECT_FALSE(field.empty()) << name;
    EXPECT_EQ(claim.notion == privacy::Notion::none, !claim.why_not.empty()) << name;
    EXPECT_EQ(claim.form == privacy::Form::published, !claim.why_not.empty()) << name;
    // FOGLINE_SOURCE is where ctest says the sources are.
    if (const char* source = std::getenv("FOGLINE_SOURCE")) {
      EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(source) / claim.page)) << claim.page;
    }
  }
}

TEST(Claims, AreAllOnRecord) {
  for (const Claim& claim : claims()) {
    const auto audit = recorded_audit(claim);
    ASSERT_TRUE(audit) << claim.kind << " " << claim.mechanism;
    EXPECT_EQ(audit->date.size(), 10U);
    // Of lap with a public range only the sampler falls short, by less than an audit can show.
    if (claim.why_not.empty() || claim.mechanism == "lap") {
      EXPECT_TRUE(audit->passed);
      // What is too rich to sample is replayed.
      EXPECT_THAT(audit->engines, Contains(claim.kind == "traces" ? "replay" : "falsifier"));
    } else {
      EXPECT_FALSE(audit->passed);
      ASSERT_TRUE(audit->loss_at_least) << claim.mechanism;
      EXPECT_GT(*audit->loss_at_least, *audit->claimed_loss);
      EXPECT_FALSE(audit->evidence.empty());
    }
  }
}

TEST(Claims, CoverEveryMechanismThatIsAuditedByName) {
  std::set<std::string> claimed;
  for (const Claim& claim : claims()) claimed.insert(claim.kind + " " + claim.mechanism);
  for (const auto of_kind : {place_specimens, stream_specimens, path_specimens, weights_specimens})
    for (const auto& specimen : of_kind()) EXPECT_TRUE(claimed.contains(specimen.name)) << specimen.name;
  for (const auto& specimen : trace_specimens()) {
    if (specimen.origin == Origin::released) {
      EXPECT_TRUE(claimed.contains(specimen.name)) << specimen.name;
    }
  }
  for (const auto& specimen : published_specimens()) {
    if (specimen.broken) {
      EXPECT_TRUE(claimed.contains(specimen.name)) << specimen.name;
    }
  }
}

TEST(Claims, AreToldToProgramsWithWhatTheRecordSays) {
  const auto json = claims_json(
      {place_claims().front(), {.kind = "place", .mechanism = "none such", .why_not = "it leaks"}});
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[0]["mechanism"], place_claims().front().mechanism);
  EXPECT_EQ(json[0]["holds"], true);
  EXPECT_EQ(json[0]["why_not"], nullptr);
  EXPECT_EQ(json[0]["audit"]["passed"], true);
  EXPECT_TRUE(json[0].contains("epsilon_means"));
  EXPECT_EQ(json[1]["why_not"], "it leaks");
  EXPECT_TRUE(json[1].contains("paper_claims"));
  EXPECT_EQ(json[1]["audit"], nullptr) << "none is on record";
  EXPECT_EQ(claims_json({}).dump(), "[]");
}

TEST(Claims, TellAnInfiniteLossInAWord) {
  const std::vector<Claim> all = claims();
  const auto json = claims_json(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto audit = recorded_audit(all[i]);
    if (!audit || !audit->loss_at_least) continue;
    EXPECT_EQ(json[i]["audit"]["loss_at_least"].is_string(), std::isinf(*audit->loss_at_least));
  }
}

TEST(Claims, WithoutARecordSayNothing) {
  EXPECT_FALSE(recorded_audit({.kind = "place", .mechanism = "none such"}));
}

TEST(Claims, AreTold) {
  EXPECT_THAT(claims_text(claims()), HasSubstr("place gem  (sound)\n  promises     metric DP: per metre"));
  EXPECT_THAT(claims_text(claims()),
              HasSubstr("weights mb-ci  (published, with `published` only)\n  promises     "
                        "nothing. The paper claims pure DP"));
  EXPECT_THAT(claims_markdown(claims()), HasSubstr("| place gem | sound | metric DP"));
}

}  // namespace
}  // namespace fogline::audit::claims_test
