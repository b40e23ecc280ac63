// SPDX-License-Identifier: Apache-2.0
#pragma once

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
  BudgetView(const LedgerBlock& ledger, const privacy::Guarantee& guarantee);

  /// "costs", "spent so far" and "left".
  void add_to(std::vector<std::pair<std::string, std::string>>& rows) const;
  /// dataset, spent, remaining, refused; per metre where that is the measure.
  void add_to(nlohmann::ordered_json& report) const;
  /// Sentences: that there is no ledger yet, that the ledger would refuse the release; a line each, or none.
  std::string remarks() const;

 private:
  std::string path_, dataset_, costs_, spent_ = "0", refused_;
  std::optional<std::string> remaining_;
  bool per_metre_;
  bool is_there_;
};

}  // namespace fogline::cli
