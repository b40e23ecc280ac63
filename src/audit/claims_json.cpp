// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <nlohmann/json.hpp>

#include "audit/claims.hpp"

namespace fogline::audit {
namespace {

using Json = nlohmann::ordered_json;

/// Null if no audit is on record.
Json audit_json(const Claim& claim) {
  const auto found = recorded_audit(claim);
  if (!found) return nullptr;
  Json result{{"date", found->date},
              {"version", found->version},
              {"passed", found->passed},
              {"passed_by", found->engines},
              {"accused_by", found->accused_by}};
  if (!found->loss_at_least) return result;
  const double loss = *found->loss_at_least;
  result["claimed_loss"] = *found->claimed_loss;
  result["loss_at_least"] = std::isinf(loss) ? Json("unbounded") : Json(loss);  // JSON has no infinity
  result["evidence"] = found->evidence;
  return result;
}

Json claim_json(const Claim& claim) {
  const bool holds = claim.why_not.empty();
  return {{"kind", claim.kind},
          {"mechanism", claim.mechanism},
          {"form", to_string(claim.form)},
          {"offered_for_release", claim.released},
          {"holds", holds},
          {"notion", to_string(claim.notion)},
          {holds ? "epsilon_means" : "paper_claims", claim.epsilon_means},
          {"unit", claim.unit},
          {"must_be_public", claim.must_be_public},
          {"exactness", to_string(claim.exactness)},
          {"page", claim.page},
          {"why_not", holds ? Json() : Json(claim.why_not)},
          {"audit", audit_json(claim)}};
}

}  // namespace

Json claims_json(const std::vector<Claim>& claims) {
  Json all = Json::array();
  for (const Claim& claim : claims) all.push_back(claim_json(claim));
  return all;
}

}  // namespace fogline::audit
