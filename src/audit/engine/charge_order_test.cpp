// SPDX-License-Identifier: Apache-2.0
#include "audit/engine/charge_order.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "privacy/ledger.hpp"
#include "privacy/test_folder.hpp"

namespace fogline::audit::charge_order_test {
namespace {

void charge(const WalkFiles& files) {
  privacy::Ledger(files.ledger, {}).charge({files.dataset, "place", "test", files.cost, "out.txt", "0", 0});
}

void write(const WalkFiles& files, const std::string& text) {
  std::ofstream(files.output) << text;
}

std::string reason(const Walk& walk) {
  const privacy::TestFolder folder;
  return check_charge_order(walk, folder.name()).reason;
}

using Draw = std::function<std::string()>;

TEST(ChargeOrder, PassesChargeDrawWrite) {
  EXPECT_EQ(reason([](const WalkFiles& files, const Draw& draw) {
              charge(files);
              write(files, draw());
            }),
            "");
}

TEST(ChargeOrder, FindsADrawBeforeTheCharge) {
  EXPECT_EQ(reason([](const WalkFiles& files, const Draw& draw) {
              const std::string text = draw();
              charge(files);
              write(files, text);
            }),
            "it draws before the ledger is charged");
}

TEST(ChargeOrder, FindsASecondDraw) {
  EXPECT_EQ(reason([](const WalkFiles& files, const Draw& draw) {
              charge(files);
              draw();
              write(files, draw());
            }),
            "it draws again for one charge: a second release that nobody paid for");
}

TEST(ChargeOrder, FindsAChargeThatIsNotMade) {
  EXPECT_EQ(reason([](const WalkFiles& files, const Draw& draw) { write(files, draw()); }),
            "it draws before the ledger is charged");
  bool paid = false;
  EXPECT_NE(reason([&](const WalkFiles& files, const Draw& draw) {
              if (!paid) charge(files);
              paid = true;
              write(files, draw());
            }),
            "");
}

TEST(ChargeOrder, FindsARefusalThatIsSwallowed) {
  EXPECT_EQ(reason([](const WalkFiles& files, const Draw& draw) {
              try {
                charge(files);
              } catch (const Error&) {
                return write(files, "sorry\n");
              }
              write(files, draw());
            }),
            "it writes although the budget does not allow it");
}

TEST(ChargeOrder, FindsWhatIsLeftBehind) {
  EXPECT_EQ(reason([](const WalkFiles& files, const Draw& draw) {
              charge(files);
              write(files, "half");
              write(files, draw());
            }),
            "it leaves something behind after a failed draw");
}

TEST(ChargeOrder, NeedsAnEmptyFolder) {
  EXPECT_THROW(check_charge_order([](const WalkFiles&, const Draw&) {}, "/nowhere"), InvalidOption);
}

}  // namespace
}  // namespace fogline::audit::charge_order_test
