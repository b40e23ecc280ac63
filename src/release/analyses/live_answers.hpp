// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fogline::release {

/// The answers of live releases, kept in one file: a header, and an answer on each line. Each is a release of its own,
/// whose statement names the hash of the header and its line.
///
///     LiveAnswers answers("safe.csv");
///     for (const privacy::Statement& statement : log)
///       answers.take(statement.outputs.front().sha256);    // the line it tells of, or none
///     answers.left();                                      // answers that nobody tells of
///
/// Several runs may have written to the file, one after the other: a line like the first is the header again. Of lines
/// that are alike each is an answer. Cost: a hash of each line, and memory for these.
class LiveAnswers {
 public:
  /// Throws FileError, DataError.
  explicit LiveAnswers(const std::string& file);

  const std::string& file() const { return file_; }
  std::uint64_t count() const { return count_; }
  /// The number of the line whose hash this is, which is then taken; none if there is no such line left.
  std::optional<std::uint64_t> take(const std::string& sha256);
  /// Lines that were not taken, by number.
  std::vector<std::uint64_t> left() const;

 private:
  std::string file_;
  std::map<std::string, std::vector<std::uint64_t>> lines_;  // by hash; the last is taken first
  std::uint64_t count_ = 0;
};

}  // namespace fogline::release
