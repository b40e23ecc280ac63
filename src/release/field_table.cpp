// SPDX-License-Identifier: Apache-2.0
#include "release/field_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "base/rational.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const Field& field, std::string_view wrong) {
  throw InvalidOption(field.name, wrong, allowed(field));
}

std::string text_of(const Field& field, const Json& given) {
  if (given.is_string()) return given.get<std::string>();
  if (given.is_number()) return given.dump();
  refuse(field, "must be a text or a number");
}

void set(const Field& field, bool& target, const Json& given) {
  if (!given.is_boolean()) refuse(field, "must be true or false");
  target = given.get<bool>();
}

void set(const Field& field, std::string& target, const Json& given) {
  target = text_of(field, given);
  if (target.empty()) refuse(field, "must not be empty; leave it out instead");
}

void set(const Field& field, std::vector<std::string>& target, const Json& given) {
  if (!given.is_array()) refuse(field, "must be a list");
  target.clear();
  for (const Json& item : given) target.push_back(text_of(field, item));
}

void set(const Field& field, std::uint64_t& target, const Json& given) {
  if (!given.is_number_integer() || (!given.is_number_unsigned() && given.get<std::int64_t>() < 0))
    refuse(field, "must be a whole number from 0 to 18446744073709551615");
  target = given.get<std::uint64_t>();
}

void set(const Field& field, int& target, const Json& given) {
  constexpr std::int64_t least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
  const auto fits = [&] {
    if (given.is_number_unsigned()) return given.get<std::uint64_t>() <= static_cast<std::uint64_t>(most);
    return given.is_number_integer() && given.get<std::int64_t>() >= least &&
           given.get<std::int64_t>() <= most;
  };
  if (!fits()) refuse(field, fmt::format("must be a whole number from {} to {}", least, most));
  target = given.get<int>();
}

void set(const Field& field, double& target, const Json& given) {
  if (!given.is_number() || !std::isfinite(given.get<double>())) refuse(field, "must be a number");
  target = given.get<double>();
}

void require_allowed(const Field& field, const Json& given) {
  if (field.nonzero && given.is_number() && given.get<double>() == 0) refuse(field, "must be above 0");
  if (field.choices.empty()) return;
  if (std::ranges::find(field.choices, text_of(field, given)) == field.choices.end())
    refuse(field, fmt::format("must be one of {}", fmt::join(field.choices, ", ")));
}

std::string grouped_digits(const std::string& text) {
  const bool is_whole = text.find_first_not_of("0123456789") == std::string::npos;
  return is_whole && text.size() > 4 ? grouped(std::stoull(text)) : text;
}

// What a schema says of each type of target, and of the value that it holds before anything is given.
Json type_of(const bool& held) {
  return {{"type", "boolean"}, {"default", held}};
}

Json type_of(const std::string& held) {
  Json type{{"type", Json::array({"string", "number"})}, {"minLength", 1}};
  if (!held.empty()) type["default"] = held;
  return type;
}

Json type_of(const std::vector<std::string>&) {
  return {{"type", "array"}, {"items", {{"type", Json::array({"string", "number"})}}}};
}

Json type_of(const std::uint64_t& held) {
  Json type{{"type", "integer"}, {"minimum", 0}};
  // 0 and the largest number stand for "not given" where they are no values.
  if (held != 0 && held != std::numeric_limits<std::uint64_t>::max()) type["default"] = held;
  return type;
}

Json type_of(const int& held) {
  return {{"type", "integer"}, {"default", held}};
}

Json type_of(const double& held) {
  Json type{{"type", "number"}};
  if (held != 0) type["default"] = held;
  return type;
}

[[noreturn]] void refuse_out_of_range(const Field& field) {
  const bool is_fraction = std::holds_alternative<std::string*>(field.target);
  refuse(field, fmt::format("must be a number {}{}", to_string(field.range),
                            is_fraction ? ", written like 0.01 or 1/100" : ""));
}

