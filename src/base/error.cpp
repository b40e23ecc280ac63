// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"

#include <fmt/format.h>

namespace fogline {
namespace {

std::string sentence(std::string_view where, std::string_view problem, std::string_view what_to_try) {
  return what_to_try.empty() ? fmt::format("{}: {}", where, problem)
                             : fmt::format("{}: {}; {}", where, problem, what_to_try);
}

}  // namespace

InvalidOption::InvalidOption(std::string_view option, std::string_view problem)
    : Error(fmt::format("{}: {}", option, problem)), option_(option), problem_(problem) {}

std::string to_string(const FileSpot& spot) {
  if (spot.line > 0) return fmt::format("{}, line {}", spot.file, spot.line);
  if (spot.record > 0) return fmt::format("{}, record {}", spot.file, spot.record);
  return spot.file;
}

DataError::DataError(const FileSpot& spot, std::string_view problem, std::string_view what_to_try)
    : Error(sentence(to_string(spot), problem, what_to_try)), spot_(spot) {}

FileError::FileError(std::string_view file, std::string_view problem, std::string_view what_to_try)
    : Error(sentence(file, problem, what_to_try)) {}

}  // namespace fogline
