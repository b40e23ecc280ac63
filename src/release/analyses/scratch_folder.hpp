// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fogline::release {

/// An empty folder for invented and public things, gone when it is over.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& parent);  ///< throws FileError
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }
  /// A file in it, with this text; its path. Throws FileError.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::string path_;
};

}  // namespace fogline::release
