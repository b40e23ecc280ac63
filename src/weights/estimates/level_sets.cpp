// SPDX-License-Identifier: Apache-2.0
#include "weights/estimates/level_sets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"

namespace fogline::weights {
namespace {

constexpr std::size_t most_values = std::size_t{1} << 20;  // as many edges as may be put in order (order.cpp)
constexpr double units_of_range = 0x1p40;                  // 2^20 values of 2^40 units add up within 64 bits
// Of an arc that no cut may go through: above every sum of excesses (2^60 units at most), and low enough that a flow there and one back are no overflow.
constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max() / 4;
constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

using Pair = std::pair<std::uint32_t, std::uint32_t>;

/// Maximum flow from a source to a sink, by Dinic's method without recursion, and the least side of the minimum cut.
class Flow {
 public:
  explicit Flow(std::size_t nodes) : first_(nodes, nobody), level_(nodes), next_arc_(nodes) {}

  void add(std::size_t from, std::size_t to, std::int64_t capacity) {
    add_arc(from, to, capacity);
    add_arc(to, from, 0);
  }

  /// For each node, whether it can still be reached from the source when the flow is largest.
  std::vector<bool> source_side(std::size_t source, std::size_t sink) {
    while (label(source, sink)) push_all(source, sink);
    std::vector<bool> reached(level_.size());
    for (std::size_t v = 0; v < level_.size(); ++v) reached[v] = level_[v] != nobody;
    return reached;
  }

 private:
  struct Arc {
    std::uint32_t to, next;
    std::int64_t left;  // capacity not used
  };

  void add_arc(std::size_t from, std::size_t to, std::int64_t capacity) {
    arcs_.push_back({static_cast<std::uint32_t>(to), first_[from], capacity});
    first_[from] = static_cast<std::uint32_t>(arcs_.size() - 1);
  }

  /// Labels nodes with their distance from the source; false if the sink has none.
  bool label(std::size_t source, std::size_t sink) {
    std::fill(level_.begin(), level_.end(), nobody);
    level_[source] = 0;
    std::vector<std::size_t> reached = {source};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (std::uint32_t a = first_[reached[i]]; a != nobody; a = arcs_[a].next) {
        if (arcs_[a].left == 0 || level_[arcs_[a].to] != nobody) continue;
        level_[arcs_[a].to] = level_[reached[i]] + 1;
        reached.push_back(arcs_[a].to);
      }
    }
    next_arc_ = first_;
    return level_[sink] != nobody;
  }

  /// Sends flow along shortest paths until there is none of that length.
  void push_all(std::size_t source, std::size_t sink) {
    std::vector<std::uint32_t> path;
    std::size_t at = source;
    while (true) {
      if (at == sink) {
        at = push_along(path);
        continue;
      }
      std::uint32_t& arc = next_arc_[at];
      while (arc != nobody && (arcs_[arc].left == 0 || level_[arcs_[arc].to] != level_[at] + 1))
        arc = arcs_[arc].next;
      if (arc != nobody) {
        path.push_back(arc);
        at = arcs_[arc].to;
        continue;
      }
      if (path.empty()) return;
      at = arcs_[path.back() ^ 1].to;
      next_arc_[at] = arcs_[path.back()].next;
      path.pop_back();
    }
  }

  /// Fills the path up; it is cut back to the first arc that is full, and the node before it returned.
  std::size_t push_along(std::vector<std::uint32_t>& path) {
    std::int64_t amount = std::numeric_limits<std::int64_t>::max();
    for (const std::uint32_t a : path) amount = std::min(amount, arcs_[a].left);
    std::size_t full = path.size();
    for (std::size_t i = path.size(); i-- > 0;) {
      arcs_[path[i]].left -= amount;
      arcs_[path[i] ^ 1].left += amount;
      if (arcs_[path[i]].left == 0) full = i;
    }
    const std::size_t back_to = arcs_[path[full] ^ 1].to;
    path.resize(full);
    return back_to;
  }

