// SPDX-License-Identifier: Apache-2.0
#include "path/attacks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace fogline::path {
namespace {

void require_pair(const PublicPath& shown, VertexPair pair) {
  if (pair.first == pair.second || std::max(pair.first, pair.second) >= shown.stops.vertex_count())
    throw InvalidOption("pair", "must be two different vertices");
}

bool is_two_sided(const PublicPath& shown) {
  return shown.form == PathForm::two_sided;
}

std::uint64_t candidates_between(const PublicPath& shown, VertexPair pair) {
  std::uint64_t count = 0;
  for (std::uint32_t i = 0; i < shown.stops.of_vertex(pair.first); ++i)
    for (std::uint32_t j = 0; j < shown.stops.of_vertex(pair.second); ++j)
      count += shown.candidates.joined(shown.stops.first(pair.first) + i, shown.stops.first(pair.second) + j)
                   ? 1U
                   : 0U;
  return count;
}

double candidate_by_chance(const PublicPath& shown) {
  return 1 / (1 + std::exp(shown.epsilon_edges.to_double() / 2));
}

double lie_weight(const PublicPath& shown) {
  return is_two_sided(shown) ? std::exp(-2 * shown.epsilon_edges.to_double()) : 0;
}

double labels_between(const PublicPath& shown, VertexPair pair) {
  return static_cast<double>(shown.stops.of_vertex(pair.first)) *
         static_cast<double>(shown.stops.of_vertex(pair.second));
}

/// How many times as likely the labels of two vertices are with a step between them, at stops drawn by chance, as without a road.
double likelihood_ratio(const PublicPath& shown, double labels, double candidates) {
  const double epsilon = shown.epsilon_edges.to_double();
  if (is_two_sided(shown))
    return (candidates * std::exp(epsilon) + (labels - candidates) * std::exp(-epsilon)) / labels;
  // The step is the one candidate of a road; without a road every label is one by chance.
  if (candidates != 1) return 0;
  const double by_chance = candidate_by_chance(shown);
  return 1 / (labels * by_chance * std::pow(1 - by_chance, labels - 1));
}

/// The pieces of the route without the missing step.
struct Cut {
  std::span<const StopId> before, after;
};

std::optional<Cut> cut_at(const PublicPath& shown, std::span<const StopId> path, VertexPair pair) {
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const VertexId a = shown.stops.vertex(path[i]), b = shown.stops.vertex(path[i + 1]);
    if (std::minmax(a, b) == std::minmax(pair.first, pair.second))
      return Cut{path.first(i + 1), path.subspan(i + 1)};
  }
  return std::nullopt;
}

std::optional<Cut> cut_of(const RouteMap& map, const PublicPath& shown,
                          std::span<const std::vector<StopId>> pieces, VertexPair pair) {
  if (pieces.size() == 1) return cut_at(shown, pieces.front(), pair);
  if (pieces.size() != 2 || map.roads.joined(pair.first, pair.second)) return std::nullopt;
  return Cut{pieces.front(), pieces.back()};
}

/// A pair of stops that may be the missing step.
struct Way {
  StopId a = 0, b = 0;
  double prior = 0;  // up to a factor
};

class MissingStep {
 public:
  MissingStep(const RouteMap& map, const PublicPath& shown, VertexPair pair, const Cut& cut)
      : known_(map.roads), shown_(shown), cut_(cut), is_used_(shown.stops.size(), false) {
    known_.part(pair.first, pair.second);
    for (const std::span<const StopId> piece : {cut.before, cut.after})
      if (piece.size() > 1)
        for (const StopId stop : piece) is_used_[stop] = true;
  }

  std::vector<Way> ways() const {
    const bool none_known = !is_seen(cut_.before, cut_.after) && !is_seen(cut_.after, cut_.before);
    std::vector<Way> found;
    for (const End& one : ends_of(cut_.before, cut_.after))
      for (const End& other : ends_of(cut_.after, cut_.before))
        if (may_join(one, other) && (!none_known || one.stop < other.stop))
          found.push_back({one.stop, other.stop, one.share * other.share});
    return found;
  }

  /// How well the labels fit a way, up to a factor.
  double fit(const Way& way) const {
    const bool candidate = shown_.candidates.joined(way.a, way.b);
    if (is_two_sided(shown_)) return candidate ? 1 : lie_weight(shown_);
    const VertexPair pair{shown_.stops.vertex(way.a), shown_.stops.vertex(way.b)};
    if (!candidate || candidates_between(shown_, pair) != 1) return 0;
    return std::pow(1 - candidate_by_chance(shown_), 1 - labels_between(shown_, pair));
  }

 private:
  struct End {
    StopId stop = 0;
    VertexId far = 0;  // where its piece has its other end
    double share = 1;  // how likely it is at this stop
  };

