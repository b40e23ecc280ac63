// SPDX-License-Identifier: Apache-2.0
#include "cli/worth.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::cli::worth_test {
namespace {

TEST(Worth, IsHeldAgainstTheGuessThatCostsNothing) {
  EXPECT_TRUE((Worth{.error = 1.19, .free_error = 1.205}).is_better());
  EXPECT_FALSE((Worth{.error = 1.2, .free_error = 1.205}).is_better());
  EXPECT_FALSE((Worth{.error = 1.205, .free_error = 1.205}).is_better());
  EXPECT_FALSE((Worth{.error = 5, .free_error = 1.205}).is_better());
  EXPECT_FALSE((Worth{.error = 0, .free_error = 0}).is_better());  // nothing is left to be told
}

TEST(Worth, NeedsAWordWhereThereIsNone) {
  const Worth none{.error = 1.205, .free_error = 1.205, .unit = " m"};
  EXPECT_THAT(none.remark(), testing::HasSubstr("err by 1.205 m"));
  EXPECT_THROW(AnywayBlock{}.require(none), InvalidOption);
  EXPECT_NO_THROW(AnywayBlock{.anyway = true}.require(none));
  EXPECT_THROW(AnywayBlock{}.require(false, "all is noise"), InvalidOption);
  EXPECT_NO_THROW(AnywayBlock{}.require(true, "all is noise"));
  const Worth some{.error = 0.5, .free_error = 1.205};
  EXPECT_EQ(some.remark(), "");
  EXPECT_NO_THROW(AnywayBlock{}.require(some));
}

}  // namespace
}  // namespace fogline::cli::worth_test
