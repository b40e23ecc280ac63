// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "audit/statements/recompute.hpp"
#include "io/input_file.hpp"
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

/// The released text: of the one output, or of several parts one after the other, as they were drawn. Each must be at hand; throws NotAtHand otherwise.
struct ReleasedText {
  std::vector<std::string> paths;
  std::uint64_t records = 0;  ///< as the statement counts them, in all
  std::string sha256;         ///< of the whole text

  io::TextSource open(const Progress& progress = {}) const;
};
ReleasedText released_text(const privacy::Statement& statement, const RecomputeOptions& options);

/// The network the statement names, made from its specification or read from its files; throws NotAtHand if they are not there, or not to be read.
roads::RoadNetwork network_at_hand(const roads::PublicNetwork& network, const RecomputeOptions& options);

/// Throws NotAtHand if the work is limited and the size is above the limit; `of` is what the size counts, "vertices".
void require_limited(const RecomputeOptions& options, std::uint64_t size, std::uint64_t most,
                     std::string_view of);

/// How two values differ, in words and never longer than a line or two: "exposed_steps is 3, and the statement says 4". Of lists and objects
/// the first part that differs is told, and how many do. `same` compares parts that are neither.
std::string difference_in_words(
    const std::string& name, const nlohmann::ordered_json& anew, const nlohmann::ordered_json& said,
    const std::function<bool(const nlohmann::ordered_json&, const nlohmann::ordered_json&)>& same);

/// Do they differ by at most this share of the larger?
bool near(double a, double b, double relative);

}  // namespace fogline::audit