  /// A single visit is not known to who does not know that the route comes there.
  bool is_seen(std::span<const StopId> piece, std::span<const StopId> other) const {
    if (piece.size() > 1) return true;
    const auto is_there = [&](StopId stop) {
      return shown_.stops.vertex(stop) == shown_.stops.vertex(piece.front());
    };
    return shown_.every_vertex && std::ranges::none_of(other, is_there);
  }

  std::vector<End> ends_of(std::span<const StopId> piece, std::span<const StopId> other) const {
    const Stops& stops = shown_.stops;
    const VertexId first = stops.vertex(piece.front());
    if (piece.size() > 1) return {{piece.front(), stops.vertex(piece.back())}, {piece.back(), first}};
    std::vector<End> found;
    if (is_seen(piece, other))
      add_visits(first, found);
    else
      for (VertexId v = 0; v < stops.vertex_count(); ++v) add_visits(v, found);
    return found;
  }

  /// One visit, at any stop that no known step uses.
  void add_visits(VertexId vertex, std::vector<End>& found) const {
    std::vector<StopId> free;
    for (std::uint32_t i = 0; i < shown_.stops.of_vertex(vertex); ++i)
      if (!is_used_[shown_.stops.first(vertex) + i]) free.push_back(shown_.stops.first(vertex) + i);
    for (const StopId stop : free) found.push_back({stop, vertex, 1 / static_cast<double>(free.size())});
  }

  bool may_join(const End& one, const End& other) const {
    const VertexId u = shown_.stops.vertex(one.stop), v = shown_.stops.vertex(other.stop);
    if (u == v || known_.joined(u, v))
      return false;  // that road is known, and so is whether the route takes it
    return !shown_.ends ||
           std::minmax(one.far, other.far) == std::minmax(shown_.ends->first, shown_.ends->second);
  }

  graph::BitGraph known_;
  const PublicPath& shown_;
  const Cut& cut_;
  std::vector<bool> is_used_;
};

bool is_same(const PublicPath& shown, const Way& way, VertexPair pair) {
  const VertexId u = shown.stops.vertex(way.a), v = shown.stops.vertex(way.b);
  return std::minmax(u, v) == std::minmax(pair.first, pair.second);
}

/// The weights of steps at several stops: a step is the only candidate of its two vertices. Those with more labels say more, as the others had to be ruled out by
/// chance. Weights are taken about the middle, so that products of many stay in range.
std::vector<double> step_weights(const PublicPath& shown) {
  const Stops& stops = shown.stops;
  const auto [fewest, most] = std::ranges::minmax(stops.counts());
  const double middle = (static_cast<double>(fewest) * fewest + static_cast<double>(most) * most) / 2;
  std::vector<double> weight(stops.size() * stops.size(), 0);
  for (StopId i = 0; i < stops.size(); ++i)
    graph::for_each_bit(shown.candidates.row(i), [&](StopId j) {
      const VertexPair pair{stops.vertex(i), stops.vertex(j)};
      if (pair.first != pair.second && candidates_between(shown, pair) == 1)
        weight[i * stops.size() + j] =
            std::pow(1 - candidate_by_chance(shown), middle - labels_between(shown, pair));
    });
  return weight;
}

/// The share of all orders of the vertices in which a pair is a step.
double share_without_labels(const PublicPath& shown, VertexPair pair) {
  const auto n = static_cast<double>(shown.stops.vertex_count());
  if (!shown.ends || shown.ends->first == shown.ends->second) return 2 / n;
  const auto is_end = [&](VertexId v) { return v == shown.ends->first || v == shown.ends->second; };
  if (is_end(pair.first) && is_end(pair.second)) return n > 2 ? 0 : 1;
  return (is_end(pair.first) || is_end(pair.second) ? 1 : 2) / (n - 2);
}

void tell_steps(const PublicPath& shown, const ExactSteps& steps, std::span<const VertexPair> pairs,
                EveryVertex& found) {
  const std::size_t n = shown.stops.vertex_count();
  const auto told = [&](VertexPair pair) {
    return Belief{share_without_labels(shown, pair), std::min(1.0, steps.of(pair.first, pair.second, n))};
  };
  found.exact = true;
  found.paths = steps.paths;
  found.standard_error.assign(pairs.size(), 0);
  for (std::size_t i = 0; i < pairs.size(); ++i) found.beliefs[i] = told(pairs[i]);
  for (VertexId u = 0; u < n; ++u)
    for (VertexId v = u + 1; v < n; ++v) found.certain += told({u, v}).became_certain() ? 1U : 0U;
}

