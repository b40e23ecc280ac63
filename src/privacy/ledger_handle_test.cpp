// SPDX-License-Identifier: Apache-2.0
#include "privacy/ledger_handle.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "privacy/test_folder.hpp"

namespace fogline::privacy::ledger_handle_test {
namespace {

namespace fs = std::filesystem;

class LedgerHandleTest : public testing::Test {
 protected:
  std::string path(const std::string& name) { return (fs::path(testing::TempDir()) / name).string(); }
};

TEST_F(LedgerHandleTest, MakesALedgerOnlyWhereOneIsToBeWritten) {
  LedgerHandle handle(path("made.ledger"), {});
  EXPECT_EQ(handle.if_there(), nullptr);
  EXPECT_FALSE(fs::exists(handle.path()));
  Ledger& made = handle.get();
  EXPECT_TRUE(fs::exists(handle.path()));
  EXPECT_EQ(&made, handle.if_there());
  EXPECT_EQ(&made, &handle.get());
}

TEST_F(LedgerHandleTest, RefusesALedgerThatWasMovedAway) {
  LedgerHandle handle(path("moved.ledger"), {});
  handle.get();
  fs::rename(handle.path(), path("elsewhere.ledger"));
  EXPECT_THROW(handle.get(), FileError);
  EXPECT_THROW(handle.if_there(), FileError);
}

TEST_F(LedgerHandleTest, RefusesALedgerInWhosePlaceAnotherStands) {
  LedgerHandle handle(path("replaced.ledger"), {}), other(path("other.ledger"), {});
  handle.get();
  other.get();
  fs::rename(other.path(), handle.path());
  EXPECT_THROW(handle.get(), FileError);
}

}  // namespace
}  // namespace fogline::privacy::ledger_handle_test
