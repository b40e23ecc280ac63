// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fogline {

/// While it lives, parallel_for and run_pipeline take at most `threads` threads, whoever asks for more or for all
/// cores: for a program that was told how many to use.
///
///     const ThreadLimit limit(session.threads());
///
/// Limits may be nested, and end in the reverse order; the lowest holds. What a library starts by itself when it is
/// loaded is not counted, nor are the two threads by which libosmium reads a file.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);  ///< 1 to 1,024, or 0 for no limit; throws InvalidOption
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  int before_;
};

/// What is left of a wish for so many threads, 0 for all cores: the wish itself while there is no limit.
int within_thread_limit(int threads);

/// How many threads may work at once: the limit, or as many as the machine has.
int allowed_threads();

}  // namespace fogline
