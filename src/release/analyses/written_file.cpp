// SPDX-License-Identifier: Apache-2.0
#include "release/analyses/written_file.hpp"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline::release {

void WrittenFile::declare(FieldTable& table, const std::string& help) {
  table.group("Output");
  table.value("output", "FILE", output, help).letter('o').role(FieldRole::output).required();
  table.flag("overwrite", overwrite, "replace an existing file");
}

void WrittenFile::declare_optional(FieldTable& table, const std::string& help) {
  table.group("Output");
  table.value("output", "FILE", output, help).letter('o').role(FieldRole::output);
  table.flag("overwrite", overwrite, "replace an existing file");
}

void WrittenFile::require_ending(std::string_view ending) const {
  if (!is_standard_output() && !output.ends_with(ending))
    throw InvalidOption("output", fmt::format("must end in {}, or be -", ending));
}

io::OutputFile WrittenFile::open() const {
  return io::OutputFile(output, {.overwrite = overwrite});
}

void require_other_file(const std::string& output, const std::vector<std::string>& inputs) {
  std::error_code unknown;  // a file that is not there is no input
  for (const std::string& input : inputs)
    if (output != "-" && input != "-" && std::filesystem::equivalent(output, input, unknown))
      throw InvalidOption("output", "would replace the file that is read; write to another one");
}

}  // namespace fogline::release
