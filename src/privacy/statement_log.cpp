// SPDX-License-Identifier: Apache-2.0
#include "privacy/statement_log.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
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

// What every line begins with that add() writes: a text without one whole line must begin so to be what a crash left of
// the first.
constexpr std::string_view line_beginning = "{\"format\":\"fogline statement\"";

[[noreturn]] void refuse_link(const std::string& path) {
  throw FileError(path, "is a symbolic link, which is not followed", "name the file itself");
}

[[noreturn]] void refuse_other_text(const std::string& path, std::string_view what) {
  throw DataError({path}, fmt::format("is no file of statements that can be gone on with: {}", what),
                  "choose another name, or allow to `overwrite` it");
}

[[noreturn]] void refuse_writing(const std::string& path, std::string_view what, int why) {
  if (why == ELOOP) refuse_link(path);
  throw FileError(path, fmt::format("cannot be {} ({})", what, std::generic_category().message(why)),
                  "choose another folder or name");
}

/// Closes it unless it is let go.
class OpenFile {
 public:
  explicit OpenFile(int file) : file_(file) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (file_ >= 0) close(file_);
  }
  int get() const { return file_; }
  int release() { return std::exchange(file_, -1); }

 private:
  int file_;
};

/// A file that was there keeps its rights until something is written to it, as whoever made a device keeps those of
/// that.
void make_owners_alone(int file, const std::string& path) {
  struct stat found {};
  if (fstat(file, &found) != 0 || (S_ISREG(found.st_mode) && fchmod(file, owner_alone) != 0))
    refuse_writing(path, "made readable by its owner alone", errno);
}

