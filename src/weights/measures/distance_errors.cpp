// SPDX-License-Identifier: Apache-2.0
#include "weights/measures/distance_errors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace fogline::weights {
namespace {

/// So many times the sensitivity is the largest invented weight of a range without end. Chosen, not derived: real
/// weights have other errors anyway.
constexpr std::int64_t sensitivities_without_end = 100;
/// Classes of hops by powers of two: 1, 2, up to 4, and so on to 2^32; of the last the number told fits 32 bits.
constexpr unsigned hop_classes = 33, last_shift = 31;

std::int64_t highest_invented(const DistanceSettings& settings) {
  return settings.weights.highest.value_or(
      settings.weights.lowest + sensitivities_without_end * static_cast<std::int64_t>(settings.sensitivity));
}

/// Sums for each class of hops, from one source.
using Tally = std::vector<DistanceErrors::Class>;

Tally compare(const Topology& graph, const Distances& truth, const Distances& noisy,
              Topology::Vertex source) {
  Tally tally(hop_classes);
  const std::vector<std::uint32_t> hops = hops_from(graph, source);
  const std::vector<double> far = truth.from(source), said = noisy.from(source);
  for (std::size_t v = 0; v < far.size(); ++v) {
    if (hops[v] == 0 || hops[v] == no_way) continue;
    auto& at = tally[static_cast<std::size_t>(std::bit_width(hops[v] - 1))];
    at.error += std::abs(said[v] - far[v]);
    at.bias += said[v] - far[v];
    ++at.pairs;
  }
  return tally;
}

DistanceErrors averaged(const std::vector<Tally>& tallies) {
  DistanceErrors result;
  std::uint64_t pairs = 0;
  for (std::size_t c = 0; c < tallies.front().size(); ++c) {
    DistanceErrors::Class sum{
        .most_hops = static_cast<std::uint32_t>(std::uint64_t{1} << std::min<std::size_t>(c, last_shift))};
    for (const Tally& tally : tallies) {
      sum.error += tally[c].error;
      sum.bias += tally[c].bias;
      sum.pairs += tally[c].pairs;
    }
    if (sum.pairs == 0) continue;
    result.error += sum.error;
    pairs += sum.pairs;
    sum.error /= static_cast<double>(sum.pairs);
    sum.bias /= static_cast<double>(sum.pairs);
    result.classes.push_back(sum);
  }
  if (pairs > 0) result.error /= static_cast<double>(pairs);
  return result;
}

}  // namespace

DistanceErrors distance_errors(const DistanceMechanism& mechanism, std::span<const std::int64_t> weights,
                               const random::Key& key, const DistanceErrorOptions& options) {
  if (options.runs < 1) throw InvalidOption("runs", "must be at least 1");
  if (options.sources < 1) throw InvalidOption("sources", "must be at least 1");
  const Topology& graph = mechanism.graph();
  const auto truth = true_distances(graph, mechanism.settings(), weights);
  const std::size_t sources = std::min(options.sources, graph.vertex_count());
  std::vector<Tally> tallies(options.runs * sources);
  for (std::uint64_t run = 0; run < options.runs; ++run) {
    random::Stream noise = key.stream("distances", run);
    const auto noisy = mechanism.release(weights, noise);
    parallel_for(sources, {.threads = options.threads}, [&](std::size_t begin, std::size_t end) {
      for (std::size_t s = begin; s < end; ++s) {
        const auto source = static_cast<Topology::Vertex>((2 * s + 1) * graph.vertex_count() / (2 * sources));
        tallies[run * sources + s] = compare(graph, *truth, *noisy, source);
      }
    });
  }
  return averaged(tallies);
}

std::vector<std::int64_t> invented_weights(const DistanceSettings& settings, std::size_t edges) {
  const WholeWeights& range = settings.weights;
  const auto points =
      static_cast<std::uint64_t>((highest_invented(settings) - range.lowest) / range.step) + 1;
  random::Stream chance = random::SeededKey(1).stream("invented weights");
  std::vector<std::int64_t> weights(edges);
  for (std::int64_t& weight : weights)
    weight = range.of_point(static_cast<std::int64_t>(chance.below(points)));
  return weights;
}

std::string invented_weights_words(const DistanceSettings& settings) {
  return fmt::format("weights drawn evenly from {:g} to {:g}",
                     static_cast<double>(settings.weights.lowest) * settings.weights.unit,
                     static_cast<double>(highest_invented(settings)) * settings.weights.unit);
}

}  // namespace fogline::weights
