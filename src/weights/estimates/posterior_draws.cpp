// SPDX-License-Identifier: Apache-2.0
#include "weights/estimates/posterior_draws.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "random/key.hpp"
#include "weights/estimates/mixture.hpp"

namespace fogline::weights {
namespace {

/// Points, and drawn numbers: a table of chances for all of them has some 8 MiB.
constexpr std::int64_t most_values_told_apart = 1024;
constexpr std::size_t most_draws =
    1000;  // each holds a number for every edge; a mean over so many has a thirtieth of one's error
/// Parts of a unit of chance; finer ones no mean would show.
constexpr std::uint64_t fine = std::uint64_t{1} << 30;

/// The points and drawn numbers that are told apart, each `gap` from the next.
struct Scale {
  std::int64_t first_drawn = 0, rows = 0, points = 0, gap = 1;
  std::int64_t all_points = 0;

  bool covers(std::int64_t number) const {
    return number >= first_drawn && number <= first_drawn + (rows - 1) * gap;
  }
  std::int64_t row_of(std::int64_t number) const { return (number - first_drawn + gap / 2) / gap; }
  std::int64_t number_of(std::int64_t row) const { return first_drawn + row * gap; }
};

Scale scale_of(const Noise& noise, std::span<const std::int64_t> drawn) {
  const auto [least, most] = std::minmax_element(drawn.begin(), drawn.end());
  Scale scale{.first_drawn = *least, .rows = *most - *least + 1};
  scale.all_points = noise.grid().is_finite() ? static_cast<std::int64_t>(noise.grid().points())
                                              : std::max<std::int64_t>(*most, 1) + 1;
  const std::int64_t longest = std::max(scale.rows, scale.all_points);
  const std::int64_t gap = (longest + most_values_told_apart - 1) / most_values_told_apart;
  // Whether the noise leaves a gap more often than not: then points a gap apart are hardly told apart anyway.
  constexpr double more_often_than_not = 0.5;
  const double stays = std::exp(noise.log_weight(0, 0)) * (2 * static_cast<double>(gap) + 1);
  if (stays <= more_often_than_not || gap == 1) {
    scale.gap = gap;
    scale.points = (scale.all_points + gap - 1) / gap;
    scale.rows = (scale.rows - 1 + gap - 1) / gap + 1;
    return scale;
  }
  scale.first_drawn = std::max(*least, -most_values_told_apart / 2);
  scale.points = std::min(scale.all_points, most_values_told_apart);
  scale.rows = std::min(*most, scale.points - 1) - scale.first_drawn + 1;
  return scale;
}

/// A prior that is even within causes: neighbouring points among which enough edges were drawn to learn how many there are.
class Posterior {
 public:
  Posterior(const Noise& noise, const Scale& scale, std::span<const std::int64_t> drawn, double least_edges)
      : noise_(noise),
        scale_(scale),
        cause_of_(causes(scale, drawn, least_edges)),
        size_(cause_of_.back() + 1),
        mixture_(static_cast<std::size_t>(scale.rows), size_.size(), likelihoods()) {}

  /// Shares of the causes, before anything is learned.
  std::vector<double> even() const {
    std::vector<double> shares = size_;
    for (double& share : shares) share /= static_cast<double>(scale_.points);
    return shares;
  }
  std::vector<double> learn(std::span<const std::int64_t> rows, std::span<const double> start,
                            const Mixture::Options& options) const {
    std::vector<double> counts(mixture_.rows());
    for (const std::int64_t row : rows) ++counts[static_cast<std::size_t>(row)];
    return mixture_.learn(counts, start, options);
  }
  /// Of the points, summed up, if a row was drawn; ends at 0 if the prior rules it out.
  void sum_up(std::int64_t row, std::span<const double> shares, std::vector<double>& sums) const {
    double sum = 0;
    for (std::size_t p = 0; p < sums.size(); ++p) {
      const std::size_t cause = cause_of_[p];
      sums[p] = sum += shares[cause] / size_[cause] * relative(row, static_cast<std::int64_t>(p));
    }
  }

 private:
  static std::vector<std::size_t> causes(const Scale& scale, std::span<const std::int64_t> drawn,
                                         double least_edges) {
    std::vector<double> near(static_cast<std::size_t>(scale.points));
    for (const std::int64_t number : drawn)
      if (scale.covers(number))
        ++near[static_cast<std::size_t>(
            std::clamp<std::int64_t>((number + scale.gap / 2) / scale.gap, 0, scale.points - 1))];
    std::vector<std::size_t> cause_of;
    std::size_t cause = 0;
    double gathered = 0;
    for (const double count : near) {
      if (gathered >= least_edges && !cause_of.empty()) {
        ++cause;
        gathered = 0;
      }
      gathered += count;
      cause_of.push_back(cause);
    }
    return cause_of;
  }

  /// P(row | point) over its largest.
  double relative(std::int64_t row, std::int64_t point) const {
    const std::int64_t number = scale_.number_of(row);
    const std::int64_t nearest = std::clamp<std::int64_t>(number, 0, (scale_.points - 1) * scale_.gap);
    return std::exp(noise_.log_weight(number, point * scale_.gap) - noise_.log_weight(number, nearest));
  }

