// SPDX-License-Identifier: Apache-2.0
#include "release/analyses/live_answers.hpp"

#include <algorithm>
#include <string_view>

#include "io/input_file.hpp"
#include "io/limits.hpp"
#include "privacy/file_hash.hpp"

namespace fogline::release {

LiveAnswers::LiveAnswers(const std::string& file) : file_(file) {
  io::TextSource source = io::TextSource::from_file(file);
  io::LineReader lines(source);
  io::RecordCounter counter(source.limits());
  std::string header;
  for (std::string_view line; lines.next(line);) {
    const std::string text = std::string(line) + "\n";
    if (header.empty()) header = text;
    if (text == header) continue;
    counter.add([&] { return FileSpot{file, lines.line_number()}; });
    lines_[privacy::sha256_of_text(header + text)].push_back(lines.line_number());
    ++count_;
  }
}

std::optional<std::uint64_t> LiveAnswers::take(const std::string& sha256) {
  const auto found = lines_.find(sha256);
  if (found == lines_.end() || found->second.empty()) return std::nullopt;
  const std::uint64_t line = found->second.back();
  found->second.pop_back();
  return line;
}

std::vector<std::uint64_t> LiveAnswers::left() const {
  std::vector<std::uint64_t> all;
  for (const auto& [hash, lines] : lines_) all.insert(all.end(), lines.begin(), lines.end());
  std::ranges::sort(all);
  return all;
}

}  // namespace fogline::release
