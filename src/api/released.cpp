// SPDX-License-Identifier: Apache-2.0
#include "fogline/released.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "io/csv.hpp"
#include "io/numbers.hpp"

namespace fogline {
namespace {

using Held = std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::string>>;

/// By its name in the files that Fogline writes (docs/formats.md): what is a name, such as that of a vertex, is a text even if it looks like a number.
Held column_called(std::string_view name) {
  constexpr auto whole = std::to_array<std::string_view>({"record", "step", "t"});
  constexpr auto numbers = std::to_array<std::string_view>(
      {"lon", "lat", "x_m", "y_m", "weight", "distance", "free_lon", "free_lat", "free_x_m", "free_y_m"});
  if (std::ranges::find(whole, name) != whole.end()) return std::vector<std::int64_t>{};
  if (std::ranges::find(numbers, name) != numbers.end()) return std::vector<double>{};
  return std::vector<std::string>{};
}

void append(Held& column, const io::CsvReader& csv, std::size_t number) {
  if (auto* texts = std::get_if<std::vector<std::string>>(&column)) {
    texts->emplace_back(csv.field(number));
  } else if (auto* numbers = std::get_if<std::vector<double>>(&column)) {
    numbers->push_back(csv.number_or_nan(number));
  } else {
    const auto value = io::parse_int64(csv.field(number));
    if (!value) csv.fail(number, "is no whole number");
    std::get<std::vector<std::int64_t>>(column).push_back(*value);
  }
}

}  // namespace

ColumnSet Released::columns() const {
  if (text.empty())
    throw InvalidOption("output", "went to a file or to a receiver: there is no text to read");
  if (text.starts_with('{')) throw InvalidOption("output", "is a document, and no table");
  io::TextSource source = io::TextSource::from_memory("the release", text);
  io::CsvReader csv(source, {});
  std::vector<Held> held;
  for (const std::string& name : csv.header()) held.push_back(column_called(name));
  while (csv.next())
    for (std::size_t i = 0; i < held.size(); ++i) append(held[i], csv, i);
  ColumnSet columns;
  for (std::size_t i = 0; i < held.size(); ++i)
    std::visit([&](auto& values) { columns.hold(csv.header()[i], std::move(values)); }, held[i]);
  return columns;
}

}  // namespace fogline
