// SPDX-License-Identifier: Apache-2.0
#include "privacy/folder_sync.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "base/error.hpp"

namespace fogline::privacy {

void sync_folder_of(const std::string& path) {
  std::string folder = std::filesystem::path(path).parent_path().string();
  if (folder.empty()) folder = ".";
  const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = file >= 0 && fsync(file) == 0;
  const int error = errno;
  if (file >= 0) close(file);
  // EINVAL: the file system cannot sync folders.
  if (!synced && error != EINVAL) {
    throw FileError(folder, std::string("cannot be synced (") + std::generic_category().message(error) + ")");
  }
}

}  // namespace fogline::privacy