  Mixture::LogLikelihood likelihoods() {
    std::vector<double> of(static_cast<std::size_t>(scale_.rows) * size_.size());
    for (const std::size_t cause : cause_of_) ++size_[cause];
    for (std::size_t row = 0; row < static_cast<std::size_t>(scale_.rows); ++row)
      for (std::size_t p = 0; p < cause_of_.size(); ++p)
        of[row * size_.size() + cause_of_[p]] +=
            relative(static_cast<std::int64_t>(row), static_cast<std::int64_t>(p)) / size_[cause_of_[p]];
    return [of = std::move(of), columns = size_.size()](std::size_t row, std::size_t column) {
      return std::log(of[row * columns + column]);
    };
  }

  const Noise& noise_;
  Scale scale_;
  std::vector<std::size_t> cause_of_;  // of each point
  std::vector<double> size_;           // of each cause, in points
  Mixture mixture_;
};

/// The edges of each group that are drawn anew, by what was drawn for them.
std::vector<std::vector<std::size_t>> covered_edges(const Scale& scale, std::span<const std::int64_t> drawn,
                                                    const EdgeGroups& groups) {
  std::vector<std::vector<std::size_t>> edges(groups.count);
  for (std::size_t e = 0; e < drawn.size(); ++e)
    if (scale.covers(drawn[e])) edges[groups.of[e]].push_back(e);
  for (auto& some : edges) std::ranges::stable_sort(some, {}, [&](std::size_t e) { return drawn[e]; });
  return edges;
}

/// One value from each part of the posterior, all parts of equal weight, in random order: together they hardly miss its mean.
void draw_anew(const Noise& noise, const Scale& scale, std::span<const double> sums, std::size_t edge,
               random::Stream& chance, std::vector<std::vector<double>>& draws) {
  const double parts = static_cast<double>(draws.size()) * static_cast<double>(fine);
  for (std::size_t d = 0; d < draws.size(); ++d) {
    const double at = static_cast<double>(d * fine + chance.below(fine)) / parts * sums.back();
    const auto place = std::upper_bound(sums.begin(), sums.end() - 1, at) - sums.begin();
    std::int64_t point = place * scale.gap;
    if (scale.gap > 1)
      point += static_cast<std::int64_t>(chance.below(static_cast<std::uint64_t>(scale.gap))) - scale.gap / 2;
    draws[d][edge] = noise.weight(std::min(point, scale.all_points - 1));
  }
  for (std::size_t d = draws.size() - 1; d > 0; --d)
    std::swap(draws[d][edge], draws[chance.below(d + 1)][edge]);
}

void check(std::span<const std::int64_t> drawn, const EdgeGroups& groups,
           const PosteriorDrawOptions& options) {
  if (groups.of.size() != drawn.size()) throw InvalidOption("groups", "must have a group for each edge");
  for (const std::uint32_t group : groups.of)
    if (group >= groups.count) throw InvalidOption("groups", "must be numbered below their count");
  if (options.draws < 1 || options.draws > most_draws) throw InvalidOption("draws", "must be 1 to 1,000");
  if (!(options.least_edges >= 0) || !(options.shrinkage >= 0) || !(options.least_gain >= 0))
    throw InvalidOption("least_edges", "shrinkage and least_gain must be 0 or more");
}

}  // namespace

std::vector<std::vector<double>> posterior_draws(const Noise& noise, std::span<const std::int64_t> drawn,
                                                 const EdgeGroups& groups,
                                                 const PosteriorDrawOptions& options) {
  check(drawn, groups, options);
  std::vector<double> plain(drawn.size());
  std::ranges::transform(drawn, plain.begin(), [&](std::int64_t number) { return noise.weight(number); });
  if (drawn.empty()) return {plain};
  const Scale scale = scale_of(noise, drawn);
  if (scale.rows <= 0) return {plain};
  const auto edges = covered_edges(scale, drawn, groups);
  const auto rows_of = [&](const std::vector<std::size_t>& some, std::vector<std::int64_t>& rows) {
    for (const std::size_t e : some) rows.push_back(scale.row_of(drawn[e]));
  };
  std::vector<std::int64_t> all_rows;
  for (const auto& some : edges) rows_of(some, all_rows);
  const Posterior posterior(noise, scale, drawn, options.least_edges);
  const std::vector<double> of_all =
      posterior.learn(all_rows, posterior.even(), {.least_gain = options.least_gain});
  std::vector<std::vector<double>> draws(options.draws, plain);
  random::Stream chance = random::SeededKey(1).stream("posterior draws");
  std::vector<double> sums(static_cast<std::size_t>(scale.points));
  for (const auto& some : edges) {
    std::vector<std::int64_t> rows;
    rows_of(some, rows);
    const std::vector<double> shares =
        posterior.learn(rows, of_all, {.least_gain = options.least_gain, .shrinkage = options.shrinkage});
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (i == 0 || rows[i] != rows[i - 1]) posterior.sum_up(rows[i], shares, sums);
      if (sums.back() > 0) draw_anew(noise, scale, sums, some[i], chance, draws);
    }
  }
  return draws;
}

}  // namespace fogline::weights
