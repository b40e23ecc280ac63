// SPDX-License-Identifier: Apache-2.0
#include "cli/budget_view.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/spelling.hpp"
#include "release/driver.hpp"

namespace fogline::cli {

BudgetView::BudgetView(const LedgerBlock& ledger, const privacy::Guarantee& guarantee, std::string sum)
    : path_(ledger.path()),
      dataset_(ledger.dataset),
      costs_(guarantee.epsilon().to_string()),
      sum_(std::move(sum)),
      warning_(release::warning_of_large_epsilon(guarantee)),
      per_metre_(guarantee.measure() == privacy::EpsilonMeasure::per_metre),
      is_there_(std::filesystem::exists(path_)) {
  if (!is_there_) return;
  privacy::Ledger file(path_, {.access = privacy::Ledger::Access::existing});
  const privacy::Books books = file.books();
  const privacy::DatasetBook book = books.dataset(dataset_);
  const privacy::MeasureTotal& total = book.total(guarantee.measure());
  spent_ = total.spent.to_string();
  if (const auto left = total.remaining()) remaining_ = left->to_string();
  if (const auto refused = books.refusal(dataset_, guarantee)) refused_ = refused->what();
}

void BudgetView::add_to(std::vector<std::pair<std::string, std::string>>& rows) const {
  const std::string unit = per_metre_ ? " per metre" : "";
  rows.emplace_back("costs", fmt::format("{}{}{}, of dataset '{}'", costs_, unit,
                                         sum_.empty() ? "" : " = " + sum_, dataset_));
  rows.emplace_back("spent so far", spent_ + unit);
  rows.emplace_back("left", remaining_         ? *remaining_ + unit
                            : refused_.empty() ? "no cap is set (fogline ledger cap)"
                                               : "nothing, as said below");
}

void BudgetView::add_to(nlohmann::ordered_json& report) const {
  const std::string unit = per_metre_ ? "_per_metre" : "";
  report["dataset"] = dataset_;
  report["spent" + unit] = spent_;
  report["remaining" + unit] = remaining_ ? nlohmann::ordered_json(*remaining_) : nlohmann::ordered_json();
  if (!warning_.empty()) report["warning"] = warning_;
  report["refused"] = refused_.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(refused_);
}

std::string BudgetView::remarks() const {
  std::string text;
  if (!warning_.empty()) text += fmt::format("Warning: {}.\n", spelled(warning_));
  if (!is_there_) text += fmt::format("There is no ledger at {} yet; a release would make it.\n", path_);
  if (!refused_.empty()) text += fmt::format("A release would be refused: {}\n", spelled(refused_));
  return text;
}

}  // namespace fogline::cli
