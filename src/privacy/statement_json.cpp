// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/input_file.hpp"
#include "privacy/key_json.hpp"
#include "privacy/plain_text.hpp"
#include "privacy/statement.hpp"
#include "privacy/strict_json.hpp"

namespace fogline::privacy {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto format_name = "fogline statement";
constexpr std::uint64_t format_version = 1;

Json json_of(const Guarantee& guarantee) {
  const bool none = guarantee.notion() == Notion::none;
  Json json = {
      {"notion", to_string(guarantee.notion())},       {"unit", guarantee.unit()},
      {"epsilon", guarantee.epsilon().to_string()},    {"epsilon_number", guarantee.epsilon().to_double()},
      {"measure", to_string(guarantee.measure())},     {"delta", guarantee.delta().to_string()},
      {"exactness", to_string(guarantee.exactness())}, {"reason", none ? Json(guarantee.reason()) : Json()}};
  if (guarantee.covers_person()) json["covers_person"] = to_string(guarantee.cover());
  return json;
}

Json json_of(const std::vector<PublicInput>& inputs) {
  Json all = Json::array();
  for (const PublicInput& input : inputs) {
    const bool is_file = !input.sha256.empty();
    all.push_back(Json{{"name", input.name},
                       {is_file ? "sha256" : "specification", is_file ? input.sha256 : input.specification}});
  }
  return all;
}

Json json_of(const std::vector<ReleasedFile>& outputs) {
  Json all = Json::array();
  for (const ReleasedFile& output : outputs) {
    all.push_back(Json{{"name", output.name}, {"sha256", output.sha256}, {"records", output.records}});
  }
  return all;
}

Json json_of(const std::variant<NoLedgerEntry, LedgerReference>& ledger) {
  if (const auto* none = std::get_if<NoLedgerEntry>(&ledger)) return Json{{"none", none->reason}};
  const auto& entry = std::get<LedgerReference>(ledger);
  Json json{{"id", entry.ledger_id},
            {"entry", entry.entry},
            {"entry_hash", entry.entry_hash},
            {"dataset", entry.dataset}};
  if (entry.line > 0) json["line"] = entry.line;
  return json;
}

Json json_of(const std::optional<ExpectedError>& error) {
  if (!error) return nullptr;
  return Json{{"value", error->value}, {"unit", error->unit}, {"method", error->method}};
}

Rational rational_field(StrictObject& object, const std::string& name) {
  const std::string text = object.text(name);
  const auto value = Rational::parse(text);
  // One text per value, so that the file written again is the same file.
  if (!value || value->to_string() != text) object.fail(name, "is not an exact number in its shortest form");
  return *value;
}

std::string reason_field(StrictObject& object, Notion notion) {
  const Json& reason = object.field("reason");
  if (notion == Notion::none) return object.text("reason");
  if (!reason.is_null()) object.fail("reason", "must be null where something is promised");
  return {};
}

/// Statements of releases that protect less than a person do not have it.
PersonCover read_cover(StrictObject& object) {
  if (!object.has("covers_person")) return PersonCover::part;
  const PersonCover cover = cover_from(object.text("covers_person"));
  if (cover == PersonCover::part) object.fail("covers_person", "is not there where a part is covered");
  return cover;
}

Guarantee read_guarantee(StrictObject object) try {
  const Notion notion = notion_from(object.text("notion"));
  const Rational epsilon = rational_field(object, "epsilon");
  if (object.number("epsilon_number") != epsilon.to_double()) {
    object.fail("epsilon_number", "is not the number that epsilon writes");
  }
  const Rational delta = rational_field(object, "delta");
  const EpsilonMeasure measure = measure_from(object.text("measure"));
  Guarantee guarantee = Guarantee::from_parts({notion, epsilon, delta, object.text("unit"),
                                               exactness_from(object.text("exactness")),
                                               reason_field(object, notion), read_cover(object)});
  if (guarantee.measure() != measure) object.fail("measure", "contradicts the notion");
  object.finish();
  return guarantee;
} catch (const InvalidOption& error) {
  throw DataError(object.spot(), fmt::format("field \"guarantee\": {}", error.what()));
}

PublicInput read_input(StrictObject object) {
  PublicInput input{object.text("name"), "", ""};
  if (object.has("specification")) {
    input.specification = object.text("specification");
  } else {
    input.sha256 = object.text("sha256");
  }
  object.finish();
  return input;
}

ReleasedFile read_output(StrictObject object) {
  ReleasedFile output{object.text("name"), object.text("sha256"), object.count("records")};
  object.finish();
  return output;
}

template <class Item>
std::vector<Item> read_each(StrictObject& object, const std::string& name, Item (*read)(StrictObject)) {
  std::vector<Item> items;
  for (const Json& item : object.array(name)) {
    items.push_back(read(StrictObject(item, object.spot(), fmt::format("{}[{}]", name, items.size()))));
  }
  return items;
}

std::vector<std::string> read_sentences(StrictObject& object, const std::string& name) {
  std::vector<std::string> sentences;
  for (const Json& item : object.array(name)) {
    if (!item.is_string()) object.fail(name, "holds something that is not a string");
    sentences.push_back(item.get<std::string>());
  }
  return sentences;
}

std::variant<NoLedgerEntry, LedgerReference> read_ledger(StrictObject object) {
  std::variant<NoLedgerEntry, LedgerReference> ledger;
  if (object.has("none")) {
    ledger = NoLedgerEntry{object.text("none")};
  } else {
    LedgerReference entry{object.text("id"), object.count("entry"), object.text("entry_hash"),
                          object.text("dataset")};
    if (object.has("line")) {
      entry.line = object.count("line");
      if (entry.line == 0) object.fail("line", "is 0; lines count from 1");
    }
    ledger = std::move(entry);
  }
  object.finish();
  return ledger;
}

std::optional<ExpectedError> read_expected_error(StrictObject& statement) {
  if (statement.field("expected_error").is_null()) return std::nullopt;
  StrictObject object = statement.object("expected_error");
  ExpectedError error{object.number("value"), object.text("unit"), object.text("method")};
  object.finish();
  return error;
}

/// Empty where there is none: one text per statement, so an empty one is not written.
Parameters read_outcome(StrictObject& object) {
  if (!object.has("outcome")) return {};
  const Json& outcome = object.field("outcome");
  if (!outcome.is_object() || outcome.empty()) object.fail("outcome", "is not an object with a value");
  return outcome;
}

Json json_of(const Signature& signature) {
  Json json = json_of(signature.by);
  if (!signature.endorsements.empty()) json["endorsements"] = json_of(signature.endorsements);
  return json;
}

std::optional<Signature> read_signature(StrictObject& statement) {
  if (!statement.has("signature")) return std::nullopt;
  StrictObject object = statement.object("signature");
  Signature signature{.by = read_key_signature(object), .endorsements = read_endorsements(object)};
  object.finish();
  return signature;
}

template <class Value>
Value choice_field(StrictObject& object, const std::string& name, Value first, Value second) {
  const std::string text = object.text(name);
  if (text == to_string(first)) return first;
  if (text == to_string(second)) return second;
  object.fail(name, fmt::format("is neither \"{}\" nor \"{}\"", to_string(first), to_string(second)));
}

void read_format(StrictObject& object) {
  if (object.text("format") != format_name) object.fail("format", "is not \"fogline statement\"");
  if (object.count("format_version") != format_version) {
    object.fail(
        "format_version",
        fmt::format("is not {}, the one this program knows; install a newer Fogline", format_version));
  }
}

}  // namespace

