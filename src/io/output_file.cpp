// SPDX-License-Identifier: Apache-2.0
#include "io/output_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.hpp"

namespace fogline::io {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 18;
constexpr mode_t owner_only = S_IRUSR | S_IWUSR;
constexpr mode_t everybody = owner_only | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;

/// What the caller of open() may ask for and a new file gets. umask() tells its value only by changing it, for all
/// threads at once; the kernel tells it in a file as well. Where that is missing, nobody but the owner gets anything.
mode_t mode_of_new_files() {
  constexpr std::string_view label = "Umask:";
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(label)) continue;
    return everybody & ~static_cast<mode_t>(std::strtoul(line.c_str() + label.size(), nullptr, 8));
  }
  return owner_only;
}

/// The temporary files of the process. Held while one appears or is renamed, so that none escapes who removes them all.
struct Temporaries {
  std::mutex mutex;
  std::set<std::string> names;
};
Temporaries& temporaries() {
  static Temporaries all;
  return all;
}

}  // namespace

std::string what_to_try_writing(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "free some space and run again";
    case EFBIG:
      return "raise the limit on the size of files (ulimit -f) and run again";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose a folder you may write to";
    case ENOENT:
      return "make the folder first";
    default:
      return "";
  }
}

OutputFile::OutputFile(std::string name, const Options& options) : name_(std::move(name)), options_(options) {
  if (name_ == "-") return;
  // A link counts as what it is, not as what it points to: one that points nowhere is in the way too.
  const auto found = std::filesystem::symlink_status(name_).type();
  if (found == std::filesystem::file_type::directory)
    throw FileError(name_, "is a folder", "name a file in it");
  if (found != std::filesystem::file_type::not_found) {
    if (!options_.overwrite)
      throw FileError(name_, "the file exists", "choose another name or add `overwrite`");
    if (found != std::filesystem::file_type::regular && found != std::filesystem::file_type::symlink) {
      throw FileError(name_, "is a device or a pipe, not a file",
                      "choose another name, or - for standard output");
    }
  }
  std::string pattern = name_ + ".XXXXXX";
  {
    const std::lock_guard lock(temporaries().mutex);
    // The owner's alone, and so it stays if the program is killed: what is left then has no statement beside it.
    file_ = mkstemp(pattern.data());
    if (file_ >= 0) temporaries().names.insert(pattern);
  }
  if (file_ < 0) fail("cannot be written");
  temporary_ = pattern;
}

OutputFile::~OutputFile() {
  if (file_ >= 0) close(file_);
  if (temporary_.empty()) return;
  const std::lock_guard lock(temporaries().mutex);
  unlink(temporary_.c_str());
  temporaries().names.erase(temporary_);
}

void OutputFile::remove_temporaries_and(const std::function<void()>& leave) {
  const std::lock_guard lock(temporaries().mutex);
  for (const std::string& name : temporaries().names) unlink(name.c_str());
  leave();
}

void OutputFile::fail(std::string_view what) const {
  const int error = errno;
  throw FileError(name_, std::string(what) + " (" + std::generic_category().message(error) + ")",
                  what_to_try_writing(error));
}

void OutputFile::flush() {
  const int target = file_ >= 0 ? file_ : STDOUT_FILENO;
  std::size_t written = 0;
  while (written < buffer_.size()) {
    const ssize_t got = ::write(target, buffer_.data() + written, buffer_.size() - written);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("cannot be written");
    written += static_cast<std::size_t>(got);
  }
  buffer_.clear();
}

void OutputFile::write(std::string_view text) {
  buffer_ += text;
  if (file_ >= 0 && buffer_.size() >= buffer_size) flush();
}

void OutputFile::sync() {
  if (file_ < 0) return;
  flush();
  while (fsync(file_) != 0) {
    if (errno != EINTR) fail("cannot be written to disk");
  }
}

void OutputFile::commit() {
  if (file_ < 0) return flush();
  sync();
  const mode_t mode = options_.owner_only ? owner_only : mode_of_new_files();
  const std::lock_guard lock(temporaries().mutex);
  put_in_place();
  temporaries().names.erase(temporary_);
  temporary_.clear();
  // Others may read it only under its own name: a temporary file that a crash leaves behind has no statement. Killed in
  // between, or on a file system that knows no permissions, the file stays as it is, which is the safe side.
  [[maybe_unused]] const int permitted = fchmod(file_, mode);
  close(file_);  // what could fail was found by the sync
  file_ = -1;
}

void OutputFile::put_in_place() const {
  if (options_.overwrite) {
    if (rename(temporary_.c_str(), name_.c_str()) != 0) fail("cannot be put in place");
    return;
  }
  // Neither call replaces a file that appeared meanwhile. Some file systems know only one of the two.
  if (renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, name_.c_str(), RENAME_NOREPLACE) == 0) return;
  if (errno != EINVAL && errno != ENOSYS) fail("cannot be put in place");
  if (link(temporary_.c_str(), name_.c_str()) != 0) fail("cannot be put in place");
  unlink(temporary_.c_str());
}

}  // namespace fogline::io
