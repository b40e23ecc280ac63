// SPDX-License-Identifier: Apache-2.0
#include "privacy/statement_check.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "privacy/file_hash.hpp"
#include "privacy/ledger_check.hpp"
#include "privacy/release.hpp"

namespace fogline::privacy {
namespace {

std::string path_of(const std::string& name, const StatementCheckOptions& options) {
  return place_of(name, options.folder, options.files);
}

Check check_consistency(const Statement& statement) {
  try {
    require_valid(statement);
  } catch (const InvalidOption& error) {
    return {"consistency", Outcome::failed, error.what()};
  }
  return {"consistency", Outcome::passed, "nothing in the statement contradicts itself"};
}

Check check_hash(std::string name, const std::string& path, const std::string& sha256) {
  try {
    const bool equal = sha256_of_file(path) == sha256;
    return {std::move(name), equal ? Outcome::passed : Outcome::failed,
            equal ? fmt::format("{} is the file the statement names", path)
                  : fmt::format("{} is not the file the statement names: its hash differs", path)};
  } catch (const FileError& error) {
    return {std::move(name), Outcome::failed, error.what()};
  }
}

Check check_input(const PublicInput& input, const StatementCheckOptions& options) {
  const std::string name = "public input " + input.name;
  const std::string path = path_of(input.name, options);
  if (!std::filesystem::exists(path)) {
    return {name, Outcome::not_checked,
            fmt::format("{} is not there; say where it is with `file` {}=PATH", path, input.name)};
  }
  return check_hash(name, path, input.sha256);
}

Check check_output(const ReleasedFile& output, const StatementCheckOptions& options) {
  const std::string name = "output " + output.name;
  if (output.name == "-" && !options.files.contains("-")) {
    return {name, Outcome::not_checked,
            "it went to standard output; name the file it was kept in (`file` -=PATH)"};
  }
  const std::string path = path_of(output.name, options);
  if (!std::filesystem::exists(path)) {
    return {name, Outcome::failed,
            fmt::format("{} is not there; say where it is with `file` {}=PATH", path, output.name)};
  }
  return check_hash(name, path, output.sha256);
}

Check compare_with_entry(const Statement& statement, const LedgerReference& reference, Ledger& ledger) {
  if (reference.ledger_id != ledger.id()) {
    return {"ledger entry", Outcome::failed, "the statement belongs to another ledger"};
  }
  const auto entry = ledger.entry(reference.entry);
  if (!entry) {
    return {"ledger entry", Outcome::failed,
            fmt::format("the ledger has no entry {}: it was cut off or replaced by an older copy",
                        reference.entry)};
  }
  const std::string problem = difference(statement, reference, *entry);
  if (!problem.empty()) return {"ledger entry", Outcome::failed, problem};
  return {"ledger entry", Outcome::passed,
          fmt::format("entry {} of the ledger says the same", reference.entry)};
}

Check check_ledger(const Statement& statement, const StatementCheckOptions& options) {
  if (const auto* none = std::get_if<NoLedgerEntry>(&statement.ledger)) {
    // Whoever brings a ledger expects the release in it.
    return {"ledger entry", options.ledger == nullptr ? Outcome::not_checked : Outcome::failed,
            fmt::format("the statement names none: {}", none->reason)};
  }
  if (options.ledger == nullptr) return {"ledger entry", Outcome::not_checked, "no ledger was given"};
  try {
    return compare_with_entry(statement, std::get<LedgerReference>(statement.ledger), *options.ledger);
  } catch (const DataError& error) {
    return {"ledger entry", Outcome::failed, error.what()};
  }
}

/// Of a subject's line: is this the answer that it has?
Check check_answered(const Statement& statement, const SubjectPlace& place, Ledger& ledger) {
  const auto answer = ledger.subject_answer(place);
  if (!answer)
    return {"settled", Outcome::failed, fmt::format("line {} of entry {} has none", place.line, place.entry)};
  const bool is_same =
      statement.outputs.size() == 1 && statement.outputs.front().sha256 == sha256_of_text(*answer);
  return {"settled", is_same ? Outcome::passed : Outcome::failed,
          fmt::format("the ledger holds {} for line {} of entry {}",
                      is_same ? "this answer" : "another answer", place.line, place.entry)};
}

/// Of an entry that says the same: is this what was written for it?
Check check_settled(const Statement& statement, Ledger& ledger) {
  const auto& charged = std::get<LedgerReference>(statement.ledger);
  if (charged.line > 0) return check_answered(statement, {charged.entry, charged.line}, ledger);
  const Settlement shown = settlement_of(statement);
  const auto settled = ledger.settlement_of(shown.entry);
  if (!settled) {
    return {"settled", Outcome::not_checked,
            fmt::format("entry {} does not tell what was written for it: the release was broken off, or made "
                        "before ledgers told",
                        shown.entry)};
  }
  if (*settled == shown)
    return {
        "settled", Outcome::passed,
        fmt::format("entry {} was settled with this statement and the output that it names", shown.entry)};
  return {"settled", Outcome::failed,
          fmt::format("entry {} was settled with another output or statement: this is not what was written",
                      shown.entry)};
}

Check check_signature(const Statement& statement, const TrustedKeys& trusted) {
  const std::string name = "signature";
  if (!statement.signature) return {name, Outcome::not_checked, "nobody signed the statement"};
  const auto judged = trusted.judge(statement_purpose, text_to_sign(statement), *statement.signature);
  const std::string key = statement.signature->by.public_key.substr(0, 16);
  switch (judged.verdict) {
    case TrustedKeys::Verdict::trusted:
      return {name, Outcome::passed, fmt::format("signed by {} (key {}...)", judged.name, key)};
    case TrustedKeys::Verdict::revoked:
      return {name, Outcome::failed,
              fmt::format("the key of '{}' was revoked: {}", judged.name, judged.reason)};
    case TrustedKeys::Verdict::does_not_fit:
      return {name, Outcome::failed, "it does not fit: the statement was changed after it was signed"};
    case TrustedKeys::Verdict::unknown:
      break;
  }
  return {name, Outcome::not_checked,
          fmt::format("signed by a key that calls itself '{}' ({}...); {}", judged.name, key,
                      trusted.empty() ? "say which keys you trust with `trust`"
                                      : "it is none of the keys that you trust")};
}

}  // namespace

std::string place_of(const std::string& name, const std::string& folder,
                     const std::map<std::string, std::string>& files) {
  const auto elsewhere = files.find(name);
  return elsewhere != files.end() ? elsewhere->second : (std::filesystem::path(folder) / name).string();
}

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return "passed";
    case Outcome::failed:
      return "failed";
    case Outcome::not_checked:
      break;
  }
  return "not checked";
}

std::vector<Check> verify(const Statement& statement, const StatementCheckOptions& options) {
  std::vector<Check> checks{check_consistency(statement)};
  for (const PublicInput& input : statement.public_inputs) {
    if (!input.sha256.empty()) checks.push_back(check_input(input, options));
  }
  for (const ReleasedFile& output : statement.outputs) checks.push_back(check_output(output, options));
  checks.push_back(check_ledger(statement, options));
  const bool is_told = options.ledger != nullptr && statement.guarantee.notion() != Notion::none;
  if (is_told && checks.back().outcome == Outcome::passed)
    checks.push_back(check_settled(statement, *options.ledger));
  checks.push_back(check_signature(statement, options.trusted));
  return checks;
}

}  // namespace fogline::privacy
