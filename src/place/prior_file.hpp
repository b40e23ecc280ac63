// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "roads/network.hpp"

namespace fogline::place {

/// How likely each vertex is, from a public file `vertex,probability` (io/prior.hpp) whose vertices are called as the network calls
/// them.
///
///     std::vector<double> prior = read_prior("prior.csv", map);      // one number per vertex, in all 1
///     mechanism->expected_error({.prior = prior});
///
/// Vertices the file does not name have 0. The numbers are divided by their sum, which the file may miss by 10^-6. Throws FileError or
/// DataError with the line: a name the network does not have or that came before, a probability outside 0 to 1, a sum that is not 1.
/// Cost: a table of all names. The file is public: a prior made from the records to be released would tell of them.
std::vector<double> read_prior(const std::string& file, const roads::RoadNetwork& map);

}  // namespace fogline::place
