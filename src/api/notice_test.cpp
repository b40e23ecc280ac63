// SPDX-License-Identifier: Apache-2.0
#include "fogline/notice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "fogline/error.hpp"
#include "fogline/request.hpp"
#include "privacy/test_folder.hpp"

namespace fogline::notice_test {
namespace {

using testing::HasSubstr;

TEST(Notice, IsMadeOfTheStatementAndOfWhatThePublisherSays) {
  const privacy::TestFolder folder;
  Ledger ledger(folder.path("ledger"));
  ledger.add_uncapped_dataset("default", 1);
  Listener listener;
  Request request("place");
  request.set("network", "line:9:800").set("epsilon", "1/50").set("anyway", true);
  request.input(ColumnSet().hold("lon", std::vector<double>{0.001}).hold("lat", std::vector<double>{0}));
  const Released safe = request.run(ledger, listener);
  const Publication said{.title = "Trips of March", .curator = "traffic office"};
  EXPECT_THAT(registry_entry(safe.statement, said), HasSubstr("traffic office"));
  EXPECT_TRUE(nlohmann::json::parse(registry_entry(safe.statement, said)).is_object());
  EXPECT_THAT(notice(safe.statement, said), HasSubstr("Trips of March"));
  EXPECT_THROW(registry_entry("{}", said), DataError);
  EXPECT_THAT(notice(safe.statement, said), HasSubstr(notice_body(safe.statement, said)));
  EXPECT_THROW(notice("no JSON", said), DataError);
}

}  // namespace
}  // namespace fogline::notice_test
