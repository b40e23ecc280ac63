// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <numeric>

#include <nlohmann/json.hpp>

#include "random/noise.hpp"
#include "weights/distances/distances.hpp"
#include "weights/distances/length_search.hpp"
#include "weights/distances/overlay.hpp"
#include "weights/distances/region_crossings.hpp"

namespace fogline::weights {
namespace {

using Vertex = Topology::Vertex;
using Region = NestedRegions::Region;

// Of the budget, every level gets one part. Two for the edges did better than one on corridors.
constexpr std::uint64_t parts_of_edges = 2;

class SeparatorDistances : public DistanceMechanism {
 public:
  SeparatorDistances(const Topology& graph, const DistanceSettings& settings, const SeparatorOptions& options)
      : DistanceMechanism(graph, settings),
        depths_(options.depths),
        cut_(std::make_shared<const RegionCrossings>(graph, options.depths)) {}

  std::string_view name() const override { return "separators"; }
  nlohmann::ordered_json parameters() const override {
    std::vector<std::size_t> regions;
    for (std::size_t level = 0; level < levels(); ++level) regions.push_back(cut_->regions().count(level));
    return {{"bisections", depths_}, {"regions", regions}};
  }

 protected:
  std::unique_ptr<Distances> noisy(std::span<const std::int64_t> weights,
                                   random::Stream& noise) const override {
    const std::vector<double> edges = noisy_edges(weights, noise);
    std::vector<std::vector<std::vector<double>>> crossings(levels());
    for (std::size_t level = 0; level < levels(); ++level)
      for (Region r = 0; r < cut_->regions().count(level); ++r)
        crossings[level].push_back(noisy_crossings(level, r, weights, edges, noise));
    return std::make_unique<OverlaidDistances>(cut_, edges, crossings);
  }

 private:
  std::size_t levels() const { return cut_->regions().levels(); }
  random::NoisyCounts counts(std::string_view name, std::uint64_t parts, std::uint64_t values) const {
    return random::NoisyCounts({.name = name,
                                .epsilon = settings().epsilon.value() * parts / (levels() + parts_of_edges),
                                .sensitivity = settings().sensitivity * values});
  }

  double bounded(double length, std::uint32_t hops) const {
    const WholeWeights& range = settings().weights;
    const double low = std::max(length, static_cast<double>(range.lowest * hops));
    return range.highest ? std::min(low, static_cast<double>(*range.highest * hops)) : low;
  }

  /// The noisy edges say how long each way across is; the noisy sum says by which factor they are all too short or too long together. Least
  /// sums of noisy edges are too small by much the same share everywhere in a region, and the factor takes that away.
  std::vector<double> noisy_crossings(std::size_t level, Region region, std::span<const std::int64_t> weights,
                                      std::span<const double> edges, random::Stream& noise) const {
    const Across& across = cut_->across(level, region);
    std::vector<double> lengths = lengths_within<double>(level, region, across.crossings, edges);
    const double factor = factor_of(level, region, weights, edges, noise);
    for (std::size_t c = 0; c < lengths.size(); ++c) {
      const Crossing& crossing = across.crossings[c];
      lengths[c] = bounded(lengths[c] * (crossing.from_gate_to_gate ? factor : 1), crossing.hops);
    }
    return lengths;
  }

  double factor_of(std::size_t level, Region region, std::span<const std::int64_t> weights,
                   std::span<const double> edges, random::Stream& noise) const {
    const auto& measured = cut_->across(level, region).measured;
    if (measured.empty()) return 1;
    const auto truth = lengths_within<std::int64_t>(level, region, measured, weights);
    const auto sum = std::accumulate(truth.begin(), truth.end(), std::int64_t{0});
    // One unit of weight more on an edge makes each measured distance at most one unit longer.
    const auto said = static_cast<double>(
        counts("sum of distances across a region", 1, measured.size()).answer(sum, noise));
    const auto rough = lengths_within<double>(level, region, measured, edges);
    const double rough_sum = std::accumulate(rough.begin(), rough.end(), 0.0);
    return rough_sum > 0 ? said / rough_sum : 1;
  }

  /// `some` are sorted by where they begin.
  template <class Length>
  std::vector<Length> lengths_within(std::size_t level, Region region, std::span<const Crossing> some,
                                     std::span<const Length> edges) const {
    using Graph = LengthGraph<Length>;
    const auto members = cut_->regions().members(level, region);
    std::vector<std::uint32_t> number(graph().vertex_count(), 0);
    for (std::uint32_t i = 0; i < members.size(); ++i) number[members[i]] = i;
    std::vector<typename Graph::Arc> arcs;
    for (const Vertex v : members)
      for (const Topology::Arc& arc : graph().arcs(v))
        if (cut_->regions().region_of(level, arc.head) == region)
          arcs.push_back({number[v], number[arc.head], edges[arc.edge]});
    const Graph inside(members.size(), arcs);
    std::vector<Length> lengths, found;
    Vertex searched = no_way;
    for (const Crossing& crossing : some) {
      if (crossing.from != searched) {
        found = inside.from(std::vector<typename Graph::Start>{{number[crossing.from], 0}});
        searched = crossing.from;
      }
      lengths.push_back(found[number[crossing.to]]);
    }
    return lengths;
  }

  /// How many parts of the budget the regions around an edge, those of which something is measured, leave.
  std::uint64_t rest_of(Topology::EdgeId edge) const {
    std::uint64_t left = levels() + parts_of_edges;
    for (std::size_t level = 0; level < cut_->levels_around(edge); ++level) {
      const Region region = cut_->regions().region_of(level, graph().source(edge));
      if (!cut_->across(level, region).measured.empty()) --left;
    }
    return left;
  }

  /// Edges with the same rest are noised together.
  std::vector<double> noisy_edges(std::span<const std::int64_t> weights, random::Stream& noise) const {
    std::map<std::uint64_t, std::vector<Topology::EdgeId>> by_rest;
    for (Topology::EdgeId e = 0; e < weights.size(); ++e) by_rest[rest_of(e)].push_back(e);
    std::vector<double> lengths(weights.size());
    for (const auto& [rest, some] : by_rest) {
      std::vector<std::int64_t> truth, answers(some.size());
      for (const Topology::EdgeId e : some) truth.push_back(weights[e]);
      counts("weights", rest, 1).answer(truth, noise, answers);
      for (std::size_t i = 0; i < some.size(); ++i)
        lengths[some[i]] = bounded(static_cast<double>(answers[i]), 1);
    }
    return lengths;
  }

  std::vector<int> depths_;
  std::shared_ptr<const RegionCrossings> cut_;
};

}  // namespace

std::unique_ptr<DistanceMechanism> make_separator_distances(const Topology& graph,
                                                            const DistanceSettings& settings,
                                                            const SeparatorOptions& options) {
  return std::make_unique<SeparatorDistances>(graph, settings, options);
}

}  // namespace fogline::weights
