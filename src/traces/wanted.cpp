// SPDX-License-Identifier: Apache-2.0
#include "traces/wanted.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "traces/quick_random.hpp"

namespace fogline::traces {
namespace {

void assign(std::vector<float>& number, const Outlines& outlines, const Layout& layout,
            const std::vector<double>& believed, std::span<const std::uint32_t> edges, QuickRandom random) {
  const std::size_t columns = edges.size() - 1;
  std::vector<std::vector<std::pair<float, std::uint32_t>>> order(Layout::length_classes);
  for (std::uint32_t i = 0; i < outlines.size(); ++i)
    order[layout.length_class(outlines.length_m[i])].emplace_back(number[i] + random.uniform_f(), i);
  for (std::uint32_t row = 0; row < Layout::length_classes; ++row) {
    std::sort(order[row].begin(), order[row].end());
    const auto bins = std::span(believed).subspan(row * columns, columns);
    const double total = std::accumulate(bins.begin(), bins.end(), 0.0);
    if (!(total > 0)) continue;
    double upto = 0;
    std::size_t given = 0;
    for (std::size_t k = 0; k < columns; ++k) {
      upto += bins[k] / total * static_cast<double>(order[row].size());
      const std::size_t begin = given,
                        end = std::min(order[row].size(), static_cast<std::size_t>(upto + 0.5));
      for (; given < end; ++given) {
        const float within = (static_cast<float>(given - begin) + 0.5F) / static_cast<float>(end - begin);
        const auto low = static_cast<float>(edges[k]), high = static_cast<float>(edges[k + 1]);
        number[order[row][given].second] = std::floor(low + within * (high - low));
      }
    }
  }
}

}  // namespace

Targets targets_of(const Beliefs& b, double scale) {
  Targets t;
  const auto append = [&](const Estimate& e) {
    for (std::size_t i = 0; i < e.mean.size(); ++i) {
      t.wanted.push_back(static_cast<float>(e.mean[i] * scale));
      t.weight.push_back(static_cast<float>(1 / (e.variance[i] * scale * scale + 0.5)));
    }
    return t.wanted.size();
  };
  t.triples = append(b.pairs);
  t.strings = append(b.triples);
  t.visits = append(b.strings);
  t.fine_visits = append(b.visits);
  t.coarse_visits = append(b.fine_visits);
  append(b.coarse_visits);
  // Off by one trip matters more where few go.
  const double usual = b.trips * scale / (Layout::medium * Layout::medium);
  for (std::size_t i = t.visits; i < t.fine_visits; ++i)
    t.weight[i] *= static_cast<float>(2 * std::clamp(std::pow(usual / (t.wanted[i] + 0.1), 2), 1.0, 200.0));
  return t;
}

void assign_numbers(Outlines& outlines, const Beliefs& beliefs, const random::Key& key, std::uint64_t turn) {
  assign(outlines.cells, outlines, beliefs.layout, beliefs.reaches, reach_edges,
         QuickRandom(key.stream("traces reaches", turn)));
  assign(outlines.moves, outlines, beliefs.layout, beliefs.crossings, crossing_edges,
         QuickRandom(key.stream("traces crossings", turn)));
}

}  // namespace fogline::traces
