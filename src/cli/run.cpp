// SPDX-License-Identifier: Apache-2.0
#include "cli/run.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <oneapi/tbb/global_control.h>

#include "base/threads.hpp"
#include "cli/command.hpp"
#include "cli/help.hpp"
#include "cli/usage_error.hpp"
#include "fogline/version.hpp"
#include "privacy/books.hpp"

namespace fogline::cli {
namespace {

using ProcessLimit = oneapi::tbb::global_control;

/// The program owns its process, and may use more threads than there are cores if it is told to. The library never does that by itself: such a limit holds for
/// everything in a process.
std::optional<ProcessLimit> lift_limit(int threads) {
  constexpr auto parallelism = ProcessLimit::max_allowed_parallelism;
  if (threads <= 0 || static_cast<std::size_t>(threads) <= ProcessLimit::active_value(parallelism))
    return std::nullopt;
  return std::optional<ProcessLimit>(std::in_place, parallelism, static_cast<std::size_t>(threads));
}

bool asks_for_help(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return word == "--help" || word == "-h"; });
}

/// The command whose words the line begins with, the longest such; null if there is none.
Command* find(Commands all, const std::vector<std::string>& words) {
  Command* found = nullptr;
  std::size_t longest = 0;
  for (const auto& command : all) {
    const auto mine = command->info().words;
    if (mine.size() > longest && mine.size() <= words.size() &&
        std::equal(mine.begin(), mine.end(), words.begin())) {
      found = command.get();
      longest = mine.size();
    }
  }
  return found;
}

[[noreturn]] void refuse_unknown(Commands all, const std::vector<std::string>& words) {
  std::vector<std::string> kinds, verbs;
  for (const auto& command : all) {
    const auto mine = command->info().words;
    kinds.push_back(mine.front());
    if (mine.size() > 1 && mine.front() == words.front()) verbs.push_back(mine[1]);
  }
  if (!verbs.empty() && words.size() == 1) {
    throw UsageError(fmt::format("'{}' needs a verb: {}. Try 'fogline {} --help'", words.front(),
                                 fmt::join(verbs, ", "), words.front()));
  }
  const bool kind_known = !verbs.empty();
  const std::string& wrong = kind_known ? words[1] : words.front();
  const std::string near = suggestion(wrong, kind_known ? verbs : kinds);
  const std::string hint = near.empty() ? "." : fmt::format("; did you mean '{}'?", near);
  throw UsageError(fmt::format("'{}' is not a command{} Try 'fogline {}--help'", wrong, hint,
                               kind_known ? words.front() + " " : ""));
}

int run_command(Command& command, std::vector<std::string> words, Session& session) {
  const CommandInfo info = command.info();
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(info.words.size()));
  OptionSet options;
  command.declare(options);
  session.declare(options);
  if (asks_for_help(words)) {
    session.data(help(info, options.options()));
    return exit_code::fine;
  }
  try {
    options.parse(words);
  } catch (const UsageError& error) {
    const std::string problem = error.what();
    throw UsageError(
        fmt::format("{}{} Try 'fogline {} --help'", problem, problem.ends_with('?') ? "" : ".", name(info)));
  }
  try {
    release::require_in_range(options);
    const io::LimitScope scope(session.limits());
    const std::optional<ProcessLimit> more = lift_limit(session.threads());
    return on_threads(session.threads(), [&] { return command.run(session); });
  } catch (const InvalidOption& error) {  // the library says epsilon where a shell says --epsilon
    const release::Field* field = options.find(error.option());
    if (field == nullptr) throw;
    throw UsageError(fmt::format("{}: {}", spelled(*field), error.problem().wrong));
  }
}

int dispatch(Commands all, const std::vector<std::string>& words, Session& session) {
  if (words.empty()) {
    session.note(overview(all));
    return exit_code::usage;
  }
  if (words.front() == "--version") {
    session.data(fmt::format("fogline {}\n", version));
    return exit_code::fine;
  }
  if (Command* command = find(all, words)) return run_command(*command, words, session);
  if (words.front() == "help" && words.size() > 1) {  // "help traces release" is "traces release --help"
    std::vector<std::string> asked(words.begin() + 1, words.end());
    asked.emplace_back("--help");
    return dispatch(all, asked, session);
  }
  if (words.front() == "--help" || words.front() == "-h" || words.front() == "help") {
    session.data(overview(all));
    return exit_code::fine;
  }
  const bool kind_known = std::any_of(all.begin(), all.end(), [&](const auto& command) {
    return command->info().words.size() > 1 && command->info().words.front() == words.front();
  });
  if (kind_known && words.size() == 2 && asks_for_help(words)) {
    session.data(overview_of(words.front(), all));
    return exit_code::fine;
  }
  refuse_unknown(all, words);
}

/// Told before a failure is: from there on the program needs no watcher to end.
struct FinishAtEnd {
  FinishAtEnd() = default;
  ~FinishAtEnd() { enter(Stage::finished); }
  FinishAtEnd(const FinishAtEnd&) = delete;
  FinishAtEnd& operator=(const FinishAtEnd&) = delete;
};

}  // namespace

int run(const std::vector<std::string>& words) {
  Session session;
  try {
    const FinishAtEnd end;
    return dispatch(commands(), words, session);
  } catch (const UsageError& error) {
    session.fail(error.what());
    return exit_code::usage;
  } catch (const InvalidOption& error) {
    session.fail(error.what());
    return exit_code::usage;
  } catch (const privacy::BudgetError& error) {
    const bool a_cap_would_help =
        error.why() == privacy::BudgetError::Why::over_the_cap && error.parts().requested > Rational();
    session.fail(fmt::format("{}{}", error.what(), a_cap_would_help ? " (fogline ledger cap)" : ""));
    return exit_code::budget;
  } catch (const ClosedPipe&) {
    return exit_code::closed_pipe;
  } catch (const Cancelled&) {
    session.fail("interrupted");
    return exit_code::interrupted;
  } catch (const Error& error) {
    session.fail(error.what());
    return exit_code::data;
  } catch (const std::bad_alloc&) {
    session.fail("out of memory; use a smaller map or fewer threads");
    return exit_code::data;
  } catch (const std::exception& error) {
    session.fail(fmt::format("something we did not foresee: {}; please report it", error.what()));
    return exit_code::data;
  }
}

}  // namespace fogline::cli
