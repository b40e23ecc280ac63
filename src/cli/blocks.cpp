// SPDX-License-Identifier: Apache-2.0
#include "cli/blocks.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "release/json_text.hpp"

namespace fogline::cli {
namespace fs = std::filesystem;

namespace {

/// The user's data folder; empty if nobody can tell.
fs::path data_folder() {
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data != nullptr && *data == '/') return fs::path(data) / "fogline";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return {};
  return fs::path(home) / ".local" / "share" / "fogline";
}

bool needs_quotes(const std::string& word) {
  return word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/") !=
         std::string::npos;
}

std::string shell_word(const std::string& word) {
  if (!needs_quotes(word)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

std::string LedgerBlock::path() const {
  if (!ledger.empty()) return ledger;
  if (data_folder().empty()) throw InvalidOption("ledger", "is needed, for HOME is not set");
  return data_folder() / "ledger.sqlite";
}

privacy::AnchorList anchor_list() {
  if (data_folder().empty()) throw InvalidOption("anchor", "cannot be kept in mind, for HOME is not set");
  return privacy::AnchorList(data_folder() / "anchors.json");
}

void warn_of_clock(Session& session, privacy::Ledger& ledger) {
  if (const std::int64_t behind_s = ledger.clock_behind_s(); behind_s > 0)
    session.warn(
        fmt::format("the clock is {} s behind the ledger's last entry: one of the two is wrong", behind_s));
}

std::string command_to_declare(const release::LedgerFields& ledger, const privacy::BudgetError& refused) {
  const auto& parts = refused.parts();
  const std::string which = ledger.is_default ? "" : fmt::format(" --ledger {}", shell_word(ledger.name()));
  const std::string cap =
      parts.requested > Rational()
          ? fmt::format("--cap '{}'", to_string(privacy::Cap{parts.measure, parts.requested}))
          : std::string("--uncapped");
  return fmt::format("fogline ledger add{} --dataset {} {}", which, shell_word(parts.dataset), cap);
}

std::string LedgerBlock::path_for_writing() const {
  const std::string result = path();
  if (ledger.empty()) {
    std::error_code error;
    fs::create_directories(fs::path(result).parent_path(), error);
    if (error) {
      throw FileError(fs::path(result).parent_path().string(), "cannot be made (" + error.message() + ")",
                      "name another place with --ledger");
    }
  }
  return result;
}

void fill_in(release::LedgerFields& ledger) {
  if (!data_folder().empty()) ledger.anchors = anchor_list().finder();
  if (!ledger.ledger.empty()) return;
  ledger.is_default = true;
  try {
    ledger.ledger = LedgerBlock{}.path();
  } catch (const InvalidOption&) {  // nobody can tell where it would be
    if (!ledger.is_optional) throw;
  }
}

std::string to_text(const nlohmann::ordered_json& json) {
  return release::json_text(json) + "\n";
}

std::string fields(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.first.size());
  std::string text;
  for (const auto& [name, value] : rows) text += fmt::format("{:{}}  {}\n", name, width, value);
  return text;
}

}  // namespace fogline::cli