  std::vector<std::uint32_t> first_;
  std::vector<Arc> arcs_;  // an arc and its reverse side by side
  std::vector<std::uint32_t> level_;
  std::vector<std::uint32_t> next_arc_;
};

/// Values that are still to be told apart, and the pairs between them.
struct Set {
  std::vector<std::uint32_t> members;
  std::vector<Pair> pairs;
};

class Splitter {
 public:
  Splitter(std::span<const double> values, double units)
      : values_(values), units_(units), place_(values.size()), fit_(values.begin(), values.end()) {}

  /// Fits the set, or splits it in two that remain to be done: those above its mean and the rest.
  void treat(const Set& set, std::vector<Set>& waiting) {
    if (set.pairs.empty()) return;  // nothing ties them together: they stay as they are
    double sum = 0;
    for (const std::uint32_t member : set.members) sum += values_[member];
    const double mean = sum / static_cast<double>(set.members.size());
    const std::vector<bool> above = above_mean(set, mean);
    if (std::find(above.begin(), above.end(), true) == above.end() ||
        std::find(above.begin(), above.end(), false) == above.end()) {
      for (const std::uint32_t member : set.members) fit_[member] = mean;
      return;
    }
    split(set, above, waiting);
  }

  std::vector<double> fit() && { return std::move(fit_); }

 private:
  std::vector<bool> above_mean(const Set& set, double mean) {
    const std::size_t size = set.members.size(), source = size, sink = size + 1;
    Flow flow(size + 2);
    std::vector<std::int64_t> excess(size);
    for (std::size_t i = 0; i < size; ++i) {
      place_[set.members[i]] = static_cast<std::uint32_t>(i);
      excess[i] = std::llround((values_[set.members[i]] - mean) * units_);
      if (excess[i] > 0) flow.add(source, i, excess[i]);
      if (excess[i] < 0) flow.add(i, sink, -excess[i]);
    }
    for (const auto& [lower, upper] : set.pairs) flow.add(place_[lower], place_[upper], unlimited);
    std::vector<bool> above = flow.source_side(source, sink);
    above.resize(size);
    std::int64_t gain = 0;
    for (std::size_t i = 0; i < size; ++i) gain += above[i] ? excess[i] : 0;
    if (gain <= static_cast<std::int64_t>(size)) above.assign(size, false);  // no more than rounding may give
    return above;
  }

  void split(const Set& set, const std::vector<bool>& above, std::vector<Set>& waiting) {
    Set high, low;
    for (std::size_t i = 0; i < set.members.size(); ++i) {
      (above[i] ? high : low).members.push_back(set.members[i]);
      place_[set.members[i]] = above[i] ? 1 : 0;
    }
    // A pair across the cut is kept by the cut itself.
    for (const Pair& pair : set.pairs)
      if (place_[pair.first] == place_[pair.second])
        (place_[pair.first] == 1 ? high : low).pairs.push_back(pair);
    waiting.push_back(std::move(high));
    waiting.push_back(std::move(low));
  }

  std::span<const double> values_;
  double units_;  // for one of the values' unit
  std::vector<std::uint32_t> place_;
  std::vector<double> fit_;
};

}  // namespace

std::vector<double> isotonic_fit(std::span<const Pair> pairs, std::span<const double> values) {
  if (values.size() > most_values) throw InvalidOption("values", "must be at most 2^20");
  for (const auto& [lower, upper] : pairs)
    if (lower >= values.size() || upper >= values.size())
      throw InvalidOption("pairs", "must be of given values");
  if (values.empty()) return {};
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*least == *most) return {values.begin(), values.end()};
  Splitter splitter(values, units_of_range / (*most - *least));
  Set all{.members = std::vector<std::uint32_t>(values.size()), .pairs = {pairs.begin(), pairs.end()}};
  std::iota(all.members.begin(), all.members.end(), 0U);
  std::vector<Set> waiting;
  waiting.push_back(std::move(all));
  while (!waiting.empty()) {
    const Set set = std::move(waiting.back());
    waiting.pop_back();
    splitter.treat(set, waiting);
  }
  return std::move(splitter).fit();
}

}  // namespace fogline::weights
