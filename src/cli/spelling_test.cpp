// SPDX-License-Identifier: Apache-2.0
#include "cli/spelling.hpp"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command.hpp"
#include "cli/help.hpp"

namespace fogline::cli::spelling_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Spelling, GivesFieldsTheirDashes) {
  EXPECT_EQ(spelled("say `too-far` leave-out"), "say --too-far leave-out");
  EXPECT_EQ(spelled("`from` and `to` belong together"), "--from and --to belong together");
  EXPECT_EQ(spelled("is for `mechanism` dpe; (`k2`)"), "is for --mechanism dpe; (--k2)");
  EXPECT_EQ(spelled("say what they are, such as `columns` time=none"),
            "say what they are, such as --columns time=none");
}

TEST(Spelling, AnArgumentHasNoDashes) {
  EXPECT_EQ(spelled("check `input` first"), "check the input first");
}

TEST(Spelling, LeavesTheRestAlone) {
  for (const std::string sentence :
       {"", "no field at all", "has no line `p sp N M`", "`v ID LON LAT` and `a TAIL HEAD LENGTH`", "``", "`",
        "a mark ` alone", "`Upper`", "`2nd`", "`-x`", "`map.xyz` has no known ending", "`a_b`"})
    EXPECT_EQ(spelled(sentence), sentence);
  EXPECT_EQ(spelled("`p sp N M` comes first, then `area`"), "`p sp N M` comes first, then --area");
  EXPECT_EQ(spelled("`area` and a mark ` alone"), "--area and a mark ` alone");
}

TEST(Spelling, HelpSpellsEveryFieldOfTheLibrary) {
  bool met = false;
  for (const auto& command : commands()) {
    OptionSet options;
    command->declare(options);
    EXPECT_THAT(help(command->info(), options.options()), Not(HasSubstr("`"))) << name(command->info());
    met = met || std::ranges::any_of(options.fields(), [](const release::Field& field) {
            return field.help.find('`') != std::string::npos;
          });
  }
  EXPECT_TRUE(met);
}

}  // namespace
}  // namespace fogline::cli::spelling_test
