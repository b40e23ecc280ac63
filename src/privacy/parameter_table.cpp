// SPDX-License-Identifier: Apache-2.0
#include "privacy/parameter_table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace fogline::privacy {
namespace {

using Json = nlohmann::ordered_json;

// How each type is written, when it counts as empty, and how it is read.

Json written(const std::string& value) {
  return value;
}
Json written(bool value) {
  return value;
}
Json written(std::uint64_t value) {
  return value;
}
Json written(std::uint32_t value) {
  return value;
}
Json written(double value) {
  return value;
}
Json written(const std::vector<std::string>& value) {
  return value;
}
Json written(const Rational& value) {
  return value.to_string();
}
Json written(const Epsilon& value) {
  return value.value().to_string();
}
Json written(const EpsilonPerMetre& value) {
  return value.value().to_string();
}
Json written(const PublicInput& value) {
  return value.name;
}
template <class Value>
Json written(const std::optional<Value>& value) {
  return written(*value);
}

bool is_empty(const std::string& value) {
  return value.empty();
}
bool is_empty(bool value) {
  return !value;
}
bool is_empty(std::uint64_t value) {
  return value == 0;
}
bool is_empty(std::uint32_t value) {
  return value == 0;
}
bool is_empty(const std::vector<std::string>& value) {
  return value.empty();
}
template <class Value>
bool is_empty(const std::optional<Value>& value) {
  return !value.has_value();
}
template <class Value>
bool is_empty(const Value&) {  // numbers of which 0 is a value like any other
  return false;
}

void read(const std::string& name, const Json& given, std::string& target) {
  if (!given.is_string()) throw InvalidOption(name, "is not a text");
  target = given.get<std::string>();
}

void read(const std::string& name, const Json& given, bool& target) {
  if (!given.is_boolean()) throw InvalidOption(name, "is not a truth value");
  target = given.get<bool>();
}

void read(const std::string& name, const Json& given, std::uint64_t& target, const CountRange& range) {
  // A reader gives -0 as a signed number, and has no other sign for what is not negative.
  const bool is_count =
      given.is_number_unsigned() || (given.is_number_integer() && given.get<std::int64_t>() > 0);
  const std::uint64_t count = is_count ? given.get<std::uint64_t>() : 0;
  if (!is_count || count < range.least || count > range.most) {
    throw InvalidOption(name,
                        range.most == CountRange{}.most
                            ? fmt::format("is not a whole number from {}", range.least)
                            : fmt::format("is not a whole number from {} to {}", range.least, range.most));
  }
  target = count;
}

void read(const std::string& name, const Json& given, std::uint32_t& target, const CountRange& range) {
  std::uint64_t count = 0;
  read(name, given, count, range);
  target = static_cast<std::uint32_t>(count);
}

void read(const std::string& name, const Json& given, double& target) {
  if (!given.is_number() || !std::isfinite(given.get<double>())) throw InvalidOption(name, "is not a number");
  target = given.get<double>();
}

void read(const std::string& name, const Json& given, Rational& target) {
  std::string text;
  read(name, given, text);
  const auto value = Rational::parse(text);
  if (!value) throw InvalidOption(name, "is not a number");
  target = *value;
}

template <class AnyEpsilon>
void read_epsilon(const std::string& name, const Json& given, AnyEpsilon& target) {
  Rational value;
  read(name, given, value);
  try {
    target = AnyEpsilon(value);
  } catch (const InvalidOption&) {
    throw InvalidOption(name, "is no epsilon");
  }
}

void read(const std::string& name, const Json& given, Epsilon& target) {
  read_epsilon(name, given, target);
}

void read(const std::string& name, const Json& given, EpsilonPerMetre& target) {
  read_epsilon(name, given, target);
}

void read(const std::string& name, const Json& given, std::vector<std::string>& target) {
  if (!given.is_array()) throw InvalidOption(name, "is not a list");
  target.clear();
  for (const Json& item : given) read(name, item, target.emplace_back());
}

void read(const std::string& name, const Json& given, std::optional<std::uint64_t>& target) {
  read(name, given, target.emplace(), CountRange{});
}

void read(const std::string& name, const Json& given, std::optional<Epsilon>& target) {
  read(name, given, target.emplace(1, 1));
}

void read(const std::string& name, const Json& given, std::optional<PublicInput>& target) {
  read(name, given, target.emplace().name);
}

}  // namespace

ParameterTable::ParameterTable() : written_(std::make_unique<Json>(Json::object())) {}
ParameterTable::ParameterTable(ParameterTable&&) noexcept = default;
ParameterTable::~ParameterTable() = default;

ParameterTable ParameterTable::writing() {
  return {};
}

