// SPDX-License-Identifier: Apache-2.0
#include "path/hamiltonian.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "random/key.hpp"

namespace fogline::path {
namespace {

void require(const WeighedPaths& paths, std::size_t least_stops) {
  const std::size_t stops = paths.candidates.size();
  if (stops < least_stops) throw InvalidOption("stops", "are too few for paths to differ");
  if (!(paths.ruled_out >= 0 && paths.ruled_out <= 1)) throw InvalidOption("ruled_out", "must be 0 to 1");
  if (paths.ends &&
      (paths.ends->first == paths.ends->second || paths.ends->first >= stops || paths.ends->second >= stops))
    throw InvalidOption("ends", "must be two different stops");
}

/// Sums over the paths through exactly the vertices of a set, by the set and the stop where they end.
class PathSums {
 public:
  /// Those that begin at one of the vertices `first` to `last`.
  PathSums(const StopPaths& paths, VertexId first, VertexId last)
      : stops_(paths.stops), sum_((std::size_t{1} << stops_.vertex_count()) * stops_.size(), 0) {
    for (VertexId v = first; v <= last; ++v)
      for (std::uint32_t i = 0; i < stops_.of_vertex(v); ++i)
        slot(std::size_t{1} << v, stops_.first(v) + i) = 1;
    for (std::size_t set = 1; set < std::size_t{1} << stops_.vertex_count(); ++set)
      for (StopId end = 0; end < stops_.size(); ++end)
        if (const double so_far = at(set, end); so_far != 0)
          extend(set, so_far, &paths.weight[end * stops_.size()]);
  }
  double at(std::size_t set, StopId end) const { return sum_[set * stops_.size() + end]; }

 private:
  double& slot(std::size_t set, StopId end) { return sum_[set * stops_.size() + end]; }

  void extend(std::size_t set, double so_far, const double* weight) {
    for (std::size_t left = ~set & ((std::size_t{1} << stops_.vertex_count()) - 1); left != 0;
         left &= left - 1) {
      const auto next = static_cast<VertexId>(std::countr_zero(left));
      const StopId first = stops_.first(next), after = first + stops_.of_vertex(next);
      for (StopId stop = first; stop < after; ++stop)
        slot(set | std::size_t{1} << next, stop) += so_far * weight[stop];
    }
  }

  const Stops& stops_;
  std::vector<double> sum_;
};

/// The sums over the paths from their first end, and from their last one.
class BothWays {
 public:
  explicit BothWays(const StopPaths& paths) : paths_(paths), forward_(from(paths, true)) {
    if (paths.ends) from_last_.emplace(from(paths, false));
  }

  ExactSteps steps() const {
    const std::size_t n = paths_.stops.vertex_count();
    ExactSteps steps{0, std::vector<double>(n * n, 0)};
    for (std::size_t set = 1; set < all(); ++set)
      for (StopId end = 0; end < paths_.stops.size(); ++end)
        if (const double before = forward_.at(set, end); before != 0) add_steps(set, end, before, steps);
    const double weight = total();
    for (VertexId u = 0; u < n; ++u)
      for (VertexId v = u + 1; v < n; ++v) {
        const double both = steps.share[u * n + v] + steps.share[v * n + u];
        steps.share[u * n + v] = steps.share[v * n + u] = weight > 0 ? both / weight : 0;
      }
    steps.paths = paths_.ends ? weight : weight / 2;
    return steps;
  }

 private:
  static PathSums from(const StopPaths& paths, bool first) {
    if (!paths.ends) return {paths, 0, static_cast<VertexId>(paths.stops.vertex_count() - 1)};
    const VertexId end = first ? paths.ends->first : paths.ends->second;
    return {paths, end, end};
  }
  std::size_t all() const { return (std::size_t{1} << paths_.stops.vertex_count()) - 1; }

  double total() const {
    double sum = 0;
    for (StopId end = 0; end < paths_.stops.size(); ++end)
      if (!paths_.ends || paths_.stops.vertex(end) == paths_.ends->second) sum += forward_.at(all(), end);
    return sum;
  }

  void add_steps(std::size_t set, StopId end, double before, ExactSteps& steps) const {
    const Stops& stops = paths_.stops;
    const PathSums& backward = from_last_ ? *from_last_ : forward_;
    for (std::size_t left = all() & ~set; left != 0; left &= left - 1) {
      const auto v = static_cast<VertexId>(std::countr_zero(left));
      double after = 0;
      for (StopId stop = stops.first(v); stop < stops.first(v) + stops.of_vertex(v); ++stop)
        after += paths_.weight[end * stops.size() + stop] * backward.at(all() & ~set, stop);
      steps.share[stops.vertex(end) * stops.vertex_count() + v] += before * after;
    }
  }

