// SPDX-License-Identifier: Apache-2.0
#include "privacy/parameters.hpp"

#include <utility>

#include <nlohmann/json.hpp>

namespace fogline::privacy {

using Json = nlohmann::ordered_json;

Parameters::Parameters() : Parameters(Json::object()) {}
Parameters::Parameters(Json values) : values_(std::make_unique<Json>(std::move(values))) {}
Parameters::Parameters(const Parameters& other) : Parameters(other.json()) {}
Parameters::Parameters(Parameters&& other) noexcept = default;
Parameters& Parameters::operator=(Parameters&& other) noexcept = default;
Parameters::~Parameters() = default;

Parameters& Parameters::operator=(const Parameters& other) {
  return *this = Parameters(other);
}

Json& Parameters::operator[](const std::string& name) {
  return json()[name];
}

bool operator==(const Parameters& left, const Parameters& right) {
  return left.json() == right.json();
}

}  // namespace fogline::privacy
