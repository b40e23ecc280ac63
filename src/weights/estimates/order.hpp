// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/graph_file.hpp"

namespace fogline::weights {

/// Two edges of which the public order says: the lower one weighs no more than the upper one.
struct OrderPair {
  std::uint32_t lower = 0;  ///< number of an edge
  std::uint32_t upper = 0;
  std::uint64_t line = 0;  ///< where it was read, from 1; 0: not from a file
};

/// A rank for each edge; not-a-number where there is none. An edge of lower rank weighs no more than one of higher rank; equal ranks are
/// not compared, and edges without a rank with none.
using EdgeRanks = std::vector<double>;

/// Reads `source,target,rank`. DataError with file and line: an edge the graph does not have or that came before, a rank that is no number.
EdgeRanks read_ranks(const std::string& file, const io::GraphTable& graph);
EdgeRanks read_ranks(io::TextSource& source, const io::GraphTable& graph);

/// Reads `lower_source,lower_target,upper_source,upper_target`. DataError with file and line: an edge the graph does not have, an edge below itself, and
/// the first pair that closes a circle with those before it.
std::vector<OrderPair> read_order(const std::string& file, const io::GraphTable& graph);
std::vector<OrderPair> read_order(io::TextSource& source, const io::GraphTable& graph);

/// Moves weights as little as possible, in the sum of squares, so that they follow the ranks: isotonic regression.
///
///     std::vector<double> safe = ...released weights...;
///     follow_ranks(read_ranks("road_class.csv", graph), safe);
///
/// Guarantee   post-processing of released weights by a public order: costs nothing. The *true* order of private weights is no public order: releases
///             made to follow it promise nothing.
/// Utility     if the true weights follow the order, the sum of squared errors never grows.
/// Cost        a sort, then linear (pool adjacent violators).
///
/// Every result is a mean of given weights, hence within their range and positive if they are. Throws InvalidOption.
void follow_ranks(std::span<const double> ranks, std::span<double> weights);

/// The same for a partial order (weights/estimates/level_sets.hpp): exact up to 2^-40 of the range of the weights for each edge named. Edges that no pair names stay as
/// they are. Throws InvalidOption if the pairs have a circle or name more than 2^20 edges. Cost: a maximum flow for each level of weights; a chain of 10,000 pairs
/// takes 0.3 s, one of 100,000 pairs 14 s.
void follow_order(std::span<const OrderPair> pairs, std::span<double> weights);

}  // namespace fogline::weights
