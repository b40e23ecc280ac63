// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "privacy/guarantee.hpp"
#include "release/analyses/findings.hpp"
#include "release/common_fields.hpp"

namespace fogline::release {

/// What a planned release would cost a dataset, from its ledger, which is read and not changed: what every plan tells.
///
///     const BudgetView budget(ledger, terms.guarantee());
///     budget.add_to(rows);
///     budget.add_to(json);
///     found.add(budget.remarks());
class BudgetView {
 public:
  /// `sum` says what the cost is made of, such as "5 a step, 168 steps"; empty if there is nothing to add up.
  BudgetView(const LedgerFields& ledger, const privacy::Guarantee& guarantee, std::string sum = "");

  /// "costs", "spent so far" and "left".
  void add_to(Findings::Rows& rows) const;
  /// dataset, spent, remaining, refused, and a warning of a large epsilon; per metre where that is the measure.
  void add_to(nlohmann::ordered_json& report) const;
  /// That epsilon is large, that there is no ledger yet, that the ledger would refuse the release.
  std::vector<std::string> remarks() const;

 private:
  void read(privacy::Ledger& ledger, const privacy::Guarantee& guarantee);

  std::string path_, dataset_, costs_, sum_, spent_ = "0", refused_, warning_;
  std::optional<std::string> remaining_;
  bool per_metre_;
  bool is_there_ = false;
};

}  // namespace fogline::release
