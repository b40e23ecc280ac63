// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "io/gzip.hpp"
#include "io/limits.hpp"

/// Notices a reader that ignores a limit: from the bytes of an input follows what it needs of each limit, and one short of that the reader must refuse it, for that limit. For tests and for
/// fuzzers, so it counts by itself: no reader is asked, but for the records that it gave.
namespace fogline::io::testing_limits {

/// How a reader takes its bytes: which limits concern it.
enum class Form {
  lines,  ///< line by line
  table,  ///< CSV: line by line, in columns
  tree,   ///< JSON, held whole
  tags,   ///< XML, tag by tag
  held,   ///< no text, held whole
  other   ///< no text, held in parts
};

struct Input {
  Form form = Form::lines;
  std::vector<std::string> files = {};  ///< most readers have one
  bool unpacks = true;                  ///< whatever is packed as gzip
};

inline std::string_view without_mark(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  return text.substr(text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
}

inline std::uint64_t longest_line(std::string_view text) {
  std::uint64_t longest = 0;
  for (text = without_mark(text); !text.empty();
       text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1))
    longest = std::max<std::uint64_t>(longest, text.substr(0, text.find('\n')).size());
  return longest;
}

/// Of the first line that is not empty; 0 if only a reader of CSV knows where its fields end.
inline std::uint64_t columns_of(std::string_view text) {
  text = without_mark(text);
  text.remove_prefix(std::min(text.find_first_not_of("\r\n"), text.size()));
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  if (line.empty() || line.find_first_of(";\t\"") != std::string_view::npos) return 0;
  return static_cast<std::uint64_t>(std::ranges::count(line, ',')) + 1;
}

/// Rows below the first line, which names the columns; 0 if one may go over several lines.
inline std::uint64_t rows_of(std::string_view text) {
  if (text.find('"') != std::string_view::npos) return 0;
  std::uint64_t rows = 0;
  bool is_empty = true;
  for (const char c : text) {
    if (c == '\n') is_empty = true;
    if (c > ' ' && std::exchange(is_empty, false)) ++rows;
  }
  return rows - std::min<std::uint64_t>(rows, 1);
}

/// How deep lists and objects lie in one another, and how many the longest list holds. Of text that is JSON.
inline void measure_tree(std::string_view text, ReadLimits& needed) {
  struct Open {
    bool is_list;
    std::uint64_t entries = 0;
  };
  std::vector<Open> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\') ++i;
      }
    } else if (text[i] == '[' || text[i] == '{') {
      if (!open.empty() && open.back().is_list)
        needed.records = std::max(needed.records, ++open.back().entries);
      open.push_back({text[i] == '['});
      needed.depth = std::max<std::uint64_t>(needed.depth, open.size());
    } else if ((text[i] == ']' || text[i] == '}') && !open.empty()) {
      open.pop_back();
    }
  }
}

/// Where the tag that begins at `begin` ends: behind the next > that stands in no quotes.
inline std::size_t end_of_tag(std::string_view text, std::size_t begin) {
  char quote = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (quote == 0 && text[i] == '>') return i + 1;
    if (text[i] == '"' || text[i] == '\'') quote = quote == 0 ? text[i] : quote == text[i] ? 0 : quote;
  }
  return text.size();
}

/// How deep elements lie in one another, and the longest tag that begins one. Of text that is XML without comments, instructions and encodings of its own; of other text nothing.
inline void measure_tags(std::string_view text, ReadLimits& needed) {
  if (text.find("<!") != std::string_view::npos || text.find("<?") != std::string_view::npos ||
      text.find('\0') != std::string_view::npos)
    return;
  std::uint64_t depth = 0;
  for (std::size_t i = text.find('<'); i < text.size(); i = text.find('<', i)) {
    const std::size_t end = end_of_tag(text, i);
    const std::string_view tag = text.substr(i, end - i);
    i = end;
    if (tag.starts_with("</")) {
      depth -= depth > 0 ? 1 : 0;
      continue;
    }
    needed.line = std::max<std::uint64_t>(needed.line, tag.size());
    needed.depth = std::max(needed.depth, depth + 1);
    if (!tag.ends_with("/>")) ++depth;
  }
}

inline void measure(std::string_view text, Form form, ReadLimits& needed) {
  needed.bytes = std::max<std::uint64_t>(needed.bytes, text.size());
  if (form == Form::tree || form == Form::held)
    needed.memory = std::max<std::uint64_t>(needed.memory, text.size());
  if (form == Form::lines || form == Form::table) needed.line = std::max(needed.line, longest_line(text));
  if (form == Form::table) needed.columns = std::max(needed.columns, columns_of(text));
  if (form == Form::table) needed.records = std::max(needed.records, rows_of(text));
  if (form == Form::tree) measure_tree(text, needed);
  if (form == Form::tags) measure_tags(text, needed);
}

