// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace fogline::privacy {

/// A fresh folder for one test, removed with everything in it at the end.
class TestFolder {
 public:
  TestFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "fogline-privacy-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~TestFolder() { std::filesystem::remove_all(folder_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string name() const { return folder_.string(); }

 private:
  std::filesystem::path folder_;
};

inline std::string content_of(const std::string& file) {
  std::ostringstream all;
  all << std::ifstream(file, std::ios::binary).rdbuf();
  return all.str();
}

}  // namespace fogline::privacy
