// SPDX-License-Identifier: Apache-2.0
#include "release/worth.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::release::worth_test {
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
  EXPECT_THAT(none.remarks(), testing::ElementsAre(testing::HasSubstr("err by 1.205 m")));
  EXPECT_THROW(AnywayField{}.require(none), InvalidOption);
  EXPECT_NO_THROW(AnywayField{.anyway = true}.require(none));
  EXPECT_THROW(AnywayField{}.require(false, "all is noise"), InvalidOption);
  EXPECT_NO_THROW(AnywayField{}.require(true, "all is noise"));
  const Worth some{.error = 0.5, .free_error = 1.205};
  EXPECT_THAT(some.remarks(), testing::IsEmpty());
  EXPECT_NO_THROW(AnywayField{}.require(some));
}

}  // namespace
}  // namespace fogline::release::worth_test