/// What an input that is read needs at least; 0 where nobody knows, or where the limit does not concern its reader. Of what is packed, its records and time alone are known.
inline ReadLimits needed_by(const Input& input, std::uint64_t records_given) {
  ReadLimits needed{
      .bytes = 0, .memory = 0, .line = 0, .columns = 0, .depth = 0, .records = 0, .ratio = 0, .seconds = 1};
  const bool is_packed = input.unpacks && std::ranges::any_of(input.files, [](std::string_view file) {
                           return file.starts_with("\x1F\x8B");
                         });
  for (const std::string& file : input.files) {
    if (!is_packed) measure(file, input.form, needed);
  }
  needed.records = std::max(needed.records, records_given);
  return needed;
}

/// The usual limits, but for one.
inline ReadLimits low_in(const LimitInfo& limit, std::uint64_t value) {
  ReadLimits low;
  low.*limit.value = value;
  low.clock = [now = 0.0]() mutable { return now += 2; };  // two seconds from each look at it to the next
  return low;
}

/// What came of reading: `over` if it was refused for the limit that was asked about.
enum class Outcome { accepted, refused, over };

/// `read` is given the files; it may return how many records it was given. It may refuse them with fogline::Error and with nothing else.
template <class Read>
Outcome outcome_of(const ReadLimits& limits, const LimitInfo& limit, const std::vector<std::string>& files,
                   Read& read, std::uint64_t& records_given) {
  const LimitScope scope(limits);
  try {
    if constexpr (std::is_void_v<decltype(read(files))>) {
      read(files);
    } else {
      records_given = read(files);
    }
    return Outcome::accepted;
  } catch (const DataError& error) {
    return is_over(limit.value, error) ? Outcome::over : Outcome::refused;
  } catch (const Error&) {
    return Outcome::refused;
  }
}

/// Packs files that become smaller by it: what is unpacked is more than it was then. False if none does.
inline bool pack(std::vector<std::string>& files) {
  bool is_any_smaller = false;
  for (std::string& file : files) {
    std::string packed = gzip(file);
    is_any_smaller = is_any_smaller || packed.size() < file.size();
    file = std::move(packed);
  }
  return is_any_smaller;
}

/// Does the reader keep this limit, for this input? One that is read must be refused one short of what it needs; one that is not read is not read with a low limit either.
template <class Read>
bool keeps(const LimitInfo& limit, const Input& input, Read read) {
  constexpr std::uint64_t low_size = 48, low_count = 2;  // for what nobody knows the need of
  const bool is_ratio = limit.value == &ReadLimits::ratio, is_time = limit.value == &ReadLimits::seconds;
  std::uint64_t given = 0, given_low = 0;
  const Outcome usual = outcome_of(ReadLimits{}, limit, input.files, read, given);
  std::vector<std::string> files = input.files;
  const std::uint64_t needed =
      is_ratio ? (input.unpacks && pack(files) ? 1 : 0) : needed_by(input, given).*limit.value;
  if (is_ratio && needed == 0) files = input.files;
  // There is no lower ratio than 1, and 0 seconds are any.
  const std::uint64_t low = is_ratio || is_time ? 1
                            : needed > 0        ? needed - 1
                            : limit.is_size     ? low_size
                                                : low_count;
  const Outcome limited = outcome_of(low_in(limit, low), limit, files, read, given_low);
  if (usual != Outcome::accepted) return limited != Outcome::accepted;
  return needed > 0 ? limited == Outcome::over : limited != Outcome::refused;
}

/// The names of the limits that the reader does not keep, for this input.
template <class Read>
std::vector<std::string_view> ignored_limits(const Input& input, Read read) {
  std::vector<std::string_view> names;
  for (const LimitInfo& limit : all_limits()) {
    if (!keeps(limit, input, read)) names.push_back(limit.name);
  }
  return names;
}

/// A reader like this one, but for one limit, which it ignores.
template <class Read>
auto ignoring(const LimitInfo& limit, Read read) {
  return [&limit, read](const std::vector<std::string>& files) {
    ReadLimits all_but_one = current_limits();
    all_but_one.*limit.value = ReadLimits{}.*limit.value;
    const LimitScope scope(all_but_one);
    return read(files);
  };
}

}  // namespace fogline::io::testing_limits
