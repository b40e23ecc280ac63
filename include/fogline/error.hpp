// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace fogline {

/// Where in a file something was found. `line` counts from 1; 0 means the file as a whole. `record` is for
/// what has no lines (the n-th feature, the n-th node, the n-th entry of columns in memory).
struct FileSpot {
  std::string file;
  std::uint64_t line = 0;
  std::uint64_t record = 0;
};

/// "trips.csv, line 7" or "trips.geojson, record 3" or "trips.csv".
std::string to_string(const FileSpot& spot);

/// What is wrong, as data: each front end lays it out and spells fields its own way. Never holds a private value.
struct Problem {
  std::string code =
      "error";  ///< of the type: error, invalid-option, bad-data, over-limit, file, over-budget, cancelled
  std::string field = {};  ///< of the request, such as "epsilon"; empty if none is at fault
  std::string wrong =
      {};  ///< a sentence without its end; of a field, with what is allowed. Other fields stand in `back quotes`
  std::string to_try = {};  ///< or empty
  FileSpot place = {};      ///< no file: not found in one
};

/// Root of everything Fogline throws. A message says what is wrong, where, and what to try; it never holds a
/// private value.
///
///     try {
///       request.run(ledger, listener);
///     } catch (const fogline::Error& error) {
///       if (error.problem().code == "over-budget") ask_for_less();
///     }
///
/// The command line turns each type into an exit code.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message);
  explicit Error(Problem problem);
  const Problem& problem() const { return problem_; }

 private:
  Problem problem_;
};

/// A field of a request, or a parameter, outside its range; the message names it and the range. Exit code 2.
class InvalidOption : public Error {
 public:
  InvalidOption(std::string_view option, std::string_view problem);
  const std::string& option() const { return problem().field; }
};

/// A file that can be opened but whose content is wrong. Exit code 1.
class DataError : public Error {
 public:
  DataError(const FileSpot& spot, std::string_view problem, std::string_view what_to_try = "");
  explicit DataError(Problem problem) : Error(std::move(problem)) {}
  const FileSpot& spot() const { return problem().place; }
};

/// A file that cannot be opened, read, written or renamed: missing, read-only, disk full. Exit code 1.
class FileError : public Error {
 public:
  FileError(std::string_view file, std::string_view problem, std::string_view what_to_try = "");
};

/// The user asked to stop. Exit code 130.
class Cancelled : public Error {
 public:
  Cancelled();
};

}  // namespace fogline
