// SPDX-License-Identifier: Apache-2.0
#include "traces/beliefs/humps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "traces/beliefs/denoise.hpp"
#include "traces/counts/layout.hpp"

namespace fogline::traces {
namespace {

using Table = std::vector<double>;

/// Where a hump lies and how wide it is, in coordinates in which doubt is even; how far both usually stray.
struct Hump {
  double place = 0, width = 0;
};
struct HumpRange {
  Hump least, step, usual, strays;
  std::size_t places = 0, widths = 0;
};

/// The total that a law is scaled to is noisy itself. Of half as many trips as it says there would else be only wide
/// humps, which hide what is too much in the noise of many bins.
constexpr std::array shares_of_total{0.25, 0.5, 0.75, 1.0, 1.25};

/// Posterior means of place and width under normal priors, given noisy bins with Laplace noise: summed over a grid,
/// which two numbers and the share of the total are few enough for. The posterior may have several peaks where noise
/// has raised single bins; its mean lies between them, and moves little when noise does.
Hump estimate_hump(const NoisyTable& noisy, const HumpRange& range,
                   const std::function<Table(const Hump&)>& law) {
  std::vector<Hump> hump;
  Table logarithm;
  for (std::size_t p = 0; p < range.places; ++p)
    for (std::size_t w = 0; w < range.widths; ++w) {
      const Hump h{range.least.place + range.step.place * static_cast<double>(p),
                   range.least.width + range.step.width * static_cast<double>(w)};
      const double a = (h.place - range.usual.place) / range.strays.place;
      const double b = (h.width - range.usual.width) / range.strays.width;
      const Table bins = law(h);
      for (const double share : shares_of_total) {
        double sum = -(a * a + b * b) / 2;
        for (std::size_t i = 0; i < bins.size(); ++i)
          sum -= std::abs(noisy.value[i] - share * bins[i]) / noisy.scale;
        hump.push_back(h);
        logarithm.push_back(sum);
      }
    }
  const double most = *std::max_element(logarithm.begin(), logarithm.end());
  double total = 0;
  Hump mean;
  for (std::size_t i = 0; i < hump.size(); ++i) {
    const double weight =
        std::exp(logarithm[i] - most);  // the largest is 1, so that not all of them underflow
    total += weight;
    mean.place += weight * hump[i].place;
    mean.width += weight * hump[i].width;
  }
  return {mean.place / total, mean.width / total};
}

/// In the law's order: where less than `share` of it lies before, and where less lies after.
std::pair<std::size_t, std::size_t> find_bulk(std::span<const double> law, double share) {
  const double total = std::accumulate(law.begin(), law.end(), 0.0);
  std::size_t first = 0, end = law.size();
  double before = law[first];
  while (first + 1 < end && before < share * total) {
    ++first;
    before += law[first];
  }
  double after = law[end - 1];
  while (end > first + 1 && after < share * total) {
    --end;
    after += law[end - 1];
  }
  return {first, end};
}

}  // namespace

std::vector<double> Bump::bins(std::size_t count, double total) const {
  // In widths. What lies beyond would be rare, and cost most: steps of metres on trips of kilometres.
  constexpr double widest = 2.5;
  Table result(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double d = (static_cast<double>(i) - bin) / width;
    result[i] = std::abs(d) <= widest ? std::exp(-d * d / 2) : 0;
  }
  scale_to(result, total);
  return result;
}

Bump believed_bump(const NoisyTable& noisy, double total, const UsualBump& usual) {
  const std::size_t bins = noisy.value.size();
  const auto bump = [](const Hump& h) { return Bump{h.place, std::exp(h.width)}; };
  // Widths from half a bin, where all trips are alike, to six, in equal steps of the logarithm; places in half bins.
  // The grid needs to be no finer than the hump that it moves.
  constexpr double narrowest_bins = 0.5, widest_over_narrowest = 12.0, place_step_bins = 0.5;
  constexpr std::size_t width_steps = 10;
  const HumpRange range{.least = {0, std::log(narrowest_bins)},
                        .step = {place_step_bins, std::log(widest_over_narrowest) / width_steps},
                        .usual = {usual.bin, std::log(usual.width)},
                        .strays = {usual.strays, usual.width_strays},
                        .places = 2 * bins - 1,
                        .widths = width_steps + 1};
  return bump(estimate_hump(noisy, range, [&](const Hump& h) { return bump(h).bins(bins, total); }));
}

std::vector<double> believed_gamma(const NoisyTable& noisy, double total, const UsualLengths& usual) {
  const auto bins = static_cast<std::uint32_t>(noisy.value.size());
  // Place and width of this hump are the logarithms of a Gamma law's mean and shape. Bins are even in the root of the
  // length, whose density has the root as a factor more.
  const auto law = [&](const Hump& h) {
    const double mean = std::exp(h.place), shape = std::exp(h.width);
    Table result(bins);
    constexpr int parts = 4;  // of a bin, the density being taken in the middle of each
    for (std::uint32_t k = 0; k < bins; ++k)
      for (int part = 0; part < parts; ++part) {
        const double root = (k + (part + 0.5) / parts) / bins, x = usual.most_m * root * root / mean;
        result[k] += std::exp((shape - 1) * std::log(x) - shape * x) * root;
      }
    scale_to(result, total);
    return result;
  };
  // Means from the middle of the first bin to the end of the last; shapes from 0.6 (many short ones) to 15 (all alike),
  // usually 1.5, or within a factor of 1.6 (e^0.5) of that: lengths of trips have a long tail in most sets.
  constexpr double least_shape = 0.6, most_over_least = 25.0, usual_shape = 1.5, shape_strays = 0.5;
  constexpr std::size_t mean_steps = 63, shape_steps = 8;
  const double least = std::log(usual.most_m) - 2 * std::log(2.0 * bins);
  const HumpRange range{
      .least = {least, std::log(least_shape)},
      .step = {(std::log(usual.most_m) - least) / mean_steps, std::log(most_over_least) / shape_steps},
      .usual = {std::log(usual.mean_m), std::log(usual_shape)},
      .strays = {usual.strays, shape_strays},
      .places = mean_steps + 1,
      .widths = shape_steps + 1};
  return law(estimate_hump(noisy, range, law));
}

void keep_what_shows(std::span<double> estimate, const NoisyTable& noisy, std::span<const double> law,
                     double total, TellingRuns runs) {
  // So much of the law to either side is told by the law alone, unless more shows. Chosen, not derived.
  constexpr double tail = 0.03;
  // Some hundred runs of bins are looked at: with 6 one histogram in a few hundred shows what is not there.
  constexpr double doubt = 6;
  const auto [bulk_first, bulk_end] = find_bulk(law, tail);
  std::size_t first = bulk_first, end = bulk_end;
  // Runs of all lengths would tell hardly more than those of powers of two, and be more chances for noise.
  for (std::size_t run = 1; run <= estimate.size(); run *= 2) {
    const auto length = static_cast<double>(run);
    // Bernstein's bound: a sum of so many Laplace variables is above it with probability exp(-doubt) at most, and in
    // fact much less.
    const double noise = noisy.scale * (2 * std::sqrt(doubt * length) + doubt);
    for (std::size_t i = 0; i + run <= estimate.size(); ++i) {
      if (runs == TellingRuns::in_tails && i < bulk_end && i + run > bulk_first) continue;
      double more = 0;
      for (std::size_t k = i; k < i + run; ++k) more += noisy.value[k] - law[k];
      if (more <= noise) continue;
      first = std::min(first, i);
      end = std::max(end, i + run);
    }
  }
  for (std::size_t i = 0; i < estimate.size(); ++i)
    if (i < first || i >= end) estimate[i] = law[i];
  scale_to(estimate, total);
}

}  // namespace fogline::traces
