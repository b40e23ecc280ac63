// SPDX-License-Identifier: Apache-2.0
#include "release/analyses/budget_view.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "release/driver.hpp"

namespace fogline::release {

BudgetView::BudgetView(const LedgerFields& ledger, const privacy::Guarantee& guarantee, std::string sum)
    : path_(ledger.name()),
      dataset_(ledger.dataset),
      costs_(guarantee.epsilon().to_string()),
      sum_(std::move(sum)),
      warning_(warning_of_large_epsilon(guarantee)),
      per_metre_(guarantee.measure() == privacy::EpsilonMeasure::per_metre) {
  ledger.require_dataset();
  if (ledger.handle != nullptr) {
    if (privacy::Ledger* known = ledger.handle->if_there()) read(*known, guarantee);
  } else if (std::filesystem::exists(path_)) {
    // Compared with its anchor: an older copy would promise what is spent.
    read(*ledger.open(privacy::Ledger::Access::existing), guarantee);
  }
}

void BudgetView::read(privacy::Ledger& ledger, const privacy::Guarantee& guarantee) {
  is_there_ = true;
  const privacy::Books books = ledger.books();
  const privacy::DatasetBook book = books.dataset(dataset_);
  const privacy::MeasureTotal& total = book.total(guarantee.measure());
  spent_ = total.spent.to_string();
  if (const auto left = book.remaining(guarantee)) remaining_ = left->to_string();
  if (const auto refused = books.refusal(dataset_, guarantee)) refused_ = refused->what();
}

void BudgetView::add_to(Findings::Rows& rows) const {
  const std::string unit = per_metre_ ? " per metre" : "";
  rows.emplace_back("costs", fmt::format("{}{}{}, of dataset '{}'", costs_, unit,
                                         sum_.empty() ? "" : " = " + sum_, dataset_));
  rows.emplace_back("spent so far", spent_ + unit);
  rows.emplace_back("left", remaining_         ? *remaining_ + unit
                            : refused_.empty() ? "no cap is set"
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

std::vector<std::string> BudgetView::remarks() const {
  std::vector<std::string> all;
  if (!warning_.empty()) all.push_back(fmt::format("Warning: {}.", warning_));
  if (!is_there_) {
    all.push_back(path_.empty()
                      ? "No ledger was named; a release needs one."
                      : fmt::format("There is no ledger at {} yet: declare the dataset in it first.", path_));
  }
  if (!refused_.empty()) all.push_back(fmt::format("A release would be refused: {}", refused_));
  return all;
}

}  // namespace fogline::release
