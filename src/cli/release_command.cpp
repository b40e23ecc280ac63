// SPDX-License-Identifier: Apache-2.0
#include "cli/release_command.hpp"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "cli/blocks.hpp"
#include "release/outcome_json.hpp"

namespace fogline::cli {
namespace {

std::string totals(const privacy::DatasetBook& book, const privacy::Guarantee& release,
                   privacy::EpsilonMeasure measure) {
  const privacy::MeasureTotal& total = book.total(measure);
  const auto remaining = book.remaining(release);
  const std::string per = measure == privacy::EpsilonMeasure::per_metre ? " per metre" : "";
  return fmt::format("has spent {}{}, {}", total.spent.to_string(), per,
                     remaining ? remaining->to_string() + " left" : std::string("no cap"));
}

}  // namespace

ReleaseCommand::ReleaseCommand(CommandInfo info, std::unique_ptr<release::Release> request)
    : info_(std::move(info)), request_(std::move(request)) {}

void ReleaseCommand::declare(OptionSet& options) {
  request_->declare(options);
  options.flag("--json", json_, "print what was done as JSON");
  request_->limits.declare(options);
}

int ReleaseCommand::run(Session& session) {
  request_->to.ledger.makes_folder = request_->to.ledger.ledger.empty();
  fill_in(request_->to.ledger);
  request_->to.output.ask_passphrase = [&] { return session.passphrase(request_->to.output.sign); };
  const release::Outcome outcome = run_request(session);
  if (outcome.entry == 1) session.note(fmt::format("a new ledger was made: {}", request_->to.ledger.ledger));
  json_ ? tell_as_json(session, outcome) : tell(session, outcome);
  if (request_->is_live() && is_interrupted()) {
    session.warn(fmt::format("what was answered before is spent, and {} tells of it",
                             outcome.released.statement_file));
    throw Cancelled();
  }
  for (const std::string& sentence : outcome.told.notes) session.note(sentence);
  return 0;
}

release::Outcome ReleaseCommand::run_request(Session& session) const {
  try {
    return release::release(*request_, session);
  } catch (const privacy::BudgetError& error) {
    if (error.why() != privacy::BudgetError::Why::not_declared || !error.parts().alike.empty()) throw;
    const release::LedgerFields& ledger = request_->to.ledger;
    std::error_code unknown;  // then it is not said
    const bool is_missing = !std::filesystem::exists(ledger.name(), unknown) && !unknown;
    throw privacy::BudgetError(
        error.parts(),
        fmt::format("{}{}. Declare it once, with what it may spend in all: {}",
                    is_missing ? fmt::format("there is no ledger {} (if it was moved, name it where it is): ",
                                             ledger.name())
                               : std::string(),
                    error.what(), command_to_declare(ledger, error)),
        error.why());
  }
}

void ReleaseCommand::tell(Session& session, const release::Outcome& outcome) const {
  const privacy::Statement& statement = outcome.released.statement;
  const release::Told& told = outcome.told;
  const std::uint64_t records = statement.outputs.front().records * outcome.answers;
  std::vector<std::pair<std::string, std::string>> rows{
      {"released", fmt::format("{} {}{} to {}", grouped(records), told.record, records == 1 ? "" : "s",
                               request_->to.output.output)},
      {"statement", outcome.released.statement_file},
      {"promise", to_string(statement.guarantee)}};
  rows.insert(rows.end(), told.rows.begin(), told.rows.end());
  rows.emplace_back(
      "ledger", fmt::format("{}entry {} of {}; dataset '{}'{}", outcome.answers > 1 ? "up to " : "",
                            outcome.entry, request_->to.ledger.ledger, request_->to.ledger.dataset,
                            outcome.book ? " " + totals(*outcome.book, outcome.released.statement.guarantee,
                                                        told.measure)
                                         : ""));
  session.note(fields(rows));
}

void ReleaseCommand::tell_as_json(Session& session, const release::Outcome& outcome) const {
  const std::string report = to_text(release::outcome_json(*request_, outcome));
  // With the release itself on standard output, the report goes where notes go; it was asked for, so -q does not silence it.
  if (request_->to.output.output == "-") return session.aside(report);
  const auto lost = [&](std::string_view why) {
    return FileError(
        "standard output", fmt::format("{}, so the report is lost", why),
        fmt::format("the release stands: {} and its statement are complete", request_->to.output.output));
  };
  try {
    session.data(report);
  } catch (const ClosedPipe&) {
    throw lost("is closed");
  } catch (const FileError&) {
    throw lost("cannot be written");
  }
}

}  // namespace fogline::cli
