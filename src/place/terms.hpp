// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "place/mechanism.hpp"
#include "place/too_far.hpp"
#include "privacy/parameter_table.hpp"
#include "privacy/persons.hpp"
#include "privacy/statement.hpp"
#include "roads/public_network.hpp"
#include "roads/snap_distance.hpp"

namespace fogline::place {

/// What a release by a place mechanism says about itself. Everything follows from the public things below, so that the reader of a
/// statement can compute what its writer wrote; audit/statements/recompute.hpp does.
///
///     PlaceTerms terms{.mechanism = "gem", .epsilon = {1, 100}, .network = {.inputs = {{"network", "", "line:9:800"}}}};
///     auto gem = make_mechanism(line, {.name = terms.mechanism, .epsilon = terms.epsilon, .unit = terms.unit_of_report()});
///     terms.take(*gem);
///     terms.guarantee();     // metric DP, epsilon 0.01 per metre, protecting one report, by distance on line:9:800, exact
///     terms.promise();       // the same in sentences
///     assert(terms_from(statement).guarantee() == statement.guarantee);
struct PlaceTerms {
  static constexpr std::uint64_t most_reports_per_person = 1'000'000;
  static constexpr double farthest_snap_m = 1e7;
  static constexpr double usual_snap_m = 500;
  static constexpr std::array<std::string_view, 3> copyable_columns{"traj_id", "user_id", "t"};

  std::string mechanism = "gem";                   ///< one of mechanism_names()
  privacy::EpsilonPerMetre epsilon;                ///< of one report
  roads::PublicNetwork network = {};               ///< metres are measured on it, however its roads are cut
  std::optional<privacy::PublicInput> range = {};  ///< file of the allowed outputs; empty: every vertex
  std::optional<privacy::PublicInput> prior = {};  ///< file of the public prior; empty: all vertices alike
  std::optional<privacy::PublicInput> given_table =
      {};  ///< file of a table that somebody made; empty: one of our mechanisms
  std::optional<privacy::PublicInput> kernel =
      {};              ///< file of the prepared mechanism; empty: it was built for the release
  bool remap = false;  ///< outputs are moved to the best guess under the prior
  /// What the mechanism says of itself, PlaceMechanism::parameters().
  privacy::Parameters own = {};
  std::uint64_t range_vertices = 1;      ///< how many vertices may come out; 0: points of the plane do
  roads::SnapDistance snap = {};         ///< of points on the map's roads
  double max_snap_m = usual_snap_m;      ///< a position farther from every vertex is too far; above 0 to 1e7
  TooFar too_far = TooFar::refuse;       ///< what became of those
  std::uint64_t reports_per_person = 0;  ///< that the promise covers, to 1,000,000; 0: each alone
  privacy::Persons persons = privacy::Persons::unsaid;   ///< how they are told apart, if those are a person's
  privacy::TooMany too_many = privacy::TooMany::refuse;  ///< what became of reports beyond
  std::vector<std::string> columns_copied =
      {};  ///< of the input, unprotected; each once, from copyable_columns

  /// Only what the mechanism is built from: network, range, prior, epsilon, remap. The rest, what becomes of records, is as usual.
  PlaceTerms of_mechanism() const;

  /// Takes over what only the mechanism itself knows: its name, its own parameters, how many vertices may come out, and how far roads
  /// lie from vertices on its map.
  void take(const PlaceMechanism& mechanism);

  /// One report's neighbours, for MechanismChoice: "one report, by distance on line:9:800". Where far positions are left out, "one
  /// report within 500 m of the network, by distance on line:9:800".
  std::string unit_of_report() const;
  privacy::EpsilonPerMetre epsilon_of_all_reports() const;

  /// For one report; or for all of a person's, which add up, by the distance of the one that differs most. Throws InvalidOption if
  /// the sum is no epsilon, the unit no plain text, or the mechanism unknown.
  privacy::Guarantee guarantee() const;

  void declare(privacy::ParameterTable& table);  ///< the parameters, for a mechanism that is known
  static std::vector<privacy::ParameterTable::Listed> listed();  ///< every parameter there may be
  nlohmann::ordered_json parameters() const;
  std::vector<privacy::PublicInput> public_inputs()
      const;  ///< the network, then range, prior, table and kernel where given
  std::vector<std::string> promise() const;
  std::vector<std::string> not_protected() const;

  /// The expected error as a statement gives it, with how it was computed: under the prior where there is one.
  privacy::ExpectedError stated(const ExpectedError& error) const;

  /// The statement of a release under these terms, complete but for outputs, ledger and randomness.
  privacy::Statement draft(const ExpectedError& error) const;
};

/// Reads the terms back from a statement's mechanism, parameters and public inputs. Throws InvalidOption naming the first that is missing,
/// not known, of the wrong type or out of range; of the mechanism's own parameters those that follow from epsilon must have their
/// value, and the others be there. Looks at nothing else in the statement, and at no file.
PlaceTerms terms_from(const privacy::Statement& statement);
PlaceTerms terms_from(const std::string& mechanism, const nlohmann::ordered_json& parameters,
                      std::vector<privacy::PublicInput> inputs);

}  // namespace fogline::place
