// SPDX-License-Identifier: Apache-2.0
#include "privacy/plain_text.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::privacy::plain_text_test {
namespace {

TEST(PlainText, AcceptsWhatPeopleWrite) {
  for (const char* text : {"", "riders", "one trip, whole", "Zürich", "車", "🚲"}) {
    EXPECT_TRUE(is_plain_text(text)) << text;
  }
}

TEST(PlainText, RefusesControlCharactersAndBrokenUtf8) {
  for (const char* text : {"a\nb", "\x1b[31m", "\x7f", "\xC2\x85", "\xC3", "\x80", "\xC0\xAF", "\xE0\x80\xAF",
                           "\xED\xA0\x80", "\xF0\x80\x80\xAF", "\xF4\x90\x80\x80", "\xFF", "\xC3\x28"}) {
    EXPECT_FALSE(is_plain_text(text)) << text;
  }
  EXPECT_FALSE(is_plain_text(std::string("a\0b", 3)));
}

TEST(PlainText, RefusesWhatCannotBeSeen) {
  for (const char* text : {"ri\u200Bders", "riders\u202E", "\uFEFFriders", "a\u2028b", "a\u00ADb"}) {
    EXPECT_FALSE(is_plain_text(text)) << text;
  }
  EXPECT_THROW(require_plain_text("dataset", "riders ", 20), InvalidOption);
  EXPECT_THROW(require_plain_text("dataset", " riders", 20), InvalidOption);
}

TEST(PlainText, RequireNamesTheOptionAndTheLimit) {
  EXPECT_NO_THROW(require_plain_text("dataset", "riders", 6));
  EXPECT_THROW(require_plain_text("dataset", "", 6), InvalidOption);
  EXPECT_THROW(require_plain_text("dataset", "a\tb", 6), InvalidOption);
  try {
    require_plain_text("dataset", "riders2", 6);
    FAIL() << "expected an error";
  } catch (const InvalidOption& error) {
    EXPECT_STREQ(error.what(), "dataset: has 7 bytes; at most 6 are kept");
  }
}

TEST(PlainText, AFileNameHasNoFolder) {
  EXPECT_NO_THROW(require_file_name("output", "safe.csv"));
  EXPECT_NO_THROW(require_file_name("output", "-"));
  for (const char* name : {"", ".", "..", "a/b", "/etc/passwd", "../b"}) {
    EXPECT_THROW(require_file_name("output", name), InvalidOption) << name;
  }
}

}  // namespace
}  // namespace fogline::privacy::plain_text_test
