// SPDX-License-Identifier: Apache-2.0
#include "weights/distances/distances.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/int128.hpp"
#include "weights/distances/length_search.hpp"
#include "weights/estimates/posterior_draws.hpp"
#include "weights/mechanisms/noise.hpp"

namespace fogline::weights {
namespace {

std::int64_t in_units(const Rational& value, Uint128 parts, std::uint64_t divisor) {
  const Uint128 scaled = static_cast<Uint128>(value.numerator()) * (parts / value.denominator()) / divisor;
  if (scaled > WholeWeights::most_units)
    throw InvalidOption("step", "is too fine: a weight is more than 2^40 steps");
  return static_cast<std::int64_t>(scaled);
}

/// Lengths of edges in a graph of the same shape, as a search takes them.
template <class Length>
LengthGraph<Length> with_lengths(const Topology& graph, std::span<const Length> lengths) {
  std::vector<typename LengthGraph<Length>::Arc> arcs;
  for (Topology::EdgeId e = 0; e < graph.edge_count(); ++e) {
    arcs.push_back({graph.source(e), graph.target(e), lengths[e]});
    if (!graph.directed()) arcs.push_back({graph.target(e), graph.source(e), lengths[e]});
  }
  return {graph.vertex_count(), arcs};
}

class SearchedDistances : public Distances {
 public:
  SearchedDistances(const Topology& graph, std::span<const double> lengths)
      : graph_(with_lengths<double>(graph, lengths)) {}
  std::vector<double> from(Topology::Vertex source) const override {
    const std::vector<LengthGraph<double>::Start> start{{source, 0}};
    std::vector<double> result = graph_.from(start);
    for (double& length : result)
      if (length == LengthGraph<double>::unreachable) length = std::numeric_limits<double>::infinity();
    return result;
  }

 private:
  LengthGraph<double> graph_;
};

/// The public bounds, and the weights' own unit, on top of what a method found.
class BoundedDistances : public Distances {
 public:
  BoundedDistances(const Topology& graph, const WholeWeights& weights, std::unique_ptr<Distances> found)
      : graph_(graph), weights_(weights), found_(std::move(found)) {}
  std::vector<double> from(Topology::Vertex source) const override {
    std::vector<double> result = found_->from(source);
    const std::vector<std::uint32_t> hops = hops_from(graph_, source);
    for (std::size_t v = 0; v < result.size(); ++v) {
      if (hops[v] == no_way) continue;
      const double edges = hops[v];
      result[v] = std::max(result[v], edges * static_cast<double>(weights_.lowest));
      if (weights_.highest) result[v] = std::min(result[v], edges * static_cast<double>(*weights_.highest));
      // Every sum of weights is a whole number of units.
      result[v] = std::nearbyint(result[v]) * weights_.unit;
    }
    return result;
  }

 private:
  const Topology& graph_;
  WholeWeights weights_;
  std::unique_ptr<Distances> found_;
};

/// The mean over several graphs of one shape.
class AverageDistances : public Distances {
 public:
  AverageDistances(const Topology& graph, const std::vector<std::vector<double>>& lengths) {
    for (const auto& some : lengths) graphs_.emplace_back(graph, some);
  }
  std::vector<double> from(Topology::Vertex source) const override {
    std::vector<double> result = graphs_.front().from(source);
    for (std::size_t g = 1; g < graphs_.size(); ++g) {
      const std::vector<double> other = graphs_[g].from(source);
      for (std::size_t v = 0; v < result.size(); ++v) result[v] += other[v];
    }
    for (double& length : result) length /= static_cast<double>(graphs_.size());
    return result;
  }

 private:
  std::vector<SearchedDistances> graphs_;
};

/// The grid's points as weights of their own: 0, 1, 2, ...
WeightGrid points_of(const WholeWeights& weights) {
  WeightGrid::Options options;
  if (weights.highest)
    options.highest =
        Rational(static_cast<std::uint64_t>((*weights.highest - weights.lowest) / weights.step));
  return WeightGrid(options);
}

/// Weights lie on the grid: the points of two neighbours are no more steps apart than the sensitivity, rounded up to whole steps.
Protection steps_apart(const DistanceSettings& settings) {
  const auto step = static_cast<std::uint64_t>(settings.weights.step);
  return {.unit = ProtectedUnit::change, .most = Rational((settings.sensitivity + step - 1) / step)};
}

class EdgeDistances : public DistanceMechanism {
 public:
  EdgeDistances(const Topology& graph, const DistanceSettings& settings, const EdgeDistanceOptions& options)
      : DistanceMechanism(graph, settings),
        draws_(options.posterior_draws),
        groups_(degree_groups(graph.shape())),
        noise_({.law = NoiseLaw::geometric,
                .grid = points_of(settings.weights),
                .epsilon = settings.epsilon,
                .protection = steps_apart(settings)}) {}
  std::string_view name() const override { return draws_ > 0 ? "edges" : "noise"; }
  nlohmann::ordered_json parameters() const override {
    nlohmann::ordered_json own = nlohmann::ordered_json::object();
    if (draws_ > 0) own["posterior_draws"] = draws_;
    return own;
  }

