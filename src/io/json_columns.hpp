// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace fogline::io {

/// The fields of a JSON object made of numbers, texts, flat arrays of either, and objects of these: long arrays go straight into columns,
/// without a tree of JSON values between.
///
///     JsonColumns fields(source.read_all(), source.name());
///     double side_m = fields.number("grid.cell_m");              // a field of the object "grid"
///     std::vector<double> p = fields.take_numbers("transitions.probability");
///     fields.require_all_used();                                 // a field that nobody asked for is a mistake
///
/// DataError, with the line for bad syntax and the field's name for the rest: what is not JSON, a field given twice, missing or of another
/// type, nested so deep that the names in its path come to over 500 bytes, arrays in arrays, an array of numbers and texts, true, false or null. Numbers are doubles: whole ones are exact up to 2^53.
/// Cost: one pass; 8 bytes a number; some 5 million numbers a second.
class JsonColumns {
 public:
  JsonColumns(std::string_view text, std::string file);

  bool has(std::string_view field) const { return fields_.contains(field); }  ///< also true for an object
  bool is_text(std::string_view field) const;
  double number(std::string_view field);
  double whole_number(std::string_view field, double most);  ///< from 0 to `most`, at most 2^53
  std::string text(std::string_view field);
  std::vector<double> take_numbers(std::string_view field);
  std::vector<std::string> take_texts(std::string_view field);
  void require_all_used() const;

  [[noreturn]] void fail(std::string_view field, std::string_view problem,
                         std::string_view what_to_try = "") const;

 private:
  friend class JsonColumnFiller;
  enum class Kind { number, text, numbers, texts, empty_array, object };
  struct Field {
    Kind kind = Kind::object;
    std::vector<double> numbers = {};
    std::vector<std::string> texts = {};
    bool used = false;
  };
  Field& use(std::string_view field);

  std::string file_;
  std::map<std::string, Field, std::less<>> fields_;
};

}  // namespace fogline::io
