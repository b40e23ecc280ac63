// SPDX-License-Identifier: Apache-2.0
#include "weights/estimates/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "weights/estimates/mixture.hpp"

namespace fogline::weights {
namespace {

/// Points, and drawn numbers: a table of likelihoods for all of them has 32 MiB, and a round of learning goes over it
/// once.
constexpr std::int64_t most_told_apart = 2048;

/// The points and the drawn numbers that are told apart: each `stride` apart, from a first one on.
struct Lattice {
  std::int64_t first_drawn = 0, drawn_stride = 1, drawn_count = 0;
  std::int64_t point_stride = 1, point_count = 0;

  std::int64_t drawn(std::size_t row) const {
    return first_drawn + static_cast<std::int64_t>(row) * drawn_stride;
  }
  std::int64_t point(std::size_t column) const { return static_cast<std::int64_t>(column) * point_stride; }
  bool covers(std::int64_t number) const {
    return number >= first_drawn && number <= first_drawn + (drawn_count - 1) * drawn_stride;
  }
  /// The row next to a number, and how far the number lies towards the one after.
  std::pair<std::size_t, double> place(std::int64_t number) const {
    const std::int64_t row = (number - first_drawn) / drawn_stride;
    const std::int64_t rest = (number - first_drawn) % drawn_stride;
    return {static_cast<std::size_t>(row), static_cast<double>(rest) / static_cast<double>(drawn_stride)};
  }
};

/// The least stride that leaves no more than can be told apart.
std::int64_t find_stride(std::int64_t count) {
  return (count + most_told_apart - 1) / most_told_apart;
}

/// Whether noise leaves a gap more often than not: then points a gap apart are hardly told apart anyway. No number is
/// likelier than that noise is 0, so that it stays within a gap to either side with no more than this probability.
bool noise_is_wider(const EdgeMechanism& mechanism, std::int64_t gap) {
  constexpr double more_often_than_not = 0.5;
  return std::exp(mechanism.log_weight(0, 0)) * (2 * static_cast<double>(gap) + 1) <= more_often_than_not;
}

Lattice make_noise_lattice(const EdgeMechanism& mechanism, std::int64_t least, std::int64_t most) {
  const std::int64_t points = mechanism.grid().is_finite()
                                  ? static_cast<std::int64_t>(mechanism.grid().points())
                                  : std::max<std::int64_t>(most, mechanism.grid().lowest_positive()) + 1;
  const std::int64_t numbers = most - least + 1;
  Lattice lattice{.first_drawn = least, .drawn_count = numbers, .point_count = points};
  if (points <= most_told_apart && numbers <= most_told_apart) return lattice;
  const std::int64_t gap = find_stride(std::max(points, numbers));
  if (noise_is_wider(mechanism, gap)) {
    lattice.drawn_stride = gap;
    lattice.point_stride = gap;
    lattice.point_count = (points + gap - 1) / gap;
    // One row past the largest number, unless that lies on a row: numbers between two rows need both.
    lattice.drawn_count = (numbers - 1 + gap - 1) / gap + 1;
    return lattice;
  }
  // Short noise on a long range: the low end, where skewed weights gather. Draws below zero are
  // covered as far down as half of what can be told apart.
  lattice.first_drawn = std::max(least, -most_told_apart / 2);
  lattice.point_count = std::min(points, most_told_apart);
  lattice.drawn_count = std::min(most, lattice.point_count - 1) - lattice.first_drawn + 1;
  return lattice;
}

Lattice make_lattice(const EdgeMechanism& mechanism, std::span<const std::int64_t> drawn) {
  if (mechanism.outputs() > 0) {
    const auto outputs = static_cast<std::int64_t>(mechanism.outputs());
    // Outputs of a table have no order that could be thinned out.
    return {.drawn_count = outputs <= most_told_apart ? outputs : 0,
            .point_count = static_cast<std::int64_t>(mechanism.grid().points())};
  }
  const auto [least, most] = std::minmax_element(drawn.begin(), drawn.end());
  return make_noise_lattice(mechanism, *least, *most);
}

/// Neighbouring points that share what is learned are one cause; within it the prior keeps the shape it started with.
/// Points of a block are one, since no drawn number tells them apart; under noise, points where too few numbers were
/// drawn to learn more.
struct Causes {
  std::vector<std::size_t> of_point = {};  ///< the cause of each point of the lattice
  std::vector<std::size_t> first = {};     ///< point of each cause
  std::vector<double> within = {};         ///< share of each point in its cause
  std::vector<double> start = {};          ///< share of each cause
};

std::vector<double> make_start(const WeightGrid& grid, const Lattice& lattice,
                               const std::vector<double>& prior) {
  const auto count = static_cast<std::size_t>(lattice.point_count);
  std::vector<double> start(count, prior.empty() ? 1.0 : 0.0);
  for (std::size_t p = 0; p < prior.size() && grid.is_finite(); ++p) {
    const auto place = static_cast<std::size_t>(static_cast<std::int64_t>(p) / lattice.point_stride);
    if (place < count) start[place] += prior[p];
  }
  const double total = std::accumulate(start.begin(), start.end(), 0.0);
  if (!(total > 0)) throw InvalidOption("prior", "must have a share above 0");
  for (double& share : start) share /= total;
  return start;
}

/// Whether no drawn number tells two points apart. Exactly: points of a block have the same numbers in the table.
bool look_alike(const EdgeMechanism& mechanism, const Lattice& lattice, std::size_t a, std::size_t b) {
  for (std::size_t d = 0; d < static_cast<std::size_t>(lattice.drawn_count); ++d) {
    const std::int64_t number = lattice.drawn(d);
    if (mechanism.log_weight(number, lattice.point(a)) != mechanism.log_weight(number, lattice.point(b)))
      return false;
  }
  return true;
}

/// How many numbers were drawn nearest to each point of the lattice.
std::vector<double> count_drawn_near(const Lattice& lattice, std::span<const std::int64_t> drawn) {
  std::vector<double> counts(static_cast<std::size_t>(lattice.point_count));
  for (const std::int64_t number : drawn) {
    const std::int64_t point = (number + lattice.point_stride / 2) / lattice.point_stride;
    ++counts[static_cast<std::size_t>(std::clamp<std::int64_t>(point, 0, lattice.point_count - 1))];
  }
  return counts;
}

/// Whether each point of the lattice begins a cause.
std::vector<bool> find_beginnings(const EdgeMechanism& mechanism, const Lattice& lattice,
                                  std::span<const std::int64_t> drawn, double least_edges) {
  std::vector<bool> begins(static_cast<std::size_t>(lattice.point_count));
  const bool is_table = mechanism.outputs() > 0;
  const std::vector<double> near = is_table ? std::vector<double>() : count_drawn_near(lattice, drawn);
  double gathered = 0;
  for (std::size_t p = 0; p < begins.size(); ++p) {
    begins[p] = p == 0 || (is_table ? !look_alike(mechanism, lattice, p - 1, p) : gathered >= least_edges);
    // Under noise a cause is full, and the next begins, once enough numbers were drawn near its points.
    if (is_table) continue;
    if (begins[p]) gathered = 0;
    gathered += near[p];
  }
  return begins;
}

Causes make_causes(const std::vector<bool>& begins, const std::vector<double>& start) {
  Causes causes{.of_point = std::vector<std::size_t>(start.size()), .within = start};
  for (std::size_t p = 0; p < start.size(); ++p) {
    if (begins[p]) {
      causes.first.push_back(p);
      causes.start.push_back(0);
    }
    causes.of_point[p] = causes.first.size() - 1;
    causes.start.back() += start[p];
  }
  for (std::size_t p = 0; p < start.size(); ++p) {
    const double total = causes.start[causes.of_point[p]];
    causes.within[p] = total > 0 ? start[p] / total : 0;
  }
  return causes;
}

/// P(row | point) / P(row | cause of the point): how a drawn number shifts the shares within a cause. All 1 for a
/// table, whose causes are exact.
class Likelihoods {
 public:
  Likelihoods(const EdgeMechanism& mechanism, const Lattice& lattice, const Causes& causes)
      : mechanism_(mechanism), lattice_(lattice), causes_(causes) {}

