// SPDX-License-Identifier: Apache-2.0
#include "report/public_notice.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "privacy/test_statement.hpp"

namespace fogline::report::public_notice_test {
namespace {

TEST(PublicNotice, TellsARegistryWhatTheStatementSaysAndWhatNobodySaid) {
  const privacy::Statement statement = privacy::sample_statement();
  const KindPages pages{.protects = "positions", .publishes = "positions on a map"};
  const auto entry = registry_entry(statement, &pages, {.curator = "the traffic office"}).json();
  EXPECT_EQ(entry.at("data_product"), "positions on a map");
  EXPECT_TRUE(registry_entry(statement, nullptr, {}).json().at("data_product").is_null()) << "nobody knows";
  EXPECT_EQ(entry.at("data_curator"), "the traffic office");
  EXPECT_TRUE(entry.at("intended_use").is_null());
  EXPECT_EQ(entry.at("privacy_loss").at("epsilon"), statement.guarantee.epsilon().to_string());
  EXPECT_EQ(entry.at("privacy_unit"), statement.guarantee.unit());
  EXPECT_EQ(entry.at("outputs").at(0).at("sha256"), statement.outputs.front().sha256);
  EXPECT_TRUE(entry.at("signed_by_key").is_null());
}

TEST(PublicNotice, IsAPageThatNobodyCanPutMarkupInto) {
  privacy::Statement statement = privacy::sample_statement();
  statement.not_protected = {"<script>alert(1)</script>"};
  const std::string page = notice_html(statement, nullptr, {.title = "A & B <b>", .contact = "\"me\""});
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;"), std::string::npos);
  EXPECT_NE(page.find("<title>A &amp; B &lt;b&gt;</title>"), std::string::npos);
  EXPECT_NE(page.find("What is promised"), std::string::npos);
  const KindPages pages{.protects = "trips", .publishes = "trips & more"};
  EXPECT_NE(notice_html(statement, &pages, {}).find("publishes trips &amp; more, made"), std::string::npos);
}

}  // namespace
}  // namespace fogline::report::public_notice_test
