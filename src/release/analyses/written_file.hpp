// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/output_file.hpp"
#include "release/field_table.hpp"

namespace fogline::release {

/// `output` and `overwrite` of an analysis whose answer is a file: a model, a picture, a report.
///
///     file_.declare(table, "SVG file; - for standard output");
///     ...
///     file_.require_ending(".svg");
///     io::OutputFile out = file_.open();      // before what takes long: hours are not thrown away for a file that exists
///     out.write(text);
///     out.commit();
struct WrittenFile {
  std::string output;  ///< "-": standard output
  bool overwrite = false;

  void declare(FieldTable& table, const std::string& help);
  void declare_optional(FieldTable& table, const std::string& help);  ///< `output` may be left out

  void require_ending(std::string_view ending) const;  ///< or "-"; throws InvalidOption
  io::OutputFile open() const;                         ///< throws FileError
  bool is_standard_output() const { return output == "-"; }
};

/// Throws InvalidOption if an output would replace one of the inputs, under whatever name; "-" replaces nothing.
void require_other_file(const std::string& output, const std::vector<std::string>& inputs);

}  // namespace fogline::release
