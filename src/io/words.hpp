// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace fogline::io {

/// Cuts a line at blanks and tabs. Fills `words` and returns how many there are; more than fit are counted,
/// not stored.
///
///     std::array<std::string_view, 3> word;
///     if (split_words("17 4  2.5", word) == 3) use(word[2]);   // "2.5"
std::size_t split_words(std::string_view line, std::span<std::string_view> words);

/// The text with A to Z as a to z; other bytes stay.
std::string lower_case(std::string_view text);

/// A file name in lower case and without .gz, so that its suffix tells the format: "trips.csv" for
/// "Trips.CSV.gz".
std::string name_for_suffix(std::string_view file);

}  // namespace fogline::io
