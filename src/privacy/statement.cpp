// SPDX-License-Identifier: Apache-2.0
#include "privacy/statement.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "privacy/file_hash.hpp"
#include "privacy/plain_text.hpp"

namespace fogline::privacy {
namespace {

constexpr std::size_t longest_text = 200;
constexpr std::size_t longest_sentence = 2000;
constexpr std::size_t most_files = 1000;

/// Letters that only look like others would name a mechanism nobody knows after one that everybody trusts.
void require_name(const std::string& field, const std::string& text) {
  require_plain_text(field, text, longest_text);
  constexpr std::string_view ends = "abcdefghijklmnopqrstuvwxyz0123456789";
  const bool is_plain = std::ranges::all_of(text, [&](char c) {
    return ends.find(c) != std::string_view::npos || c == '-' || c == ',' || c == ' ';
  });
  if (!is_plain || ends.find(text.front()) == std::string_view::npos ||
      ends.find(text.back()) == std::string_view::npos) {
    throw InvalidOption(field,
                        "holds other characters than a to z, 0 to 9, and hyphens, commas and spaces between");
  }
}

void require_at_most_files(const std::string& field, std::size_t count) {
  if (count > most_files) throw InvalidOption(field, "names more than 1,000 files");
}

void require_hash(const std::string& field, const std::string& text) {
  if (!is_sha256_hex(text))
    throw InvalidOption(field, "is not a SHA-256 of 64 lower-case hexadecimal digits");
}

void require_sentences(const std::string& field, const std::vector<std::string>& sentences) {
  if (sentences.empty()) throw InvalidOption(field, "is empty; say at least one thing");
  for (const std::string& sentence : sentences) require_plain_text(field, sentence, longest_sentence);
}

/// Only what JSON holds and reads back as it was: NaN and infinity would come back as null, and control
/// characters have no business in a terminal.
void require_plain_json(const nlohmann::ordered_json& value) {
  if (value.is_binary() || value.is_discarded()) throw InvalidOption("parameters", "hold what JSON cannot");
  if (value.is_number_float() && !std::isfinite(value.get<double>())) {
    throw InvalidOption("parameters", "hold a number that is not finite");
  }
  if (value.is_string() && value != "") {
    require_plain_text("parameters", value.get_ref<const std::string&>(), longest_sentence);
  }
  if (!value.is_structured()) return;
  for (const auto& part : value.items()) {
    if (value.is_object()) require_plain_text("parameters", part.key(), longest_text);
    require_plain_json(part.value());
  }
}

void require_input(const PublicInput& input) {
  require_file_name("public_inputs.name", input.name);
  if (input.sha256.empty() == input.specification.empty()) {
    throw InvalidOption("public_inputs", "an input has either a hash or a specification");
  }
  if (input.sha256.empty()) {
    require_plain_text("public_inputs.specification", input.specification, longest_sentence);
  } else {
    require_hash("public_inputs.sha256", input.sha256);
  }
}

void require_output(const ReleasedFile& output) {
  require_file_name("outputs.name", output.name);
  require_hash("outputs.sha256", output.sha256);
}

bool is_ledger_id(const std::string& text) {
  return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

void require_ledger(const std::variant<NoLedgerEntry, LedgerReference>& ledger) {
  if (const auto* none = std::get_if<NoLedgerEntry>(&ledger)) {
    return require_plain_text("ledger.none", none->reason, longest_sentence);
  }
  const auto& reference = std::get<LedgerReference>(ledger);
  if (!is_ledger_id(reference.ledger_id)) throw InvalidOption("ledger.id", "is not 32 hexadecimal digits");
  if (reference.entry == 0) throw InvalidOption("ledger.entry", "is 0; entries count from 1");
  require_hash("ledger.entry_hash", reference.entry_hash);
  require_plain_text("ledger.dataset", reference.dataset, longest_text);
}

void require_honest(const Statement& statement) {
  const bool promises = statement.guarantee.notion() != Notion::none;
  const bool is_seeded = statement.randomness == random::Source::seeded;
  if (is_seeded && promises)
    throw InvalidOption("guarantee", "a seeded run promises nothing; it must be none");
  if (!is_seeded && !promises && statement.form == Form::sound) {
    throw InvalidOption("form", "a mechanism that promises nothing is not sound");
  }
}

}  // namespace

void require_valid(const Statement& statement) {
  require_name("kind", statement.kind);
  require_name("mechanism", statement.mechanism);
  require_plain_text("version", statement.version, longest_text);
  if (!statement.parameters.json().is_object()) throw InvalidOption("parameters", "is not an object");
  require_plain_json(statement.parameters.json());
  if (!statement.outcome.json().is_object()) throw InvalidOption("outcome", "is not an object");
  require_plain_json(statement.outcome.json());
  require_at_most_files("public_inputs", statement.public_inputs.size());
  require_at_most_files("outputs", statement.outputs.size());
  std::ranges::for_each(statement.public_inputs, require_input);
  if (statement.outputs.empty())
    throw InvalidOption("outputs", "is empty; a release has at least one output");
  std::ranges::for_each(statement.outputs, require_output);
  require_ledger(statement.ledger);
  if (const auto& error = statement.expected_error) {
    if (!std::isfinite(error->value) || error->value < 0) {
      throw InvalidOption("expected_error.value", "is not a finite number from 0");
    }
    require_plain_text("expected_error.unit", error->unit, longest_text);
    require_plain_text("expected_error.method", error->method, longest_sentence);
  }
  require_sentences("not_protected", statement.not_protected);
  require_sentences("promise", statement.promise);
  require_honest(statement);
  if (statement.signature) require_valid(*statement.signature);
}

std::string statement_path(const std::string& output) {
  return output + ".statement.json";
}

std::string_view to_string(Form form) {
  return form == Form::sound ? "sound" : "published";
}

std::string_view to_string(random::Source randomness) {
  return randomness == random::Source::seeded ? "seeded, not private" : "operating system";
}

}  // namespace fogline::privacy
