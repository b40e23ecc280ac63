// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/error.hpp"
#include "io/limits.hpp"

namespace fogline::privacy {

/// How much a text may hold. At the end of each object the parser looks through the whole list around it: many of both would last.
struct JsonLimits {
  std::size_t values = io::format_limit::strict_values.most;  ///< objects and lists among them
  std::size_t objects = io::format_limit::strict_values.most;
};

/// Parses a text that others will read with other programs, and that must therefore mean one thing only:
/// besides bad syntax, nesting deeper than io::format_limit::strict_depth and more values than allowed, an object with the same field twice and a byte order mark are DataErrors. Keeps
/// the order of fields.
nlohmann::ordered_json parse_strict_json(std::string_view text, const FileSpot& spot,
                                         const JsonLimits& limits = {});

/// The fields of one object, taken one by one. A field that is missing or of the wrong type, and, at
/// finish(), a field nobody took, is a DataError that names it in full: "guarantee.epsilon".
///
///     StrictObject guarantee = statement.object("guarantee");
///     std::string unit = guarantee.text("unit");
///     guarantee.finish();
class StrictObject {
 public:
  StrictObject(const nlohmann::ordered_json& value, FileSpot spot, std::string name = "");

  const nlohmann::ordered_json& field(const std::string& name);
  StrictObject object(const std::string& name);
  const nlohmann::ordered_json& array(const std::string& name);
  std::string text(const std::string& name);
  std::uint64_t count(const std::string& name);  ///< a whole number from 0
  double number(const std::string& name);

  bool has(const std::string& name) const;
  void finish() const;
  std::string full_name(const std::string& name) const { return name_.empty() ? name : name_ + "." + name; }
  [[noreturn]] void fail(const std::string& name, std::string_view problem) const;
  const FileSpot& spot() const { return spot_; }

 private:
  const nlohmann::ordered_json& value_;
  FileSpot spot_;
  std::string name_;
  std::set<std::string> taken_;
};

}  // namespace fogline::privacy
