// SPDX-License-Identifier: Apache-2.0
#include "traces/invention/wanted.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "traces/invention/quick_random.hpp"

namespace fogline::traces {
namespace {

/// Numbers for outlines by rank: the k-th smallest number gets the k-th smallest believed one of its class of lengths.
/// So the histogram is as believed while outlines change as little as they can.
void assign_by_rank(std::vector<float>& number, const Outlines& outlines, const Layout& layout,
                    const std::vector<double>& believed, std::span<const std::uint32_t> edges,
                    QuickRandom random) {
  const std::size_t columns = edges.size() - 1;
  std::vector<std::vector<std::pair<float, std::uint32_t>>> order(Layout::length_classes);
  for (std::uint32_t i = 0; i < outlines.size(); ++i)
    // Numbers are whole, so that less than one more orders those that are equal at random and no others.
    order[layout.length_class(outlines.length_m[i])].emplace_back(number[i] + random.uniform_f(), i);
  for (std::uint32_t row = 0; row < Layout::length_classes; ++row) {
    std::sort(order[row].begin(), order[row].end());
    const auto bins = std::span(believed).subspan(row * columns, columns);
    const double total = std::accumulate(bins.begin(), bins.end(), 0.0);
    if (!(total > 0)) continue;
    double upto = 0;
    std::size_t given = 0;
    for (std::size_t k = 0; k < columns; ++k) {
      // Running sums are rounded rather than bins, so that all outlines get a number.
      upto += bins[k] / total * static_cast<double>(order[row].size());
      const std::size_t begin = given,
                        end = std::min(order[row].size(), static_cast<std::size_t>(upto + 0.5));
      for (; given < end; ++given) {
        // Even within a class of numbers.
        const float within = (static_cast<float>(given - begin) + 0.5F) / static_cast<float>(end - begin);
        const auto low = static_cast<float>(edges[k]), high = static_cast<float>(edges[k + 1]);
        number[order[row][given].second] = std::floor(low + within * (high - low));
      }
    }
  }
}

}  // namespace

Targets targets_of(const Beliefs& b, double scale) {
  // Added to a count's variance: a count that is known exactly must not weigh more than all others together. Here and
  // below chosen by experiment, on T-Drive and Geolife.
  constexpr double least_variance = 0.5;
  // How much more visits of medium cells weigh than other tables; by how much more where few go, at most; and what
  // keeps cells that nobody is believed to pass from dividing by zero.
  constexpr double visits_weigh = 2, most_for_few = 200.0, few = 0.1;
  Targets t;
  // Squared misses weighed by precision: minus the logarithm of a normal likelihood, up to a factor. What was not asked
  // has an infinite variance and no weight.
  const auto append = [&](const Estimate& e) {
    for (std::size_t i = 0; i < e.mean.size(); ++i) {
      t.wanted.push_back(static_cast<float>(e.mean[i] * scale));
      t.weight.push_back(static_cast<float>(1 / (e.variance[i] * scale * scale + least_variance)));
    }
    return t.wanted.size();
  };
  t.triples = append(b.pairs);
  t.strings = append(b.triples);
  t.visits = append(b.strings);
  t.fine_visits = append(b.visits);
  t.coarse_visits = append(b.fine_visits);
  append(b.coarse_visits);
  // Off by one trip matters more where few go: there relative errors count.
  const double usual = b.trips * scale / (Layout::medium * Layout::medium);
  for (std::size_t i = t.visits; i < t.fine_visits; ++i)
    t.weight[i] *= static_cast<float>(
        visits_weigh * std::clamp(std::pow(usual / (t.wanted[i] + few), 2), 1.0, most_for_few));
  return t;
}

void assign_numbers(Outlines& outlines, const Beliefs& beliefs, const random::PublicKey& key,
                    std::uint64_t turn) {
  assign_by_rank(outlines.cells, outlines, beliefs.layout, beliefs.reaches, reach_edges,
                 QuickRandom(key.stream("traces reaches", turn)));
  assign_by_rank(outlines.moves, outlines, beliefs.layout, beliefs.crossings, crossing_edges,
                 QuickRandom(key.stream("traces crossings", turn)));
}

}  // namespace fogline::traces
