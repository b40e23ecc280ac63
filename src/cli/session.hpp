// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/progress.hpp"
#include "base/warnings.hpp"
#include "cli/option_set.hpp"

namespace fogline::cli {

/// One run of the program: where it prints, how loudly, and with how many threads. Data goes to standard output, everything
/// else to standard error.
class Session {
 public:
  Session();
  ~Session();

  void declare(OptionSet& options);  ///< -q, -v, --no-progress, --threads

  void data(std::string_view text);     ///< to standard output, as it is
  void note(std::string_view text);     ///< to standard error, unless -q
  void detail(std::string_view text);   ///< to standard error, with -v
  void warn(std::string_view text);     ///< to standard error, always
  void warn(const Warnings& warnings);  ///< one line each
  void fail(std::string_view text);     ///< "fogline: error: ..." to standard error

  /// A bar with rate and time left, on a terminal, for anything over a second. Also carries Ctrl-C to the task.
  Progress progress();
  int threads() const { return threads_; }
  std::int64_t now() const;  ///< seconds since 1970

 private:
  class Bar;
  std::unique_ptr<Bar> bar_;
  bool quiet_ = false;
  bool verbose_ = false;
  bool no_progress_ = false;
  int threads_ = 0;
};

/// Arranges that Ctrl-C and a polite kill are noticed by progress(); a second Ctrl-C ends the program at once. A
/// closed pipe becomes an ordinary error.
void catch_interrupts();

}  // namespace fogline::cli
