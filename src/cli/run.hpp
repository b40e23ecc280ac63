// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fogline::cli {

/// Exit codes of the program.
namespace exit_code {
inline constexpr int fine = 0;
inline constexpr int data = 1;       ///< a file is wrong, missing or not writable; a check did not pass
inline constexpr int usage = 2;      ///< the command line is wrong
inline constexpr int budget = 3;     ///< the ledger's cap forbids it
inline constexpr int not_shown = 4;  ///< no check failed, but what was asked could not be shown either
inline constexpr int interrupted = 130;
inline constexpr int closed_pipe =
    141;  ///< nobody reads standard output any more: what a shell says of SIGPIPE
}  // namespace exit_code

/// The whole program: finds the command, reads its options, runs it, and turns exceptions into a message and an exit code.
int run(const std::vector<std::string>& words);

}  // namespace fogline::cli