  double log_of_cause(std::size_t row, std::size_t cause) const {
    const std::size_t first = causes_.first[cause];
    const std::size_t end =
        cause + 1 < causes_.first.size() ? causes_.first[cause + 1] : causes_.of_point.size();
    const double log_first = log_of_point(row, first);
    if (mechanism_.outputs() > 0 || end == first + 1) return log_first;
    // The mean likelihood of its points, by the shares within; over the largest, so that far rows do not underflow.
    double largest = log_first;
    for (std::size_t p = first; p < end; ++p) largest = std::max(largest, log_of_point(row, p));
    double sum = 0;
    for (std::size_t p = first; p < end; ++p)
      sum += causes_.within[p] * std::exp(log_of_point(row, p) - largest);
    return largest + std::log(sum);
  }

  /// The shift of every point's share by this row.
  void shifts(std::size_t row, std::span<double> of_point) const {
    if (mechanism_.outputs() > 0) {
      std::ranges::fill(of_point, 1.0);
      return;
    }
    for (std::size_t cause = 0; cause < causes_.first.size(); ++cause) {
      const double log_cause = log_of_cause(row, cause);
      const std::size_t end =
          cause + 1 < causes_.first.size() ? causes_.first[cause + 1] : causes_.of_point.size();
      for (std::size_t p = causes_.first[cause]; p < end; ++p)
        of_point[p] = std::exp(log_of_point(row, p) - log_cause);
    }
  }

