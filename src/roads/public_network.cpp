// SPDX-License-Identifier: Apache-2.0
#include "roads/public_network.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "io/numbers.hpp"
#include "privacy/file_hash.hpp"

namespace fogline::roads {
namespace {

constexpr std::size_t longest_name = 60;

template <class Value>
struct Named {
  Value value;
  std::string_view name;
};

constexpr auto modes = std::to_array<Named<TravelMode>>(
    {{TravelMode::drivable, "drivable"}, {TravelMode::walkable, "walkable"}, {TravelMode::all, "all"}});
constexpr auto details =
    std::to_array<Named<Detail>>({{Detail::junctions, "junctions"}, {Detail::shape_points, "shape points"}});
constexpr auto components = std::to_array<Named<bool>>({{true, "largest"}, {false, "all"}});

template <class Value, std::size_t count>
std::string name_in(const std::array<Named<Value>, count>& table, Value value) {
  return std::string(std::ranges::find(table, value, &Named<Value>::value)->name);
}

std::string text_of(const nlohmann::ordered_json& parameters, const std::string& name) {
  const auto found = parameters.find(name);
  if (found == parameters.end()) throw InvalidOption(name, "is missing");
  if (!found->is_string()) throw InvalidOption(name, "is not a text");
  return found->get<std::string>();
}

template <class Value, std::size_t count>
Value value_in(const std::array<Named<Value>, count>& table, const nlohmann::ordered_json& parameters,
               const std::string& name) {
  const auto found = std::ranges::find(table, text_of(parameters, name), &Named<Value>::name);
  if (found == table.end()) throw InvalidOption(name, "is none of the values it can have");
  return found->value;
}

double length_unit_from(const nlohmann::ordered_json& parameters) {
  const std::string name = "network_length_unit_m";
  const std::string text = text_of(parameters, name);
  const auto metres = io::parse_double(text);
  if (!metres || !(*metres > 0 && *metres <= 1e6)) {
    throw InvalidOption(name, "is not a number above 0 and at most 1,000,000");
  }
  // The text takes part in the network's identity, so one number must have one text.
  if (fmt::format("{}", *metres) != text) throw InvalidOption(name, "is not written in its shortest form");
  return *metres;
}

/// At most 60 bytes, without half a character at the end.
std::string shortened(const std::string& name) {
  std::size_t end = std::min(name.size(), longest_name);
  while (end > 0 && end < name.size() && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;
  return name.substr(0, end);
}

}  // namespace

std::string PublicNetwork::identity() const {
  if (inputs.empty()) throw InvalidOption("public_inputs", "name no network");
  if (inputs.front().sha256.empty()) return inputs.front().specification;
  std::string text;
  for (const auto& input : inputs) text += input.sha256 + "\n";
  for (const auto& [name, value] : parameters()) text += name + "=" + value + "\n";
  return fmt::format("{} {}", shortened(inputs.front().name), privacy::sha256_of_text(text).substr(0, 8));
}

std::vector<std::pair<std::string, std::string>> PublicNetwork::parameters() const {
  return {{"network_mode", name_in(modes, reading.mode)},
          {"network_detail", name_in(details, reading.detail)},
          {"network_components", name_in(components, reading.largest_component)},
          {"network_length_unit_m", fmt::format("{}", reading.length_unit_m)}};
}

ReadOptions reading_from(const nlohmann::ordered_json& parameters) {
  ReadOptions reading;
  reading.mode = value_in(modes, parameters, "network_mode");
  reading.detail = value_in(details, parameters, "network_detail");
  reading.largest_component = value_in(components, parameters, "network_components");
  reading.length_unit_m = length_unit_from(parameters);
  return reading;
}

}  // namespace fogline::roads
