// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "io/input_file.hpp"
#include "weights/grid.hpp"

namespace fogline::weights {

/// Reads a public prior `weight,probability`: the probability of each point of a finite grid, 0 where the file has none.
///
///     std::vector<double> prior = read_prior("prices.csv", WeightGrid::parse("100:600", "1"));
///
/// DataError with file and line: a weight that is no point of the grid or came before, a probability outside 0 to 1, a sum away from 1 by more than 10^-6.
/// Throws InvalidOption if the grid has no end or more than 20,000 points.
std::vector<double> read_prior(const std::string& file, const WeightGrid& grid);
std::vector<double> read_prior(io::TextSource& source, const WeightGrid& grid);

}  // namespace fogline::weights
