// SPDX-License-Identifier: Apache-2.0
#include "cli/blocks.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace fogline::cli {
namespace fs = std::filesystem;

void require_other_file(const std::string& output, const std::vector<std::string>& inputs) {
  std::error_code unknown;  // a file that is not there is no input
  for (const std::string& input : inputs)
    if (output != "-" && input != "-" && std::filesystem::equivalent(output, input, unknown))
      throw InvalidOption("output", "would replace the file that is read; write to another one");
}

std::string LedgerBlock::path() const {
  if (!ledger.empty()) return ledger;
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data != nullptr && *data == '/') return fs::path(data) / "fogline" / "ledger.sqlite";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') throw InvalidOption("ledger", "is needed, for HOME is not set");
  return fs::path(home) / ".local" / "share" / "fogline" / "ledger.sqlite";
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
  if (!ledger.ledger.empty()) return;
  ledger.is_default = true;
  try {
    ledger.ledger = LedgerBlock{}.path();
  } catch (const InvalidOption&) {  // nobody can tell where it would be
    if (!ledger.is_optional) throw;
  }
}

std::string to_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string fields(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.first.size());
  std::string text;
  for (const auto& [name, value] : rows) text += fmt::format("{:{}}  {}\n", name, width, value);
  return text;
}

}  // namespace fogline::cli
