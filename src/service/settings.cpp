// SPDX-License-Identifier: Apache-2.0
#include "service/settings.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <sodium.h>
#include <toml++/toml.h>

#include "base/error.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/ledger_entry.hpp"
#include "random/key.hpp"
#include "release/kinds.hpp"

namespace fogline::service {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t token_words = 4;  // of 64 bits
constexpr std::uintmax_t most_bytes = 1 << 20;
constexpr auto scope_names =
    std::to_array<std::pair<Scope, std::string_view>>({{Scope::release, "release"},
                                                       {Scope::budget, "budget"},
                                                       {Scope::statements, "statements"},
                                                       {Scope::metrics, "metrics"}});

Json json_of(const toml::node& node, const std::string& name);

Json json_of(const toml::table& table, const std::string& name) {
  Json object = Json::object();
  for (const auto& [key, value] : table)
    object[std::string(key.str())] = json_of(value, name.empty() ? std::string(key.str()) : name);
  return object;
}

Json json_of(const toml::node& node, const std::string& name) {
  if (const auto* table = node.as_table()) return json_of(*table, name);
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return number->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* list = node.as_array()) {
    Json array = Json::array();
    for (const toml::node& item : *list) array.push_back(json_of(item, name));
    return array;
  }
  throw InvalidOption(name, "holds a date or a time, which no field of the settings takes");
}

Json parse_toml(const std::string& text, const std::string& path) try {
  return json_of(toml::parse(text), "");
} catch (const toml::parse_error& error) {
  throw DataError({path, error.source().begin.line}, std::string(error.description()), "write it as TOML");
}

Scope scope_from(const std::string& name) {
  for (const auto& [scope, known] : scope_names)
    if (known == name) return scope;
  throw InvalidOption("scopes", "are among release, budget, statements and metrics");
}

Token token_from(const Json& table) {
  Token token;
  std::vector<std::string> scopes;
  release::FieldTable fields;
  fields.value("name", "NAME", token.name, "of whoever asks with it").required();
  fields.value("sha256", "HASH", token.sha256, "of the token").required();
  fields.value("scopes", "SCOPE", scopes, "what it may be used for").required();
  release::set_fields(fields, table);
  if (!privacy::is_sha256_hex(token.sha256))
    throw InvalidOption("sha256", "is 64 hexadecimal digits, as a new token is told with");
  for (const std::string& name : scopes) token.scopes.push_back(scope_from(name));
  return token;
}

/// A path of the file, as seen from where the program runs. What is no file there (city:1) stays.
std::string beside(const std::string& path, const std::string& name) {
  const std::filesystem::path beside = std::filesystem::path(path).parent_path() / name;
  std::error_code unknown;
  return name.empty() || std::filesystem::path(name).is_absolute() ? name : beside.string();
}

/// Fields of a release that name public files, each part of them that is there.
void resolve_files(Json& place, const std::string& path) {
  const auto request = release::make_release("place", "release");
  release::FieldTable table;
  request->declare(table);
  for (const release::Field& field : table.fields()) {
    const bool is_file = field.role == release::FieldRole::public_input || field.name == "sign";
    if (!is_file || !place.contains(field.name) || !place[field.name].is_string()) continue;
    std::vector<std::string> parts;
    std::istringstream all(place[field.name].get<std::string>());
    for (std::string part; std::getline(all, part, ',');) {
      std::error_code unknown;
      const std::string found = beside(path, part);
      parts.push_back(std::filesystem::exists(found, unknown) ? found : part);
    }
    place[field.name] = fmt::format("{}", fmt::join(parts, ","));
  }
}

}  // namespace

std::string_view to_string(Scope scope) {
  return std::ranges::find(scope_names, scope, &std::pair<Scope, std::string_view>::first)->second;
}

