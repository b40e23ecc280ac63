// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace fogline::privacy {

/// How a release knows whose each record is. Only a release that says so promises something for a person.
enum class Persons : std::uint8_t {
  unsaid,   ///< nobody said: the promise is for less than a person
  column,   ///< by a column of the records
  file,     ///< by a file that names them, a line for each record
  declared  ///< not at all: whoever releases answers for it that nobody has more records than declared
};

constexpr std::array<std::string_view, 4> persons_names{"unsaid", "column", "file", "declared"};

std::string_view to_string(Persons persons);
Persons persons_from(std::string_view name);  ///< throws InvalidOption for anything but persons_names

/// For a statement's promise, with what is counted, such as "reports": "Persons are told apart by a column of the records."
std::string how_told_apart(Persons persons, std::string_view records);

/// For what is not protected, where it was declared: "A person with more reports than declared: nobody counted them."
std::string what_nobody_counted(std::string_view records);

/// What becomes of records beyond those that a person may have. Declared before the release, and part of its statement.
enum class TooMany : std::uint8_t {
  refuse,    ///< all records are refused
  leave_out  ///< those that come last are left out; that they were, is not protected
};

constexpr std::array<std::string_view, 2> too_many_names{"refuse", "leave-out"};

std::string_view to_string(TooMany rule);
TooMany too_many_from(std::string_view name);  ///< throws InvalidOption for anything but too_many_names

}  // namespace fogline::privacy
