// SPDX-License-Identifier: Apache-2.0
#include "place/range_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "privacy/test_folder.hpp"
#include "roads/read_network.hpp"

namespace fogline::place::range_file_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class RangeFile : public testing::Test {
 protected:
  std::vector<graph::VertexId> read(const std::string& text) const {
    std::ofstream(folder_.path("range.csv")) << text;
    return read_range(folder_.path("range.csv"), line_);
  }

  privacy::TestFolder folder_;
  roads::RoadNetwork line_ = roads::make_network("line:5:400");
};

TEST_F(RangeFile, NamesVerticesInTheFilesOrder) {
  EXPECT_THAT(read("vertex\n4\n0\n2\n"), ElementsAre(4, 0, 2));
}

TEST_F(RangeFile, AStrangerIsRefusedWithItsLine) {
  EXPECT_THAT([&] { read("vertex\n4\n5\n"); },
              ThrowsMessage<DataError>(HasSubstr("line 3: no vertex of the network has this name")));
}

TEST_F(RangeFile, NoVertexAtAllIsRefused) {
  EXPECT_THROW(read("vertex\n"), DataError);
  EXPECT_THROW(read_range(folder_.path("missing.csv"), line_), FileError);
}

}  // namespace
}  // namespace fogline::place::range_file_test
