// SPDX-License-Identifier: Apache-2.0
#include "fogline/shards.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "fogline/error.hpp"
#include "fogline/kinds.hpp"
#include "fogline/verify.hpp"
#include "privacy/test_folder.hpp"

namespace fogline::shards_test {
namespace {

class PublicShards : public testing::Test {
 protected:
  PublicShards() { ledger_.add_uncapped_dataset("riders", 1); }
  static Request asked() {
    Request request("place");
    request.set("network", "lattice:6x6:400")
        .set("epsilon", "1/100")
        .set("dataset", "riders")
        .set("anyway", true);
    return request;
  }
  static Request part(std::vector<double> lon) {
    Request request = asked();
    std::vector<double> lat(lon.size(), 0.001);
    request.input(ColumnSet().hold("lon", std::move(lon)).hold("lat", std::move(lat)));
    return request;
  }
  privacy::TestFolder folder_;
  Ledger ledger_{folder_.path("ledger")};
  Listener listener_;
};

TEST_F(PublicShards, AreChargedOnceDrawnElsewhereAndSettled) {
  Request request = asked();
  const ShardedRelease release(request, ledger_, listener_);
  EXPECT_EQ(ledger_.lines().size(), 2U);
  const ShardedRelease elsewhere(release.secret_ticket());
  Request first = part({0.001, 0.002}), second = part({0.003}), again = part({0.003}), other = part({0.003});
  const Shard one = release.draw(first, 0, listener_), two = elsewhere.draw(second, one.numbers, listener_);
  EXPECT_EQ(elsewhere.draw(again, 2, listener_).text, two.text) << "fresh noise for a retry";
  other.set("epsilon", "1/200");
  EXPECT_THROW(elsewhere.draw(other, 3, listener_), InvalidOption) << "another promise than was paid for";
  EXPECT_EQ(one.records + two.records, 3U);
  EXPECT_THROW(release.conclude({{"a.csv", two}}), InvalidOption) << "records are missing";
  const std::string statement = release.conclude({{"a.csv", one}, {"b.csv", two}});
  settle(statement, ledger_, 1);
  ASSERT_EQ(ledger_.lines().size(), 3U);
  EXPECT_EQ(ledger_.lines()[2].settles, 2U);
  EXPECT_THROW(settle(statement, ledger_, 1), Error);
  std::set<std::string> passed;
  for (const VerifyCheck& check : verify(statement, &ledger_, {.folder = folder_.path("")}, listener_))
    if (check.outcome == VerifyCheck::Outcome::passed) passed.insert(check.name);
  EXPECT_TRUE(passed.contains("settled"));
}

TEST_F(PublicShards, AreRefusedWhereAllRecordsAreNeeded) {
  Request request = asked();
  request.set("reports-per-person", 2);
  EXPECT_THROW(ShardedRelease(request, ledger_, listener_), InvalidOption);
  Request traces("traces");
  traces.set("area", "0,0,0.02,0.02").set("epsilon", 5);
  EXPECT_THROW(ShardedRelease(traces, ledger_, listener_), InvalidOption);
  EXPECT_EQ(ledger_.lines().size(), 1U) << "the dataset";
  EXPECT_THROW(ShardedRelease("{}"), InvalidOption);
}

TEST(Verbs, HaveASchemaEach) {
  std::size_t releases = 0;
  for (const Verb& verb : verbs()) {
    const auto fields = nlohmann::json::parse(schema(verb.kind, verb.verb));
    EXPECT_FALSE(fields["properties"].empty()) << verb.kind << " " << verb.verb;
    if (verb.releases) ++releases;
  }
  EXPECT_EQ(releases, 6U);
  EXPECT_THROW(schema("place", "guess"), InvalidOption);
}

}  // namespace
}  // namespace fogline::shards_test
