// SPDX-License-Identifier: Apache-2.0
#include "privacy/statement_log.hpp"

#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.hpp"
#include "io/input_file.hpp"
#include "io/limits.hpp"
#include "privacy/folder_sync.hpp"

namespace fogline::privacy {
namespace {

constexpr mode_t owner_alone = 0600;
constexpr std::string_view log_ending = ".jsonl";

[[noreturn]] void refuse_existing(const std::string& path) {
  throw FileError(path, "exists already", "choose another name, or allow to `overwrite` it");
}

[[noreturn]] void refuse_link(const std::string& path) {
  throw FileError(path, "is a symbolic link, which is not followed", "name the file itself");
}

/// A file that was there keeps its rights when it is begun anew; a device has those of whoever made it.
bool is_owners_alone(int file) {
  struct stat found {};
  if (fstat(file, &found) != 0) return false;
  return !S_ISREG(found.st_mode) || fchmod(file, owner_alone) == 0;
}

int open_log(const std::string& path, bool overwrite) {
  const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | (overwrite ? O_TRUNC : O_EXCL);
  const int file = open(path.c_str(), flags, owner_alone);
  if (file >= 0 && is_owners_alone(file)) return file;
  if (file >= 0) {
    const int why = errno;
    close(file);
    errno = why;
  }
  if (errno == EEXIST) refuse_existing(path);
  if (errno == ELOOP) refuse_link(path);
  throw FileError(path, fmt::format("cannot be made ({})", std::generic_category().message(errno)),
                  "choose another folder or name");
}

/// Said before anything is paid for; opening it sees to it again.
void require_free(const std::string& path, bool overwrite) {
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0) return;
  if (S_ISLNK(found.st_mode)) refuse_link(path);
  if (!overwrite) refuse_existing(path);
}

}  // namespace

StatementLog::StatementLog(std::string path, const Options& options)
    : path_(std::move(path)), options_(options) {
  require_free(path_, options_.overwrite);
}

StatementLog::~StatementLog() {
  if (file_ >= 0) close(file_);  // what was added is on the disk; a failure here loses nothing
}

void StatementLog::add(const Statement& statement) {
  const std::string line = nlohmann::ordered_json::parse(to_json(statement)).dump() + "\n";
  if (file_ < 0) {
    file_ = open_log(path_, options_.overwrite);
    sync_folder_of(path_);
  }
  const off_t before = lseek(file_, 0, SEEK_END);
  const auto fail = [&] {
    const int why = errno;
    // Half a line would spoil those that follow. If even that fails, the error below is the one that matters.
    if (before < 0 || ftruncate(file_, before) != 0) errno = why;
    throw FileError(path_, fmt::format("cannot be written ({})", std::generic_category().message(why)),
                    "make room, and begin anew with another file");
  };
  for (std::string_view left = line; !left.empty();) {
    const ssize_t written = write(file_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  if (fdatasync(file_) != 0) fail();
}

bool is_statement_log(const std::string& path) {
  return path.ends_with(log_ending);
}

std::vector<Statement> read_statements(const std::string& path) {
  io::TextSource source = io::TextSource::from_file(path);
  io::LineReader lines(source);
  io::RecordCounter counter(source.limits());
  std::vector<Statement> all;
  for (std::string_view line; lines.next(line);) {
    const FileSpot spot{path, lines.line_number()};
    counter.add([&] { return spot; });
    io::require_within(io::format_limit::statement_bytes, line.size(), spot);
    all.push_back(parse_statement(line, fmt::format("{} (line {})", path, lines.line_number())));
  }
  if (all.empty())
    throw DataError({path}, "holds no statement", "nothing was answered, or it is another file");
  return all;
}

}  // namespace fogline::privacy
