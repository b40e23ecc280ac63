// SPDX-License-Identifier: Apache-2.0
#include "io/path_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/test_text.hpp"

namespace fogline::io::path_file_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_text::message_of;

PathFile read(const std::string& text) {
  auto source = TextSource::from_memory("t.txt", text);
  return read_path(source);
}

TEST(PathFile, ReadsNumbersAndNamesWithOrWithoutHeader) {
  EXPECT_THAT(read("vertex\n4\n17\n4\n").vertex, ElementsAre("4", "17", "4"));
  EXPECT_THAT(read("# to work\r\n home\r\n\r\nold bridge\r\n").vertex, ElementsAre("home", "old bridge"));
  EXPECT_THAT(read("4\n\n17").line, ElementsAre(1, 3));
}

TEST(PathFile, TurnsThemIntoVertices) {
  EXPECT_THAT(vertices_of(read("4\n2\n"), numbered_vertices(5)), ElementsAre(4, 2));
  EXPECT_THAT(message_of([] { vertices_of(read("vertex\n4\n5\n"), numbered_vertices(5)); }),
              HasSubstr("t.txt, line 3: is not a vertex of the graph"));
}

TEST(PathFile, BadFilesAreRefused) {
  EXPECT_THAT(message_of([] { read(""); }), HasSubstr("holds no vertices"));
  EXPECT_THAT(message_of([] { read("vertex\n"); }), HasSubstr("holds no vertices"));
  EXPECT_THAT(message_of([] { read("1\n2,3\n"); }), HasSubstr("line 2: has more than one value"));
}

}  // namespace
}  // namespace fogline::io::path_file_test
