// SPDX-License-Identifier: Apache-2.0
#include "privacy/parameter_fields.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace fogline::privacy {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& parameters, const std::string& name) {
  const auto found = parameters.find(name);
  if (found == parameters.end()) throw InvalidOption(name, "is missing");
  if (!found->is_string()) throw InvalidOption(name, "is not a text");
  return found->get<std::string>();
}

bool truth_of(const Json& parameters, const std::string& name) {
  const auto found = parameters.find(name);
  if (found == parameters.end()) return false;
  if (!found->is_boolean()) throw InvalidOption(name, "is not a truth value");
  return found->get<bool>();
}

std::uint64_t count_of(const Json& parameters, const std::string& name) {
  const auto found = parameters.find(name);
  if (found == parameters.end()) throw InvalidOption(name, "is missing");
  if (!found->is_number_unsigned()) throw InvalidOption(name, "is not a whole number from 0");
  return found->get<std::uint64_t>();
}

Rational fraction_of(const Json& parameters, const std::string& name) {
  const auto value = Rational::parse(text_of(parameters, name));
  if (!value) throw InvalidOption(name, "is not a number");
  return *value;
}

PublicInput InputFiles::next() {
  if (used_ == inputs_.size() || inputs_[used_].sha256.empty())
    throw InvalidOption("public_inputs", "lack a file that the parameters name");
  return inputs_[used_++];
}

void InputFiles::require_all_used() const {
  if (used_ != inputs_.size()) throw InvalidOption("public_inputs", "hold a file too many");
}

void require_spelling(const Json& given, const Json& again) {
  for (const auto& item : given.items()) {
    if (!again.contains(item.key())) throw InvalidOption(item.key(), "is no parameter of this release");
    if (again[item.key()].dump() != item.value().dump())
      throw InvalidOption(item.key(), fmt::format("is not written as {}", again[item.key()].dump()));
  }
  if (again.size() != given.size()) throw InvalidOption("parameters", "lack one that belongs to them");
}

}  // namespace fogline::privacy
