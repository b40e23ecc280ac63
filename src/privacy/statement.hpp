// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "privacy/guarantee.hpp"
#include "privacy/ledger_entry.hpp"
#include "privacy/parameters.hpp"
#include "privacy/signing_key.hpp"
#include "random/key.hpp"

namespace fogline::privacy {

enum class Form {
  sound,     ///< a mechanism whose guarantee is proved
  published  ///< a mechanism exactly as its paper describes it
};

/// Something everybody may know that the release depends on: a file with its hash, or a specification such as
/// "line:101:1000" that says everything. Exactly one of the two is set.
struct PublicInput {
  std::string name;           ///< file name without its folder, or what the specification stands for
  std::string sha256;         ///< 64 hexadecimal digits, or empty
  std::string specification;  ///< or empty
  friend bool operator==(const PublicInput&, const PublicInput&) = default;
};

struct ReleasedFile {
  std::string name;  ///< without its folder; "-" for standard output
  std::string sha256;
  std::uint64_t records = 0;
  friend bool operator==(const ReleasedFile&, const ReleasedFile&) = default;
};

struct NoLedgerEntry {
  std::string reason;
  friend bool operator==(const NoLedgerEntry&, const NoLedgerEntry&) = default;
};

struct ExpectedError {
  double value = 0;    ///< finite, 0 or more
  std::string unit;    ///< "m", "cells", "weight"
  std::string method;  ///< how it was computed, in a few words
  friend bool operator==(const ExpectedError&, const ExpectedError&) = default;
};

/// What a release promises, in a form that a person reads and a program checks: the file OUT.statement.json
/// beside every output. Field by field: docs/statement.md.
///
///     Statement statement{.kind = "place", .mechanism = "gem", .guarantee = gem.guarantee(), ...};
///     std::string text = to_json(statement);
///     assert(parse_statement(text, "safe.csv.statement.json") == statement);
///
/// It holds only what may be published. Never put a private value, or any function of the private file such
/// as its hash, size or name, into a parameter or a sentence.
struct Statement {
  std::string kind;
  std::string mechanism;
  Form form = Form::sound;
  Guarantee guarantee;  ///< of the release as a whole; privacy::seeded(...) of it when a seed was used
  Parameters parameters = {};
  /// What the released files and the public inputs tell about the release when it is done, such as how many of its steps were exposed.
  /// Never a function of anything private. Written only if it is not empty.
  Parameters outcome = {};
  std::vector<PublicInput> public_inputs;
  std::vector<ReleasedFile> outputs;
  std::variant<NoLedgerEntry, LedgerReference> ledger;
  std::string version;
  random::Source randomness = random::Source::operating_system;
  std::optional<ExpectedError> expected_error;  ///< empty where none is known
  std::vector<std::string> not_protected;       ///< sentences; at least one, for something always is not
  std::vector<std::string> promise;             ///< sentences; at least one
  std::optional<Signature> signature = {};      ///< of everything else; empty: nobody signed it
  friend bool operator==(const Statement&, const Statement&) = default;
};

/// Throws InvalidOption, naming the field, for a statement that says too little or contradicts itself: a
/// sound form that promises nothing, a promise for a seeded run, a malformed hash, an empty text, more than 1,000
/// inputs or outputs, a kind or mechanism with other characters than a to z, 0 to 9, hyphens, commas and spaces.
void require_valid(const Statement& statement);

/// The JSON text, ending in a newline. Throws InvalidOption as above.
std::string to_json(const Statement& statement);

/// What a signature is of: the JSON text without it.
std::string text_to_sign(const Statement& statement);

/// Signs it, if there is a key. The last thing that is done to a statement.
void sign(Statement& statement, const SigningKey* key);

/// Reads what to_json writes, strictly. Throws DataError naming the field: missing, unknown, given twice, of
/// the wrong type, an unknown format version, a guarantee that contradicts itself (none with an epsilon,
/// metric DP with a plain measure, a number that is not the exact text's). Limits: 16 MiB, 32 levels, 20,000 values.
Statement parse_statement(std::string_view text, const std::string& name);
Statement read_statement(const std::string& path);

/// "safe.csv" -> "safe.csv.statement.json"
std::string statement_path(const std::string& output);

std::string_view to_string(Form form);                  ///< "sound", "published"
std::string_view to_string(random::Source randomness);  ///< "operating system", "seeded, not private"

}  // namespace fogline::privacy
