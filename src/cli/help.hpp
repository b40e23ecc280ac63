// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace fogline::cli {

using Commands = std::span<const std::unique_ptr<Command>>;

/// "fogline --help": every kind and verb, one line each.
std::string overview(Commands all);

/// "fogline place --help": the verbs of one kind.
std::string overview_of(const std::string& kind, Commands all);

/// "fogline place release --help": a screen, ending in the examples.
std::string help(const CommandInfo& info, const std::vector<OptionInfo>& options);

/// "fogline place release (--network MAP | --kernel FILE) [OPTIONS] POINTS", the first line of help and man page.
std::string usage(const CommandInfo& info, const std::vector<OptionInfo>& options);

/// "-o, --output FILE"
std::string spelled(const OptionInfo& option);

/// `info.words` joined by blanks.
std::string name(const CommandInfo& info);

/// The known word nearest to a mistyped one, or empty if none is near.
std::string suggestion(const std::string& word, const std::vector<std::string>& known);

}  // namespace fogline::cli
