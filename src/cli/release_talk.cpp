// SPDX-License-Identifier: Apache-2.0
#include "cli/release_talk.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "cli/budget_view.hpp"

namespace fogline::cli {
namespace {

/// Every measure's total, as far as something was spent or capped: nothing is said of the others.
std::string totals(const privacy::DatasetBook& book, privacy::EpsilonMeasure measure) {
  const privacy::MeasureTotal& total = book.total(measure);
  const auto remaining = total.remaining();
  const std::string per = measure == privacy::EpsilonMeasure::per_metre ? " per metre" : "";
  return fmt::format("has spent {}{}, {}", total.spent.to_string(), per,
                     remaining ? remaining->to_string() + " left" : std::string("no cap"));
}

/// Carries a release's progress to whoever hears an interrupt.
class StageWatch : public privacy::ReleaseWatch {
 public:
  StageWatch(Stage once_charged, bool is_seeded) : once_charged_(once_charged), is_seeded_(is_seeded) {}

  void charging() override { enter(Stage::charging); }
  void charged(const privacy::LedgerReference& entry) override {
    is_charged_ = true;
    if (!is_seeded_) paid_ = entry.entry;
    enter_charged(once_charged_, paid_);
  }
  void writing() override { enter(Stage::writing); }
  bool is_wanted() override { return !is_interrupted(); }
  bool is_charged() const { return is_charged_; }
  std::uint64_t paid() const { return paid_; }  ///< the entry that is spent; 0: none

 private:
  Stage once_charged_;
  bool is_seeded_;
  bool is_charged_ = false;
  std::uint64_t paid_ = 0;
};

}  // namespace

void ReleaseTalk::before(Session& session, const privacy::ReleasePlan& plan) const {
  enter(Stage::planning);  // also after another release of the same run
  if (plan.seed)
    session.warn("A FIXED SEED WAS GIVEN: THIS RUN IS NOT PRIVATE AND IS NOT CHARGED AS A RELEASE");
  if (const std::string warning = warning_of_large_epsilon(plan.draft.guarantee); !warning.empty())
    session.warn(warning);
  if (!std::filesystem::exists(plan.ledger)) return;
  privacy::Ledger known(plan.ledger, {.access = privacy::Ledger::Access::existing});
  const privacy::Books books = known.books();
  if (books.datasets().empty() || books.datasets().contains(plan.dataset)) return;
  session.warn(fmt::format("dataset '{}' is new in this ledger, and has no cap", plan.dataset));
}

privacy::Released ReleaseTalk::watch(
    Session& session, const privacy::ReleasePlan& plan,
    const std::function<privacy::Released(privacy::ReleaseWatch*)>& release) const {
  StageWatch watch(live ? Stage::live : Stage::drawing, plan.seed.has_value());
  try {
    return release(&watch);
  } catch (...) {  // whatever it is, it is thrown on
    if (is_interrupted() && !watch.is_charged()) session.note("nothing was charged");
    if (watch.paid() > 0) {
      session.warn(fmt::format("entry {} of the ledger is spent all the same: running again costs again",
                               watch.paid()));
    }
    throw;
  }
}

void ReleaseTalk::tell_as_json(Session& session, const std::string& report) const {
  // With the release itself on standard output, the report goes where notes go; it was asked for, so -q does not silence it.
  if (output.output == "-") return session.aside(report);
  try {
    session.data(report);
  } catch (const ClosedPipe&) {
    throw FileError("standard output", "is closed, so the report is lost",
                    fmt::format("the release stands: {} and its statement are complete", output.output));
  }
}

void ReleaseTalk::after(Session& session, const privacy::Released& released, const std::string& what,
                        const std::vector<std::pair<std::string, std::string>>& more,
                        const nlohmann::ordered_json& more_json) const {
  enter(Stage::telling);
  const privacy::Statement& statement = released.statement;
  const std::uint64_t records = statement.outputs.front().records;
  const auto& entry = std::get<privacy::LedgerReference>(statement.ledger);
  privacy::Ledger books(ledger.path(), {.access = privacy::Ledger::Access::existing});
  const privacy::DatasetBook book = books.books().dataset(ledger.dataset);
  if (entry.entry == 1) session.note(fmt::format("a new ledger was made: {}", ledger.path()));
  if (json) {
    const auto remaining = book.total(measure).remaining();
    const std::string suffix = measure == privacy::EpsilonMeasure::per_metre ? "_per_metre" : "";
    nlohmann::ordered_json report = {{"output", output.output}, {"statement", released.statement_file},
                                     {"records", records},      {"guarantee", to_string(statement.guarantee)},
                                     {"ledger", ledger.path()}, {"entry", entry.entry},
                                     {"dataset", entry.dataset}};
    report["spent" + suffix] = book.total(measure).spent.to_string();
    report["remaining" + suffix] =
        remaining ? nlohmann::ordered_json(remaining->to_string()) : nlohmann::ordered_json();
    report.update(more_json);
    return tell_as_json(session, to_text(report));
  }
  std::vector<std::pair<std::string, std::string>> rows{
      {"released",
       fmt::format("{} {}{} to {}", grouped(records), what, records == 1 ? "" : "s", output.output)},
      {"statement", released.statement_file},
      {"promise", to_string(statement.guarantee)}};
  rows.insert(rows.end(), more.begin(), more.end());
  rows.emplace_back("ledger", fmt::format("entry {} of {}; dataset '{}' {}", entry.entry, ledger.path(),
                                          entry.dataset, totals(book, measure)));
  session.note(fields(rows));
}

}  // namespace fogline::cli
