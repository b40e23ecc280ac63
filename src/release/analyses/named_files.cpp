// SPDX-License-Identifier: Apache-2.0
#include "release/analyses/named_files.hpp"

#include <filesystem>

#include "base/error.hpp"

namespace fogline::release {

std::map<std::string, std::string> named_files(const std::vector<std::string>& pairs,
                                               std::string_view option) {
  std::map<std::string, std::string> files;
  for (const std::string& pair : pairs) {
    const auto equals = pair.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == pair.size())
      throw InvalidOption(option, "must look like NAME=PATH");
    files[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  return files;
}

std::string folder_of(const std::string& file) {
  const std::string folder = std::filesystem::path(file).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace fogline::release
