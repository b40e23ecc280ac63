// SPDX-License-Identifier: Apache-2.0
#include "weights/estimates/order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/error.hpp"
#include "io/csv.hpp"
#include "weights/estimates/level_sets.hpp"
#include "weights/graph/edge_columns.hpp"
#include "weights/paper/published.hpp"

namespace fogline::weights {
namespace {

constexpr double no_rank = std::numeric_limits<double>::quiet_NaN();

/// Edges above each edge, as a compact list: those of edge e are above[first[e]] to above[first[e + 1] - 1], each with the number of its pair.
struct Above {
  std::vector<std::size_t> first;
  std::vector<std::size_t> pair;
};

Above above_of(std::span<const OrderPair> pairs, std::size_t edges) {
  Above above{.first = std::vector<std::size_t>(edges + 1), .pair = std::vector<std::size_t>(pairs.size())};
  for (const OrderPair& pair : pairs) ++above.first[pair.lower + std::size_t{1}];
  std::partial_sum(above.first.begin(), above.first.end(), above.first.begin());
  std::vector<std::size_t> next = above.first;
  for (std::size_t p = 0; p < pairs.size(); ++p) above.pair[next[pairs[p].lower]++] = p;
  return above;
}

/// Whether the pairs have a circle, so that not every edge can be taken after those below it.
bool has_circle(std::span<const OrderPair> pairs, std::size_t edges) {
  const Above above = above_of(pairs, edges);
  std::vector<std::uint32_t> waiting_for(edges);
  for (const OrderPair& pair : pairs) ++waiting_for[pair.upper];
  std::vector<std::size_t> ready;
  for (std::size_t e = 0; e < edges; ++e)
    if (waiting_for[e] == 0) ready.push_back(e);
  for (std::size_t taken = 0; taken < ready.size(); ++taken) {
    const std::size_t e = ready[taken];
    for (std::size_t i = above.first[e]; i < above.first[e + 1]; ++i)
      if (--waiting_for[pairs[above.pair[i]].upper] == 0) ready.push_back(pairs[above.pair[i]].upper);
  }
  return ready.size() < edges;
}

/// The number of the pair that closes the first circle. Halving: with it there is a circle, without it none.
std::size_t closing_pair(std::span<const OrderPair> pairs, std::size_t edges) {
  std::size_t without = 0, with = pairs.size();
  while (without + 1 < with) {
    const std::size_t middle = without + (with - without) / 2;
    (has_circle(pairs.first(middle), edges) ? with : without) = middle;
  }
  return with - 1;
}

}  // namespace

EdgeRanks read_ranks(io::TextSource& source, const io::GraphTable& graph) {
  constexpr std::string_view example = "source,target,rank";
  constexpr std::array<std::string_view, 2> names = {"rank", "order"};
  io::CsvReader csv(source, {});
  const EdgeLookup lookup(graph);
  const EdgeColumns edges(csv, "", lookup, example);
  const std::size_t rank_column = csv.require_column("rank", names, example);
  EdgeRanks ranks(graph.edge_count(), no_rank);
  while (csv.next()) {
    const std::uint32_t edge = edges.edge();
    if (!std::isnan(ranks[edge])) edges.fail_repeated();
    ranks[edge] = csv.number(rank_column);
  }
  return ranks;
}

EdgeRanks read_ranks(const std::string& file, const io::GraphTable& graph) {
  io::TextSource source = io::TextSource::from_file(file);
  return read_ranks(source, graph);
}

namespace {

constexpr std::size_t most_ordered_edges = std::size_t{1} << 20;  // what level_sets.cpp adds up in 64 bits

std::size_t edges_named(std::span<const OrderPair> pairs) {
  std::unordered_set<std::uint32_t> named;
  for (const OrderPair& pair : pairs) named.insert({pair.lower, pair.upper});
  return named.size();
}

}  // namespace

std::vector<OrderPair> read_order(io::TextSource& source, const io::GraphTable& graph) {
  constexpr std::string_view example = "lower_source,lower_target,upper_source,upper_target";
  io::CsvReader csv(source, {});
  const EdgeLookup lookup(graph);
  const EdgeColumns lower(csv, "lower_", lookup, example), upper(csv, "upper_", lookup, example);
  std::vector<OrderPair> pairs;
  while (csv.next()) {
    pairs.push_back({.lower = lower.edge(), .upper = upper.edge(), .line = csv.line()});
    if (pairs.back().lower == pairs.back().upper)
      throw DataError(csv.spot(), "an edge cannot be below itself", "remove the line");
  }
  if (edges_named(pairs) > most_ordered_edges) {
    throw DataError({source.name()}, "puts more than 1,048,576 edges in order",
                    "name fewer, or give ranks instead");
  }
  if (has_circle(pairs, graph.edge_count()))
    throw DataError({source.name(), pairs[closing_pair(pairs, graph.edge_count())].line},
                    "the pair closes a circle with those before it", "remove one of the pairs of the circle");
  return pairs;
}

std::vector<OrderPair> read_order(const std::string& file, const io::GraphTable& graph) {
  io::TextSource source = io::TextSource::from_file(file);
  return read_order(source, graph);
}

void follow_ranks(std::span<const double> ranks, std::span<double> weights) {
  if (ranks.size() != weights.size()) throw InvalidOption("ranks", "must be one for each edge");
  std::vector<std::size_t> order;
  for (std::size_t e = 0; e < ranks.size(); ++e)
    if (!std::isnan(ranks[e])) order.push_back(e);
  // Edges of one rank are free among themselves. The best fit keeps them in the order of their own weights, so taking them in that order binds nothing.
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (ranks[a] != ranks[b]) return ranks[a] < ranks[b];
    return weights[a] != weights[b] ? weights[a] < weights[b] : a < b;
  });
  std::vector<double> along(order.size());
  std::vector<std::size_t> places(order.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  for (std::size_t i = 0; i < order.size(); ++i) along[i] = weights[order[i]];
  const std::vector<double> fit = consistent_along(places, along);
  for (std::size_t i = 0; i < order.size(); ++i) weights[order[i]] = fit[i];
}

void follow_order(std::span<const OrderPair> pairs, std::span<double> weights) {
  for (const OrderPair& pair : pairs)
    if (pair.lower >= weights.size() || pair.upper >= weights.size())
      throw InvalidOption("pairs", "must be pairs of edges");
  if (has_circle(pairs, weights.size())) throw InvalidOption("pairs", "must not form a circle");
  constexpr std::uint32_t unnamed = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> number(weights.size(), unnamed), named;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> numbered;
  std::vector<double> values;
  const auto number_of = [&](std::uint32_t edge) {
    if (number[edge] == unnamed) {
      number[edge] = static_cast<std::uint32_t>(named.size());
      named.push_back(edge);
      values.push_back(weights[edge]);
    }
    return number[edge];
  };
  for (const OrderPair& pair : pairs) {
    const std::uint32_t lower = number_of(pair.lower);
    numbered.emplace_back(lower, number_of(pair.upper));
  }
  const std::vector<double> fit = isotonic_fit(numbered, values);
  for (std::size_t i = 0; i < named.size(); ++i) weights[named[i]] = fit[i];
}

}  // namespace fogline::weights
