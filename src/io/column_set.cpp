// SPDX-License-Identifier: Apache-2.0
#include "fogline/column_set.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace fogline {
namespace {

std::size_t length_of(const ColumnSet::Values& values) {
  return std::visit([](const auto& span) { return span.size(); }, values);
}

/// As in a file: what comes after a NUL byte, another program may not see.
bool has_nul(const ColumnSet::Values& values) {
  const auto* texts = std::get_if<ColumnSet::Texts>(&values);
  return texts != nullptr && std::ranges::any_of(*texts, [](std::string_view text) {
           return text.find('\0') != std::string_view::npos;
         });
}

}  // namespace

ColumnSet& ColumnSet::add(Column column) {
  if (column.name.empty()) throw InvalidOption("columns", "must each have a name");
  if (find(column.name) != nullptr) throw InvalidOption("columns", "must have different names");
  if (!columns_.empty() && length_of(column.values) != records_)
    throw InvalidOption("columns", "must have the same length");
  if (has_nul(column.values)) throw InvalidOption("columns", "must not hold NUL bytes");
  records_ = length_of(column.values);
  columns_.push_back(std::move(column));
  return *this;
}

ColumnSet& ColumnSet::borrow(std::string name, Values values) {
  return add({.name = std::move(name), .values = values});
}

ColumnSet& ColumnSet::hold(std::string name, std::vector<double> values) {
  const auto owner = std::make_shared<const std::vector<double>>(std::move(values));
  return add({.name = std::move(name), .values = Numbers(*owner), .owner = owner});
}

ColumnSet& ColumnSet::hold(std::string name, std::vector<std::int64_t> values) {
  const auto owner = std::make_shared<const std::vector<std::int64_t>>(std::move(values));
  return add({.name = std::move(name), .values = Integers(*owner), .owner = owner});
}

ColumnSet& ColumnSet::hold(std::string name, std::vector<std::string> values) {
  struct Held {
    std::vector<std::string> text;
    std::vector<std::string_view> view;
  };
  const auto owner = std::make_shared<Held>();
  owner->text = std::move(values);
  owner->view.assign(owner->text.begin(), owner->text.end());
  return add({.name = std::move(name), .values = Texts(owner->view), .owner = owner});
}

const ColumnSet::Column* ColumnSet::find(std::string_view name) const {
  const auto found = std::ranges::find(columns_, name, &Column::name);
  return found == columns_.end() ? nullptr : &*found;
}

template <class Type>
Type ColumnSet::values(std::string_view name) const {
  const Column* column = find(name);
  if (column == nullptr) throw InvalidOption("columns", "have none of this name: " + std::string(name));
  if (const Type* found = std::get_if<Type>(&column->values)) return *found;
  throw InvalidOption("columns", "hold values of another type: " + std::string(name));
}

template ColumnSet::Numbers ColumnSet::values(std::string_view) const;
template ColumnSet::Integers ColumnSet::values(std::string_view) const;
template ColumnSet::Texts ColumnSet::values(std::string_view) const;

}  // namespace fogline
