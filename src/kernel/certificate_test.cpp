// SPDX-License-Identifier: Apache-2.0
#include "kernel/certificate.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::kernel {
namespace {

using graph::Edge;
using graph::Graph;
using graph::VertexId;

/// Two inputs joined by an edge of the given length, two outputs.
Certificate certify_pair(graph::LengthMm length_mm, const WeightRow& first, const WeightRow& second) {
  const Graph pair = Graph::from_edges(2, std::vector<Edge>{{0, 1, length_mm}});
  return certify(pair, [&](VertexId v) { return v == 0 ? first : second; });
}

TEST(Certificate, OfRandomisedResponseIsItsEpsilon) {
  const Certificate certificate = certify_pair(1, {{3, 1}, 4}, {{1, 3}, 4});
  EXPECT_LE(certificate.loss_per_mm_low, std::log(3.0));
  EXPECT_GE(certificate.loss_per_mm_high, std::log(3.0));
  EXPECT_NEAR(certificate.loss_per_mm_high, std::log(3.0), 1e-14);
  EXPECT_LT(certificate.loss_per_mm_low, certificate.loss_per_mm_high);
}

TEST(Certificate, CountsPerMillimetreAndNamesTheWorstPlace) {
  const Graph line = Graph::from_edges(3, std::vector<Edge>{{0, 1, 10}, {1, 2, 10}});
  const WeightRow rows[] = {{{4, 4, 8}, 16}, {{4, 4, 8}, 16}, {{4, 8, 4}, 16}};
  const Certificate certificate = certify(line, [&](VertexId v) { return rows[v]; });
  EXPECT_NEAR(certificate.loss_per_mm_low, std::log(2.0) / 10, 1e-14);
  EXPECT_EQ(certificate.worst_edge, (Edge{1, 2, 10}));
}

TEST(Certificate, IsInfiniteWhenAnOutputIsPossibleForOneEndOnly) {
  EXPECT_TRUE(std::isinf(certify_pair(1000, {{1, 1}, 2}, {{2, 0}, 2}).loss_per_mm_high));
  EXPECT_TRUE(std::isinf(certify_pair(1000, {{1, 1}, 2}, {{2, 0}, 2}).loss_per_mm_low));
}

TEST(Certificate, IgnoresOutputsThatNeverHappen) {
  EXPECT_LT(certify_pair(1, {{1, 0}, 1}, {{1, 0}, 1}).loss_per_mm_high, 1e-15);
}

TEST(Certificate, SeesTheTotalToo) {
  // Equal weights under different totals are different probabilities.
  EXPECT_NEAR(certify_pair(1, {{5, 5}, 10}, {{5, 15}, 20}).loss_per_mm_high, std::log(2.0), 1e-14);
}

TEST(Certificate, RefusesRowsOfDifferentLength) {
  EXPECT_THROW(certify_pair(1, {{1}, 1}, {{1, 1}, 2}), InvalidOption);
}

}  // namespace
}  // namespace fogline::kernel
