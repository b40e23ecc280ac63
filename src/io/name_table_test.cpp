// SPDX-License-Identifier: Apache-2.0
#include "io/name_table.hpp"

#include <map>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace fogline::io::name_table_test {
namespace {

TEST(NameTable, NumbersNamesAsAMapWould) {
  EXPECT_TRUE(rc::check([](const std::vector<std::string>& words) {
    NameTable table;
    std::map<std::string, std::uint32_t> expected;
    for (const auto& word : words) {
      const auto number = expected.emplace(word, static_cast<std::uint32_t>(expected.size())).first->second;
      RC_ASSERT(table.intern(word) == number);
      RC_ASSERT(table.name(number) == word);
    }
    RC_ASSERT(table.size() == expected.size());
    for (const auto& [word, number] : expected) RC_ASSERT(table.find(word) == number);
  }));
}

TEST(NameTable, ManyNamesAndACopyOfThem) {
  NameTable table;
  for (std::uint32_t i = 0; i < 10'000; ++i) ASSERT_EQ(table.intern(std::to_string(i * 7)), i);
  const NameTable copy = table;
  EXPECT_EQ(copy.find("69993"), 9'999U);
  EXPECT_FALSE(copy.find("1"));
  EXPECT_FALSE(NameTable().find("1"));
}

TEST(VertexLookup, ByNumberAndByName) {
  const VertexLookup numbered = numbered_vertices(10);
  EXPECT_EQ(numbered("9"), 9U);
  EXPECT_FALSE(numbered("10"));
  EXPECT_FALSE(numbered("-1"));
  EXPECT_FALSE(numbered("home"));
  NameTable names;
  names.intern("home");
  EXPECT_EQ(named_vertices(names)("home"), 0U);
  EXPECT_FALSE(named_vertices(names)("0"));
}

}  // namespace
}  // namespace fogline::io::name_table_test