 private:
  double log_of_point(std::size_t row, std::size_t point) const {
    return mechanism_.log_weight(lattice_.drawn(row), lattice_.point(point));
  }

  const EdgeMechanism& mechanism_;
  const Lattice& lattice_;
  const Causes& causes_;
};

/// Median or mean, as a weight, of each row of the lattice under the shares of the causes.
class Reader {
 public:
  Reader(const EdgeMechanism& mechanism, const Lattice& lattice, const Causes& causes, Estimate estimate)
      : grid_(mechanism.grid()),
        least_(mechanism.grid().value(mechanism.least_point())),
        lattice_(lattice),
        causes_(causes),
        estimate_(estimate) {}

  /// `shift`: of each point, for the row whose posterior it is.
  double read(std::span<const double> posterior, std::span<const double> shift) const {
    std::vector<double> shares(causes_.within.size());
    double total = 0;
    for (std::size_t p = 0; p < shares.size(); ++p) {
      shares[p] = posterior[causes_.of_point[p]] * causes_.within[p] * shift[p];
      total += shares[p];
    }
    // A row so far from all points that with these shares none is possible in floating point.
    if (!(total > 0)) return least_;
    return std::max(estimate_ == Estimate::mean ? mean(shares, total) : median(shares, total), least_);
  }

 private:
  double mean(std::span<const double> shares, double total) const {
    double sum = 0;
    for (std::size_t p = 0; p < shares.size(); ++p) sum += shares[p] * grid_.value(lattice_.point(p));
    return sum / total;
  }
  double median(std::span<const double> shares, double total) const {
    std::size_t p = 0;
    double below = shares[0];
    while (below < total / 2 && p + 1 < shares.size()) {
      ++p;
      below += shares[p];
    }
    return grid_.value(lattice_.point(p));
  }

  const WeightGrid& grid_;
  double least_;
  const Lattice& lattice_;
  const Causes& causes_;
  Estimate estimate_;
};

void require_valid_estimate(const EdgeMechanism& mechanism, std::span<const std::int64_t> drawn,
                            const EdgeGroups& groups, const EstimateOptions& options) {
  constexpr int most_iterations = 100'000;  // learning ends long before
  constexpr double most = 1e9;              // of any number of edges or gain: beyond, options are mistakes
  if (groups.of.size() != drawn.size()) throw InvalidOption("groups", "must have a group for each edge");
  for (const std::uint32_t group : groups.of)
    if (group >= groups.count) throw InvalidOption("groups", "must be numbered below their count");
  if (!options.prior.empty() && options.prior.size() != mechanism.grid().points())
    throw InvalidOption("prior", "must have a share for each point of a grid with both ends");
  for (const double share : options.prior)
    if (!(share >= 0) || !std::isfinite(share)) throw InvalidOption("prior", "must be shares of 0 or more");
  if (options.iterations < 1 || options.iterations > most_iterations)
    throw InvalidOption("iterations", "must be 1 to 100,000");
  if (!(options.shrinkage >= 0 && options.shrinkage <= most))
    throw InvalidOption("shrinkage", "must be 0 to 1,000,000,000");
  if (!(options.least_edges >= 0 && options.least_edges <= most))
    throw InvalidOption("least_edges", "must be 0 to 1,000,000,000");
  if (!(options.least_gain >= 0 && options.least_gain <= most))
    throw InvalidOption("least_gain", "must be 0 to 1,000,000,000");
}

/// Edges by group: those of group g are edges[first[g]] to edges[first[g + 1] - 1].
struct ByGroup {
  std::vector<std::size_t> first, edges;
};

/// A counting sort: edges of a group keep their order.
ByGroup sort_by_group(const EdgeGroups& groups) {
  ByGroup sorted{.first = std::vector<std::size_t>(groups.count + std::size_t{1}),
                 .edges = std::vector<std::size_t>(groups.of.size())};
  for (const std::uint32_t group : groups.of) ++sorted.first[group + std::size_t{1}];
  std::partial_sum(sorted.first.begin(), sorted.first.end(), sorted.first.begin());
  std::vector<std::size_t> next = sorted.first;
  for (std::size_t e = 0; e < groups.of.size(); ++e) {
    sorted.edges[next[groups.of[e]]] = e;
    ++next[groups.of[e]];
  }
  return sorted;
}

/// Everything that is the same for all groups.
struct Model {
  Lattice lattice;
  Causes causes;
  Likelihoods likelihoods;
  Mixture mixture;

