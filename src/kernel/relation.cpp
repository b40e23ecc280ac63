// SPDX-License-Identifier: Apache-2.0
#include "kernel/relation.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline::kernel {
namespace {

void require_input(InputId input, std::size_t inputs) {
  if (input >= inputs) {
    throw InvalidOption(
        "relation", fmt::format("a pair names input {}, but inputs are numbered 0 to {}", input, inputs - 1));
  }
}

void require_valid(const RelatedPair& pair, std::size_t inputs, Relation::Kind kind) {
  require_input(pair.from, inputs);
  require_input(pair.to, inputs);
  if (pair.from == pair.to) {
    throw InvalidOption("relation", fmt::format("input {} is paired with itself", pair.from));
  }
  if (pair.distance == 0) {
    throw InvalidOption("relation", fmt::format("inputs {} and {} have distance 0; it must be at least 1",
                                                pair.from, pair.to));
  }
  if (kind != Relation::Kind::metric && pair.distance != 1) {
    throw InvalidOption(
        "relation", fmt::format("inputs {} and {} have distance {}; outside a metric it must be 1", pair.from,
                                pair.to, pair.distance));
  }
}

}  // namespace

Relation::Relation(Kind kind, std::size_t inputs, std::vector<RelatedPair> pairs)
    : kind_(kind), inputs_(inputs), pairs_(std::move(pairs)) {
  if (inputs == 0) throw InvalidOption("relation", "has no input");
  if (inputs > std::numeric_limits<InputId>::max()) {
    throw InvalidOption("relation",
                        fmt::format("has {} inputs; there must be fewer than 4,294,967,296", inputs));
  }
  for (const RelatedPair& pair : pairs_) require_valid(pair, inputs, kind);
  // Neighbours in this order share a row, which a certificate then computes once.
  std::sort(pairs_.begin(), pairs_.end());
}

Relation Relation::metric(const graph::Graph& graph) {
  std::vector<RelatedPair> pairs;
  pairs.reserve(graph.edge_count());
  for (const graph::Edge& edge : graph.edges()) pairs.push_back({edge.tail, edge.head, edge.length_mm});
  return metric(graph.vertex_count(), std::move(pairs));
}

Relation Relation::metric(std::size_t inputs, std::vector<RelatedPair> pairs) {
  return {Kind::metric, inputs, std::move(pairs)};
}

Relation Relation::complete(std::size_t inputs) {
  return {Kind::complete, inputs, {}};
}

Relation Relation::policy(std::size_t inputs, std::vector<RelatedPair> pairs) {
  return {Kind::policy, inputs, std::move(pairs)};
}

Relation Relation::one_sided(std::size_t inputs, std::vector<RelatedPair> pairs) {
  return {Kind::one_sided, inputs, std::move(pairs)};
}

std::uint64_t Relation::pair_count() const {
  if (kind_ != Kind::complete) return pairs_.size();
  // One of two neighbouring numbers is even; halving it first keeps the product below 2^63.
  const std::uint64_t n = inputs_;
  return n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
}

std::string_view to_string(Relation::Kind kind) {
  switch (kind) {
    case Relation::Kind::metric:
      return "metric";
    case Relation::Kind::complete:
      return "complete";
    case Relation::Kind::policy:
      return "policy";
    case Relation::Kind::one_sided:
      return "one-sided";
  }
  return "";
}

}  // namespace fogline::kernel
