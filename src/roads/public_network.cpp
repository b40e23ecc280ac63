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

/// One of the words of a table.
template <class Value, std::size_t count>
void word_in(const std::array<Named<Value>, count>& words, Value& value, const std::string& name,
             const std::string& meaning, privacy::ParameterTable& table) {
  std::string text(std::ranges::find(words, value, &Named<Value>::value)->name);
  table.value(name, text, meaning);
  const auto found = std::ranges::find(words, text, &Named<Value>::name);
  if (found == words.end()) throw InvalidOption(name, "is none of the values it can have");
  value = found->value;
}

double length_unit_from(const std::string& text) {
  const auto metres = io::parse_double(text);
  if (!metres || !(*metres > 0 && *metres <= 1e6))
    throw InvalidOption("network_length_unit_m", "is not a number above 0 and at most 1,000,000");
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
  const nlohmann::ordered_json read_with = privacy::parameters_of(*this);
  for (const auto& item : read_with.items())
    text += item.key() + "=" + item.value().get<std::string>() + "\n";
  return fmt::format("{} {}", shortened(inputs.front().name), privacy::sha256_of_text(text).substr(0, 8));
}

void PublicNetwork::declare(privacy::ParameterTable& table) {
  word_in(modes, reading.mode, "network_mode", "which roads of the map were read", table);
  word_in(details, reading.detail, "network_detail", "how finely", table);
  word_in(components, reading.largest_component, "network_components", "which of its pieces", table);
  // The text takes part in the network's identity, so one number has one text: require_spelling sees to it.
  std::string unit = fmt::format("{}", reading.length_unit_m);
  table.value("network_length_unit_m", unit, "what one unit of a file's lengths is, in metres");
  if (table.reads()) reading.length_unit_m = length_unit_from(unit);
}

}  // namespace fogline::roads
