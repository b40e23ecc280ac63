// SPDX-License-Identifier: Apache-2.0
#include "io/held_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.hpp"

namespace fogline::io {
namespace {

thread_local const HeldFiles* held_by_this_thread = nullptr;

}  // namespace

HeldFiles::HeldFiles(const std::vector<std::string>& names) : before_(held_by_this_thread) {
  for (const std::string& name : names) {
    if (name == "-") continue;
    // A pipe must not be waited for: it is refused as a public input when it is named.
    const int handle = open(place_of_file(name).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (handle < 0) continue;
    struct stat found {};
    if (fstat(handle, &found) != 0 || !S_ISREG(found.st_mode)) {
      close(handle);
      continue;
    }
    files_.push_back({.name = name, .handle = handle});
    files_.back().stamp = stamp_of(files_.back());
  }
  held_by_this_thread = this;
}

HeldFiles::~HeldFiles() {
  held_by_this_thread = before_;
  for (const Held& file : files_) close(file.handle);
}

HeldFiles::Stamp HeldFiles::stamp_of(const Held& file) {
  struct stat found {
  }, named{};
  if (fstat(file.handle, &found) != 0 || stat(file.name.c_str(), &named) != 0 ||
      found.st_ino != named.st_ino || found.st_dev != named.st_dev)
    return {};
  return {static_cast<std::int64_t>(found.st_dev), static_cast<std::int64_t>(found.st_ino), found.st_size,
          found.st_ctim.tv_sec, found.st_ctim.tv_nsec};
}

void HeldFiles::require_unchanged() const {
  for (const Held& file : files_)
    if (stamp_of(file) != file.stamp || file.stamp == Stamp{})
      throw DataError({file.name}, "changed while it was read", "run again");
}

std::string place_of_file(const std::string& name) {
  for (const HeldFiles* held = held_by_this_thread; held != nullptr; held = held->before_) {
    for (const HeldFiles::Held& file : held->files_) {
      if (file.name != name) continue;
      std::string place = fmt::format("/proc/self/fd/{}", file.handle);
      // Without that folder the name has to do: whoever holds the file asks in the end whether it changed.
      return access(place.c_str(), R_OK) == 0 ? place : name;
    }
  }
  return name;
}

}  // namespace fogline::io
