// SPDX-License-Identifier: Apache-2.0
#include "io/output_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.hpp"

namespace fogline::io {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 18;

std::string what_to_try_writing(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "free some space and run again";
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

}  // namespace

OutputFile::OutputFile(std::string name, const Options& options)
    : name_(std::move(name)), overwrite_(options.overwrite) {
  if (name_ == "-") return;
  // A link counts as what it is, not as what it points to: one that points nowhere is in the way too.
  const auto found = std::filesystem::symlink_status(name_).type();
  if (found == std::filesystem::file_type::directory)
    throw FileError(name_, "is a folder", "name a file in it");
  if (found != std::filesystem::file_type::not_found) {
    if (!overwrite_) throw FileError(name_, "the file exists", "choose another name or add --overwrite");
    if (found != std::filesystem::file_type::regular && found != std::filesystem::file_type::symlink) {
      throw FileError(name_, "is a device or a pipe, not a file",
                      "choose another name, or - for standard output");
    }
  }
  std::string pattern = name_ + ".XXXXXX";
  file_ = mkstemp(pattern.data());
  if (file_ < 0) fail("cannot be written");
  temporary_ = pattern;
  // mkstemp gives 0600; the finished file gets what any new file gets.
  const mode_t mask = umask(0);
  umask(mask);
  if (fchmod(file_, 0666 & ~mask) != 0) fail("cannot be given its permissions");
}

OutputFile::~OutputFile() {
  if (file_ >= 0) close(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::fail(std::string_view what) const {
  const int error = errno;
  throw FileError(name_, std::string(what) + " (" + std::strerror(error) + ")", what_to_try_writing(error));
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
  if (fsync(file_) != 0) fail("cannot be written to disk");
}

void OutputFile::commit() {
  if (file_ < 0) return flush();
  sync();
  if (close(file_) != 0) {
    file_ = -1;
    fail("cannot be closed");
  }
  file_ = -1;
  if (overwrite_) {
    if (rename(temporary_.c_str(), name_.c_str()) != 0) fail("cannot be put in place");
    temporary_.clear();
    return;
  }
  // Neither call replaces a file that appeared meanwhile. Some file systems know only one of the two.
  if (renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, name_.c_str(), RENAME_NOREPLACE) == 0) {
    temporary_.clear();
    return;
  }
  if (errno != EINVAL && errno != ENOSYS) fail("cannot be put in place");
  if (link(temporary_.c_str(), name_.c_str()) != 0) fail("cannot be put in place");
}

}  // namespace fogline::io
