// SPDX-License-Identifier: Apache-2.0
#include "cli/statement_files.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "cli/blocks.hpp"
#include "io/points.hpp"

namespace fogline::cli {
namespace {

std::unique_ptr<privacy::Ledger> open(const std::string& file) {
  return std::make_unique<privacy::Ledger>(
      file, privacy::Ledger::Options{.access = privacy::Ledger::Access::read_only});
}

}  // namespace

std::map<std::string, std::string> named_files(const std::vector<std::string>& pairs, const char* option) {
  std::map<std::string, std::string> files;
  for (const std::string& pair : pairs) {
    const auto equals = pair.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == pair.size())
      throw InvalidOption(option, "must look like NAME=PATH");
    files[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  return files;
}

void refuse_unknown_names(const std::map<std::string, std::string>& files,
                          std::span<const privacy::Statement> statements) {
  std::vector<std::string> names;
  for (const privacy::Statement& statement : statements) {
    for (const auto& input : statement.public_inputs)
      if (!input.sha256.empty()) names.push_back(input.name);
    for (const auto& output : statement.outputs) names.push_back(output.name);
  }
  for (const auto& [name, path] : files) {
    if (std::ranges::find(names, name) == names.end())
      throw InvalidOption("file", fmt::format("names {}, of which the statement does not speak; it names {}",
                                              name, fmt::join(names, ", ")));
  }
}

StatementOf statement_of(const std::string& file) {
  const std::string beside = privacy::statement_path(file);
  std::error_code unknown;
  const bool is_named = file.ends_with(privacy::statement_path(""));
  if (!is_named && std::filesystem::exists(beside, unknown)) return {beside, file};
  if (!std::filesystem::exists(file, unknown)) return {file, ""};  // its reader says so
  io::TextSource source = io::TextSource::from_file(file);
  // Released files are CSV or JSON; a statement of any name is JSON.
  if (io::point_format_of_text(source.peek(64)) != io::PointFormat::geojson) {
    throw DataError({file}, fmt::format("is no statement, and there is no {} beside it", beside),
                    "keep a release and its statement together, or name the statement");
  }
  return {file, ""};
}

std::string folder_of(const std::string& file) {
  const std::string folder = std::filesystem::path(file).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::unique_ptr<privacy::Ledger> ledger_at_hand(const std::string& named,
                                                const privacy::Statement& statement) {
  if (!named.empty()) return open(named);
  const auto* reference = std::get_if<privacy::LedgerReference>(&statement.ledger);
  if (reference == nullptr) return nullptr;
  try {
    auto own = open(LedgerBlock{}.path());
    return own->id() == reference->ledger_id ? std::move(own) : nullptr;
  } catch (const Error&) {
    return nullptr;  // nobody asked for it: no ledger there, or none that can be read
  }
}

}  // namespace fogline::cli
