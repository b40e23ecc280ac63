// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "audit/recompute.hpp"
#include "privacy/guarantee.hpp"
#include "roads/network.hpp"
#include "roads/public_network.hpp"

namespace fogline::audit {

/// What the recomputations of all kinds have in common.

/// Why something could not be recomputed here. No Error: it is an outcome.
struct NotAtHand {
  std::string why;
};

/// Runs a check; what is not at hand is not checked, and what throws has failed. Throws Cancelled only.
privacy::Check attempt(const std::string& name, const std::function<privacy::Check()>& check);

/// Does the guarantee follow from the terms? `promised` computes it for a release that is not seeded.
privacy::Check check_guarantee(const privacy::Statement& statement,
                               const std::function<privacy::Guarantee()>& promised);

/// Are the sentences those of the terms, for a release that is not seeded?
privacy::Check check_words(const privacy::Statement& statement, const std::vector<std::string>& promise,
                           const std::vector<std::string>& not_protected);

/// All checks of a statement whose parameters can be read: `run` reads them and gives the checks that follow. If it throws InvalidOption, the
/// parameters have failed, and the guarantee is not checked.
std::vector<privacy::Check> with_parameters(const std::function<std::vector<privacy::Check>()>& run);

/// A file the statement names, if it lies here and has the right hash; throws NotAtHand otherwise.
std::string at_hand(const std::string& name, const std::string& sha256, const RecomputeOptions& options);

/// The network the statement names, made from its specification or read from its files; throws NotAtHand if they are not there, or not to be read.
roads::RoadNetwork network_at_hand(const roads::PublicNetwork& network, const RecomputeOptions& options);

/// Do they differ by at most this share of the larger?
bool near(double a, double b, double relative);

}  // namespace fogline::audit
