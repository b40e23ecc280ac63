// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"

#include <gtest/gtest.h>

namespace fogline::error_test {
namespace {

TEST(Error, CarriesItsProblemAsData) {
  const DataError error({"trips.csv", 7}, "longitude is not a number", "write degrees such as 13.377");
  EXPECT_STREQ(error.what(), "trips.csv, line 7: longitude is not a number; write degrees such as 13.377");
  EXPECT_EQ(error.problem().code, "bad-data");
  EXPECT_EQ(error.problem().wrong, "longitude is not a number");
  EXPECT_EQ(error.problem().to_try, "write degrees such as 13.377");
  EXPECT_EQ(error.spot().line, 7U);
  EXPECT_EQ(error.problem().field, "");
}

TEST(Error, NamesTheFieldWithoutDashes) {
  const InvalidOption error("epsilon", "must be above 0");
  EXPECT_STREQ(error.what(), "epsilon: must be above 0");
  EXPECT_EQ(error.option(), "epsilon");
  EXPECT_EQ(error.problem().code, "invalid-option");
}

TEST(Error, HasACodeForEachType) {
  EXPECT_EQ(Error("odd").problem().code, "error");
  EXPECT_STREQ(Error("odd").what(), "odd");
  EXPECT_EQ(FileError("a.csv", "is gone").problem().code, "file");
  EXPECT_EQ(FileError("a.csv", "is gone").problem().place.file, "a.csv");
  EXPECT_EQ(Cancelled().problem().code, "cancelled");
  EXPECT_STREQ(Cancelled().what(), "interrupted");
}

}  // namespace
}  // namespace fogline::error_test
