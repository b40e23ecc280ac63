// SPDX-License-Identifier: Apache-2.0
#include "base/pipeline.hpp"

#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::pipeline_test {
namespace {

std::vector<int> squares(int threads, int count) {
  std::vector<int> result;
  int given = 0;
  run_pipeline<int>(
      {.threads = threads},
      [&] { return given < count ? std::make_shared<int>(given++) : std::shared_ptr<int>(); },
      [](int& item) { item *= item; }, [&](int& item) { result.push_back(item); });
  return result;
}

TEST(Pipeline, KeepsTheOrderWhateverTheThreads) {
  std::vector<int> expected;
  for (int i = 0; i < 1000; ++i) expected.push_back(i * i);
  for (const int threads : {0, 1, 2, 7}) EXPECT_EQ(squares(threads, 1000), expected) << threads;
  EXPECT_TRUE(squares(2, 0).empty());
}

TEST(Pipeline, ThrowsWhatAStageThrows) {
  for (const int threads : {1, 2}) {
    int given = 0;
    EXPECT_THROW(run_pipeline<int>(
                     {.threads = threads}, [&] { return std::make_shared<int>(given++); }, [](int&) {},
                     [](int& item) {
                       if (item == 40) throw std::runtime_error("stop");
                     }),
                 std::runtime_error);
  }
  EXPECT_THROW(squares(-1, 3), InvalidOption);
}

}  // namespace
}  // namespace fogline::pipeline_test
