// SPDX-License-Identifier: Apache-2.0
#include "release/analyses/statement_files.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "io/points.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/statement_log.hpp"

namespace fogline::release {

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

privacy::Statement only_statement(const std::string& file) {
  if (!privacy::is_statement_log(file)) return privacy::read_statement(file);
  std::vector<privacy::Statement> all = privacy::read_statements(file).all;
  if (all.size() > 1)
    throw DataError(
        {file}, fmt::format("holds {} statements, each of a release of its own", grouped(all.size())),
        fmt::format("take one out: sed -n 1p {} > one.statement.json; verify takes all of them", file));
  return std::move(all.front());
}

namespace {

/// The output of a release in parts that this file is, by its name or else by what it holds; the first if it is none of them.
std::string part_at(const privacy::Statement& statement, const std::string& released) {
  const std::string name = std::filesystem::path(released).filename().string();
  const auto& outputs = statement.outputs;
  auto part = std::ranges::find(outputs, name, &privacy::ReleasedFile::name);
  if (part == outputs.end())
    part = std::ranges::find(outputs, privacy::sha256_of_file(released), &privacy::ReleasedFile::sha256);
  return part == outputs.end() ? outputs.front().name : part->name;
}

}  // namespace

void name_outputs(const privacy::Statement& statement, const std::string& released,
                  std::map<std::string, std::string>& files) {
  if (released.empty() || statement.outputs.empty()) return;
  const std::string& first = statement.outputs.front().name;
  const std::string stem = first == "-" ? std::filesystem::path(released).filename().string() : first;
  const std::span more(statement.outputs.begin() + 1, statement.outputs.end());
  if (!std::ranges::all_of(more, [&](const auto& output) { return output.name.starts_with(stem + "."); })) {
    files[part_at(statement, released)] = released;
    return;
  }
  files[first] = released;
  std::error_code unknown;
  for (const privacy::ReleasedFile& output : more)
    if (const std::string beside = released + output.name.substr(stem.size());
        std::filesystem::exists(beside, unknown))
      files.emplace(output.name, beside);
}

std::shared_ptr<privacy::Ledger> ledger_at_hand(const LedgerFields& ledger,
                                                const privacy::Statement& statement) {
  constexpr auto access = privacy::Ledger::Access::read_only;
  if (ledger.name().empty()) return nullptr;
  if (!ledger.is_default) return ledger.open(access);
  const auto* reference = std::get_if<privacy::LedgerReference>(&statement.ledger);
  if (reference == nullptr) return nullptr;
  try {
    auto own = ledger.open(access);
    return own->id() == reference->ledger_id ? own : nullptr;
  } catch (const Error&) {
    return nullptr;  // nobody asked for it: no ledger there, or none that can be read
  }
}

}  // namespace fogline::release
