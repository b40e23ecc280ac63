// SPDX-License-Identifier: Apache-2.0
#include "service/questions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <sodium.h>

#include "base/error.hpp"
#include "io/numbers.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/strict_json.hpp"

namespace fogline::service {
namespace {

using privacy::StrictObject;

constexpr std::size_t mark_digits = 32;
constexpr auto body_name = "the body";

double degrees(StrictObject& object, const char* name, double most) {
  const double value = object.number(name);
  if (!std::isfinite(value) || std::abs(value) > most)
    throw InvalidOption(name, fmt::format("is no position of degrees: a number from {} to {}", -most, most));
  return value;
}

void take_position(StrictObject& object, std::vector<double>& lon, std::vector<double>& lat) {
  lon.push_back(degrees(object, "lon", most_east));
  lat.push_back(degrees(object, "lat", most_north));
}

std::string keyed_hash(const std::string& text, const std::string& key) {
  std::array<unsigned char, crypto_auth_hmacsha256_BYTES> hash{};
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, reinterpret_cast<const unsigned char*>(key.data()), key.size());
  crypto_auth_hmacsha256_update(&state, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  crypto_auth_hmacsha256_final(&state, hash.data());
  std::string digits;
  for (const unsigned char byte : hash) digits += fmt::format("{:02x}", byte);
  return digits.substr(0, mark_digits);
}

std::optional<int> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

}  // namespace

namespace {

/// What was sent is not told back, not even the name of a field that nobody knows.
nlohmann::ordered_json object_from(const std::string& body, const privacy::JsonLimits& limits,
                                   std::initializer_list<std::string_view> known) {
  nlohmann::ordered_json json;
  try {
    json = privacy::parse_strict_json(body, {body_name}, limits);
  } catch (const DataError& error) {
    if (error.problem().code == "over-limit") throw;
    throw DataError({body_name}, "is no JSON, or holds a field twice");
  }
  if (json.is_object())
    for (const auto& [name, value] : json.items())
      if (std::ranges::find(known, name) == known.end())
        throw DataError({body_name}, fmt::format("has a field that is none of {}", fmt::join(known, ", ")));
  return json;
}

}  // namespace

release::Serving::Question question_from(const std::string& body) {
  const nlohmann::ordered_json json =
      object_from(body, {.values = 4 * most_positions + 8, .objects = most_positions + 2},
                  {"subject", "lon", "lat", "positions"});
  StrictObject object(json, {body_name});
  release::Serving::Question question{.subject = object.text("subject"), .records = {}};
  release::require_subject(question.subject);
  question.is_list = object.has("positions");
  std::vector<double> lon, lat;
  if (question.is_list) {
    if (object.has("lon") || object.has("lat"))
      throw DataError({body_name}, "has positions, and lon or lat beside them", "give one of the two");
    const nlohmann::ordered_json& list = object.array("positions");
    if (list.empty() || list.size() > most_positions)
      throw InvalidOption("positions", fmt::format("holds 1 to {} of them", most_positions));
    for (const nlohmann::ordered_json& item : list) {
      if (item.is_object() && item.size() > 2)
        throw DataError({body_name}, "has a position with more than lon and lat");
      StrictObject position(item, {body_name}, "positions");
      take_position(position, lon, lat);
      position.finish();
    }
  } else {
    take_position(object, lon, lat);
  }
  object.finish();
  question.records.hold("lon", std::move(lon)).hold("lat", std::move(lat));
  return question;
}

std::uint64_t positions_planned(const std::string& body) {
  const nlohmann::ordered_json json = object_from(body, {}, {"positions"});
  StrictObject object(json, {body_name});
  const double positions =
      object.has("positions") ? object.number("positions") : 1;  // 2.0 is a whole number too
  object.finish();
  if (!(positions >= 1 && positions <= most_positions) || positions != std::floor(positions))
    throw InvalidOption("positions", fmt::format("is a number from 1 to {}", most_positions));
  return static_cast<std::uint64_t>(positions);
}

void declare_position(release::FieldTable& table, std::string& subject, double& lon, double& lat) {
  table
      .value("subject", "NAME", subject,
             "whose budget pays: letters a to z, digits, and the signs . _ - : @ + between them")
      .required();
  table.value("lon", "DEGREES", lon, "east, of the position to be hidden").unit("deg").required();
  table.value("lat", "DEGREES", lat, "north, of the position to be hidden").unit("deg").required();
}

std::optional<privacy::RequestMark> mark_of(const std::string& key, const std::string& token,
                                            const std::string& body) {
  if (key.empty()) return std::nullopt;
  constexpr std::size_t longest = 255;
  if (key.size() > longest || !std::ranges::all_of(key, [](char c) { return c > ' ' && c <= '~'; }))
    throw InvalidOption("Idempotency-Key", "is 1 to 255 printable characters without blanks");
  return privacy::RequestMark{keyed_hash("key\n" + key, token), keyed_hash("body\n" + body, token)};
}

std::optional<privacy::SubjectPlace> place_from(std::string_view id) {
  const std::size_t dash = id.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto entry = io::parse_uint64(id.substr(0, dash)), line = io::parse_uint64(id.substr(dash + 1));
  if (!entry || !line) return std::nullopt;
  const privacy::SubjectPlace place{*entry, *line};
  return id_of(place) == id ? std::optional(place) : std::nullopt;
}

std::string id_of(const privacy::SubjectPlace& place) {
  return fmt::format("{}-{}", place.entry, place.line);
}

std::optional<std::string> decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    const auto high = i + 2 < text.size() ? hex_digit(text[i + 1]) : std::nullopt;
    const auto low = i + 2 < text.size() ? hex_digit(text[i + 2]) : std::nullopt;
    if (!high || !low) return std::nullopt;
    plain += static_cast<char>(16 * *high + *low);
    i += 2;
  }
  return plain;
}

std::string utc(std::int64_t unix_s) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(unix_s)));
}

}  // namespace fogline::service
