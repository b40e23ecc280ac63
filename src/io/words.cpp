// SPDX-License-Identifier: Apache-2.0
#include "io/words.hpp"

#include <algorithm>

namespace fogline::io {

std::size_t split_words(std::string_view line, std::span<std::string_view> words) {
  constexpr std::string_view blanks = " \t";
  std::size_t count = 0;
  for (std::size_t begin = line.find_first_not_of(blanks); begin != std::string_view::npos; ++count) {
    const std::size_t end = std::min(line.find_first_of(blanks, begin), line.size());
    if (count < words.size()) words[count] = line.substr(begin, end - begin);
    begin = line.find_first_not_of(blanks, end);
  }
  return count;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string name_for_suffix(std::string_view file) {
  std::string name = lower_case(file);
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  return name;
}

}  // namespace fogline::io