void Settings::declare(release::FieldTable& table) {
  table.value("listen", "WHERE", listen, "HOST:PORT, or unix:PATH for a socket");
  table.value("ledger", "FILE", ledger, "that every answer is charged to").required();
  table.value("dataset", "NAME", dataset, "of the ledger; declared with the cap if it is not there");
  table.value("cap", "CAP", cap, "of each subject: 'epsilon 0.1 per metre per subject in 24 h'").required();
  table
      .value("refresh", "SECONDS", refresh_s,
             "how long an answer stands, by the clock; 0: each request has its own")
      .range("0", "31622400")
      .unit("s");
  table.value("over-budget", "RULE", over_budget, "what a subject has that spent its budget")
      .choices({"latest", "refuse"});
  table.value("tick-ms", "MS", tick_ms, "answers leave at multiples of this").range("1", "1000").unit("ms");
  table.value("threads", "N", threads, "for connections").range("1", "64");
  table.value("connections", "N", connections, "at once").range("1", "100000");
  table.value("most-body-kib", "KIB", most_body_kib, "of a request").range("1", "16384").unit("KiB");
  table.value("read-timeout-s", "SECONDS", read_timeout_s, "for a whole request, and idle between two")
      .range("1", "3600")
      .unit("s");
  table.value("drain-s", "SECONDS", drain_s, "for answers under way when it is asked to stop")
      .range("0", "8")
      .unit("s");
}

Settings settings_from(const std::string& toml, const std::string& path) {
  Json file = parse_toml(toml, path);
  Settings settings;
  Json place = file.contains("place") ? file["place"] : Json::object();
  if (!place.is_object()) throw InvalidOption("place", "is a table: [place]");
  const Json tokens = file.contains("token") ? file["token"] : Json::array();
  if (!tokens.is_array()) throw InvalidOption("token", "is a list of tables: [[token]]");
  for (const Json& token : tokens) {
    settings.tokens.push_back(token_from(token));
    const std::string& sha256 = settings.tokens.back().sha256;
    if (std::ranges::count(settings.tokens, sha256, &Token::sha256) > 1)
      throw InvalidOption("sha256", "stands at two tokens, whose scopes may differ");
  }
  file.erase("place");
  file.erase("token");
  release::FieldTable table;
  settings.declare(table);
  release::set_fields(table, file);
  release::require_in_range(table);
  if (!privacy::Cap::parse(settings.cap).is_of_subjects())
    throw InvalidOption("cap", "is per subject: 'epsilon 0.1 per metre per subject in 24 h'");
  for (const char* own : {"ledger", "dataset", "output", "statement", "input"})
    if (place.contains(own))
      throw InvalidOption(own, "does not stand under [place]: the service has its own");
  settings.ledger = beside(path, settings.ledger);
  place["dataset"] = settings.dataset;
  resolve_files(place, path);
  settings.place = place.dump();
  return settings;
}

Settings read_settings(const std::string& path) {
  std::error_code error;
  if (const auto size = std::filesystem::file_size(path, error); error || size > most_bytes)
    throw FileError(path, error ? "cannot be read (" + error.message() + ")" : "is larger than settings are",
                    "name the file of the service's settings");
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw FileError(path, "cannot be read", "check that you may read it");
  return settings_from(text, path);
}

std::string new_token() {
  random::Stream bits = random::Key::from_operating_system().stream("token");
  std::string token = "fog_";
  for (std::size_t i = 0; i < token_words; ++i) token += fmt::format("{:016x}", bits.next64());
  return token;
}

std::string hash_of_token(const std::string& token) {
  return privacy::sha256_of_text(token);
}

const Token* find_token(const std::vector<Token>& tokens, const std::string& authorization) {
  constexpr std::string_view scheme = "Bearer ";
  if (!authorization.starts_with(scheme)) return nullptr;
  const std::string shown = hash_of_token(authorization.substr(scheme.size()));
  const Token* found = nullptr;
  for (const Token& token : tokens)
    if (sodium_memcmp(shown.data(), token.sha256.data(), shown.size()) == 0) found = &token;
  return found;
}

}  // namespace fogline::service
