// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "privacy/parameter_table.hpp"
#include "privacy/statement.hpp"
#include "weights/mechanisms/catalogue.hpp"

namespace fogline::weights {

/// What blocks are cut for.
enum class PriorSource {
  flat,  ///< all weights of the range alike
  file,  ///< a public file
  noisy  ///< a histogram of the private weights, paid for with a part of epsilon
};
std::string_view to_string(PriorSource source);  ///< "flat", "file", "noisy"

/// What is done with the drawn numbers before they are released. All of it is post-processing.
enum class Finish {
  plain,   ///< the mechanism's own weight for each drawn number
  median,  ///< posterior median under a prior learned from the drawn numbers
  mean     ///< posterior mean
};
std::string_view to_string(Finish finish);  ///< "plain", "median", "mean"
Finish finish_from(std::string_view text);  ///< throws InvalidOption

/// What a release of edge weights by a sound mechanism says about itself. Everything follows from the public things below, so that the reader of
/// a statement can compute what its writer wrote; audit/statements/recompute.hpp does.
///
///     WeightTerms terms{.mechanism = "blocks", .epsilon = {10, 1}, .grid = WeightGrid::parse("100:600", "1")};
///     terms.guarantee();      // pure DP, epsilon 10, protecting one edge's whole weight, in 100:600, exact
///     assert(terms_from(statement).guarantee() == statement.guarantee);
struct WeightTerms {
  std::string mechanism = {};  ///< one of mechanism_names()
  privacy::Epsilon epsilon;    ///< in all, with what the prior costs
  WeightGrid grid;
  Protection protection = {};
  Rounding rounding = Rounding::refuse;
  bool positive = false;
  bool directed = false;
  PriorSource prior = PriorSource::flat;
  std::optional<privacy::PublicInput> prior_file = {};  ///< set exactly if the prior is a file
  Rational prior_share = Rational(1, 20);  ///< of epsilon, if the prior is noisy; chosen, not derived
  Finish finish = Finish::plain;
  std::string groups = "none";                           ///< of the estimate: "none", "degrees" or "file"
  std::optional<privacy::PublicInput> groups_file = {};  ///< set exactly if groups is "file"
  std::optional<privacy::PublicInput> order_file = {};   ///< the public order that weights follow

  privacy::Epsilon epsilon_of_weights() const;  ///< without what a noisy prior costs; throws InvalidOption
  MechanismChoice choice(std::vector<double> prior_of_points) const;

  privacy::Guarantee guarantee() const;
  void declare(privacy::ParameterTable& table);  ///< the parameters, for a mechanism that is known
  static std::vector<privacy::ParameterTable::Listed> listed();  ///< every parameter there may be
  nlohmann::ordered_json parameters() const;
  std::vector<privacy::PublicInput> public_inputs() const;
  std::vector<std::string> promise() const;
  std::vector<std::string> not_protected() const;

  /// The expected error as a statement gives it, under the public prior: of the drawn numbers, before estimates and order. Empty where nothing is
  /// known beforehand: a noisy prior.
  std::optional<privacy::ExpectedError> expected_error(std::vector<double> prior_of_points) const;

  /// The statement of a release under these terms, complete but for outputs, ledger and randomness.
  privacy::Statement draft(std::vector<double> prior_of_points) const;
  /// The same but for the expected error, for which the mechanism must be built.
  privacy::Statement draft_without_error() const;
};

/// Reads the terms back from a statement's mechanism, parameters and public inputs. Throws InvalidOption naming the first that is missing, unknown,
/// of the wrong type, out of range or not in the one spelling that WeightTerms::parameters() gives it.
WeightTerms terms_from(const privacy::Statement& statement);

}  // namespace fogline::weights
