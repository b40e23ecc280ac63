// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace fogline::privacy {

/// The parameters of a statement: JSON, name -> value, in reading order. It behaves as the JSON value in it does.
///
///     Parameters parameters = nlohmann::ordered_json{{"range", "all vertices"}};
///     parameters["epsilon_per_metre"] = "0.01";
///     for (const auto& item : parameters.json().items()) print(item.key(), item.value());
///
/// Its header knows the JSON library by name only, for many sources handle statements and few look into them; those
/// include <nlohmann/json.hpp> themselves. One that was moved from may only be assigned to or destroyed.
class Parameters {
 public:
  Parameters();                               ///< none: an empty object
  Parameters(nlohmann::ordered_json values);  ///< implicit, as mechanisms say theirs in JSON
  Parameters(const Parameters& other);
  Parameters(Parameters&& other) noexcept;
  Parameters& operator=(const Parameters& other);
  Parameters& operator=(Parameters&& other) noexcept;
  ~Parameters();

  const nlohmann::ordered_json& json() const { return *values_; }
  nlohmann::ordered_json& json() { return *values_; }

  /// As the JSON library has it: makes a null of that name where there is none.
  nlohmann::ordered_json& operator[](const std::string& name);

  friend bool operator==(const Parameters& left, const Parameters& right);

 private:
  std::unique_ptr<nlohmann::ordered_json> values_;
};

}  // namespace fogline::privacy
