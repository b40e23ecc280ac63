// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/help.hpp"

namespace fogline::cli {

/// A completion script for "bash", "zsh" or "fish", made from the commands and their options.
std::string completion_script(const std::string& shell, Commands all);

}  // namespace fogline::cli
