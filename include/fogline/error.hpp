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
  /// Of the type: error, invalid-option, bad-data, over-limit, file, cancelled; of a BudgetError: over-budget, undeclared-dataset,
  /// bounds-no-person, refused-too-often, of-subjects.
  std::string code = "error";
  std::string field = {};    ///< of the request, such as "epsilon"; empty if none is at fault
  std::string wrong = {};    ///< a sentence without its end. Other fields stand in `back quotes`
  std::string allowed = {};  ///< what the field may hold, such as "a number from 0 to 500, in m"; or empty
  std::string to_try = {};   ///< or empty
  FileSpot place = {};       ///< no file: not found in one
};

/// The same as a JSON object, for whoever answers in JSON: "code", "field", "wrong", "allowed", "to_try", "file", "line" and "record", those that
/// are empty left out.
///
///     try {
///       request.run(ledger, listener);
///     } catch (const fogline::Error& error) {
///       std::cerr << fogline::to_json(error.problem()) << '\n';
///     }
std::string to_json(const Problem& problem);

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

/// A field of a request, or a parameter, outside its range; the message names it and the range, and problem().allowed is the range of a field by itself. Exit
/// code 2.
class InvalidOption : public Error {
 public:
  InvalidOption(std::string_view option, std::string_view problem);
  InvalidOption(std::string_view option, std::string_view problem, std::string_view allowed);
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
