// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/blocks.hpp"
#include "cli/session.hpp"
#include "privacy/release.hpp"

namespace fogline::cli {

/// What every release tells its user, before and after.
///
///     ReleaseTalk talk{.ledger = ledger_, .output = output_, .json = json_};
///     talk.before(session, plan);
///     talk.watch(session, plan, [&](auto* watch) { return privacy::release(plan, draw, watch); });
struct ReleaseTalk {
  const LedgerBlock& ledger;
  const OutputBlock& output;
  bool json = false;
  privacy::EpsilonMeasure measure = privacy::EpsilonMeasure::plain;  ///< of the kind's epsilons
  bool live = false;  ///< answers are out before the release is complete

  /// Warns of a fixed seed, of an epsilon that hides next to nothing, and of a dataset that the ledger does not know: a
  /// slip of the pen would begin a budget of its own.
  void before(Session& session, const privacy::ReleasePlan& plan) const;

  /// Runs the release, and tells the session's stages; if it fails after the charge, says that the budget is spent.
  privacy::Released watch(Session& session, const privacy::ReleasePlan& plan,
                          const std::function<privacy::Released(privacy::ReleaseWatch*)>& release) const;

  /// What was released ("weight", which makes "4,967 weights"), where, under which promise, and what is left. `more` goes before the ledger's line, and into the JSON
  /// as it is.
  void after(Session& session, const privacy::Released& released, const std::string& what,
             const std::vector<std::pair<std::string, std::string>>& more,
             const nlohmann::ordered_json& more_json) const;

 private:
  void tell_as_json(Session& session, const std::string& report) const;
};

}  // namespace fogline::cli
