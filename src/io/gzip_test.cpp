// SPDX-License-Identifier: Apache-2.0
#include "io/gzip.hpp"

#include <gtest/gtest.h>

#include "io/input_file.hpp"

namespace fogline::io::gzip_test {
namespace {

TEST(Gzip, IsReadAgainAndTheSameForTheSameText) {
  const std::string text(100'000, 'x');
  const std::string packed = gzip(text + "end");
  EXPECT_LT(packed.size(), 1'000U);
  EXPECT_EQ(packed, gzip(text + "end"));
  EXPECT_EQ(TextSource::from_memory("x", packed).read_all(), text + "end");
  EXPECT_EQ(TextSource::from_memory("x", gzip("")).read_all(), "");
}

TEST(Gzip, BareMeansNothingBesideTheText) {
  const std::string packed = gzip("some text");
  EXPECT_TRUE(is_bare_gzip(packed));
  EXPECT_FALSE(is_bare_gzip(packed + packed));
  EXPECT_FALSE(is_bare_gzip(packed + "x"));
  EXPECT_FALSE(is_bare_gzip(packed.substr(0, packed.size() - 1)));
  EXPECT_FALSE(is_bare_gzip("some text"));
  EXPECT_FALSE(is_bare_gzip(""));
  std::string timed = packed;
  timed[4] = 1;
  EXPECT_FALSE(is_bare_gzip(timed));
  // A name in the header: flag 8, the name, a zero.
  std::string named = packed;
  named[3] = 8;
  named.insert(10, std::string("secret\0", 7));
  EXPECT_FALSE(is_bare_gzip(named));
}

TEST(Gzip, PacksPiecesIntoOneFile) {
  GzipPacker packer;
  std::string packed, text;
  for (int i = 0; i < 2'000; ++i) {
    const std::string piece = std::to_string(i * 7919) + ",";
    text += piece;
    packed += packer.add(piece);
  }
  packed += packer.finish();
  EXPECT_TRUE(is_bare_gzip(packed));
  EXPECT_EQ(TextSource::from_memory("x", packed).read_all(), text);
  GzipPacker nothing;
  EXPECT_EQ(TextSource::from_memory("x", nothing.finish()).read_all(), "");
}

}  // namespace
}  // namespace fogline::io::gzip_test
