// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "cli/analysis_command.hpp"
#include "cli/release_command.hpp"
#include "cli/texts.hpp"
#include "cli/verbs.hpp"
#include "release/kinds.hpp"

namespace fogline::cli {
namespace {

std::unique_ptr<Command> command_of(std::unique_ptr<release::Release> request) {
  CommandInfo text = text_of(request->kind(), request->verb());
  return std::make_unique<ReleaseCommand>(std::move(text), std::move(request));
}

std::unique_ptr<Command> command_of(std::unique_ptr<release::Analysis> request) {
  CommandInfo text = text_of(request->kind(), request->verb());
  return std::make_unique<AnalysisCommand>(std::move(text), std::move(request));
}

std::unique_ptr<Command> command_of(const release::MakeVerb& verb) {
  return std::visit([](const auto make) { return command_of(make()); }, verb);
}

/// Verbs of one thing stand together, before those that are a word by themselves.
bool stands_before(const std::unique_ptr<Command>& a, const std::unique_ptr<Command>& b) {
  const std::vector<std::string> first = a->info().words, second = b->info().words;
  return first.size() != second.size() ? first.size() > second.size() : first < second;
}

}  // namespace

std::vector<std::unique_ptr<Command>> commands() {
  std::vector<std::unique_ptr<Command>> all, others;
  all.push_back(demo());
  for (const release::Kind& kind : release::kinds())
    for (const release::MakeVerb& verb : kind.verbs) all.push_back(command_of(verb));
  for (const release::MakeVerb& verb : release::other_verbs()) others.push_back(command_of(verb));
  for (const auto make : {key_make, key_revoke, ledger_add, ledger_accept, ledger_cap, statement, reproduce,
                          schema, serve, claims, completion, manual})
    others.push_back(make());
  std::ranges::sort(others, stands_before);
  std::ranges::move(others, std::back_inserter(all));
  return all;
}

}  // namespace fogline::cli
