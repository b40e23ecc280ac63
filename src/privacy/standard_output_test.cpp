// SPDX-License-Identifier: Apache-2.0
#include "privacy/standard_output.hpp"

#include <csignal>

#include <gtest/gtest.h>
#include <sys/time.h>

#include "base/error.hpp"
#include "privacy/test_pipe.hpp"

namespace fogline::privacy::standard_output_test {
namespace {

std::string many_lines() {
  std::string text = "number\n";
  for (int i = 0; text.size() < 300'000; ++i) text += std::to_string(i) + "\n";
  return text;
}

TEST(StandardOutput, KnowsWhatWentOut) {
  testing::internal::CaptureStdout();
  StandardOutput out({});
  out.write("number\n");
  out.write("7\n8");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "number\n7\n8");
  EXPECT_EQ(out.hash(), sha256_of_text("number\n7\n8"));
  EXPECT_EQ(out.bytes(), 10U);
  EXPECT_EQ(out.lines(), 2U);
}

TEST(StandardOutput, EndsWithALineWhenItCannotGoOn) {
  UnreadOutput pipe(UnreadOutput::When::fails);
  StandardOutput out({});
  const std::string text = many_lines();
  EXPECT_THROW(out.write(text), FileError);
  const std::string said = pipe.end();
  EXPECT_GT(said.size(), 50'000U);
  EXPECT_EQ(said.back(), '\n');
  EXPECT_EQ(said, text.substr(0, out.bytes()));
  EXPECT_EQ(out.hash(), sha256_of_text(said));
}

TEST(StandardOutput, StopsWaitingForItsReaderWhenNotWanted) {
  struct sigaction ignore {};
  ignore.sa_handler = [](int) {};
  sigaction(SIGALRM, &ignore, nullptr);
  const itimerval often{{0, 20'000}, {0, 20'000}}, never{};
  UnreadOutput pipe(UnreadOutput::When::waits);
  int asked = 0;
  StandardOutput out([&] { return ++asked < 3; });
  setitimer(ITIMER_REAL, &often, nullptr);
  EXPECT_THROW(out.write(many_lines()), Cancelled);
  setitimer(ITIMER_REAL, &never, nullptr);
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(out.hash(), sha256_of_text(pipe.end()));
}

}  // namespace
}  // namespace fogline::privacy::standard_output_test
