// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "fogline/field_values.hpp"
#include "fogline/findings.hpp"
#include "fogline/ledger.hpp"
#include "fogline/listener.hpp"

namespace fogline {

/// A request that releases nothing and charges nothing: a plan, a measure, an attack, an audit; or a model, a
/// picture, a report, invented data, which is a file that `output` names.
///
///     fogline::Listener silent;
///     fogline::Analysis plan("place", "plan");
///     plan.set("network", "lattice:20x20:3000").set("epsilon", "1/100");
///     std::string json = plan.run(silent).json;          // {"kind": "place", "q_loss_m": ...}
///
/// Fields, their types, ranges and defaults are those of the command line; schema() lists them. What a measure or an attack finds of private records is
/// private itself.
class Analysis : public HasFields<Analysis> {
 public:
  /// Kinds: place, stream, path, weights, traces. Verbs: plan, measure, attack, audit, and others of one kind (verbs(), kinds.hpp). Throws InvalidOption.
  Analysis(std::string_view kind, std::string_view verb);

  /// The ledger that a plan asks what is left, instead of the field `ledger`. Must outlive run().
  Analysis& ask(Ledger& ledger);

  std::string schema() const;  ///< JSON schema of the fields

  /// As often as wanted. Throws Error types, and what callbacks throw; a check that does not pass is a finding.
  Findings run(Listener& listener) const;

 private:
  std::string kind_, verb_;
  Ledger* ledger_ = nullptr;
};

}  // namespace fogline
