// SPDX-License-Identifier: Apache-2.0
#include "release/analyses/release_views.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "privacy/statement_check.hpp"
#include "release/analyses/named_files.hpp"
#include "release/analyses/statement_files.hpp"
#include "release/kinds.hpp"

namespace fogline::release {
namespace {

/// An original that belongs to no release, or to several, would be measured against the wrong one.
void refuse_unknown_originals(const ReleasesAtHand& at_hand, std::span<const privacy::Statement> statements) {
  for (const auto& [name, path] : at_hand.originals) {
    if (std::ranges::find(at_hand.releases, name) != at_hand.releases.end()) continue;
    std::size_t known = 0;
    for (const privacy::Statement& statement : statements)
      known +=
          static_cast<std::size_t>(std::ranges::count(statement.outputs, name, &privacy::ReleasedFile::name));
    if (known == 0)
      throw InvalidOption("original", fmt::format("names {}, which is none of the releases", name));
    if (known > 1)
      throw InvalidOption("original",
                          fmt::format("names {}, and {} releases are called so: give the release as "
                                      "you typed it, with its folder",
                                      name, known));
  }
}

/// Given by the release as typed, or by the released file's name if only one has it; empty: none.
std::string original_of(const std::string& given, const privacy::Statement& statement,
                        const std::map<std::string, std::string>& originals) {
  auto found = originals.find(given);
  if (found == originals.end() && !statement.outputs.empty())
    found = originals.find(statement.outputs.front().name);
  return found == originals.end() ? "" : found->second;
}

bool was_charged_to(const privacy::Statement& statement, privacy::Ledger& ledger) {
  const auto* reference = std::get_if<privacy::LedgerReference>(&statement.ledger);
  return reference != nullptr && reference->ledger_id == ledger.id();
}

std::optional<privacy::DatasetBook> book_of(privacy::Ledger& ledger, const privacy::Statement& statement) {
  try {
    return ledger.books().dataset(std::get<privacy::LedgerReference>(statement.ledger).dataset);
  } catch (const DataError&) {
    return std::nullopt;  // an altered ledger; the check of the entry says so
  }
}

void verify(report::ReleaseView& view, const ReleasesAtHand& at_hand) {
  auto ledger = ledger_at_hand(at_hand.ledger, view.statement);
  if (ledger && !was_charged_to(view.statement, *ledger)) ledger = nullptr;  // of other releases
  view.checks = privacy::verify(view.statement, {.folder = view.files.folder,
                                                 .files = view.files.files,
                                                 .ledger = ledger.get(),
                                                 .trusted = privacy::TrustedKeys::read(at_hand.trust)});
  // Of a signature that is not there, nothing is missing here.
  if (!view.statement.signature)
    std::erase_if(view.checks, [](const privacy::Check& check) { return check.name == "signature"; });
  for (privacy::Check& check : recompute(view.statement, view.files)) view.checks.push_back(std::move(check));
  if (ledger) view.book = book_of(*ledger, view.statement);
}

}  // namespace

std::vector<report::ReleaseView> look_at(const ReleasesAtHand& at_hand, Caller& caller) {
  std::vector<StatementOf> given;
  std::vector<privacy::Statement> statements;
  for (const std::string& release : at_hand.releases) {
    given.push_back(statement_of(release));
    statements.push_back(only_statement(given.back().statement));
  }
  refuse_unknown_names(at_hand.files, statements);
  refuse_unknown_originals(at_hand, statements);
  // One for all: a front end may show the progress of one task at a time, and a second call would end the first.
  const Progress progress = caller.progress();
  std::vector<report::ReleaseView> views;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    std::string id = fmt::format("{}-{}", statements[i].kind, i + 1);
    report::ReleaseView view{.statement = std::move(statements[i]), .id = std::move(id)};
    view.files.folder = folder_of(given[i].statement);
    view.files.files = at_hand.files;
    view.files.threads = caller.threads();
    view.files.progress = progress;
    view.roads = at_hand.roads;
    view.attack = at_hand.attack;
    // The file that was given is the one to look at, whatever it is called and wherever the statement says it went.
    std::map<std::string, std::string> outputs;
    name_outputs(view.statement, given[i].released, outputs);
    for (const auto& [name, path] : outputs) view.files.files[name] = path;
    verify(view, at_hand);
    view.original = original_of(at_hand.releases[i], view.statement, at_hand.originals);
    view.reading.columns = at_hand.columns.map();
    view.reading.times = at_hand.columns.times();
    view.reading.sort = at_hand.columns.sort;
    views.push_back(std::move(view));
  }
  return views;
}

}  // namespace fogline::release
