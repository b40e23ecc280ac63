// SPDX-License-Identifier: Apache-2.0
#include "io/identity.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "io/words.hpp"

namespace fogline::io {
namespace {

constexpr std::string_view ascii_white_space = " \t\n\r\v\f";

/// Characters of Unicode, in UTF-8, first and last of each run. Tables copied from elsewhere carry them along.
struct Run {
  std::string_view first, last;
};
/// Which a reader takes for a blank: next line, no-break space, Ogham space, those of printers, ends of lines and paragraphs, empty Braille, ideographic space.
constexpr auto blanks = std::to_array<Run>({{"\xC2\x85", "\xC2\x85"},
                                            {"\xC2\xA0", "\xC2\xA0"},
                                            {"\xE1\x9A\x80", "\xE1\x9A\x80"},
                                            {"\xE2\x80\x80", "\xE2\x80\x8A"},
                                            {"\xE2\x80\xA8", "\xE2\x80\xA9"},
                                            {"\xE2\x80\xAF", "\xE2\x80\xAF"},
                                            {"\xE2\x81\x9F", "\xE2\x81\x9F"},
                                            {"\xE2\xA0\x80", "\xE2\xA0\x80"},
                                            {"\xE3\x80\x80", "\xE3\x80\x80"}});
/// Which nobody sees: controls, soft hyphen, joiners and marks of direction, fillers of Korean and Khmer, Mongolian separator, choices of a form, byte order mark, notes between lines,
/// marks of shorthand and of music, tags.
constexpr auto invisible = std::to_array<Run>({{"\x01", "\x1F"},
                                               {"\x7F", "\x7F"},
                                               {"\xC2\x80", "\xC2\x9F"},
                                               {"\xC2\xAD", "\xC2\xAD"},
                                               {"\xCD\x8F", "\xCD\x8F"},
                                               {"\xD8\x9C", "\xD8\x9C"},
                                               {"\xE1\x85\x9F", "\xE1\x85\xA0"},
                                               {"\xE1\x9E\xB4", "\xE1\x9E\xB5"},
                                               {"\xE1\xA0\x8B", "\xE1\xA0\x8F"},
                                               {"\xE2\x80\x8B", "\xE2\x80\x8F"},
                                               {"\xE2\x80\xAA", "\xE2\x80\xAE"},
                                               {"\xE2\x81\xA0", "\xE2\x81\xAF"},
                                               {"\xE3\x85\xA4", "\xE3\x85\xA4"},
                                               {"\xEF\xB8\x80", "\xEF\xB8\x8F"},
                                               {"\xEF\xBB\xBF", "\xEF\xBB\xBF"},
                                               {"\xEF\xBE\xA0", "\xEF\xBE\xA0"},
                                               {"\xEF\xBF\xB9", "\xEF\xBF\xBB"},
                                               {"\xF0\x9B\xB2\xA0", "\xF0\x9B\xB2\xA3"},
                                               {"\xF0\x9D\x85\xB3", "\xF0\x9D\x85\xBA"},
                                               {"\xF3\xA0\x80\x80", "\xF3\xA0\xBF\xBF"}});

/// Of text that was damaged, bytes between the first and the last of a run need be none of its characters.
bool is_one_character(std::string_view bytes) {
  return std::ranges::all_of(bytes.substr(1),
                             [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; });
}

/// The length of the character of one of the runs that `text` begins with; 0 if it begins with another.
std::size_t size_in(std::span<const Run> runs, std::string_view text) {
  for (const Run& run : runs) {
    const std::string_view start = text.substr(0, run.first.size());
    if (start.size() == run.first.size() && start >= run.first && start <= run.last &&
        is_one_character(start))
      return start.size();
  }
  return 0;
}

std::size_t blank_size(std::string_view text) {
  if (text.empty()) return 0;
  return ascii_white_space.find(text.front()) != std::string_view::npos ? 1 : size_in(blanks, text);
}

/// The length of what nobody sees at the start of `text`.
std::size_t space_at_start(std::string_view text) {
  const std::size_t blank = blank_size(text);
  return blank > 0 ? blank : size_in(invisible, text);
}

std::size_t space_at_end(std::string_view text) {
  for (std::size_t size = 1; size <= std::min<std::size_t>(text.size(), 4); ++size)
    if (space_at_start(text.substr(text.size() - size)) == size) return size;
  return 0;
}

// What pandas, R, SQL dumps, spreadsheets, JavaScript and logs write where there is no value. Somebody who is really called so has
// to be renamed, which costs little; many people under one of these names would not be protected as promised.
constexpr std::array<std::string_view, 18> no_names{"",     "nan",    "null", "none", "na",   "n/a",
                                                    "<na>", "nil",    "\\n",  "-nan", "inf",  "undefined",
                                                    "#n/a", "(null)", "-",    "?",    "-inf", "unknown"};

/// The digits of a whole number without leading zeros, with a sign if it is below 0; nothing for any other text. By characters,
/// so that numbers of any length stay what they are.
std::optional<std::string> whole_number(std::string_view text) {
  const bool below_zero = text.starts_with('-');
  if (below_zero || text.starts_with('+')) text.remove_prefix(1);
  constexpr std::string_view decimal = "0123456789";
  const std::size_t power_at = std::min(text.find_first_of("eE"), text.size());
  const std::size_t point = std::min(text.find('.'), power_at);
  std::string digits(text.substr(0, point));
  if (digits.empty()) return std::nullopt;
  auto point_at = static_cast<std::ptrdiff_t>(digits.size());
  if (point < power_at) digits += text.substr(point + 1, power_at - point - 1);
  if (digits.find_first_not_of(decimal) != std::string::npos) return std::nullopt;
  if (power_at < text.size()) {
    std::string_view power = text.substr(power_at + 1);
    const bool shortens = power.starts_with('-');
    if (shortens || power.starts_with('+')) power.remove_prefix(1);
    // Larger ones no program writes for a name, and they would make long numbers of short texts.
    if (power.empty() || power.size() > 2 || power.find_first_not_of(decimal) != std::string_view::npos)
      return std::nullopt;
    point_at += (shortens ? -1 : 1) * std::stoi(std::string(power));
  }
  const auto whole = static_cast<std::size_t>(std::max<std::ptrdiff_t>(point_at, 0));
  if (digits.find_first_not_of('0', whole) != std::string::npos) return std::nullopt;
  digits.resize(whole, '0');
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.empty()) return "0";
  return (below_zero ? "-" : "") + digits;
}

/// A byte of no plain letter, digit or sign.
bool is_unusual(char byte) {
  constexpr char first = '!', last = '~';
  return byte < first || byte > last;
}

/// What a name is to a reader: without invisible characters, also within it, one blank for any white space between its words, and numbers in their shortest spelling.
std::string plain_spelling(std::string_view name) {
  std::string seen;
  for (name = trim_name(name); !name.empty();) {
    const std::size_t blank = blank_size(name);
    const std::size_t hidden = blank > 0 ? blank : size_in(invisible, name);
    if (blank > 0 && !seen.ends_with(' ')) seen += ' ';
    if (hidden == 0) seen += name.front();
    name.remove_prefix(std::max<std::size_t>(hidden, 1));
  }
  return whole_number(seen).value_or(seen);
}

}  // namespace