  const StopPaths& paths_;
  PathSums forward_;
  std::optional<PathSums> from_last_;
};

void require(const StopPaths& paths) {
  const std::size_t n = paths.stops.vertex_count();
  if (n < 2) throw InvalidOption("stops", "are too few for paths to differ");
  if (!can_count(paths)) throw InvalidOption("stops", "are too many for paths to be counted one by one");
  if (paths.weight.size() != paths.stops.size() * paths.stops.size())
    throw InvalidOption("weight", "must have a number for each pair of stops");
  if (paths.ends &&
      (paths.ends->first == paths.ends->second || std::max(paths.ends->first, paths.ends->second) >= n))
    throw InvalidOption("ends", "must be two different vertices");
}

std::vector<double> weight_table(const WeighedPaths& paths) {
  const std::size_t stops = paths.candidates.size();
  std::vector<double> weight(stops * stops, 0);
  for (StopId u = 0; u < stops; ++u)
    for (StopId v = 0; v < stops; ++v)
      if (u != v) weight[u * stops + v] = paths.candidates.joined(u, v) ? 1 : paths.ruled_out;
  return weight;
}

/// What a walk gives pairs of weight 0. A stop has d candidates and n others, so that with d / n^2 a path has about one such step, and one path in three has none.
double bridge_weight(const graph::BitGraph& candidates) {
  const auto stops = static_cast<double>(candidates.size());
  const double degree = 2 * static_cast<double>(candidates.edge_count()) / stops;
  return std::max(degree, 1.0) / (stops * stops);
}

/// One random walk over the paths.
class Walk {
 public:
  Walk(const WeighedPaths& paths, random::Stream noise)
      : paths_(paths),
        stops_(paths.candidates.size()),
        noise_(std::move(noise)),
        weight_(paths.ruled_out > 0 ? paths.ruled_out : bridge_weight(paths.candidates)),
        path_(stops_) {
    std::iota(path_.begin(), path_.end(), StopId{0});
    for (std::size_t i = stops_; i > 1; --i) std::swap(path_[i - 1], path_[noise_.below(i)]);
    if (paths.ends) {
      std::swap(path_.front(), *std::ranges::find(path_, paths.ends->first));
      std::swap(path_.back(), *std::ranges::find(path_, paths.ends->second));
    }
  }

  /// `heat` flattens the weights: 1 is as they are, less is hotter.
  void sweep(double heat) {
    const double ratio = std::pow(weight_, heat);
    // A move changes the number of ruled-out steps by -2 to 2.
    const double accept[] = {1, ratio, ratio * ratio};
    for (std::size_t i = 0; i < stops_; ++i) {
      const auto [first, last] = piece();
      const int worse = cost_of_turning(first, last);
      if (worse <= 0 || uniform() < accept[worse])
        std::reverse(path_.begin() + static_cast<std::ptrdiff_t>(first),
                     path_.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    }
  }
  bool counts() const {
    if (paths_.ruled_out > 0) return true;
    for (std::size_t i = 0; i + 1 < stops_; ++i)
      if (!paths_.candidates.joined(path_[i], path_[i + 1])) return false;
    return true;
  }
  const std::vector<StopId>& path() const { return path_; }

 private:
  /// Which piece to turn; each is as likely whatever the path is, so that moves are symmetric.
  std::pair<std::size_t, std::size_t> piece() {
    if (!paths_.ends && noise_.next_bit()) {
      const std::size_t length = noise_.below(stops_ - 1) + 1;
      if (noise_.next_bit()) return {0, length - 1};
      return {stops_ - length, stops_ - 1};
    }
    const std::size_t inner = paths_.ends ? 1 : 0;
    const std::size_t a = inner + noise_.below(stops_ - 2 * inner),
                      b = inner + noise_.below(stops_ - 2 * inner);
    return std::minmax({a, b});
  }

  int cost_of_turning(std::size_t first, std::size_t last) const {
    int worse = 0;
    if (first > 0) worse += joined(path_[first - 1], path_[first]) - joined(path_[first - 1], path_[last]);
    if (last + 1 < stops_)
      worse += joined(path_[last], path_[last + 1]) - joined(path_[first], path_[last + 1]);
    return worse;
  }
  int joined(StopId u, StopId v) const { return paths_.candidates.joined(u, v) ? 1 : 0; }
  double uniform() { return static_cast<double>(noise_.next64() >> 11) * 0x1p-53; }

  const WeighedPaths& paths_;
  std::size_t stops_;
  random::Stream noise_;
  double weight_;
  std::vector<StopId> path_;
};

/// Counts on how many paths each of some pairs is a step.
class StepCounter {
 public:
  StepCounter(std::size_t stops, std::span<const std::pair<StopId, StopId>> pairs)
      : stops_(stops), pairs_(pairs), at_stop_(stops) {
    for (std::size_t i = 0; i < pairs.size(); ++i) at_stop_[pairs[i].first].push_back(i);
  }