 protected:
  std::unique_ptr<Distances> noisy(std::span<const std::int64_t> weights,
                                   random::Stream& noise) const override {
    const WholeWeights& range = settings().weights;
    std::vector<std::int64_t> points, drawn(weights.size());
    for (const std::int64_t weight : weights) points.push_back((weight - range.lowest) / range.step);
    noise_.draw(points, noise, drawn);
    std::vector<std::vector<double>> lengths = lengths_from(drawn);
    for (auto& some : lengths)
      for (double& length : some)
        length = static_cast<double>(range.lowest) + length * static_cast<double>(range.step);
    return std::make_unique<AverageDistances>(graph(), lengths);
  }

 private:
  /// In steps above the lowest weight.
  std::vector<std::vector<double>> lengths_from(std::span<const std::int64_t> drawn) const {
    if (draws_ > 0) return posterior_draws(noise_, drawn, groups_, {.draws = draws_});
    std::vector<double> lengths;
    for (const std::int64_t number : drawn) lengths.push_back(noise_.weight(number));
    return {lengths};
  }

  std::size_t draws_;
  EdgeGroups groups_;
  Noise noise_;
};

}  // namespace

WholeWeights::WholeWeights(const WeightGrid& grid) {
  const Rational first = Rational::parse(grid.text(0)).value();
  const Rational between = Rational::parse(grid.step_text()).value();
  const std::uint64_t parts = std::lcm(first.denominator(), between.denominator());
  const std::int64_t first_parts = in_units(first, parts, 1), step_parts = in_units(between, parts, 1);
  const auto divisor = static_cast<std::uint64_t>(std::gcd(first_parts, step_parts));
  unit = static_cast<double>(divisor) / static_cast<double>(parts);
  lowest = first_parts / static_cast<std::int64_t>(divisor);
  step = step_parts / static_cast<std::int64_t>(divisor);
  if (!grid.is_finite()) return;
  if (static_cast<Uint128>(grid.points()) * static_cast<std::uint64_t>(step) > most_units)
    throw InvalidOption("step", "is too fine: a weight is more than 2^40 steps");
  highest = of_point(static_cast<std::int64_t>(grid.points()) - 1);
}

DistanceMechanism::DistanceMechanism(const Topology& graph, const DistanceSettings& settings)
    : graph_(graph), settings_(settings) {
  const auto longest = static_cast<Uint128>(settings.weights.highest.value_or(WholeWeights::most_units));
  constexpr int path_bits = 62;  // two paths add up in 63
  if (longest * graph.vertex_count() >> path_bits != 0)
    throw InvalidOption("step", "is too fine for a graph of this size: paths are longer than 2^62 steps");
}

std::unique_ptr<Distances> DistanceMechanism::release(std::span<const std::int64_t> weights,
                                                      random::Stream& noise) const {
  if (weights.size() != graph_.edge_count())
    throw InvalidOption("weights", "must be as many as the graph has edges");
  const WholeWeights& range = settings_.weights;
  const std::int64_t highest = range.highest.value_or(WholeWeights::most_units);
  for (const std::int64_t weight : weights) {
    if (weight < range.lowest || weight > highest) throw InvalidOption("weights", "must lie in the range");
    if ((weight - range.lowest) % range.step != 0) throw InvalidOption("weights", "must lie on the grid");
  }
  return std::make_unique<BoundedDistances>(graph_, range, noisy(weights, noise));
}

std::unique_ptr<DistanceMechanism> make_edge_distances(const Topology& graph,
                                                       const DistanceSettings& settings,
                                                       const EdgeDistanceOptions& options) {
  return std::make_unique<EdgeDistances>(graph, settings, options);
}

std::unique_ptr<Distances> true_distances(const Topology& graph, const DistanceSettings& settings,
                                          std::span<const std::int64_t> weights) {
  const std::vector<double> lengths(weights.begin(), weights.end());
  return std::make_unique<BoundedDistances>(graph, settings.weights,
                                            std::make_unique<SearchedDistances>(graph, lengths));
}

}  // namespace fogline::weights
