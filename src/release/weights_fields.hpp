// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "release/common_fields.hpp"
#include "release/person_fields.hpp"
#include "release/worth.hpp"
#include "weights/mechanisms/catalogue.hpp"
#include "weights/paper/published.hpp"
#include "weights/terms.hpp"

namespace fogline::release {

/// What every verb of `weights` shares: the mechanism, what it protects, and the public range of the weights.
///
///     if (weights_.published) ... weights_.published_options() ...
///     const auto mechanism = weights::make_mechanism(weights_.terms().choice(weights_.prior_of_points()));
struct WeightsFields {
  std::string mechanism;  ///< empty: the best for the unit
  bool published = false;
  std::string epsilon;
  std::string unit = "edge";
  std::string most;   ///< empty: 1
  std::string range;  ///< empty: 0: where the unit allows it
  std::string step = "1";
  std::string prior;        ///< empty: flat
  std::string prior_share;  ///< empty: 1/20
  std::uint64_t k = 0;      ///< 0: not given, 1
  bool round = false;
  bool positive = false;
  std::string out_of_range;  ///< empty: not given
  PersonFields persons;

  void declare(FieldTable& table);

  /// What the options settle about a sound release; hashes the prior's file. Throws InvalidOption for a published form.
  weights::WeightTerms terms(bool is_guarded = false) const;

  /// The public prior of each point of the grid; empty if it is flat, or noisy and so not public yet. Reads its file.
  std::vector<double> prior_of_points() const;

  /// Throws InvalidOption unless `published` was given and the mechanism is one of the paper's. `default_range` is used where none was given.
  weights::PublishedWeights::Options published_options(const std::string& default_range = "") const;

  privacy::Epsilon epsilon_value() const;
  weights::WeightGrid grid(bool is_guarded = false) const;

  std::vector<std::string> files() const;  ///< of the prior
};

/// What `weights plan` and `weights release` settle alike: all of WeightsFields, and what is made of the drawn numbers.
struct WeightsReleaseFields {
  WeightsFields weights;
  std::string estimate;  ///< empty: median where it gains, else plain
  std::string groups;    ///< empty: degrees
  std::string order;     ///< empty: none
  bool directed = false;

  void declare(FieldTable& table);
  weights::WeightTerms terms(bool is_guarded = false) const;  ///< of a sound release; throws InvalidOption
  std::vector<std::string> files() const;                     ///< of prior, groups and order
  bool groups_is_file() const;
  bool has_finish() const { return !estimate.empty() || !groups.empty() || !order.empty(); }
};

/// What is known of a sound release beforehand, given the expected error of a drawn number. Empty where that is not
/// what is released, or nothing is known: estimates, an order, a noisy prior, a range without an end.
std::optional<Worth> worth_of(const weights::WeightTerms& terms, double expected_error,
                              const std::vector<double>& prior_of_points);

}  // namespace fogline::release