std::string_view trim_name(std::string_view name) {
  while (const std::size_t size = space_at_start(name)) name.remove_prefix(size);
  while (const std::size_t size = space_at_end(name)) name.remove_suffix(size);
  return name;
}

bool is_missing_name(std::string_view name) {
  const std::string_view trimmed = trim_name(name);
  constexpr std::size_t longest = 9;  // of no_names; most names need no copy in lower case
  const auto is_one = [](std::string_view seen) {
    return seen.size() <= longest && std::ranges::find(no_names, lower_case(seen)) != no_names.end();
  };
  if (is_one(trimmed)) return true;
  // Longer ones may have what nobody sees within.
  constexpr std::size_t most_hidden = 64;
  return trimmed.size() <= most_hidden && std::ranges::any_of(trimmed, is_unusual) &&
         is_one(plain_spelling(trimmed));
}

std::vector<std::uint32_t> same_names(std::span<const std::string> names) {
  std::vector<std::uint32_t> same(names.size());
  std::iota(same.begin(), same.end(), 0U);
  const auto is_respelled = [](const std::string& name) { return plain_spelling(name) != name; };
  if (std::ranges::none_of(names, is_respelled)) return same;
  std::unordered_map<std::string, std::uint32_t> first_of;
  for (std::uint32_t i = 0; i < same.size(); ++i)
    same[i] = first_of.try_emplace(plain_spelling(names[i]), i).first->second;
  return same;
}

std::size_t count_alike_but_for_case(std::span<const std::string> names) {
  std::unordered_set<std::string> seen;
  for (const std::string& name : names) seen.insert(lower_case(name));
  return names.size() - seen.size();
}

IdentityFaults find_faults(std::span<const std::string> names, std::span<const std::uint32_t> of_record) {
  IdentityFaults faults{.records = of_record.size()};
  std::vector<bool> is_missing(names.size());
  std::transform(names.begin(), names.end(), is_missing.begin(), is_missing_name);
  for (std::size_t i = 0; i < of_record.size(); ++i) {
    if (!is_missing[of_record[i]]) continue;
    if (faults.missing++ == 0) faults.first_missing = i;
  }
  const std::vector<std::uint32_t> same = same_names(names);
  for (std::uint32_t i = 0; i < same.size(); ++i) {
    if (same[i] != i) ++faults.respelled;
  }
  return faults;
}

void refuse_faults(const IdentityFaults& faults, const FileSpot& spot, const IdentityWords& words) {
  if (faults.missing > 0)
    throw DataError(
        spot,
        fmt::format("{} of {} {} name no user (blank, or NA, null and the like), so that several people "
                    "would count as one",
                    faults.missing, faults.records, words.records),
        fmt::format("fill in user_id, with a name of its own for each unknown person; leave these {} "
                    "out; or {}",
                    words.records, words.instead));
  if (faults.respelled > 0)
    throw DataError(
        {spot.file},
        fmt::format(
            "{} user{} named as another is, spelled otherwise (7 and 7.0, or with invisible characters), so "
            "that one person would count as two",
            faults.respelled, faults.respelled == 1 ? " is" : "s are"),
        "write every user's name in one spelling");
}

}  // namespace fogline::io
