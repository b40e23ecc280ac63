// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace fogline::privacy {

/// Standard output is a pipe that nobody reads, until the test asks what went into it.
class UnreadOutput {
 public:
  enum class When { waits, fails };  ///< what a write into the full pipe does

  explicit UnreadOutput(When full) : before_(dup(STDOUT_FILENO)) {
    int ends[2];
    EXPECT_EQ(pipe2(ends, full == When::fails ? O_NONBLOCK : 0), 0);
    read_ = ends[0];
    dup2(ends[1], STDOUT_FILENO);
    close(ends[1]);
  }
  ~UnreadOutput() {
    end();
    close(read_);
    close(before_);
  }
  UnreadOutput(const UnreadOutput&) = delete;
  UnreadOutput& operator=(const UnreadOutput&) = delete;

  std::string end() {
    dup2(before_, STDOUT_FILENO);
    std::string all, piece(65'536, 0);
    for (ssize_t got = 0; (got = read(read_, piece.data(), piece.size())) > 0;)
      all.append(piece, 0, static_cast<std::size_t>(got));
    return all;
  }

 private:
  int before_;
  int read_ = -1;
};

}  // namespace fogline::privacy
