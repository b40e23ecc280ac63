// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fogline::release {

/// For requests that look up files of which a statement speaks: privacy::place_of() takes both.

/// `file` NAME=PATH, given several times. Throws InvalidOption for one that looks otherwise.
std::map<std::string, std::string> named_files(const std::vector<std::string>& pairs,
                                               std::string_view option = "file");

/// The folder of a file, "." for one without.
std::string folder_of(const std::string& file);

}  // namespace fogline::release
