// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace fogline::io {

/// Names that tell people, or trips, apart. A promise for "one user" holds if each name is one person's and each person has one name:
/// two people under one name, or one under two, are counted for more than was declared. What can be seen of that is seen here, by
/// every kind that protects more than a single record; docs/formats.md, "Whose points they are", has the rules for readers.
///
///     const IdentityFaults faults = find_faults(points.user_names.names(), points.user);
///     refuse_faults(faults, points.spot(faults.first_missing), {.records = "positions", .instead = "leave out `reports-per-person`"});

/// A name without white space at its ends, the invisible ones of Unicode included: spellings that look alike are one name.
std::string_view trim_name(std::string_view name);

/// Whether this names nobody: blank, or what programs write for a missing value (nan, null, None, NA, <NA>, \N, -, ?, unknown), in capitals or not.
bool is_missing_name(std::string_view name);

/// For each name, the first that reads the same: a whole number in another spelling (7, 07, 7.0 and 7e0), or a name that differs in
/// invisible characters only; itself if there is none.
/// Cost: linear, and next to nothing if every number stands in its shortest spelling.
std::vector<std::uint32_t> same_names(std::span<const std::string> names);

/// How many names differ from an earlier one in capitals only. They may be one person or two: who knows should be told.
std::size_t count_alike_but_for_case(std::span<const std::string> names);

struct IdentityFaults {
  std::uint64_t records = 0;      ///< in all
  std::uint64_t missing = 0;      ///< records that name nobody
  std::size_t first_missing = 0;  ///< the first of these, or 0
  std::uint64_t respelled = 0;    ///< names that read as an earlier one, spelled otherwise
};

/// `of_record`: which of the names each record has.
IdentityFaults find_faults(std::span<const std::string> names, std::span<const std::uint32_t> of_record);

struct IdentityWords {
  std::string_view records;  ///< what bears the names, such as "trips"
  std::string_view instead;  ///< what to do if names cannot be had, such as "protect trips with `unit` trip"
};

/// Throws DataError if there is a fault, saying how many there are and what to do, and no name.
void refuse_faults(const IdentityFaults& faults, const FileSpot& spot, const IdentityWords& words);

}  // namespace fogline::io
