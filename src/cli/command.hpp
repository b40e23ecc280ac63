// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/option_set.hpp"
#include "cli/session.hpp"

namespace fogline::cli {

/// A command line that works as typed, and what it does. Lines of `needs` are run before it when examples are tested.
struct Example {
  std::string says;
  std::string line;
};

/// What is said about a command in --help, the man page and the shell's completion.
struct CommandInfo {
  std::vector<std::string> words;  ///< {"place", "release"}
  std::string summary;             ///< one line, imperative, no full stop
  std::string description;         ///< paragraphs for the man page, separated by an empty line
  std::vector<Example> examples;   ///< two, that work as typed
};

/// One verb. Each lives in a file of its own; commands() lists them.
class Command {
 public:
  virtual ~Command() = default;
  virtual CommandInfo info() const = 0;
  virtual void declare(OptionSet& options) = 0;
  /// Does the work. Failure is an exception; the value is the exit code of a run that came to an answer (0, or 1 for a
  /// check that did not pass).
  virtual int run(Session& session) = 0;
};

/// Every command, in the order of the overview: the verbs of each kind as the registry has them, then the others by name.
std::vector<std::unique_ptr<Command>> commands();

}  // namespace fogline::cli
