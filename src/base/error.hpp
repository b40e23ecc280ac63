// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fogline {

/// Root of everything Fogline throws. A message says what is wrong, where, and what to try; it never holds a
/// private value. The command line turns each type into an exit code (cli/run.cpp).
///
///     throw DataError({file, line}, "longitude is not a number", "write degrees such as 13.377");
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An option or parameter outside its range; the message names the option and the range. Exit code 2. Whoever asked may spell the option in
/// another way: the command line says --epsilon where the message says epsilon.
class InvalidOption : public Error {
 public:
  InvalidOption(std::string_view option, std::string_view problem);
  const std::string& option() const { return option_; }
  const std::string& problem() const { return problem_; }

 private:
  std::string option_, problem_;
};

/// Where in a file something was found. `line` counts from 1; 0 means the file as a whole. `record` is for
/// formats without lines (the n-th feature, the n-th node).
struct FileSpot {
  std::string file;
  std::uint64_t line = 0;
  std::uint64_t record = 0;
};

/// "trips.csv, line 7" or "trips.geojson, record 3" or "trips.csv".
std::string to_string(const FileSpot& spot);

/// A file that can be opened but whose content is wrong. Exit code 1.
class DataError : public Error {
 public:
  DataError(const FileSpot& spot, std::string_view problem, std::string_view what_to_try = "");
  const FileSpot& spot() const { return spot_; }

 private:
  FileSpot spot_;
};

/// A file that cannot be opened, read, written or renamed: missing, read-only, disk full. Exit code 1.
class FileError : public Error {
 public:
  FileError(std::string_view file, std::string_view problem, std::string_view what_to_try = "");
};

/// The user asked to stop. Exit code 130.
class Cancelled : public Error {
 public:
  Cancelled() : Error("interrupted") {}
};

}  // namespace fogline
