// SPDX-License-Identifier: Apache-2.0
#include "place/prior_file.hpp"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "privacy/test_folder.hpp"
#include "roads/read_network.hpp"

namespace fogline::place::prior_file_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class PriorFile : public testing::Test {
 protected:
  std::vector<double> read(const std::string& text) const {
    std::ofstream(folder_.path("prior.csv")) << text;
    return read_prior(folder_.path("prior.csv"), line_);
  }
  void expect_refused(const std::string& text, const std::string& why) const {
    EXPECT_THAT([&] { read(text); }, ThrowsMessage<DataError>(HasSubstr(why)));
  }

  privacy::TestFolder folder_;
  roads::RoadNetwork line_ = roads::make_network("line:4:300");
};

TEST_F(PriorFile, GivesEveryVertexANumber) {
  EXPECT_THAT(read("vertex,probability\n3,0.25\n1,0.75\n"), ElementsAre(0, 0.75, 0, 0.25));
}

TEST_F(PriorFile, SumsToOneEvenWhereTheFileDoesNotQuite) {
  const auto prior = read("vertex,probability\n0,0.3333333\n1,0.3333333\n2,0.3333333\n");
  EXPECT_NEAR(std::accumulate(prior.begin(), prior.end(), 0.0), 1, 1e-15);
}

TEST_F(PriorFile, BadFilesAreRefused) {
  expect_refused("vertex,probability\n0,0.5\n9,0.5\n",
                 "line 3: column \"vertex\" is not a vertex of the network");
  expect_refused("vertex,probability\n0,0.5\n0,0.5\n", "line 3: the vertex was given before");
  expect_refused("vertex,probability\n0,0.5\n1,0.4\n", "do not sum to 1");
  expect_refused("vertex,probability\n0,1.5\n", "lies outside 0 to 1");
  expect_refused("vertex,probability\n0,-1\n", "lies outside 0 to 1");
  expect_refused("vertex,probability\n0,nan\n", "line 2");
  expect_refused("vertex,probability\n", "do not sum to 1");
  EXPECT_THROW(read_prior(folder_.path("missing.csv"), line_), FileError);
}

}  // namespace
}  // namespace fogline::place::prior_file_test