ParameterTable ParameterTable::reading(const Json& given) {
  if (!given.is_object()) throw InvalidOption("parameters", "are not an object");
  ParameterTable table;
  table.given_ = &given;
  return table;
}

ParameterTable ParameterTable::listing() {
  ParameterTable table;
  table.lists_ = true;
  return table;
}

bool ParameterTable::is_given(const std::string& name) const {
  return reads() && given_->contains(name);
}

ParameterTable& ParameterTable::when(bool holds) {
  is_there_ = holds;
  return *this;
}

void ParameterTable::refuse_word(const std::string& name) {
  throw InvalidOption(name, "is none of the words that it can be");
}

ParameterTable& ParameterTable::optional() {
  is_optional_ = true;
  return *this;
}

template <class Target, class... Range>
void ParameterTable::exchange(const std::string& name, Target& target, const std::string& meaning,
                              const Range&... range) {
  const bool is_there = std::exchange(is_there_, true), may_miss = std::exchange(is_optional_, false);
  if (lists_) {
    listed_.push_back({name, meaning});
  } else if (is_there && reads()) {
    const auto found = given_->find(name);
    if (found == given_->end() && may_miss) return;
    if (found == given_->end()) throw InvalidOption(name, "is missing");
    read(name, *found, target, range...);
    if (may_miss && is_empty(target)) throw InvalidOption(name, "is there, and says nothing");
  } else if (is_there && !(may_miss && is_empty(target))) {
    (*written_)[name] = written(target);
  }
}

void ParameterTable::value(const std::string& name, std::string& target, const std::string& meaning) {
  exchange(name, target, meaning);
}

void ParameterTable::value(const std::string& name, bool& target, const std::string& meaning) {
  exchange(name, target, meaning);
}

void ParameterTable::value(const std::string& name, std::uint64_t& target, const std::string& meaning,
                           const CountRange& range) {
  exchange(name, target, meaning, range);
}

void ParameterTable::value(const std::string& name, std::uint32_t& target, const std::string& meaning,
                           const CountRange& range) {
  exchange(name, target, meaning, range);
}

void ParameterTable::value(const std::string& name, double& target, const std::string& meaning) {
  exchange(name, target, meaning);
}

void ParameterTable::value(const std::string& name, Rational& target, const std::string& meaning) {
  exchange(name, target, meaning);
}

void ParameterTable::value(const std::string& name, Epsilon& target, const std::string& meaning) {
  exchange(name, target, meaning);
}

void ParameterTable::value(const std::string& name, EpsilonPerMetre& target, const std::string& meaning) {
  exchange(name, target, meaning);
}

void ParameterTable::value(const std::string& name, std::vector<std::string>& target,
                           const std::string& meaning) {
  exchange(name, target, meaning);
}

void ParameterTable::value(const std::string& name, std::optional<std::uint64_t>& target,
                           const std::string& meaning) {
  optional().exchange(name, target, meaning);
}

void ParameterTable::value(const std::string& name, std::optional<Epsilon>& target,
                           const std::string& meaning) {
  optional().exchange(name, target, meaning);
}

void ParameterTable::value(const std::string& name, std::optional<PublicInput>& target,
                           const std::string& meaning) {
  optional().exchange(name, target, meaning);
}

void ParameterTable::member(const std::string& name, Parameters& target, const std::string& meaning) {
  const bool is_there = std::exchange(is_there_, true);
  const bool is_listed = std::ranges::find(listed_, name, &Listed::name) != listed_.end();
  if (lists_ && is_listed) return;  // two mechanisms call something alike
  if (lists_) {
    listed_.push_back({name, meaning});
  } else if (is_there && reads()) {
    if (!given_->contains(name)) throw InvalidOption(name, "is missing");
    target[name] = given_->at(name);
  } else if (is_there && target.json().contains(name)) {
    (*written_)[name] = target.json().at(name);
  }
}

void ParameterTable::derived(const std::string& name, const std::function<Json()>& value,
                             const std::string& meaning) {
  const bool is_there = std::exchange(is_there_, true);
  if (lists_)
    listed_.push_back({name, meaning});
  else if (is_there && !reads())
    (*written_)[name] = value();
}

PublicInput InputFiles::next() {
  if (used_ == inputs_.size() || inputs_[used_].sha256.empty())
    throw InvalidOption("public_inputs", "lack a file that the parameters name");
  return inputs_[used_++];
}

void InputFiles::fill(std::optional<PublicInput>& named) {
  if (!named) return;
  PublicInput found = next();
  if (found.name != named->name) throw InvalidOption("public_inputs", "lack a file that the parameters name");
  named = std::move(found);
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
