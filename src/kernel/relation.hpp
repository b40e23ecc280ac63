// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "graph/graph.hpp"

namespace fogline::kernel {

using InputId = std::uint32_t;  ///< inputs of a finite mechanism, numbered from 0

/// Two inputs that must look alike, and how far apart they are. In a one-sided relation the order matters.
struct RelatedPair {
  InputId from = 0;
  InputId to = 0;
  std::uint32_t distance = 1;  ///< millimetres in a metric, 1 elsewhere; at least 1
  friend auto operator<=>(const RelatedPair&, const RelatedPair&) = default;
};

/// What must look alike: the pairs of inputs between which a finite mechanism promises something.
///
///     Relation roads = Relation::metric(city.graph);         // distance: millimetres of road
///     Relation answers = Relation::complete(5);              // pure DP over five inputs
///     Relation policy = Relation::policy(3, std::vector<RelatedPair>{{0, 1}, {1, 2}});
///     Relation secret = Relation::one_sided(2, std::vector<RelatedPair>{{on_path, off_path}});
///
/// The promise at epsilon per unit of distance is, for every pair and every output o,
///
///     P(o|from) <= exp(epsilon * distance) * P(o|to)
///
/// and the same with the two exchanged, except in a one-sided relation. There `from` is the input to be hidden and `to`
/// what it is to be mistaken for: no output is much better evidence for `from` than for `to`, while an output may well rule
/// `from` out. (A path's edge: from = "on the path", to = "not on it".)
///
/// A metric is given by the pairs that generate it, the edges of a graph: ratios multiply along a shortest path, so what holds for
/// every edge holds for every two vertices. Nothing is promised between vertices that no path joins.
///
/// Limits: fewer than 2^32 inputs. Cost: 12 bytes a pair; `complete` stores none.
class Relation {
 public:
  enum class Kind { metric, complete, policy, one_sided };

  static Relation metric(const graph::Graph& graph);
  static Relation metric(std::size_t inputs, std::vector<RelatedPair> pairs);
  static Relation complete(std::size_t inputs);
  static Relation policy(std::size_t inputs, std::vector<RelatedPair> pairs);
  static Relation one_sided(std::size_t inputs, std::vector<RelatedPair> pairs);
  // All throw InvalidOption if there is no input or too many, a pair names an input that does not exist or one input twice, a
  // distance is 0, or a distance is not 1 where it means nothing (policy, one-sided).

  Kind kind() const { return kind_; }
  std::size_t inputs() const { return inputs_; }
  std::span<const RelatedPair> pairs() const { return pairs_; }  ///< sorted; empty for `complete`
  std::uint64_t pair_count() const;                              ///< also for `complete`

 private:
  Relation(Kind kind, std::size_t inputs, std::vector<RelatedPair> pairs);

  Kind kind_;
  std::size_t inputs_;
  std::vector<RelatedPair> pairs_;
};

std::string_view to_string(Relation::Kind kind);  ///< "metric", "complete", "policy", "one-sided"

}  // namespace fogline::kernel
