// SPDX-License-Identifier: Apache-2.0
#include "release/analyses/scratch_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/error.hpp"

namespace fogline::release {

ScratchFolder::ScratchFolder(const std::string& parent) {
  std::string pattern = std::filesystem::path(parent) / "fogline-scratch-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr)
    throw FileError(pattern, "cannot be made", "a folder for temporary files is needed; set TMPDIR");
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;  // what is left behind is invented or public
  std::filesystem::remove_all(path_, ignored);
}

std::string ScratchFolder::write(const std::string& name, const std::string& text) const {
  const std::string file = std::filesystem::path(path_) / name;
  std::ofstream out(file);
  out << text;
  if (!out.flush()) throw FileError(file, "cannot be written", "is the disk full?");
  return file;
}

}  // namespace fogline::release