// What each type of target may hold, if nothing narrower is declared.
std::string allowed_in(const bool&) {
  return "true or false";
}
std::string allowed_in(const std::string&) {
  return "a text";
}
std::string allowed_in(const std::vector<std::string>&) {
  return "a list of texts";
}
std::string allowed_in(const std::uint64_t&) {
  return "a whole number from 0 to 18446744073709551615";
}
std::string allowed_in(const int&) {
  return fmt::format("a whole number from {} to {}", std::numeric_limits<int>::min(),
                     std::numeric_limits<int>::max());
}
std::string allowed_in(const double&) {
  return "a number";
}

template <class Number>
bool lies_in(const FieldRange& range, const Number& value, Number (*read)(const Rational&)) {
  const Number least = read(Rational::parse(range.least).value());
  if (range.is_above ? !(value > least) : !(value >= least)) return false;
  if (range.most.empty()) return true;
  const Number most = read(Rational::parse(range.most).value());
  return range.is_below ? value < most : value <= most;
}

// Whether what a field holds lies in its range, or was not given. Texts are exact fractions, and compared as such.
bool lies_in(const Field& field, const std::string& held) {
  if (held.empty()) return true;
  const auto value = Rational::parse(held);
  return value && lies_in<Rational>(field.range, *value, [](const Rational& end) { return end; });
}
bool lies_in(const Field& field, const double& held) {
  return (field.nonzero && held == 0) ||
         lies_in<double>(field.range, held, [](const Rational& end) { return end.to_double(); });
}
bool lies_in(const Field& field, const std::uint64_t& held) {
  return (field.nonzero && held == 0) ||
         lies_in<Rational>(field.range, Rational(held), [](const Rational& end) { return end; });
}
bool lies_in(const Field& field, const int& held) {
  return lies_in(field, static_cast<double>(held));
}
bool lies_in(const Field& /*field*/, const bool& /*held*/) {
  return true;
}
bool lies_in(const Field& /*field*/, const std::vector<std::string>& /*held*/) {
  return true;
}

std::string_view to_string(FieldRole role) {
  switch (role) {
    case FieldRole::public_input:
      return "public input";
    case FieldRole::private_input:
      return "private input";
    case FieldRole::output:
      return "output";
    case FieldRole::setting:
      break;
  }
  return "setting";
}

}  // namespace

std::string to_string(const FieldRange& range) {
  if (range.least.empty()) return "";
  const std::string least = grouped_digits(range.least), most = grouped_digits(range.most);
  if (range.most.empty()) return fmt::format("{} {}", range.is_above ? "above" : "from", least);
  if (range.is_above && range.is_below) return fmt::format("above {} and below {}", least, most);
  if (range.is_above) return fmt::format("above {} and at most {}", least, most);
  if (range.is_below) return fmt::format("from {}, below {}", least, most);
  return fmt::format("from {} to {}", least, most);
}

std::string allowed(const Field& field) {
  if (!field.choices.empty()) return fmt::format("one of {}", fmt::join(field.choices, ", "));
  std::string text = std::visit([](const auto* target) { return allowed_in(*target); }, field.target);
  if (const std::string range = to_string(field.range); !range.empty())
    text = fmt::format("a number {}", range);
  else if (field.nonzero)
    text = "a number above 0";
  return field.unit.empty() ? text : fmt::format("{}, in {}", text, field.unit);
}

InvalidOption with_allowed(const InvalidOption& error, const FieldTable& table) {
  const Field* field = table.find(error.option());
  if (field == nullptr || !error.problem().allowed.empty()) return error;
  return {error.option(), error.problem().wrong, allowed(*field)};
}

FieldTable::Refine& FieldTable::Refine::required() {
  table_.fields_.back().required = true;
  return *this;
}

FieldTable::Refine& FieldTable::Refine::required_unless(std::string other) {
  table_.fields_.back().unless = std::move(other);
  return required();
}

