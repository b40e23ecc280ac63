// SPDX-License-Identifier: Apache-2.0
#include "fogline/error.hpp"

#include <utility>

#include <fmt/format.h>

namespace fogline {
namespace {

/// "trips.csv, line 7: longitude is not a number; write degrees such as 13.377"
std::string sentence(const Problem& problem) {
  const std::string where = problem.field.empty() ? to_string(problem.place) : problem.field;
  std::string text = where.empty() ? problem.wrong : fmt::format("{}: {}", where, problem.wrong);
  if (!problem.to_try.empty()) text += "; " + problem.to_try;
  return text;
}

}  // namespace

Error::Error(const std::string& message) : Error(Problem{.wrong = message}) {}

Error::Error(Problem problem) : std::runtime_error(sentence(problem)), problem_(std::move(problem)) {}

InvalidOption::InvalidOption(std::string_view option, std::string_view problem)
    : InvalidOption(option, problem, "") {}

InvalidOption::InvalidOption(std::string_view option, std::string_view problem, std::string_view allowed)
    : Error(Problem{.code = "invalid-option",
                    .field = std::string(option),
                    .wrong = std::string(problem),
                    .allowed = std::string(allowed)}) {}

std::string to_string(const FileSpot& spot) {
  if (spot.line > 0) return fmt::format("{}, line {}", spot.file, spot.line);
  if (spot.record > 0) return fmt::format("{}, record {}", spot.file, spot.record);
  return spot.file;
}

DataError::DataError(const FileSpot& spot, std::string_view problem, std::string_view what_to_try)
    : Error(Problem{.code = "bad-data",
                    .wrong = std::string(problem),
                    .to_try = std::string(what_to_try),
                    .place = spot}) {}

FileError::FileError(std::string_view file, std::string_view problem, std::string_view what_to_try)
    : Error(Problem{.code = "file",
                    .wrong = std::string(problem),
                    .to_try = std::string(what_to_try),
                    .place = {.file = std::string(file)}}) {}

Cancelled::Cancelled() : Error(Problem{.code = "cancelled", .wrong = "interrupted"}) {}

}  // namespace fogline
