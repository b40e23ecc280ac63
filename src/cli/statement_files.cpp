// SPDX-License-Identifier: Apache-2.0
#include "cli/statement_files.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "cli/blocks.hpp"

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
      throw InvalidOption("--file",
                          fmt::format("names {}, of which the statement does not speak; it names {}", name,
                                      fmt::join(names, ", ")));
  }
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
