// SPDX-License-Identifier: Apache-2.0
#include "path/public_path_file.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sodium.h>

#include "base/error.hpp"
#include "io/input_file.hpp"
#include "privacy/plain_text.hpp"
#include "privacy/strict_json.hpp"

namespace fogline::path {
namespace {

using Json = nlohmann::ordered_json;
using privacy::StrictObject;

constexpr std::size_t most_file_vertices = 10'000;

std::size_t pair_count(std::size_t stops) {
  return stops * (stops - 1) / 2;
}

bool is_name(const std::string& name) {
  return !name.empty() && name.size() <= 200 && privacy::is_plain_text(name);
}

/// Calls visit(a, b) for the pairs in the order of the file.
template <class Visit>
void for_each_pair(std::size_t stops, const Visit& visit) {
  for (StopId a = 0; a < stops; ++a)
    for (StopId b = a + 1; b < stops; ++b) visit(a, b);
}

graph::BitGraph unpacked(const std::string& text, std::size_t stops, const StrictObject& object) {
  const std::size_t pairs = pair_count(stops);
  std::string bytes((pairs + 7) / 8 + 3, '\0');
  std::size_t length = 0;
  const char* end = nullptr;
  if (sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(),
                        text.size(), nullptr, &length, &end, sodium_base64_VARIANT_ORIGINAL) != 0 ||
      end != text.data() + text.size())
    object.fail("candidates", "is not base64");
  if (length != (pairs + 7) / 8) object.fail("candidates", "does not have one bit for each pair of stops");
  graph::BitGraph graph(stops);
  std::size_t bit = 0;
  const auto is_set = [&](std::size_t at) {
    return (static_cast<unsigned char>(bytes[at / 8]) >> (7 - at % 8) & 1) != 0;
  };
  for_each_pair(stops, [&](StopId a, StopId b) {
    if (is_set(bit++)) graph.join(a, b);
  });
  for (; bit < length * 8; ++bit)
    if (is_set(bit)) object.fail("candidates", "has bits set beyond the last pair");
  return graph;
}

std::vector<std::string> names_from(StrictObject& object) {
  std::vector<std::string> names;
  for (const Json& one : object.array("vertices")) {
    if (!one.is_string() || !is_name(one.get_ref<const std::string&>()))
      object.fail("vertices", "must be names of 1 to 200 bytes of UTF-8 without control characters");
    names.push_back(one.get<std::string>());
    if (names.size() > 1 && !name_before(names[names.size() - 2], names.back()))
      object.fail("vertices", "must be distinct and in order: numbers by value, then words");
  }
  if (names.size() < 2 || names.size() > most_file_vertices) object.fail("vertices", "must be 2 to 10,000");
  return names;
}

Stops stops_from(StrictObject& object, std::size_t vertices) {
  const std::string digits = object.text("stops");
  std::vector<std::uint32_t> counts;
  for (const char digit : digits) {
    if (digit < '1' || digit > '8') object.fail("stops", "must be a digit from 1 to 8 for each vertex");
    counts.push_back(static_cast<std::uint32_t>(digit - '0'));
  }
  if (counts.size() != vertices) object.fail("stops", "must have a digit for each vertex");
  try {
    return Stops(std::move(counts));
  } catch (const InvalidOption&) {
    object.fail("stops", "are more than 20,000 in all");
  }
}

std::pair<std::int64_t, std::int64_t> two_numbers(const Json& value, const StrictObject& object) {
  if (!value.is_array() || value.size() != 2 || !value[0].is_number_integer() ||
      !value[1].is_number_integer() ||
      (value[0].is_number_unsigned() && value[0].get<std::uint64_t>() > INT32_MAX) ||
      (value[1].is_number_unsigned() && value[1].get<std::uint64_t>() > INT32_MAX))
    object.fail("layers", "must hold pairs of whole numbers");
  return {value[0].get<std::int64_t>(), value[1].get<std::int64_t>()};
}

PublishedLayers layers_from(StrictObject& object, std::size_t stops) {
  StrictObject layers = object.object("layers");
  PublishedLayers read;
  for (const Json& one : layers.array("pieces")) {
    const auto [stop, layer] = two_numbers(one, object);
    if (stop < 0 || stop >= static_cast<std::int64_t>(stops) || layer < -20'000 || layer > 20'000)
      object.fail("layers", "have a piece of a stop, or in a layer, that does not exist");
    read.pieces.push_back({static_cast<StopId>(stop), static_cast<std::int32_t>(layer)});
  }
  const auto pieces = static_cast<std::int64_t>(read.pieces.size());
  for (const Json& one : layers.array("edges")) {
    const auto [a, b] = two_numbers(one, object);
    if (a < 0 || a >= b || b >= pieces)
      object.fail("layers", "have an edge between pieces that do not exist, or not in order");
    read.edges.emplace_back(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
    if (read.edges.size() > 1 && read.edges[read.edges.size() - 2] >= read.edges.back())
      object.fail("layers", "have edges that are not in order");
  }
  layers.finish();
  return read;
}

VertexId vertex_of(const std::vector<std::string>& names, const Json& name, const StrictObject& object) {
  if (!name.is_string()) object.fail("ends", "must be two names");
  const auto& text = name.get_ref<const std::string&>();
  const auto found = std::lower_bound(names.begin(), names.end(), text, name_before);
  if (found == names.end() || *found != text) object.fail("ends", "must be two of the vertices");
  return static_cast<VertexId>(found - names.begin());
}

void read_declared(StrictObject& object, PublicPath& shown) {
  const Json& every = object.field("every_vertex");
  if (!every.is_boolean()) object.fail("every_vertex", "must be true or false");
  shown.every_vertex = every.get<bool>();
  if (object.has("ends")) {
    const Json& ends = object.array("ends");
    if (ends.size() != 2) object.fail("ends", "must be two names");
    shown.ends = {vertex_of(shown.names, ends[0], object), vertex_of(shown.names, ends[1], object)};
  }
  if (object.has("starts")) {
    const std::string starts = object.text("starts");
    if (starts != "low" && starts != "high") object.fail("starts", "must be low or high");
    shown.starts_low = starts == "low";
  }
}

}  // namespace

graph::BitGraph candidates_of(const PublishedLayers& layers, std::size_t stops) {
  graph::BitGraph ruled_out(stops);
  for (const auto& [a, b] : layers.edges) ruled_out.join(layers.pieces[a].stop, layers.pieces[b].stop);
  return ruled_out.complement();
}

std::string packed_pairs(const graph::BitGraph& pairs) {
  std::string bytes((pair_count(pairs.size()) + 7) / 8, '\0');
  std::size_t bit = 0;
  for_each_pair(pairs.size(), [&](StopId a, StopId b) {
    if (pairs.joined(a, b))
      bytes[bit / 8] = static_cast<char>(static_cast<unsigned char>(bytes[bit / 8]) | (0x80U >> (bit % 8)));
    ++bit;
  });
  std::string text(sodium_base64_encoded_len(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), sodium_base64_VARIANT_ORIGINAL);
  text.pop_back();  // the final zero
  return text;
}

void require_publishable(const std::vector<std::string>& names, std::uint32_t most_stops_of_vertex) {
  if (names.size() < 2 || names.size() > most_file_vertices)
    throw InvalidOption(
        "network",
        fmt::format("has {} vertices to publish, and 2 to 10,000 are possible: take a smaller corridor "
                    "(`from`, `to` and `stretch`, or `area`)",
                    names.size()));
  if (names.size() * most_stops_of_vertex > graph::BitGraph::most_vertices)
    throw InvalidOption("visits", "makes more than 20,000 stops: take a smaller corridor, or fewer visits");
  if (!std::ranges::all_of(names, is_name))
    throw InvalidOption(
        "network",
        "has a vertex whose name cannot be published: names have 1 to 200 bytes of UTF-8 without "
        "control characters");
}

std::string to_json(const PublicPath& shown) {
  require_publishable(shown.names, 1);
  std::string stops;
  for (const std::uint32_t count : shown.stops.counts()) stops += static_cast<char>('0' + count);
  Json json{{"format", "fogline path"},          {"version", 1},
            {"form", to_string(shown.form)},     {"epsilon_edges", shown.epsilon_edges.to_string()},
            {"vertices", shown.names},           {"stops", stops},
            {"every_vertex", shown.every_vertex}};
  if (shown.ends) json["ends"] = {shown.names[shown.ends->first], shown.names[shown.ends->second]};
  if (shown.starts_low) json["starts"] = *shown.starts_low ? "low" : "high";
  if (shown.layers) {
    Json pieces = Json::array(), edges = Json::array();
    for (const LayerPiece& piece : shown.layers->pieces) pieces.push_back({piece.stop, piece.layer});
    for (const auto& [a, b] : shown.layers->edges) edges.push_back({a, b});
    json["layers"] = {{"pieces", pieces}, {"edges", edges}};
  } else {
    json["candidates"] = packed_pairs(shown.candidates);
  }
  return json.dump() + "\n";
}

PublicPath parse_public_path(std::string_view text, const std::string& name) {
  const Json json = privacy::parse_strict_json(text, {name});
  StrictObject object(json, {name});
  if (object.text("format") != "fogline path") object.fail("format", "is not that of a published route");
  if (object.count("version") != 1) object.fail("version", "is not 1: another version of Fogline wrote this");
  PublicPath shown;
  try {
    shown.form = form_from(object.text("form"));
  } catch (const InvalidOption&) {
    object.fail("form", "is not one-sided, two-sided or published");
  }
  const std::string epsilon_text = object.text("epsilon_edges");
  const auto epsilon = Rational::parse(epsilon_text);
  if (!epsilon || epsilon->to_string() != epsilon_text || epsilon->is_zero() || *epsilon > Rational(40))
    object.fail("epsilon_edges", "is not an epsilon above 0 and at most 40 in its shortest form");
  shown.epsilon_edges = *epsilon;
  shown.names = names_from(object);
  shown.stops = stops_from(object, shown.names.size());
  read_declared(object, shown);
  if (shown.form == PathForm::published) {
    shown.layers = layers_from(object, shown.stops.size());
    shown.candidates = candidates_of(*shown.layers, shown.stops.size());
  } else {
    shown.candidates = unpacked(object.text("candidates"), shown.stops.size(), object);
  }
  object.finish();
  return shown;
}

PublicPath read_public_path(const std::string& file) {
  io::TextSource source = io::TextSource::from_file(file);
  return parse_public_path(source.read_all(io::format_limit::route_bytes), source.name());
}

}  // namespace fogline::path
