// SPDX-License-Identifier: Apache-2.0
#include "columns.hpp"

#include <charconv>
#include <cmath>

#include "arrow.hpp"

namespace fogline::python {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

/// An array that keeps the set alive, whose values it shares.
template <class Value>
nb::object array_of(std::span<const Value> values, const std::shared_ptr<const ColumnSet>& set) {
  auto* owner = new std::shared_ptr<const ColumnSet>(set);
  const nb::capsule keeper(
      owner, [](void* held) noexcept { delete static_cast<std::shared_ptr<const ColumnSet>*>(held); });
  const std::size_t shape[] = {values.size()};
  // The set is ours alone, and nobody else reads it: whoever has the array may write into it.
  return nb::cast(
      nb::ndarray<nb::numpy, Value, nb::ndim<1>>(const_cast<Value*>(values.data()), 1, shape, keeper));
}

nb::object list_of(ColumnSet::Texts values) {
  nb::list texts;
  for (const std::string_view text : values) texts.append(nb::str(text.data(), text.size()));
  return texts;
}

template <class Number>
void append_number(std::string& line, Number value) {
  char digits[32];
  line.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

/// As RFC 4180 has it: quoted where it must be.
void append_text(std::string& line, std::string_view text) {
  if (text.find_first_of(",;\t\"\r\n") == std::string_view::npos) {
    line += text;
    return;
  }
  line += '"';
  for (const char letter : text) line.append(letter == '"' ? 2 : 1, letter);
  line += '"';
}

void append_fixed(std::string& line, double value, int digits_behind_point) {
  char digits[352];  // the largest double has 309 before the point
  const auto end =
      std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, digits_behind_point);
  line.append(digits, end.ptr);
}

void append_value(std::string& line, const ColumnSet::Column& column, std::size_t record,
                  int digits_of_degrees) {
  const ColumnSet::Values& values = column.values;
  const bool is_fixed = digits_of_degrees >= 0 && (column.name == "lon" || column.name == "lat");
  std::visit(Overloaded{[&](ColumnSet::Texts texts) { append_text(line, texts[record]); },
                        [&](ColumnSet::Integers numbers) { append_number(line, numbers[record]); },
                        [&](ColumnSet::Numbers numbers) {
                          if (!std::isfinite(numbers[record])) return;
                          if (is_fixed) return append_fixed(line, numbers[record], digits_of_degrees);
                          append_number(line, numbers[record]);
                        }},
             values);
}

}  // namespace

void Records::number(const std::string& name, NumberArray values) {
  columns_.borrow(name, ColumnSet::Numbers(values.data(), values.size()));
  numbers_.push_back(std::move(values));
}

void Records::integer(const std::string& name, IntegerArray values) {
  columns_.borrow(name, ColumnSet::Integers(values.data(), values.size()));
  integers_.push_back(std::move(values));
}

void Records::arrow(nb::object capsule) {
  ArrowColumns read = read_arrow_stream(capsule.ptr());
  streams_.push_back(std::move(read.held));
  for (const ArrowColumns::Column& column : read.columns) columns_.borrow(column.name, column.values);
}

std::vector<std::string> Records::names() const {
  std::vector<std::string> names;
  for (const ColumnSet::Column& column : columns_.columns()) names.push_back(column.name);
  return names;
}

std::uint64_t Records::address(const std::string& name) const {
  const ColumnSet::Column* column = columns_.find(name);
  if (column == nullptr) throw InvalidOption("columns", "have none of this name: " + name);
  return std::visit([](const auto& span) { return reinterpret_cast<std::uint64_t>(span.data()); },
                    column->values);
}

std::vector<std::string> Records::integers() const {
  std::vector<std::string> names;
  for (const ColumnSet::Column& column : columns_.columns())
    if (std::holds_alternative<ColumnSet::Integers>(column.values)) names.push_back(column.name);
  return names;
}

std::string Records::as_csv(int digits_of_degrees) const {
  std::string text;
  for (const auto& column : columns_.columns()) append_text(text += text.empty() ? "" : ",", column.name);
  text += '\n';
  for (std::size_t record = 0; record < columns_.records(); ++record) {
    const std::size_t begin = text.size();
    const char* between = "";
    for (const auto& column : columns_.columns()) {
      append_value(text += between, column, record, digits_of_degrees);
      between = ",";
    }
    if (text.size() == begin) text += "\"\"";  // an empty line would be no record
    text += '\n';
  }
  return text;
}

nb::bytes Records::csv(int digits_of_degrees) const {
  std::string written;
  {
    const nb::gil_scoped_release unlocked;
    written = as_csv(digits_of_degrees);
  }
  return nb::bytes(written.data(), written.size());
}

nb::dict to_python(const ColumnSet& columns) {
  const auto set = std::make_shared<const ColumnSet>(columns);  // shares what it holds
  nb::dict result;
  for (const ColumnSet::Column& column : set->columns())
    result[column.name.c_str()] =
        std::visit(Overloaded{[](ColumnSet::Texts texts) { return list_of(texts); },
                              [&](const auto& numbers) { return array_of(numbers, set); }},
                   column.values);
  return result;
}

}  // namespace fogline::python
