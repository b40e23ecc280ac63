// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "place/gem.hpp"
#include "privacy/statement.hpp"
#include "roads/public_network.hpp"

namespace fogline::place {

/// What a release by Gem says about itself. Everything follows from the public things below, so that the reader of a statement can
/// compute what its writer wrote; audit/recompute.hpp does.
///
///     GemTerms terms{.epsilon = {1, 100}, .network = {.inputs = {{"network", "", "line:9:800"}}}, .range_vertices = 9};
///     terms.guarantee();     // metric DP, epsilon 0.01 per metre, protecting one report, by distance on line:9:800, exact
///     terms.promise();       // the same in sentences
///     assert(gem_terms_from(statement).guarantee() == statement.guarantee);
struct GemTerms {
  static constexpr std::uint64_t most_reports_per_person = 1'000'000;
  static constexpr double farthest_snap_m = 1e7;
  static constexpr std::array<std::string_view, 3> copyable_columns{"traj_id", "user_id", "t"};

  privacy::EpsilonPerMetre epsilon;                ///< of one report
  roads::PublicNetwork network = {};               ///< metres are measured on it
  std::optional<privacy::PublicInput> range = {};  ///< file of the allowed outputs; empty: every vertex
  std::uint64_t range_vertices = 1;                ///< how many outputs are allowed, 1 or more
  double max_snap_m = 500;               ///< positions farther from a vertex were refused; above 0 to 1e7
  std::uint64_t reports_per_person = 0;  ///< that the promise covers, to 1,000,000; 0: each alone
  std::vector<std::string> columns_copied =
      {};  ///< of the input, unprotected; each once, from copyable_columns

  /// One report's neighbours, for Gem::Options: "one report, by distance on line:9:800".
  std::string unit_of_report() const;

  /// For one report; or for all of a person's, which add up, by the distance of the one that differs most. Throws InvalidOption if
  /// the sum is no epsilon, or the unit no plain text.
  privacy::Guarantee guarantee() const;

  nlohmann::ordered_json parameters() const;
  std::vector<privacy::PublicInput> public_inputs() const;
  std::vector<std::string> promise() const;
  std::vector<std::string> not_protected() const;

  /// The statement of a release under these terms, complete but for outputs, ledger and randomness.
  privacy::Statement draft(const ExpectedError& error) const;
};

/// Reads the terms back from a statement's parameters and public inputs. Throws InvalidOption naming the first that is missing, not
/// known, of the wrong type or out of range. Looks at nothing else in the statement, and at no file.
GemTerms gem_terms_from(const privacy::Statement& statement);

/// From which distance on all vertices share one weight, in metres.
double gem_cap_m(const privacy::EpsilonPerMetre& epsilon);

/// The expected error as a statement gives it, with how it was computed.
privacy::ExpectedError stated(const ExpectedError& error);

}  // namespace fogline::place
