// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "privacy/guarantee.hpp"
#include "privacy/statement.hpp"

namespace fogline::audit {

/// One line of the claims table: what a mechanism promises, and who checks it.
struct Claim {
  std::string kind = {};
  std::string mechanism = {};
  privacy::Form form = privacy::Form::sound;
  bool released =
      true;  ///< a release offers it, a published form with `published`; false: built for comparison only
  privacy::Notion notion = privacy::Notion::none;
  privacy::Exactness exactness = privacy::Exactness::approximate;
  std::string unit = {};  ///< of protection
  /// What epsilon bounds; where the claim does not hold, what the paper claims.
  std::string epsilon_means = {};
  std::string must_be_public = {};  ///< what it takes for granted that everybody may know
  std::string page = {};            ///< with the proof, or the reason why there is none
  std::string why_not = {};         ///< one sentence; empty where the claim holds
};

// Every mechanism of a kind, those that hold before those that do not. release/kinds.hpp has all of them.
std::vector<Claim> place_claims();
std::vector<Claim> stream_claims();
std::vector<Claim> path_claims();
std::vector<Claim> weights_claims();
std::vector<Claim> traces_claims();

/// What the last recorded audit (docs/results/audit.json, built into the library) says about a mechanism.
struct RecordedAudit {
  std::string date;                          ///< of the run, 2026-11-15
  std::string version;                       ///< of Fogline
  std::vector<std::string> engines = {};     ///< parts that did not accuse it
  std::vector<std::string> accused_by = {};  ///< parts that accused it
  bool passed = false;                       ///< no part accused it
  std::optional<double> claimed_loss = {};   ///< where it was accused by numbers
  std::optional<double> loss_at_least = {};  ///< may be infinite
  std::string evidence = {};
};

/// Empty if the record does not mention it. Throws DataError if the record is malformed.
std::optional<RecordedAudit> recorded_audit(const Claim& claim);

/// The record as text.
std::string_view audit_record();

/// The claims table, for people; and docs/claims.md.
std::string claims_text(const std::vector<Claim>& claims);
std::string claims_markdown(const std::vector<Claim>& claims);

/// The same for programs, an object for each: the one JSON form of claims, whoever shows them. `epsilon_means` is
/// called `paper_claims` where the claim does not hold; `audit` is null where none is on record.
nlohmann::ordered_json claims_json(const std::vector<Claim>& claims);

}  // namespace fogline::audit
