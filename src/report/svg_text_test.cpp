// SPDX-License-Identifier: Apache-2.0
#include "report/svg_text.hpp"

#include <gtest/gtest.h>

namespace fogline::report::svg_text_test {
namespace {

TEST(SvgText, EscapesWhatXmlReservesAndControlCharacters) {
  EXPECT_EQ(escaped("a<b> & \"c\" 'd'\n\x01"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;  ");
  EXPECT_EQ(escaped(""), "");
  EXPECT_EQ(escaped("Größe"), "Größe");
}

}  // namespace
}  // namespace fogline::report::svg_text_test
