// SPDX-License-Identifier: Apache-2.0
#include "weights/measures/measures.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include "base/error.hpp"
#include "base/int128.hpp"
#include "base/parallel.hpp"
#include "random/key.hpp"
#include "weights/graph/paths.hpp"

namespace fogline::weights {
namespace {

/// Whole numbers only, so that their sum does not depend on which thread came first.
struct Count {
  std::uint64_t pairs = 0, kept = 0, any = 0;
  Uint128 difference = 0;  // in steps, of the kept paths

  void add(const Count& other) {
    pairs += other.pairs;
    kept += other.kept;
    any += other.any;
    difference += other.difference;
  }
};

/// Walks down the original's tree: a path is the same if its last edge and the path to its predecessor are.
class TreeComparison {
 public:
  TreeComparison(std::uint32_t vertices, const PathScale& scale)
      : scale_(scale), is_same_(vertices), key_in_release_(vertices) {}

  Count compare(const PathTree& original, const PathTree& release, std::span<const std::uint64_t> keys) {
    Count count;
    const std::uint32_t source = original.order.front();
    is_same_[source] = true;
    key_in_release_[source] = 0;
    for (const std::uint32_t v : std::span(original.order).subspan(1)) {
      const std::uint32_t before = original.predecessor[v];
      key_in_release_[v] = key_in_release_[before] + keys[original.arc[v]];
      is_same_[v] = is_same_[before] && release.predecessor[v] == before;
      const std::uint64_t shortest = scale_.steps(release.key[v]);
      count.any += scale_.steps(key_in_release_[v]) == shortest ? 1U : 0U;
      if (!is_same_[v]) continue;
      ++count.kept;
      const std::uint64_t was = scale_.steps(original.key[v]);
      count.difference += shortest > was ? shortest - was : was - shortest;
    }
    count.pairs = original.order.size() - 1;
    return count;
  }

 private:
  PathScale scale_;
  std::vector<char> is_same_;
  std::vector<std::uint64_t> key_in_release_;  // of the original's path
};

std::vector<std::uint32_t> chosen_sources(std::uint32_t vertices, const MeasureOptions& options) {
  if (options.sources > vertices) throw InvalidOption("sources", "is more than the graph has vertices");
  std::vector<std::uint32_t> sources(vertices);
  std::iota(sources.begin(), sources.end(), 0U);
  if (options.sources == 0) return sources;
  random::Stream choice = random::SeededKey(options.seed).stream("measure weights");
  for (std::size_t i = 0; i < options.sources; ++i)
    std::swap(sources[i], sources[i + choice.below(vertices - i)]);
  sources.resize(options.sources);
  return sources;
}

void require_columns(const GraphShape& shape, std::span<const std::span<const double>> columns) {
  if (shape.edges() == 0) throw InvalidOption("graph", "has no edges");
  for (const auto column : columns)
    if (column.size() != shape.edges()) throw InvalidOption("weights", "must be one for each edge");
}

/// Counts of every release; columns[0] is the original.
std::vector<Count> count_paths(const ArcIndex& index, const PathScale& scale,
                               std::span<const std::span<const double>> columns,
                               std::span<const std::uint32_t> sources, const MeasureOptions& options) {
  std::vector<std::vector<std::uint64_t>> keys;
  for (const auto column : columns) keys.push_back(arc_keys(index, scale, column));
  std::vector<Count> total(columns.size() - 1);
  std::mutex one_at_a_time;
  ProgressMeter meter(options.progress, "shortest paths", sources.size());
  constexpr std::size_t searches_a_task = 8;  // each goes over the whole graph
  parallel_for(sources.size(), {.threads = options.threads, .grain = searches_a_task},
               [&](std::size_t begin, std::size_t end) {
                 std::vector<PathSearch> searches;
                 for (const auto& column : keys) searches.emplace_back(index, column);
                 TreeComparison comparison(index.vertices(), scale);
                 PathTree original, release;
                 std::vector<Count> counts(total.size());
                 for (std::size_t i = begin; i < end; ++i) {
                   searches[0].run(sources[i], original);
                   for (std::size_t r = 0; r < counts.size(); ++r) {
                     searches[r + 1].run(sources[i], release);
                     counts[r].add(comparison.compare(original, release, keys[r + 1]));
                   }
                   meter.advance();
                 }
                 const std::lock_guard lock(one_at_a_time);
                 for (std::size_t r = 0; r < counts.size(); ++r) total[r].add(counts[r]);
               });
  meter.finish();
  return total;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

Measures measures_of(const Count& count, const PathScale& scale) {
  Measures result{.ksp = share(count.kept, count.pairs),
                  .ksp_any = share(count.any, count.pairs),
                  .pairs = count.pairs,
                  .kept_pairs = count.kept,
                  .any_pairs = count.any,
                  .step = scale.step};
  if (count.kept > 0)
    result.lare = static_cast<double>(count.difference) / static_cast<double>(count.kept) * scale.step;
  return result;
}

}  // namespace

std::vector<Measures> measure_all(const GraphShape& shape, std::span<const double> weights,
                                  std::span<const std::vector<double>> releases,
                                  const MeasureOptions& options) {
  std::vector<std::span<const double>> columns{weights};
  columns.insert(columns.end(), releases.begin(), releases.end());
  require_columns(shape, columns);
  const std::vector<std::uint32_t> sources = chosen_sources(shape.vertices, options);
  const ArcIndex index(shape);
  const PathScale scale = path_scale(shape.vertices, columns);
  const std::vector<Count> counts = count_paths(index, scale, columns, sources, options);

  const double constant = best_constant_error(weights);
  std::vector<Measures> result;
  for (std::size_t r = 0; r < releases.size(); ++r) {
    result.push_back(measures_of(counts[r], scale));
    result.back().ware = mean_absolute_difference(releases[r], weights);
    result.back().best_constant = constant;
    result.back().sources = sources.size();
    result.back().edges = shape.edges();
  }
  return result;
}

Measures measure(const GraphShape& shape, std::span<const double> weights, std::span<const double> released,
                 const MeasureOptions& options) {
  const std::vector<std::vector<double>> one{{released.begin(), released.end()}};
  return measure_all(shape, weights, one, options).front();
}

double mean_absolute_difference(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size() || a.empty()) throw InvalidOption("weights", "must be one for each edge");
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

double best_constant_error(std::span<const double> weights) {
  if (weights.empty()) throw InvalidOption("weights", "must not be empty");
  std::vector<double> sorted(weights.begin(), weights.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return mean_absolute_difference(weights, std::vector<double>(weights.size(), *middle));
}

}  // namespace fogline::weights