  void add(const std::vector<StopId>& path, std::vector<std::uint64_t>& count) const {
    std::vector<std::size_t> place(stops_);
    for (std::size_t i = 0; i < path.size(); ++i) place[path[i]] = i;
    for (StopId v = 0; v < stops_; ++v)
      for (const std::size_t i : at_stop_[v]) {
        const std::size_t a = place[v], b = place[pairs_[i].second];
        if (a + 1 == b || b + 1 == a) ++count[i];
      }
  }

 private:
  std::size_t stops_;
  std::span<const std::pair<StopId, StopId>> pairs_;
  std::vector<std::vector<std::size_t>> at_stop_;
};

struct WalkCounts {
  std::uint64_t samples = 0;
  std::vector<std::uint64_t> steps;
};

WalkCounts walk(const WeighedPaths& paths, const StepCounter& counter, std::size_t pairs,
                const SampleOptions& options, std::uint64_t chain) {
  WalkCounts counts{0, std::vector<std::uint64_t>(pairs, 0)};
  Walk walk(paths, random::SeededKey(options.seed).stream("paths", chain));
  const std::uint64_t annealing = options.sweeps / 5;
  for (std::uint64_t sweep = 0; sweep < options.sweeps; ++sweep) {
    walk.sweep(std::min(1.0, 2.0 * static_cast<double>(sweep + 1) / static_cast<double>(annealing)));
    if (sweep < annealing || !walk.counts()) continue;
    ++counts.samples;
    counter.add(walk.path(), counts.steps);
  }
  return counts;
}

/// The mean over the walks that saw a path, each counted as much as it saw, and its standard error.
std::pair<double, double> mean_and_error(const std::vector<WalkCounts>& walks, std::size_t pair) {
  double seen = 0, hits = 0;
  for (const WalkCounts& counts : walks) {
    seen += static_cast<double>(counts.samples);
    hits += static_cast<double>(counts.steps[pair]);
  }
  if (seen == 0) return {0, 0};
  const double mean = hits / seen;
  double squares = 0;
  std::size_t used = 0;
  for (const WalkCounts& counts : walks) {
    const double apart = static_cast<double>(counts.steps[pair]) - mean * static_cast<double>(counts.samples);
    squares += apart * apart;
    used += counts.samples > 0 ? 1 : 0;
  }
  if (used < 2) return {mean, 1};
  const auto n = static_cast<double>(used);
  return {mean, std::sqrt(squares * n / (n - 1)) / seen};
}

}  // namespace

ExactSteps count_paths(const WeighedPaths& paths) {
  require(paths, 2);
  const std::size_t stops = paths.candidates.size();
  if (stops > most_counted_stops)
    throw InvalidOption("stops", "must be at most 20 for paths to be counted one by one");
  const Stops each(std::vector<std::uint32_t>(stops, 1));
  const StopPaths all{each, weight_table(paths), paths.ends};
  return BothWays(all).steps();
}

bool can_count(const StopPaths& paths) {
  const std::size_t n = paths.stops.vertex_count();
  if (n > most_counted_stops) return false;
  const std::uint64_t sums = (std::uint64_t{1} << n) * paths.stops.size() * (paths.ends ? 2 : 1);
  return sums * sizeof(double) <= most_counted_bytes;
}

ExactSteps count_stop_paths(const StopPaths& paths) {
  require(paths);
  return BothWays(paths).steps();
}

SampledSteps sample_paths(const WeighedPaths& paths, std::span<const std::pair<StopId, StopId>> pairs,
                          const SampleOptions& options) {
  require(paths, 3);
  if (options.chains < 2 || options.chains > 1'000) throw InvalidOption("chains", "must be 2 to 1,000");
  if (options.sweeps < 10 || options.sweeps > 1'000'000'000)
    throw InvalidOption("sweeps", "must be 10 to 1,000,000,000");
  const StepCounter counter(paths.candidates.size(), pairs);
  std::vector<WalkCounts> walks(options.chains);
  ProgressMeter meter(options.progress, "walking over paths", options.chains);
  parallel_for(options.chains, {.threads = options.threads}, [&](std::size_t begin, std::size_t end) {
    for (std::size_t chain = begin; chain < end; ++chain) {
      walks[chain] = walk(paths, counter, pairs.size(), options, chain);
      meter.advance();
    }
  });
  meter.finish();

  SampledSteps steps;
  for (const WalkCounts& counts : walks) steps.samples += counts.samples;
  double effective = 0, uncertain = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [mean, error] = mean_and_error(walks, i);
    steps.share.push_back(mean);
    steps.standard_error.push_back(error);
    if (error == 0) continue;
    effective += mean * (1 - mean) / (error * error);
    ++uncertain;
  }
  steps.effective_samples = uncertain > 0 ? effective / uncertain : static_cast<double>(steps.samples);
  return steps;
}

}  // namespace fogline::path
