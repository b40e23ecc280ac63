// SPDX-License-Identifier: Apache-2.0
#include "io/file_stamp.hpp"

#include <sys/stat.h>

namespace fogline::io {

FileStamp stamp_of(int handle) {
  struct stat found {};
  if (fstat(handle, &found) != 0) return {};
  return {static_cast<std::int64_t>(found.st_dev), static_cast<std::int64_t>(found.st_ino), found.st_size,
          found.st_ctim.tv_sec, found.st_ctim.tv_nsec};
}

bool is_same_file(const std::string& a, const std::string& b) {
  struct stat one {
  }, other{};
  return stat(a.c_str(), &one) == 0 && stat(b.c_str(), &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

}  // namespace fogline::io