/// Was the name given to another file, or taken away, between opening and locking it?
bool is_still_named(int file, const std::string& path) {
  struct stat held {};
  struct stat named {};
  return fstat(file, &held) == 0 && lstat(path.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
         held.st_ino == named.st_ino;
}

void lock(int file, const std::string& path) {
  if (flock(file, LOCK_EX | LOCK_NB) == 0) return;
  if (errno != EWOULDBLOCK) refuse_writing(path, "locked", errno);
  throw FileError(path, "is being written by another process",
                  "name another `statement` file: each that answers has one of its own");
}

struct LockedFile {
  int file;
  bool was_there;
};

LockedFile open_locked(const std::string& path) {
  constexpr int flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW;
  for (;;) {
    bool was_there = true;
    int opened = open(path.c_str(), flags);
    if (opened < 0 && errno == ENOENT) {
      was_there = false;
      opened = open(path.c_str(), flags | O_CREAT | O_EXCL, owner_alone);
      if (opened < 0 && errno == EEXIST) continue;  // meanwhile
    }
    if (opened < 0) refuse_writing(path, "made", errno);
    OpenFile file(opened);
    lock(opened, path);
    if (is_still_named(opened, path)) return {file.release(), was_there};
  }
}

/// The last `length` bytes of its first `size`.
std::string bytes_before(int file, const std::string& path, std::uint64_t size, std::uint64_t length) {
  std::string bytes(length, '\0');
  for (std::uint64_t done = 0; done < length;) {
    const ssize_t got =
        pread(file, bytes.data() + done, length - done, static_cast<off_t>(size - length + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw FileError(path, "cannot be read", "check the disk, or begin another file");
    done += static_cast<std::uint64_t>(got);
  }
  return bytes;
}

/// Where the last line begins of the first `size` bytes, of which the last may be a line's end.
std::uint64_t last_line_begin(int file, const std::string& path, std::uint64_t size) {
  constexpr std::uint64_t most = io::format_limit::statement_bytes.most + 1;  // its end
  for (std::uint64_t length = 1 << 16;; length *= 4) {
    const std::uint64_t looked_at = std::min(length, size);
    const std::string text = bytes_before(file, path, size, looked_at);
    const std::size_t end = text.size() < 2 ? std::string::npos : text.rfind('\n', text.size() - 2);
    if (end != std::string::npos) return size - looked_at + end + 1;
    if (looked_at == size) return 0;
    if (looked_at > most) refuse_other_text(path, "its last line is longer than a statement can be");
  }
}

bool is_statement(std::string_view line) {
  try {
    parse_statement(line, "a line");
    return true;
  } catch (const Error&) {
    return false;
  }
}

bool ends_within_line(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  return file.tellg() > 0 && file.seekg(-1, std::ios::end) && file.get() != '\n';
}

}  // namespace

StatementLog::StatementLog(std::string path, const Options& options)
    : path_(std::move(path)), options_(options) {
  const LockedFile opened = open_locked(path_);
  OpenFile file(opened.file);
  file_ = opened.file;
  was_there_ = opened.was_there;
  if (was_there_ && !options_.overwrite) look_at_end();
  file.release();
}

StatementLog::~StatementLog() {
  if (!was_there_ && !is_begun_) unlink(path_.c_str());  // while it is locked: it is the one that was made
  close(file_);  // what was added is on the disk; a failure here loses nothing
}

/// Nothing is changed yet.
void StatementLog::look_at_end() {
  struct stat found {};
  if (fstat(file_, &found) != 0 || !S_ISREG(found.st_mode) || found.st_size == 0) return;
  const auto size = static_cast<std::uint64_t>(found.st_size);
  const std::uint64_t begin = last_line_begin(file_, path_, size);
  const std::string last = bytes_before(file_, path_, size, size - begin);
  if (is_statement(last)) {
    is_line_open_ = !last.ends_with('\n');
    return;
  }
  if (last.ends_with('\n')) refuse_other_text(path_, "its last line is no statement");
  torn_bytes_ = last.size();
  const bool is_beginning = last.starts_with(line_beginning) || line_beginning.starts_with(last);
  if (begin == 0 && !is_beginning) refuse_other_text(path_, "it holds something else");
  if (begin == 0) return;
  const std::uint64_t before = last_line_begin(file_, path_, begin);
  if (!is_statement(bytes_before(file_, path_, begin, begin - before)))
    refuse_other_text(path_, "its last whole line is no statement");
}

void StatementLog::begin() {
  make_owners_alone(file_, path_);
  struct stat found {};
  if (fstat(file_, &found) != 0) refuse_writing(path_, "written", errno);
  const off_t kept = options_.overwrite ? 0 : found.st_size - static_cast<off_t>(torn_bytes_);
  if (S_ISREG(found.st_mode) && kept != found.st_size && ftruncate(file_, kept) != 0)
    refuse_writing(path_, "written", errno);
  sync_folder_of(path_);
  is_begun_ = true;
}

/// A statement that is written to a file which nobody can find any more tells nobody.
void StatementLog::require_named() const {
  struct stat found {};
  if (fstat(file_, &found) != 0 || found.st_nlink > 0) return;
  throw FileError(path_, "was removed while it was written", "run again: it is made anew");
}

void StatementLog::fail(std::int64_t before) const {
  const int why = errno;
  // Half a line would spoil those that follow. If even that fails, the error below is the one that matters, and the
  // next run cuts it away.
  if (before < 0 || ftruncate(file_, before) != 0) errno = why;
  throw FileError(path_, fmt::format("cannot be written ({})", std::generic_category().message(why)),
                  "make room, and run again: it is gone on with");
}

void StatementLog::add(const Statement& statement) {
  std::string line = nlohmann::ordered_json::parse(to_json(statement)).dump() + "\n";
  if (!is_begun_) begin();
  require_named();
  if (is_line_open_) line.insert(0, 1, '\n');
  const off_t before = lseek(file_, 0, SEEK_END);
  for (std::string_view left = line; !left.empty();) {
    const ssize_t written = write(file_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(before);
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  if (fdatasync(file_) != 0) fail(before);
  is_line_open_ = false;
}

bool is_statement_log(const std::string& path) {
  return path.ends_with(log_ending);
}

StatementLines read_statements(const std::string& path) {
  io::TextSource source = io::TextSource::from_file(path);
  io::LineReader lines(source);
  io::RecordCounter counter(source.limits());
  StatementLines read;
  std::string_view line;
  for (bool has_line = lines.next(line); has_line;) {
    const FileSpot spot{path, lines.line_number()};
    counter.add([&] { return spot; });
    io::require_within(io::format_limit::statement_bytes, line.size(), spot);
    const std::uint64_t bytes = line.size();
    try {
      read.all.push_back(parse_statement(line, fmt::format("{} (line {})", path, lines.line_number())));
      has_line = lines.next(line);
    } catch (const DataError&) {
      // Only the last can have been cut short.
      if (lines.next(line) || !ends_within_line(path)) throw;
      read.torn_bytes = bytes;
      has_line = false;
    }
  }
  if (read.all.empty())
    throw DataError({path}, "holds no statement", "nothing was answered, or it is another file");
  return read;
}

}  // namespace fogline::privacy