std::string to_json(const Statement& statement) {
  require_valid(statement);
  Json all{{"format", format_name},
           {"format_version", format_version},
           {"kind", statement.kind},
           {"mechanism", statement.mechanism},
           {"form", to_string(statement.form)},
           {"promise", statement.promise},
           {"not_protected", statement.not_protected},
           {"guarantee", json_of(statement.guarantee)},
           {"parameters", statement.parameters.json()},
           {"public_inputs", json_of(statement.public_inputs)},
           {"outputs", json_of(statement.outputs)},
           {"expected_error", json_of(statement.expected_error)},
           {"randomness", to_string(statement.randomness)},
           {"ledger", json_of(statement.ledger)},
           {"version", statement.version}};
  if (!statement.outcome.json().empty()) all["outcome"] = statement.outcome.json();
  if (statement.signature) all["signature"] = json_of(*statement.signature);
  return all.dump(2) + "\n";
}

std::string text_to_sign(const Statement& statement) {
  Statement unsigned_one = statement;
  unsigned_one.signature.reset();
  return to_json(unsigned_one);
}

void sign(Statement& statement, const SigningKey* key) {
  statement.signature.reset();
  if (key != nullptr) statement.signature = key->sign(statement_purpose, to_json(statement));
}

Statement parse_statement(std::string_view text, const std::string& name) {
  const FileSpot spot{name};
  io::require_within(io::format_limit::statement_bytes, text.size(), spot);
  const Json all = parse_strict_json(text, spot);
  StrictObject object(all, spot);
  read_format(object);
  Statement statement{.kind = object.text("kind"),
                      .mechanism = object.text("mechanism"),
                      .form = choice_field(object, "form", Form::sound, Form::published),
                      .guarantee = read_guarantee(object.object("guarantee")),
                      .parameters = object.field("parameters"),
                      .outcome = read_outcome(object),
                      .public_inputs = read_each(object, "public_inputs", read_input),
                      .outputs = read_each(object, "outputs", read_output),
                      .ledger = read_ledger(object.object("ledger")),
                      .version = object.text("version"),
                      .randomness = choice_field(object, "randomness", random::Source::operating_system,
                                                 random::Source::seeded),
                      .expected_error = read_expected_error(object),
                      .not_protected = read_sentences(object, "not_protected"),
                      .promise = read_sentences(object, "promise"),
                      .signature = read_signature(object)};
  object.finish();
  try {
    require_valid(statement);
  } catch (const InvalidOption& error) {
    throw DataError(spot, fmt::format("field {}", error.what()));
  }
  return statement;
}

Statement read_statement(const std::string& path) {
  return parse_statement(io::read_small_file(path, io::format_limit::statement_bytes,
                                             "check the name; statements end in .statement.json"),
                         path);
}

}  // namespace fogline::privacy
