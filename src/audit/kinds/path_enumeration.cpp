// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/path_enumeration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace fogline::audit {
namespace {

using path::PairKind;
using path::PathLabels;
using path::Route;
using path::RouteMap;
using path::StopId;
using path::Stops;
using path::VertexId;

/// Calls visit(counts) for every number of stops that vertices may have.
template <class Visit>
void for_each_count(std::size_t vertices, const PathLabels& labels, const Visit& visit) {
  const std::uint32_t most = labels.options().most_visits;
  const bool drawn = labels.options().epsilon_vertices.has_value();
  std::vector<std::uint32_t> counts(vertices, drawn ? 1 : most);
  for (;;) {
    visit(counts);
    std::size_t v = 0;
    while (v < vertices && counts[v] == most) counts[v++] = drawn ? 1 : most;
    if (v == vertices) return;
    ++counts[v];
  }
}

std::size_t pairs_of(const std::vector<std::uint32_t>& counts, const graph::BitGraph& certain) {
  const std::size_t stops = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  return stops * (stops - 1) / 2 - certain.edge_count();
}

/// Calls visit(order) for every order of the stops of each vertex.
template <class Visit>
void for_each_order(const Stops& stops, std::vector<StopId>& order, VertexId from, const Visit& visit) {
  if (from == stops.vertex_count()) return visit(order);
  const auto begin = order.begin() + stops.first(from);
  const auto end = begin + stops.of_vertex(from);
  std::sort(begin, end);
  do {
    for_each_order(stops, order, from + 1, visit);
  } while (std::next_permutation(begin, end));
}

/// Adds share * P(labels | steps) for every way to label, the first pair in the lowest bit.
void add_labels(const RouteMap& map, const Stops& stops, const graph::BitGraph& steps,
                const PathLabels& labels, const graph::BitGraph& certain, long double share,
                std::span<long double> into) {
  std::vector<long double> sum{share};
  for (StopId a = 0; a < stops.size(); ++a)
    for (StopId b = a + 1; b < stops.size(); ++b) {
      if (certain.joined(stops.vertex(a), stops.vertex(b))) continue;
      const PairKind kind = steps.joined(a, b)                                   ? PairKind::step
                            : map.roads.joined(stops.vertex(a), stops.vertex(b)) ? PairKind::other_road
                                                                                 : PairKind::no_road;
      const path::LabelOdds odds = labels.odds(kind);
      const long double yes = static_cast<long double>(odds.candidate) / static_cast<long double>(odds.total);
      const std::size_t half = sum.size();
      sum.resize(2 * half);
      for (std::size_t i = 0; i < half; ++i) {
        sum[half + i] = sum[i] * yes;
        sum[i] *=
            static_cast<long double>(odds.total - odds.candidate) / static_cast<long double>(odds.total);
      }
    }
  for (std::size_t i = 0; i < sum.size(); ++i) into[i] += sum[i];
}

long double chance_of(const std::vector<std::uint32_t>& counts, const std::vector<std::uint32_t>& visits,
                      const PathLabels& labels) {
  if (!labels.options().epsilon_vertices) return 1;
  long double chance = 1;
  for (std::size_t v = 0; v < counts.size(); ++v) {
    const kernel::WeightRow row = labels.stop_row(visits[v]);
    chance *= static_cast<long double>(row.weights[counts[v] - 1]) / static_cast<long double>(row.total);
  }
  return chance;
}

graph::BitGraph steps_in(std::span<const Route> pieces, const Stops& stops,
                         const std::vector<StopId>& order) {
  graph::BitGraph steps(stops.size());
  std::vector<std::uint32_t> seen(stops.vertex_count(), 0);
  for (const Route& piece : pieces) {
    std::optional<StopId> before;
    for (const VertexId v : piece) {
      const StopId stop = order[stops.first(v) + seen[v]++];
      if (before) steps.join(*before, stop);
      before = stop;
    }
  }
  return steps;
}

}  // namespace

std::optional<std::uint64_t> publications(std::size_t vertices, const PathLabels& labels,
                                          const graph::BitGraph& certain, std::uint64_t most) {
  const std::uint32_t visits = labels.options().most_visits;
  if (vertices < 2 || (labels.options().epsilon_vertices && std::pow(visits, vertices) > 1e6))
    return std::nullopt;
  std::uint64_t all = 0;
  bool fits = true;
  for_each_count(vertices, labels, [&](const std::vector<std::uint32_t>& counts) {
    const std::size_t pairs = pairs_of(counts, certain);
    fits = fits && pairs < 40;
    if (fits) all += std::uint64_t{1} << pairs;
    fits = fits && all <= most;
  });
  return fits ? std::optional(all) : std::nullopt;
}

PathDistribution distribution_of(const RouteMap& map, std::span<const Route> pieces, const PathLabels& labels,
                                 const graph::BitGraph& certain) {
  std::vector<std::uint32_t> visits(map.vertex_count(), 0);
  for (const Route& piece : pieces)
    for (const VertexId v : piece) ++visits[v];
  PathDistribution all;
  for_each_count(map.vertex_count(), labels, [&](const std::vector<std::uint32_t>& counts) {
    const Stops stops(counts);
    const std::size_t begin = all.size();
    all.resize(begin + (std::size_t{1} << pairs_of(counts, certain)), 0);
    const long double chance = chance_of(counts, visits, labels);
    if (chance == 0) return;
    long double orders = 1;
    for (const std::uint32_t count : counts) orders *= std::tgamma(static_cast<long double>(count) + 1);
    std::vector<StopId> order(stops.size());
    std::iota(order.begin(), order.end(), StopId{0});
    for_each_order(stops, order, 0, [&](const std::vector<StopId>& taken) {
      add_labels(map, stops, steps_in(pieces, stops, taken), labels, certain, chance / orders,
                 std::span(all).subspan(begin));
    });
  });
  return all;
}

double largest_loss(const PathDistribution& first, const PathDistribution& second) {
  long double largest = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] == 0) continue;
    if (second[i] == 0) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, first[i] / second[i]);
  }
  return static_cast<double>(std::log(largest));
}

}  // namespace fogline::audit