/// Counts paths over several stops a vertex.
ExactSteps count_over_stops(StopPaths paths) {
  ExactSteps steps = count_stop_paths(paths);
  for (double& weight : paths.weight) weight = weight > 0 ? 1 : 0;
  const ExactSteps counted = count_stop_paths(paths);
  // Sums of weights are rounded, numbers of paths are not: these say what is a step in all of them.
  for (std::size_t i = 0; i < steps.share.size(); ++i)
    steps.share[i] = counted.share[i] >= 1 ? 1 : std::min(steps.share[i], std::nextafter(1.0, 0.0));
  steps.paths = counted.paths;
  return steps;
}

void sample_all(const WeighedPaths& paths, std::span<const VertexPair> pairs,
                const EveryVertexOptions& options, EveryVertex& found) {
  const std::uint64_t by_size = std::clamp<std::uint64_t>(500'000 / paths.candidates.size(), 500, 10'000);
  const SampledSteps steps = sample_paths(paths, pairs,
                                          {.sweeps = options.sweeps.value_or(by_size),
                                           .seed = options.seed,
                                           .threads = options.threads,
                                           .progress = options.progress});
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    found.beliefs[i].posterior = steps.share[i];
    found.certain += found.beliefs[i].became_certain() ? 1U : 0U;
  }
  found.standard_error = steps.standard_error;
  found.samples = steps.samples;
  found.effective_samples = steps.effective_samples;
}

}  // namespace

double Belief::loss() const {
  if (posterior == prior || prior <= 0 || prior >= 1) return 0;
  if (posterior >= 1) return std::numeric_limits<double>::infinity();
  if (posterior <= 0) return -std::numeric_limits<double>::infinity();
  return std::log(posterior / (1 - posterior)) - std::log(prior / (1 - prior));
}

bool Belief::became_certain() const {
  return posterior >= 1 && prior < 1;
}

OneLabel one_label(const PublicPath& shown, VertexPair pair, double prior) {
  require_pair(shown, pair);
  if (!(prior > 0 && prior < 1)) throw InvalidOption("prior", "must be above 0 and below 1");
  OneLabel found{
      .labels = std::uint64_t{shown.stops.of_vertex(pair.first)} * shown.stops.of_vertex(pair.second),
      .candidates = candidates_between(shown, pair)};
  const double odds =
      prior / (1 - prior) *
      likelihood_ratio(shown, static_cast<double>(found.labels), static_cast<double>(found.candidates));
  found.belief = {prior, odds / (1 + odds)};
  return found;
}

std::optional<AllButOne> all_but_one(const RouteMap& map, const PublicPath& shown,
                                     std::span<const std::vector<StopId>> pieces, VertexPair pair) {
  require_pair(shown, pair);
  if (map.vertex_count() != shown.stops.vertex_count())
    throw InvalidOption("map", "must have the published vertices");
  const std::optional<Cut> cut = cut_of(map, shown, pieces, pair);
  if (!cut) return std::nullopt;
  const MissingStep missing(map, shown, pair, *cut);
  AllButOne found;
  double all = 0, here = 0, all_before = 0, here_before = 0;
  for (const Way& way : missing.ways()) {
    const double weight = way.prior * missing.fit(way);
    const bool is_here = is_same(shown, way, pair);
    all += weight;
    here += is_here ? weight : 0;
    all_before += way.prior;
    here_before += is_here ? way.prior : 0;
    ++found.options;
    found.left += weight > 0 ? 1U : 0U;
  }
  if (all > 0) found.belief = {here_before / all_before, here / all};
  return found;
}

std::optional<EveryVertex> every_vertex(const PublicPath& shown, std::span<const VertexPair> pairs,
                                        const EveryVertexOptions& options) {
  if (options.exact_up_to < 2 || options.exact_up_to > most_counted_stops)
    throw InvalidOption("exact_up_to", "must be 2 to 20");
  for (const VertexPair& pair : pairs) require_pair(shown, pair);
  const std::size_t n = shown.stops.vertex_count();
  std::optional<VertexPair> ends;
  if (shown.ends && shown.ends->first != shown.ends->second) ends = shown.ends;

  EveryVertex found;
  for (const VertexPair& pair : pairs) found.beliefs.push_back({share_without_labels(shown, pair), 0});
  if (shown.stops.size() != n) {
    if (is_two_sided(shown) || n > options.exact_up_to) return std::nullopt;
    StopPaths paths{shown.stops, step_weights(shown), ends};
    if (!can_count(paths)) return std::nullopt;
    tell_steps(shown, count_over_stops(std::move(paths)), pairs, found);
    return found;
  }
  const WeighedPaths paths{shown.candidates, lie_weight(shown), ends};
  if (n <= options.exact_up_to)
    tell_steps(shown, count_paths(paths), pairs, found);
  else
    sample_all(paths, pairs, options, found);
  return found;
}

}  // namespace fogline::path
