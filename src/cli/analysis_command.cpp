// SPDX-License-Identifier: Apache-2.0
#include "cli/analysis_command.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/run.hpp"
#include "cli/spelling.hpp"

namespace fogline::cli {
namespace {

using release::Findings;

std::string laid_out_piece(const Findings::Rows& rows) {
  Findings::Rows as_typed = rows;
  for (auto& [name, value] : as_typed) value = spelled(value);
  return fields(as_typed);
}

std::string laid_out_piece(const Findings::Table& table) {
  const auto line = [&](const auto& cell) {
    std::string text;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const Findings::Column& column = table.columns[i];
      text += column.align == Findings::Align::left ? fmt::format("{:<{}}", cell(i), column.width)
                                                    : fmt::format("{:>{}}", cell(i), column.width);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text;
  if (std::ranges::any_of(table.columns, [](const auto& column) { return !column.title.empty(); }))
    text += line([&](std::size_t i) { return table.columns[i].title; });
  for (const auto& row : table.rows)
    text += line([&](std::size_t i) { return i < row.size() ? spelled(row[i]) : std::string(); });
  return text;
}

std::string laid_out_piece(const Findings::Sentence& sentence) {
  return spelled(sentence) + "\n";
}

}  // namespace

AnalysisCommand::AnalysisCommand(CommandInfo info, std::unique_ptr<release::Analysis> analysis)
    : info_(std::move(info)), analysis_(std::move(analysis)) {}

void AnalysisCommand::declare(OptionSet& options) {
  analysis_->declare(options);
  options.group("Output");
  options.flag("--json", json_, "print JSON");
  analysis_->limits.declare(options);
}

int AnalysisCommand::run(Session& session) {
  if (release::LedgerFields* ledger = analysis_->ledger()) fill_in(*ledger);
  const Findings found = release::find(*analysis_, session);
  show(session, found);
  if (!found.passed) return exit_code::data;
  return found.is_shown ? exit_code::fine : exit_code::not_shown;
}

void AnalysisCommand::show(Session& session, const Findings& found) const {
  const release::WrittenFile* file = analysis_->written();
  const bool is_taken = file != nullptr && file->is_standard_output();
  const std::string text = json_ ? to_text(found.json.json()) : laid_out(found);
  if (text.empty()) return;
  if (json_) return is_taken ? session.aside(text) : session.data(text);
  return is_taken || found.tells_of_file ? session.note(text) : session.data(text);
}

std::string laid_out(const Findings& found) {
  std::string text;
  for (const Findings::Piece& piece : found.pieces)
    text += std::visit([](const auto& one) { return laid_out_piece(one); }, piece);
  return text;
}

}  // namespace fogline::cli
