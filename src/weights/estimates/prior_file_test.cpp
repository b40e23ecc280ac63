// SPDX-License-Identifier: Apache-2.0
#include "weights/estimates/prior_file.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::weights::prior_file_test {
namespace {

const WeightGrid grid = WeightGrid::parse("1:4", "1");

std::vector<double> read(const std::string& text) {
  io::TextSource source = io::TextSource::from_memory("prior.csv", text);
  return read_prior(source, grid);
}

TEST(WeightPrior, GivesEachPointItsProbability) {
  EXPECT_EQ(read("weight,probability\n4,0.25\n1,0.75\n"), (std::vector<double>{0.75, 0, 0, 0.25}));
}

TEST(WeightPrior, RefusesWithTheLine) {
  for (const char* line : {"5,0.25", "1.5,0.25", "1,0.25", "2,-0.1", "2,1.5", "2,nan", "x,0.25", "2"}) {
    try {
      read(std::string("weight,probability\n1,0.75\n") + line + "\n");
      ADD_FAILURE() << line;
    } catch (const DataError& error) {
      EXPECT_EQ(error.spot().line, 3u) << line;
    }
  }
  EXPECT_THROW(read("weight,probability\n1,0.75\n"), DataError);
  EXPECT_THROW(read("a,b\n1,1\n"), DataError);
  io::TextSource source = io::TextSource::from_memory("prior.csv", "weight,probability\n1,1\n");
  EXPECT_THROW(read_prior(source, WeightGrid::parse("0:", "1")), InvalidOption);
}

}  // namespace
}  // namespace fogline::weights::prior_file_test