FieldTable::Refine& FieldTable::Refine::choices(std::vector<std::string> allowed) {
  table_.fields_.back().choices = std::move(allowed);
  return *this;
}

FieldTable::Refine& FieldTable::Refine::nonzero() {
  table_.fields_.back().nonzero = true;
  return *this;
}

FieldTable::Refine& FieldTable::Refine::rare() {
  table_.fields_.back().rare = true;
  return *this;
}

FieldTable::Refine& FieldTable::Refine::range(std::string least, std::string most) {
  table_.fields_.back().range = {.least = std::move(least), .most = std::move(most)};
  return *this;
}

FieldTable::Refine& FieldTable::Refine::above(std::string least, std::string most) {
  range(std::move(least), std::move(most));
  table_.fields_.back().range.is_above = true;
  return *this;
}

FieldTable::Refine& FieldTable::Refine::below(std::string least, std::string most) {
  range(std::move(least), std::move(most));
  table_.fields_.back().range.is_below = true;
  return *this;
}

FieldTable::Refine& FieldTable::Refine::between(std::string least, std::string most) {
  above(std::move(least), std::move(most));
  table_.fields_.back().range.is_below = true;
  return *this;
}

FieldTable::Refine& FieldTable::Refine::otherwise(const std::string& value) {
  Field& field = table_.fields_.back();
  field.otherwise = value;
  field.help += fmt::format(" ({})", value);
  return *this;
}

FieldTable::Refine& FieldTable::Refine::unit(std::string symbol) {
  table_.fields_.back().unit = std::move(symbol);
  return *this;
}

FieldTable::Refine& FieldTable::Refine::letter(char letter) {
  table_.fields_.back().letter = letter;
  return *this;
}

FieldTable::Refine& FieldTable::Refine::role(FieldRole role) {
  table_.fields_.back().role = role;
  return *this;
}

FieldTable::Refine& FieldTable::Refine::stated(const std::string& parameter) {
  table_.fields_.back().stated.push_back(parameter);
  return *this;
}

FieldTable::Refine FieldTable::add(Field field) {
  field.group = field.positional ? "Arguments" : group_;
  fields_.push_back(std::move(field));
  return Refine(*this);
}

FieldTable::Refine FieldTable::flag(const std::string& name, bool& target, const std::string& help) {
  return add({.name = name, .help = help, .target = &target});
}

FieldTable::Refine FieldTable::value(const std::string& name, const std::string& value, std::string& target,
                                     const std::string& help) {
  return add({.name = name, .value = value, .help = help, .target = &target});
}

FieldTable::Refine FieldTable::value(const std::string& name, const std::string& value,
                                     std::vector<std::string>& target, const std::string& help) {
  return add({.name = name, .value = value, .help = help, .target = &target});
}

FieldTable::Refine FieldTable::value(const std::string& name, const std::string& value, std::uint64_t& target,
                                     const std::string& help) {
  return add({.name = name, .value = value, .help = help, .target = &target});
}

FieldTable::Refine FieldTable::value(const std::string& name, const std::string& value, int& target,
                                     const std::string& help) {
  return add({.name = name, .value = value, .help = help, .target = &target});
}

FieldTable::Refine FieldTable::value(const std::string& name, const std::string& value, double& target,
                                     const std::string& help) {
  return add({.name = name, .value = value, .help = help, .target = &target});
}

FieldTable::Refine FieldTable::positional(const std::string& name, const std::string& value,
                                          std::string& target, const std::string& help) {
  return add({.name = name, .value = value, .help = help, .positional = true, .target = &target});
}

FieldTable::Refine FieldTable::positional(const std::string& name, const std::string& value,
                                          std::vector<std::string>& target, const std::string& help) {
  return add({.name = name, .value = value, .help = help, .positional = true, .target = &target});
}

const Field* FieldTable::find(std::string_view name) const {
  const auto found = std::ranges::find(fields_, name, &Field::name);
  return found == fields_.end() ? nullptr : &*found;
}

