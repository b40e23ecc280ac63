// SPDX-License-Identifier: Apache-2.0
#include "io/identity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/test_text.hpp"

namespace fogline::io::identity_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing_text::message_of;

TEST(Identity, BlanksAndWhatProgramsWriteForMissingValuesNameNobody) {
  for (const char* name : {"", " ", "\t", "\xC2\xA0", "nan", "NaN", "NULL", "null", "None", "NA", "n/a",
                           "<NA>", "\\N", "#N/A", "-", "?", "Unknown", "undefined", " NA "})
    EXPECT_TRUE(is_missing_name(name)) << name;
  for (const char* name : {"0", "a", "nancy", "none of these", "-1", "unknown soldier"})
    EXPECT_FALSE(is_missing_name(name)) << name;
}

TEST(Identity, SpacesThatNobodySeesMakeNoOtherName) {
  EXPECT_EQ(trim_name("\xEF\xBB\xBF ada\xC2\xA0\r\n"), "ada");
  EXPECT_EQ(trim_name("ada lovelace"), "ada lovelace");
  EXPECT_EQ(trim_name(" \t "), "");
}

/// What programs write for a number that is none: many people under it would count as one.
TEST(Identity, NoNumberIsNobody) {
  for (const char* name : {"nan", "-nan", "NaN", "inf", "-inf", "Inf"})
    EXPECT_TRUE(is_missing_name(name)) << name;
  for (const char* name : {"nancy", "-nancy", "info", "7"}) EXPECT_FALSE(is_missing_name(name)) << name;
}

TEST(Identity, OneNumberInTwoSpellingsIsSeen) {
  const std::vector<std::string> names{"7",  "ada", "07", "7.0", "7.1", "7.10", "+7",
                                       "-7", "-07", "7.", "0",   "-0",  ".0"};
  EXPECT_THAT(same_names(names), ElementsAre(0, 1, 0, 0, 4, 5, 0, 7, 7, 0, 10, 10, 12));
  const std::vector<std::string> long_ones{"12345678901234567890123", "12345678901234567890124",
                                           "012345678901234567890123"};
  EXPECT_THAT(same_names(long_ones), ElementsAre(0, 1, 0));
}

TEST(Identity, PowersOfTenAndInvisibleCharactersMakeNoOtherName) {
  const std::vector<std::string> powers{"7",    "7e0",   "7.00E0", "0.7e1", "70e0",  "7e1",
                                        "7e-1", "7e999", "seven",  "7e-0",  "700e-2"};
  EXPECT_THAT(same_names(powers), ElementsAre(0, 0, 0, 0, 4, 4, 6, 7, 8, 0, 0));
  // Thin space and joiner at the end, soft hyphen and word joiner within.
  EXPECT_EQ(trim_name("ada\xE2\x80\x89\xE2\x80\x8D"), "ada");
  const std::vector<std::string> hidden{"ada",
                                        "a\xC2\xAD"
                                        "da",
                                        "ad\xE2\x81\xA0"
                                        "a",
                                        "\xC3\xA1"
                                        "da"};
  EXPECT_THAT(same_names(hidden), ElementsAre(0, 0, 0, 3));
  // Two blanks, a no-break space, an ideographic one; an empty Braille pattern at the end; a tag, a choice of form and a Korean filler within.
  const std::vector<std::string> words{"ada lovelace",
                                       "ada  lovelace",
                                       "ada\xC2\xA0lovelace",
                                       "ada\xE3\x80\x80 lovelace\xE2\xA0\x80",
                                       "ada\xF3\xA0\x81\xA1 lovelace",
                                       "ada\xEF\xB8\x8F \xE3\x85\xA4lovelace",
                                       "adalovelace"};
  EXPECT_THAT(same_names(words), ElementsAre(0, 0, 0, 0, 0, 0, 6));
  // Controls, a mark of direction, of music, of shorthand, and between lines.
  const std::vector<std::string> marked{"anna",
                                        "an\x01na",
                                        "anna\x7F",
                                        "an\xC2\x80na",
                                        "an\xD8\x9Cna",
                                        "an\xF0\x9D\x85\xB3na",
                                        "an\xF0\x9B\xB2\xA0na",
                                        "an\xEF\xBF\xB9na"};
  EXPECT_THAT(same_names(marked), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_TRUE(
      is_missing_name("n\xE2\x80\x8B"
                      "a"));
  // Damaged bytes hide no letter.
  const std::vector<std::string> damaged{
      "x\xF3\xA0\x81"
      "A",
      "x\xF3\xA0\x81"
      "B"};
  EXPECT_THAT(same_names(damaged), ElementsAre(0, 1));
}

TEST(Identity, CapitalsAloneMakeTwoPeopleWhoAreCounted) {
  const std::vector<std::string> names{"Ada", "ada", "ADA", "bob"};
  EXPECT_EQ(count_alike_but_for_case(names), 2U);
}

TEST(Identity, FaultsAreRefusedWithTheirNumberAndNoName) {
  const std::vector<std::string> names{"ada", "", "NA", "8", "8.0"};
  const std::vector<std::uint32_t> records{0, 0, 1, 2, 1, 3, 4};
  const IdentityFaults faults = find_faults(names, records);
  EXPECT_EQ(faults.missing, 3U);
  EXPECT_EQ(faults.first_missing, 2U);
  EXPECT_EQ(faults.respelled, 1U);
  const IdentityWords words{.records = "trips", .instead = "do otherwise"};
  const std::string missing = message_of([&] { refuse_faults(faults, {"t.csv", 4}, words); });
  EXPECT_THAT(missing, HasSubstr("t.csv, line 4: 3 of 7 trips name no user"));
  EXPECT_THAT(missing, HasSubstr("do otherwise"));
  EXPECT_THAT(missing, Not(HasSubstr("ada")));
  const std::string respelled = message_of([&] { refuse_faults({.respelled = 1}, {"t.csv", 4}, words); });
  EXPECT_THAT(respelled, HasSubstr("t.csv: 1 user is named as another is, spelled otherwise"));
  EXPECT_NO_THROW(refuse_faults({}, {"t.csv"}, words));
}

}  // namespace
}  // namespace fogline::io::identity_test
