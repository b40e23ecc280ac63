// SPDX-License-Identifier: Apache-2.0
#include "privacy/persons.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::privacy::persons_test {
namespace {

TEST(Persons, HaveNames) {
  for (const std::string_view name : persons_names) EXPECT_EQ(to_string(persons_from(name)), name);
  for (const std::string_view name : too_many_names) EXPECT_EQ(to_string(too_many_from(name)), name);
  EXPECT_THROW(persons_from("user_id"), InvalidOption);
  EXPECT_THROW(too_many_from("clamp"), InvalidOption);
}

TEST(Persons, AreToldApartInWordsOfTheirOwn) {
  EXPECT_THAT(how_told_apart(Persons::column, "reports"), testing::HasSubstr("column"));
  EXPECT_THAT(how_told_apart(Persons::file, "trips"), testing::HasSubstr("each of the trips"));
  EXPECT_THAT(how_told_apart(Persons::declared, "trips"),
              testing::HasSubstr("declared: the promise stands on that"));
}

}  // namespace
}  // namespace fogline::privacy::persons_test
