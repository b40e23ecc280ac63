// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/help.hpp"

namespace fogline::cli {

/// The man page of a command in the mdoc language, made from what --help is made of, so that the two cannot disagree.
std::string man_page(const CommandInfo& info, const std::vector<OptionInfo>& options);

/// fogline(1) itself.
std::string man_page_of_program(Commands all);

/// "fogline-place-release.1"
std::string man_file_name(const CommandInfo& info);

}  // namespace fogline::cli