void set_fields(const FieldTable& table, const Json& request,
                std::initializer_list<std::string_view> given_otherwise) {
  if (!request.is_object()) throw InvalidOption("request", "must be an object of fields and their values");
  for (const auto& [name, given] : request.items()) {
    const Field* field = table.find(name);
    if (field == nullptr) throw InvalidOption(name, "is not a field of this request");
    require_allowed(*field, given);
    std::visit([&](auto* target) { set(*field, *target, given); }, field->target);
  }
  for (const Field& field : table.fields()) {
    const bool may_be_missing =
        !field.required || std::ranges::find(given_otherwise, field.name) != given_otherwise.end();
    if (may_be_missing || request.contains(field.name)) continue;
    if (table.find(field.unless) == nullptr) refuse(field, "is needed");
    if (!request.contains(field.unless)) refuse(field, fmt::format("is needed, or `{}`", field.unless));
  }
}

void require_in_range(const FieldTable& table) {
  for (const Field& field : table.fields()) {
    if (field.range.least.empty()) continue;
    const bool is_in = std::visit([&](const auto* held) { return lies_in(field, *held); }, field.target);
    if (!is_in) refuse_out_of_range(field);
  }
}

Json schema(const FieldTable& table, const std::string& kind, const std::string& verb) {
  Json properties = Json::object(), required = Json::array(), alternatives = Json::array();
  for (const Field& field : table.fields()) {
    Json property = std::visit([](const auto* target) { return type_of(*target); }, field.target);
    const bool is_text = std::holds_alternative<std::string*>(field.target);
    if (!field.otherwise.empty())
      property["default"] = is_text ? Json(field.otherwise) : Json::parse(field.otherwise);
    property["description"] = field.help;
    if (!field.choices.empty()) {
      property["type"] = "string";
      property["enum"] = field.choices;
    }
    if (field.nonzero) property["exclusiveMinimum"] = 0;
    const auto bound = [&](const std::string& text, const char* name) {
      const bool is_whole = text.find_first_not_of("0123456789") == std::string::npos;
      if (!text.empty())
        property[name] = is_whole ? Json(std::stoull(text)) : Json(Rational::parse(text)->to_double());
    };
    bound(field.range.least, field.range.is_above ? "exclusiveMinimum" : "minimum");
    bound(field.range.most, field.range.is_below ? "exclusiveMaximum" : "maximum");
    if (!field.unit.empty()) property["x-unit"] = field.unit;
    if (field.positional) property["x-positional"] = true;
    if (field.role != FieldRole::setting) property["x-role"] = to_string(field.role);
    if (!field.stated.empty()) property["x-stated"] = field.stated;
    properties[field.name] = std::move(property);
    const bool has_other = table.find(field.unless) != nullptr;
    if (field.required && !has_other) required.push_back(field.name);
    if (has_other)
      alternatives.push_back({{"anyOf", {{{"required", {field.name}}}, {{"required", {field.unless}}}}}});
  }
  Json result{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
              {"title", kind.empty() ? verb : fmt::format("{} {}", kind, verb)},
              {"type", "object"},
              {"properties", std::move(properties)},
              {"required", std::move(required)},
              {"additionalProperties", false}};
  if (!alternatives.empty()) result["allOf"] = std::move(alternatives);
  for (const auto& parameter : table.parameters()) result["x-parameters"][parameter.name] = parameter.meaning;
  return result;
}

void copy_fields(const FieldTable& from, const FieldTable& to) {
  for (const Field& field : to.fields()) {
    const Field* given = from.find(field.name);
    if (given == nullptr) continue;
    std::visit(
        [&](auto* source, auto* target) {
          if constexpr (std::is_same_v<decltype(source), decltype(target)>)
            *target = *source;
          else
            throw Error("two requests hold '" + field.name + "' in different types");
        },
        given->target, field.target);
  }
}

}  // namespace fogline::release
