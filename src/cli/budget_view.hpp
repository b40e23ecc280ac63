// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/blocks.hpp"
#include "privacy/guarantee.hpp"

namespace fogline::cli {

/// What a planned release would cost a dataset, from its ledger, which is read and not changed: what every `plan` tells.
///
///     const BudgetView budget(ledger_, terms.guarantee());
///     budget.add_to(rows);
///     text += budget.remarks();
class BudgetView {
 public:
  /// `sum` says what the cost is made of, such as "5 a step, 168 steps"; empty if there is nothing to add up.
  BudgetView(const LedgerBlock& ledger, const privacy::Guarantee& guarantee, std::string sum = "");

  /// "costs", "spent so far" and "left".
  void add_to(std::vector<std::pair<std::string, std::string>>& rows) const;
  /// dataset, spent, remaining, refused, and a warning of a large epsilon; per metre where that is the measure.
  void add_to(nlohmann::ordered_json& report) const;
  /// Sentences: that epsilon is large, that there is no ledger yet, that the ledger would refuse the release; a line
  /// each, or none.
  std::string remarks() const;

 private:
  std::string path_, dataset_, costs_, sum_, spent_ = "0", refused_, warning_;
  std::optional<std::string> remaining_;
  bool per_metre_;
  bool is_there_;
};

}  // namespace fogline::cli
