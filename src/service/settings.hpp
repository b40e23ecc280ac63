// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "release/field_table.hpp"

namespace fogline::service {

/// What a token may be used for.
enum class Scope { release, budget, statements, metrics };
std::string_view to_string(Scope scope);

/// Who may ask. The token itself is nowhere: it is 256 random bits, so its hash cannot be searched for it.
struct Token {
  std::string name;    ///< for whoever keeps the file
  std::string sha256;  ///< of the token
  std::vector<Scope> scopes;
};

/// The file that `fogline serve` is started with, in TOML:
///
///     listen = "127.0.0.1:8080"
///     ledger = "service.ledger"
///     cap = "epsilon 0.1 per metre per subject in 24 h"
///     refresh = 900
///
///     [place]                     # fields of a release of positions
///     network = "city:1"
///     epsilon = "0.02"
///
///     [[token]]
///     name = "app"
///     sha256 = "..."
///     scopes = ["release", "budget"]
struct Settings {
  std::string listen = "127.0.0.1:8080";
  std::string ledger;
  std::string dataset = "service";
  std::string cap;
  std::uint64_t refresh_s = 0;
  std::string over_budget = "latest";
  std::uint64_t tick_ms = 4;
  std::uint64_t threads = 1;
  std::uint64_t connections = 1'024;
  std::uint64_t most_body_kib = 64;
  std::uint64_t read_timeout_s = 10;
  std::uint64_t drain_s = 5;
  std::string place = "{}";  ///< what stands under [place], as JSON
  std::vector<Token> tokens;

  bool gives_latest() const { return over_budget == "latest"; }
  void declare(release::FieldTable& table);  ///< all but [place] and [[token]]
};

/// Files are named relative to the folder of the one that names them. Throws FileError; DataError with the line for what is no TOML; InvalidOption, naming the field.
Settings read_settings(const std::string& path);
Settings settings_from(const std::string& toml, const std::string& path);

/// 256 bits of the operating system, for whoever asks, and what the file holds in their place.
std::string new_token();
std::string hash_of_token(const std::string& token);

/// Of the token that a request showed ("Bearer ..."); null if nobody knows it. Takes the same time for each token that is none.
const Token* find_token(const std::vector<Token>& tokens, const std::string& authorization);

}  // namespace fogline::service
