// SPDX-License-Identifier: Apache-2.0
#include "cli/spelling.hpp"

#include <algorithm>

namespace fogline::cli {
namespace {

bool is_field_name(std::string_view text) {
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_part = [&](char c) { return is_small(c) || (c >= '0' && c <= '9') || c == '-'; };
  return !text.empty() && is_small(text.front()) && std::ranges::all_of(text, is_part);
}

}  // namespace

std::string spelled(std::string_view sentence) {
  std::string result;
  while (!sentence.empty()) {
    const std::size_t begin = std::min(sentence.find('`'), sentence.size());
    result += sentence.substr(0, begin);
    sentence.remove_prefix(begin);
    if (sentence.empty()) break;
    const std::size_t end = sentence.find('`', 1);
    const std::string_view name =
        end == std::string_view::npos ? std::string_view() : sentence.substr(1, end - 1);
    if (is_field_name(name)) {
      if (name == "input") {
        result += "the input";
      } else {
        result.append("--").append(name);
      }
      sentence.remove_prefix(end + 1);
    } else {  // as it is, up to the mark that closes it: what follows that is outside again
      const std::size_t taken = end == std::string_view::npos ? sentence.size() : end + 1;
      result += sentence.substr(0, taken);
      sentence.remove_prefix(taken);
    }
  }
  return result;
}

}  // namespace fogline::cli
