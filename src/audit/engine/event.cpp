// SPDX-License-Identifier: Apache-2.0
#include "audit/engine/event.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace fogline::audit {
namespace {

std::uint64_t sum(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

/// Roughly what Clopper-Pearson will say; only the choice of finalists depends on it.
double promised_loss(double likely, double unlikely, const SearchFrame& frame) {
  const auto n = static_cast<double>(frame.trials);
  const double half = frame.deviations / 2;
  const double root = std::sqrt(likely * n) - half * std::sqrt(std::max(0.0, 1 - likely));
  if (root <= 0) return 0;
  const double low = root * root / n;
  const double high_root = std::sqrt(unlikely * n + 1) + half * std::sqrt(std::max(0.0, 1 - unlikely));
  return std::log(low / std::min(1.0, high_root * high_root / n));
}

/// Follows the counts of a growing event.
class Sweep {
 public:
  Sweep(std::uint64_t likely_total, std::uint64_t unlikely_total, const SearchFrame& frame)
      : likely_total_(static_cast<double>(likely_total)),
        unlikely_total_(static_cast<double>(unlikely_total)),
        frame_(frame) {}
  double promise(std::uint64_t likely, std::uint64_t unlikely) const {
    if (likely == 0 || likely_total_ == 0 || unlikely_total_ == 0) return 0;
    return promised_loss(static_cast<double>(likely) / likely_total_,
                         static_cast<double>(unlikely) / unlikely_total_, frame_);
  }

 private:
  double likely_total_, unlikely_total_;
  SearchFrame frame_;
};

struct Side {
  std::vector<std::uint64_t> likely, unlikely;
};

Side side_of(const BinCounts& counts, bool likelier_first) {
  return likelier_first ? Side{counts.first, counts.second} : Side{counts.second, counts.first};
}

Side both(const Side& a, const Side& b) {
  Side result = a;
  for (std::size_t i = 0; i < a.likely.size(); ++i) {
    result.likely[i] += b.likely[i];
    result.unlikely[i] += b.unlikely[i];
  }
  return result;
}

struct Best {
  double promise = 0;
  enum class Shape { none, up_to, above, single, set } shape = Shape::none;
  std::size_t bin = 0;  // for a set: how many bins of the order
  void offer(double offered, Shape of, std::size_t at) {
    if (offered > promise) *this = {offered, of, at};
  }
};

void try_singles_and_thresholds(const Bins& bins, const Side& counts, const SearchFrame& frame, Best& best) {
  const std::uint64_t likely_total = sum(counts.likely), unlikely_total = sum(counts.unlikely);
  const Sweep sweep(likely_total, unlikely_total, frame);
  std::uint64_t likely = 0, unlikely = 0;
  for (std::size_t bin = 0; bin < bins.count(); ++bin) {
    best.offer(sweep.promise(counts.likely[bin], counts.unlikely[bin]), Best::Shape::single, bin);
    if (!bins.ordered() || bin > bins.beyond()) continue;
    likely += counts.likely[bin];
    unlikely += counts.unlikely[bin];
    if (bin == bins.beyond()) continue;
    best.offer(sweep.promise(likely, unlikely), Best::Shape::up_to, bin);
    // What is not a number is above nothing.
    best.offer(sweep.promise(likely_total - likely - counts.likely.back(),
                             unlikely_total - unlikely - counts.unlikely.back()),
               Best::Shape::above, bin);
  }
}

/// Bins in order of their likelihood ratio, the most telling first.
std::vector<std::size_t> by_ratio(const Side& counts) {
  std::vector<double> ratio(counts.likely.size());
  for (std::size_t i = 0; i < ratio.size(); ++i) {
    ratio[i] =
        (static_cast<double>(counts.likely[i]) + 0.5) / (static_cast<double>(counts.unlikely[i]) + 0.5);
  }
  std::vector<std::size_t> order(ratio.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ratio[a] > ratio[b]; });
  return order;
}

void try_sets(const Side& judge, const std::vector<std::size_t>& order, const SearchFrame& frame,
              Best& best) {
  const Sweep sweep(sum(judge.likely), sum(judge.unlikely), frame);
  std::uint64_t likely = 0, unlikely = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    likely += judge.likely[order[k]];
    unlikely += judge.unlikely[order[k]];
    best.offer(sweep.promise(likely, unlikely), Best::Shape::set, k + 1);
  }
}

std::string set_words(const Bins& bins, const std::string& feature, const std::vector<std::size_t>& order,
                      std::size_t count) {
  if (count == 1) return bins.words(order[0], feature);
  if (!bins.ordered()) return fmt::format("{} is one of {} certain values", feature, count);
  return fmt::format("{} lies in {} of {} intervals, such as {}", feature, count, bins.count(),
                     bins.words(order[0], "x"));
}

Event event_of(const Best& best, const Bins& bins, const std::string& feature,
               const std::vector<std::size_t>& order) {
  Event event{.holds = std::vector<char>(bins.count(), 0), .words = feature, .promise = best.promise};
  switch (best.shape) {
    case Best::Shape::none:
      break;
    case Best::Shape::up_to:
    case Best::Shape::above:
      for (std::size_t bin = 0; bin <= bins.beyond(); ++bin)
        event.holds[bin] = (bin <= best.bin) == (best.shape == Best::Shape::up_to);
      event.words = bins.threshold_words(best.bin, best.shape == Best::Shape::above, feature);
      break;
    case Best::Shape::single:
      event.holds[best.bin] = 1;
      event.words = bins.words(best.bin, feature);
      break;
    case Best::Shape::set:
      for (std::size_t k = 0; k < best.bin; ++k) event.holds[order[k]] = 1;
      event.words = set_words(bins, feature, order, best.bin);
      break;
  }
  return event;
}

}  // namespace

Event most_telling(const Bins& bins, const std::string& feature, const BinCounts& fit, const BinCounts& judge,
                   bool likelier_first, const SearchFrame& frame, std::uint64_t& searched) {
  const Side fitted = side_of(fit, likelier_first), judged = side_of(judge, likelier_first);
  const auto order = by_ratio(fitted);
  Best best;
  try_singles_and_thresholds(bins, both(fitted, judged), frame, best);
  try_sets(judged, order, frame, best);
  searched += bins.count() * (bins.ordered() ? 4 : 2);
  Event event = event_of(best, bins, feature, order);
  event.likelier_first = likelier_first;
  return event;
}

}  // namespace fogline::audit
