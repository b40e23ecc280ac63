// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "kernel/weight_row.hpp"
#include "path/public_path.hpp"
#include "privacy/guarantee.hpp"
#include "random/key.hpp"

namespace fogline::path {

/// What a pair of stops is to the route. The mechanism draws each pair's label from this and nothing else.
enum class PairKind : std::uint8_t {
  no_road,     ///< no road joins their vertices
  other_road,  ///< a road, but no step of the route
  step         ///< a step of the route
};

/// One label, with integer weights that are the mechanism: P(candidate) = candidate / total.
struct LabelOdds {
  std::uint64_t candidate = 0;
  std::uint64_t total = 1;
};

struct PathOptions {
  PathForm form = PathForm::one_sided;   ///< not published: path/published.hpp
  privacy::Epsilon epsilon_edges{1, 1};  ///< eps_e, or eps2 of the two-sided form; at most 40
  std::optional<privacy::Epsilon> epsilon_vertices =
      {};  ///< one-sided only: the number of a vertex's stops is drawn; at most 40. Empty: every vertex has most_visits stops
  std::uint32_t most_visits =
      1;  ///< public: no vertex is visited more often; 1 to 8, at least 2 with epsilon_vertices; two-sided: 1
  bool direction = true;  ///< one-sided only: publish the declared bit
  std::optional<privacy::Epsilon> epsilon_direction =
      {};                     ///< two-sided only: publish the bit, which lies with probability 1/(1+e^eps)
  bool every_vertex = false;  ///< declared: the route visits every vertex
  std::optional<std::pair<VertexId, VertexId>> ends = {};  ///< declared
};

/// What the stated epsilon is made of.
struct GuaranteeParts {
  double pair = 0;         ///< the label of one pair of stops
  double other_stops = 0;  ///< the labels of the other pairs of stops of the same two vertices
  double visit = 0;        ///< one visit fewer of a vertex
  double direction = 0;
};

/// Publishes one route as labels of the pairs of stops: "candidate", or ruled out.
///
/// Guarantee  one-sided form: for a route with a road that is one of its steps, and the same route and network without that road, whatever is published is at most
///            e^epsilon times as likely with the road as without; the other way nothing is bounded (a label "ruled out" is certain). epsilon =
///            ln(1 + e^(eps_e/2)) for the pair of stops, and with K = most_visits stops a vertex (K^2 - 1) ln(1 + e^(-eps_e/2)) for the road's other pairs of stops, and
///            with epsilon_vertices ln(1 + e^(eps_v/2)) for one visit fewer at an end of the route. Not differential privacy.
///            Two-sided form: eps2-DP for the label of one pair of stops (and epsilon_direction more, if that bit is published). Exact.
/// Source     Lu and Shen 2020, sections 4.2.1 and 4.2.2, with the bounds proved in docs/mechanisms/path.md; two-sided: randomised response.
/// Utility    one-sided: who knows all roads reads every step. Two-sided: see path/decode.hpp and path/success.hpp.
/// Cost       one 64-bit word a pair; n^2 / 8 bytes.
class PathLabels {
 public:
  struct Input {
    const RouteMap& map;
    const Route& route;
  };

  explicit PathLabels(const PathOptions& options);  ///< throws InvalidOption

  privacy::Guarantee guarantee() const;
  GuaranteeParts parts() const;
  const PathOptions& options() const { return options_; }

  /// The odds of a pair's label.
  LabelOdds odds(PairKind kind) const;
  /// The odds that the published bit of direction is the true one; only with epsilon_direction.
  LabelOdds direction_odds() const { return direction_; }
  /// One input per kind of pair, two outputs: ruled out, candidate.
  kernel::WeightRow row(PairKind kind) const;
  /// The weights of 1 to most_visits stops, for a vertex visited so often; only with epsilon_vertices.
  kernel::WeightRow stop_row(std::uint32_t visits) const;

  /// Throws InvalidRoute, before the first draw, for a route that require_route refuses, or that is not as declared.
  void require(const Input& input) const;
  PublicPath release(const Input& input, random::Stream& noise) const;

  /// The same for a route of which some steps are missing: what an audit compares a route with. The pieces' visits count, the steps between pieces do not.
  PublicPath release_pieces(const RouteMap& map, std::span<const Route> pieces, random::Stream& noise) const;

 private:
  Stops draw_stops(const std::vector<std::uint32_t>& visits, random::Stream& noise) const;
  graph::BitGraph draw_labels(const RouteMap& map, const Stops& stops, const graph::BitGraph& steps,
                              random::Stream& noise) const;

  PathOptions options_;
  LabelOdds no_road_, other_road_, step_;
  LabelOdds direction_;  // of the true bit
};

}  // namespace fogline::path
