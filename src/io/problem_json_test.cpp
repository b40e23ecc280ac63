// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "fogline/error.hpp"

namespace fogline::problem_json_test {
namespace {

TEST(ProblemJson, HoldsWhatIsKnownAndNothingElse) {
  const InvalidOption error("max-snap", "must be a number above 0", "a number above 0, in m");
  EXPECT_EQ(to_json(error.problem()),
            R"({"code":"invalid-option","field":"max-snap","wrong":"must be a number above 0",)"
            R"("allowed":"a number above 0, in m"})");
  EXPECT_EQ(to_json(DataError({"trips.csv", 7}, "longitude is not a number", "write degrees").problem()),
            R"({"code":"bad-data","wrong":"longitude is not a number","to_try":"write degrees",)"
            R"("file":"trips.csv","line":7})");
}

TEST(ProblemJson, TakesNamesThatAreNoText) {
  EXPECT_EQ(to_json(FileError("\xff.csv", "is gone").problem()),
            "{\"code\":\"file\",\"wrong\":\"is gone\",\"file\":\"\xef\xbf\xbd.csv\"}");
}

}  // namespace
}  // namespace fogline::problem_json_test
