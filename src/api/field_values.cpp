// SPDX-License-Identifier: Apache-2.0
#include "fogline/field_values.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "api/field_values_impl.hpp"
#include "base/error.hpp"

namespace fogline {

using Json = nlohmann::ordered_json;

FieldValues::FieldValues() : impl_(std::make_unique<Impl>()) {}
FieldValues::~FieldValues() = default;
FieldValues::FieldValues(FieldValues&&) noexcept = default;
FieldValues& FieldValues::operator=(FieldValues&&) noexcept = default;

FieldValues::Impl& FieldValues::changeable() const {
  if (!impl_) throw Error("this request was moved to another object");
  return *impl_;
}

const FieldValues::Impl& FieldValues::impl() const {
  return changeable();
}

void FieldValues::set(std::string_view field, std::string_view value) {
  changeable().values[std::string(field)] = std::string(value);
}
void FieldValues::set(std::string_view field, bool value) {
  changeable().values[std::string(field)] = value;
}
void FieldValues::set(std::string_view field, std::int64_t value) {
  changeable().values[std::string(field)] = value;
}
void FieldValues::set(std::string_view field, double value) {
  if (!std::isfinite(value)) throw InvalidOption(std::string(field), "must be a finite number");
  changeable().values[std::string(field)] = value;
}
void FieldValues::set(std::string_view field, const std::vector<std::string>& values) {
  changeable().values[std::string(field)] = values;
}

void FieldValues::set_json(std::string_view object) {
  const Json given = Json::parse(object, nullptr, false);
  if (!given.is_object()) throw InvalidOption("request", "must be a JSON object of fields and their values");
  changeable().values.json().update(given);
}

std::string api::schema_for_programs(Json schema) {
  schema["properties"].erase("ledger");  // handed over instead
  Json required = Json::array();         // records and output may be in memory
  for (const Json& name : schema["required"])
    if (name != "input" && name != "output") required.push_back(name);
  schema["required"] = std::move(required);
  return schema.dump(2);
}

}  // namespace fogline
