// SPDX-License-Identifier: Apache-2.0
#include "privacy/publication.hpp"

#include <filesystem>

#include "base/error.hpp"

namespace fogline::privacy {
namespace {

std::string statement_name_for(const Publication::Options& options) {
  if (!options.statement.empty()) return options.statement;
  if (options.output == "-") throw InvalidOption("--statement", "is needed when the output is -");
  return statement_path(options.output);
}

}  // namespace

Publication::Publication(const Options& options)
    : output_(options.output, {.overwrite = options.overwrite}),
      statement_(statement_name_for(options), {.overwrite = options.overwrite}) {}

void Publication::write(std::string_view text) {
  hash_.add(text);
  output_.write(text);
}

void Publication::publish(Statement statement, std::uint64_t records) {
  const std::string name =
      output_.name() == "-" ? "-" : std::filesystem::path(output_.name()).filename().string();
  statement.outputs = {{name, hash_.hex(), records}};
  statement_.write(to_json(statement));
  // Both are on the disk before either appears, so that a full disk leaves neither.
  output_.sync();
  statement_.sync();
  statement_.commit();
  output_.commit();
}

}  // namespace fogline::privacy
