// SPDX-License-Identifier: Apache-2.0
#include "privacy/standard_output.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.hpp"
#include "io/output_file.hpp"

namespace fogline::privacy {
namespace {

// A pipe takes so much at once or not at all: POSIX's PIPE_BUF on Linux.
constexpr std::size_t taken_whole = 4096;

/// As many whole lines as go out together; of a longer line, as much of it.
std::size_t piece_length(std::string_view text) {
  const std::string_view first = text.substr(0, taken_whole);
  if (first.size() == text.size()) return text.size();
  const std::size_t line_end = first.rfind('\n');
  return line_end == std::string_view::npos ? first.size() : line_end + 1;
}

}  // namespace

void StandardOutput::write(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = piece_length(text);
    write_piece(text.substr(0, length));
    text.remove_prefix(length);
  }
}

void StandardOutput::write_piece(std::string_view piece) {
  while (!piece.empty()) {
    const ssize_t got = ::write(STDOUT_FILENO, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) {
      if (wanted_ && !wanted_()) throw Cancelled();
      continue;
    }
    if (got < 0) {
      const int error = errno;
      throw FileError("-", fmt::format("cannot be written ({})", std::generic_category().message(error)),
                      io::what_to_try_writing(error));
    }
    const std::string_view out = piece.substr(0, static_cast<std::size_t>(got));
    hash_.add(out);
    bytes_ += out.size();
    lines_ += static_cast<std::uint64_t>(std::ranges::count(out, '\n'));
    piece.remove_prefix(out.size());
  }
}

}  // namespace fogline::privacy
