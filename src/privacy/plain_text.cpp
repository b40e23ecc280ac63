// SPDX-License-Identifier: Apache-2.0
#include "privacy/plain_text.hpp"

#include <cstdint>

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline::privacy {
namespace {

constexpr std::size_t longest_file_name = 255;

/// Length of the character that begins with `lead`; 0 if none does.
std::size_t utf8_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

/// Characters that cannot be seen and make two names look alike: zero-width blanks, direction marks, byte order mark. The joiners
/// of some scripts (U+200C, U+200D) are letters there and stay.
bool is_invisible(std::uint32_t code_point) {
  return code_point == 0x200B || code_point == 0x200E || code_point == 0x200F ||
         (code_point >= 0x2028 && code_point <= 0x202E) || (code_point >= 0x2060 && code_point <= 0x206F) ||
         code_point == 0xFEFF || code_point == 0xAD;
}

bool is_printable(std::uint32_t code_point, std::size_t length) {
  if (is_invisible(code_point)) return false;
  if (code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0)) return false;
  if (code_point >= 0xD800 && code_point < 0xE000) return false;  // halves of a UTF-16 pair
  if (length == 3 && code_point < 0x800) return false;            // longer than needed
  if (length == 4 && code_point < 0x10000) return false;
  return code_point <= 0x10FFFF;
}

}  // namespace

bool is_plain_text(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = utf8_length(lead);
    if (length == 0 || at + length > text.size()) return false;
    std::uint32_t code_point = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
      const auto next = static_cast<unsigned char>(text[at + i]);
      if ((next & 0xC0U) != 0x80U) return false;
      code_point = (code_point << 6U) | (next & 0x3FU);
    }
    if (!is_printable(code_point, length)) return false;
    at += length;
  }
  return true;
}

void require_plain_text(std::string_view option, std::string_view text, std::size_t max_bytes) {
  if (text.empty()) throw InvalidOption(option, "is empty");
  if (text.size() > max_bytes) {
    throw InvalidOption(option, fmt::format("has {} bytes; at most {} are kept", text.size(), max_bytes));
  }
  if (!is_plain_text(text)) {
    throw InvalidOption(option, "is not plain text (UTF-8 without control or invisible characters)");
  }
  if (text.front() == ' ' || text.back() == ' ') throw InvalidOption(option, "begins or ends with a blank");
}

void require_file_name(std::string_view option, std::string_view name) {
  require_plain_text(option, name, longest_file_name);
  if (name.find('/') != std::string_view::npos || name == "." || name == "..") {
    throw InvalidOption(option, "is not a file name without its folder");
  }
}

}  // namespace fogline::privacy
