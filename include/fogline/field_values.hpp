// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fogline {

/// Values for the fields of a request. Exact fractions, such as epsilon, are texts; counts and lengths are numbers.
/// A field may be set again, and the last value counts.
class FieldValues {
 public:
  FieldValues();
  ~FieldValues();
  FieldValues(FieldValues&&) noexcept;
  FieldValues& operator=(FieldValues&&) noexcept;

  void set(std::string_view field, std::string_view value);
  void set(std::string_view field, bool value);
  void set(std::string_view field, std::int64_t value);
  void set(std::string_view field, double value);
  void set(std::string_view field, const std::vector<std::string>& values);
  void set_json(std::string_view object);  ///< all fields of a JSON object. Throws InvalidOption

  struct Impl;
  const Impl& impl() const;  ///< for the library itself. Throws Error for values that were moved from

 private:
  Impl& changeable() const;
  std::unique_ptr<Impl> impl_;
};

/// For what has fields: each function sets, and gives the object back.
///
///     fogline::Analysis("place", "plan").set("network", "city:1").set("epsilon", "1/100").set("remap", true);
template <class Self>
class HasFields {
 public:
  Self& set(std::string_view field, std::string_view value) { return changed(field, value); }
  Self& set(std::string_view field, const char* value) { return changed(field, std::string_view(value)); }
  Self& set(std::string_view field, bool value) { return changed(field, value); }
  Self& set(std::string_view field, std::int64_t value) { return changed(field, value); }
  Self& set(std::string_view field, int value) { return changed(field, std::int64_t{value}); }
  Self& set(std::string_view field, double value) { return changed(field, value); }
  Self& set(std::string_view field, const std::vector<std::string>& values) { return changed(field, values); }
  Self& set_json(std::string_view object) {
    fields_.set_json(object);
    return static_cast<Self&>(*this);
  }

 protected:
  const FieldValues& fields() const { return fields_; }

 private:
  template <class Value>
  Self& changed(std::string_view field, const Value& value) {
    fields_.set(field, value);
    return static_cast<Self&>(*this);
  }
  FieldValues fields_;
};

}  // namespace fogline