  Model(const EdgeMechanism& mechanism, const Lattice& told_apart, std::span<const std::int64_t> drawn,
        const EstimateOptions& options)
      : lattice(told_apart),
        causes(make_causes(find_beginnings(mechanism, lattice, drawn, options.least_edges),
                           make_start(mechanism.grid(), lattice, options.prior))),
        likelihoods(mechanism, lattice, causes),
        mixture(static_cast<std::size_t>(lattice.drawn_count), causes.first.size(),
                [&](std::size_t row, std::size_t cause) { return likelihoods.log_of_cause(row, cause); }) {}
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  /// How often each row was drawn. A number between two rows counts for both, by its nearness.
  template <class Edges>
  std::vector<double> count_rows(std::span<const std::int64_t> drawn, const Edges& edges) const {
    std::vector<double> counts(mixture.rows());
    for (const std::size_t e : edges) {
      if (!lattice.covers(drawn[e])) continue;
      const auto [row, towards] = lattice.place(drawn[e]);
      counts[row] += 1 - towards;
      if (towards > 0) counts[row + 1] += towards;
    }
    return counts;
  }
};

/// The weights of one group's edges. Each row is estimated once, when an edge first needs it.
void estimate_group(const Model& model, const Reader& reader, std::span<const double> prior,
                    std::span<const std::int64_t> drawn, std::span<const std::size_t> edges,
                    std::span<double> weights) {
  std::vector<double> found(model.mixture.rows(), std::numeric_limits<double>::quiet_NaN());
  std::vector<double> posterior(model.mixture.columns()), shift(model.causes.of_point.size());
  const auto estimate_of = [&](std::size_t row) {
    if (std::isnan(found[row])) {
      model.mixture.posterior(row, prior, posterior);
      model.likelihoods.shifts(row, shift);
      found[row] = reader.read(posterior, shift);
    }
    return found[row];
  };
  for (const std::size_t e : edges) {
    if (!model.lattice.covers(drawn[e])) continue;
    const auto [row, towards] = model.lattice.place(drawn[e]);
    // Between two rows by linear interpolation: what is thinned out is smooth beside its noise.
    weights[e] = estimate_of(row);
    if (towards > 0) weights[e] += towards * (estimate_of(row + 1) - weights[e]);
  }
}

}  // namespace

std::string_view to_string(Estimate estimate) {
  return estimate == Estimate::median ? "median" : "mean";
}

Estimate estimate_from(std::string_view text) {
  if (text == "median") return Estimate::median;
  if (text == "mean") return Estimate::mean;
  throw InvalidOption("estimate", "is median or mean");
}

std::vector<double> estimate_weights(const EdgeMechanism& mechanism, std::span<const std::int64_t> drawn,
                                     const EdgeGroups& groups, const EstimateOptions& options) {
  require_valid_estimate(mechanism, drawn, groups, options);
  std::vector<double> weights(drawn.size());
  std::transform(drawn.begin(), drawn.end(), weights.begin(),
                 [&](std::int64_t number) { return mechanism.weight(number); });
  if (drawn.empty()) return weights;
  const Lattice lattice = make_lattice(mechanism, drawn);
  if (lattice.drawn_count <= 0) return weights;
  const Model model(mechanism, lattice, drawn, options);
  const Reader reader(mechanism, model.lattice, model.causes, options.estimate);
  const ByGroup sorted = sort_by_group(groups);
  Mixture::Options learning{.rounds = options.iterations, .least_gain = options.least_gain};
  const std::vector<double> of_all =
      model.mixture.learn(model.count_rows(drawn, sorted.edges), model.causes.start, learning);
  // Empirical Bayes in two stages: each group starts at the prior of all edges, and is shrunk towards it.
  learning.shrinkage = options.shrinkage;
  ProgressMeter meter(options.progress, "estimating", groups.count);
  parallel_for(groups.count, {.threads = options.threads}, [&](std::size_t begin, std::size_t end) {
    for (std::size_t g = begin; g < end; ++g) {
      const std::span<const std::size_t> edges(&sorted.edges[sorted.first[g]],
                                               sorted.first[g + 1] - sorted.first[g]);
      const auto of_group = model.mixture.learn(model.count_rows(drawn, edges), of_all, learning);
      estimate_group(model, reader, of_group, drawn, edges, weights);
      meter.advance();
    }
  });
  meter.finish();
  return weights;
}

}  // namespace fogline::weights
