// SPDX-License-Identifier: Apache-2.0
#include "privacy/statement_log.hpp"

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.hpp"

namespace fogline::privacy {
namespace {

constexpr mode_t owner_alone = 0600;

/// A file that was there keeps its rights when it is begun anew; a device has those of whoever made it.
bool is_owners_alone(int file) {
  struct stat found {};
  if (fstat(file, &found) != 0) return false;
  return !S_ISREG(found.st_mode) || fchmod(file, owner_alone) == 0;
}

int open_log(const std::string& path, bool overwrite) {
  const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (overwrite ? O_TRUNC : O_EXCL);
  const int file = open(path.c_str(), flags, owner_alone);
  if (file >= 0 && is_owners_alone(file)) return file;
  if (file >= 0) {
    const int why = errno;
    close(file);
    errno = why;
  }
  if (errno == EEXIST)
    throw FileError(path, "exists already", "choose another name, or allow to `overwrite` it");
  throw FileError(path, fmt::format("cannot be made ({})", std::strerror(errno)),
                  "choose another folder or name");
}

}  // namespace

StatementLog::StatementLog(std::string path, const Options& options)
    : path_(std::move(path)), file_(open_log(path_, options.overwrite)) {}

StatementLog::~StatementLog() {
  close(file_);  // what was added is written; a failure here loses nothing that could be told
}

void StatementLog::add(const Statement& statement) {
  const std::string line = nlohmann::ordered_json::parse(to_json(statement)).dump() + "\n";
  const off_t before = lseek(file_, 0, SEEK_END);
  for (std::string_view left = line; !left.empty();) {
    const ssize_t written = write(file_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int why = errno;
      // Half a line would spoil those that follow. If even that fails, the error below is the one that matters.
      if (before < 0 || ftruncate(file_, before) != 0) errno = why;
      throw FileError(path_, fmt::format("cannot be written ({})", std::strerror(why)),
                      "make room, and begin anew with another file");
    }
    left.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace fogline::privacy
