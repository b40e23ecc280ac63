// SPDX-License-Identifier: Apache-2.0
#include "weights/estimates/prior_file.hpp"

#include <array>
#include <cmath>

#include "base/error.hpp"
#include "io/csv.hpp"
#include "io/numbers.hpp"
#include "weights/estimates/noisy_prior.hpp"

namespace fogline::weights {
namespace {

constexpr std::string_view example = "weight,probability";
constexpr std::array<std::string_view, 3> weight_names = {"weight", "value", "w"};
constexpr std::array<std::string_view, 3> probability_names = {"probability", "p", "prob"};

/// How far from 1 the probabilities may sum: what rounding to the six digits most programs print leaves, not a share that was forgotten.
constexpr double sum_tolerance = 1e-6;

}  // namespace

std::vector<double> read_prior(io::TextSource& source, const WeightGrid& grid) {
  if (!grid.is_finite() || grid.points() > most_prior_points)
    throw InvalidOption("prior", "needs a `range` with both ends and at most 20,000 weights");
  io::CsvReader csv(source, {});
  const std::size_t weight_column = csv.require_column("weight", weight_names, example);
  const std::size_t probability_column = csv.require_column("probability", probability_names, example);
  std::vector<double> shares(static_cast<std::size_t>(grid.points()), 0.0);
  std::vector<bool> given(shares.size(), false);
  double sum = 0;
  while (csv.next()) {
    const auto found = grid.point_of(csv.number(weight_column), Rounding::refuse);
    if (found.fault != WeightGrid::Fault::none)
      csv.fail(weight_column, "is no weight of the range " + grid.range_text());
    const auto point = static_cast<std::size_t>(found.point);
    if (given[point]) csv.fail(weight_column, "was given before", "remove one of them");
    given[point] = true;
    shares[point] = csv.number(probability_column);
    if (shares[point] < 0 || shares[point] > 1) csv.fail(probability_column, "lies outside 0 to 1");
    sum += shares[point];
  }
  if (std::abs(sum - 1) > sum_tolerance) {
    throw DataError({source.name()}, "the probabilities do not sum to 1 within 0.000001",
                    "divide each by their sum");
  }
  return shares;
}

std::vector<double> read_prior(const std::string& file, const WeightGrid& grid) {
  io::TextSource source = io::TextSource::from_file(file);
  return read_prior(source, grid);
}

}  // namespace fogline::weights
