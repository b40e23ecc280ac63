// SPDX-License-Identifier: Apache-2.0
#include "path/decode.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "path/linear_program.hpp"
#include "path/path_guess.hpp"
#include "path/ring_cuts.hpp"

namespace fogline::path {
namespace {

using graph::BitGraph;

constexpr double whole = 1e-6;  // how far from 0 or 1 an edge may be and count as that
constexpr int patience = 10;  // rounds of cuts that hardly lower the bound, after which branching helps more
constexpr double hardly = 0.05;
constexpr std::uint64_t pivots_a_node = 5, pivots_an_edge = 20;  // before the search gives up
constexpr std::uint64_t rows_a_pivot = 1'000;                    // a pivot among so many rows counts twice
constexpr std::uint64_t pivots_a_solve = 20;                     // what it costs to begin one
constexpr std::uint64_t pivots_a_report = 8;

RingGraph ring_graph(const BitGraph& roads, const DecodeOptions& options) {
  RingGraph graph;
  graph.stops = roads.size();
  graph.at_vertex.resize(graph.size());
  for (StopId u = 0; u < roads.size(); ++u)
    graph::for_each_bit(roads.row(u), [&](StopId v) {
      if (u < v) graph.add(u, v);
    });
  for (StopId u = 0; u < roads.size(); ++u)
    if (!options.ends || options.ends->first == u || options.ends->second == u) graph.add(u, graph.hub());
  return graph;
}

/// Between 0 and 1, different for each edge: of paths with the same score the program then prefers one, and has fewer fractional answers.
double preference(std::uint64_t edge) {
  std::uint64_t bits = (edge + 1) * 0x9E3779B97F4A7C15;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
  return static_cast<double>((bits ^ (bits >> 27)) >> 40) / static_cast<double>(1 << 24);
}

std::vector<StopId> stops_along(const RingGraph& graph, const std::vector<std::uint32_t>& ring,
                                const DecodeOptions& options) {
  std::vector<std::vector<StopId>> next(graph.size());
  for (const std::uint32_t e : ring) {
    next[graph.edges[e].first].push_back(graph.edges[e].second);
    next[graph.edges[e].second].push_back(graph.edges[e].first);
  }
  const auto& ends = next[graph.hub()];
  std::vector<StopId> path = {options.ends ? options.ends->first : std::min(ends.front(), ends.back())};
  for (StopId before = graph.hub(); path.size() + 2 <= ring.size();) {
    const auto& around = next[path.back()];
    const StopId on = around.front() == before ? around.back() : around.front();
    before = path.back();
    path.push_back(on);
  }
  return path;
}

/// Branch and cut for the ring of the largest score.
class Search {
 public:
  Search(const RingGraph& graph, std::vector<std::int64_t> score, const DecodeOptions& options)
      : graph_(graph),
        score_(std::move(score)),
        options_(options),
        guess_(graph_, score_, options_.ends, [this] { report(); }),
        program_(gains(), [this] { return on_pivot(); }),
        most_work_(options.most_nodes * pivots_a_node + graph.edges.size() * pivots_an_edge) {
    std::vector<LinearProgram::Row> degrees;
    for (VertexId v = 0; v < graph_.size(); ++v) {
      const double least = v == graph_.hub() || options.every_stop ? 2 : 0;
      degrees.push_back({edges_at(v), least, 2});
    }
    program_.add(degrees);
  }

  /// Finds a ring of the largest score that is not forbidden. False if none was met.
  bool run(std::optional<std::int64_t> reachable) {
    best_ = std::numeric_limits<std::int64_t>::min();
    reachable_ = reachable.value_or(std::numeric_limits<std::int64_t>::max());
    ring_.clear();
    if (!options_.every_stop && !forbidden_.empty())
      offer(guess_.beside(stops_along(graph_, forbidden_, options_)));
    explore();
    return !ring_.empty();
  }
  void forbid_ring() {
    forbidden_ = ring_;
    LinearProgram::Row row{{}, 0, static_cast<double>(ring_.size()) - 1};
    for (const std::uint32_t e : ring_) row.terms.push_back({static_cast<int>(e), 1});
    program_.add({row});
  }
  std::int64_t best() const { return best_; }
  const std::vector<std::uint32_t>& ring() const { return ring_; }
  std::uint64_t nodes() const { return nodes_; }
  bool gave_up() const { return gave_up_; }

 private:
  std::vector<double> gains() const {
    // All preferences of a ring together stay below 0.05, so that they never outweigh a score.
    const double scale = 0.05 / static_cast<double>(graph_.size());
    std::vector<double> gain;
    for (std::size_t e = 0; e < score_.size(); ++e)
      gain.push_back(static_cast<double>(score_[e]) + scale * preference(e));
    return gain;
  }

  std::vector<LinearProgram::Term> edges_at(VertexId v) const {
    std::vector<LinearProgram::Term> terms;
    for (const std::uint32_t e : graph_.at_vertex[v]) terms.push_back({static_cast<int>(e), 1});
    return terms;
  }

  void explore() {
    if (nodes_ == options_.most_nodes) gave_up_ = true;
    if (gave_up_ || best_ == reachable_) return;
    ++nodes_;
    report();
    if (!solve_with_cuts()) return;
    const auto use = program_.solution();
    const std::optional<std::uint32_t> branch = branch_edge(use);
    if (!branch) return take(use);
    const double first = use[*branch] < 0.5 ? 0 : 1;
    for (const double value : {first, 1 - first}) {
      program_.bound(static_cast<int>(*branch), value, value);
      explore();
    }
    program_.bound(static_cast<int>(*branch), 0, 1);
  }

  /// False if nothing below this node can be better than the best ring so far.
  bool solve_with_cuts() {
    double before = std::numeric_limits<double>::infinity();
    for (int round = 0;; ++round) {
      if (!solve() || is_beaten()) return false;
      const auto use = program_.solution();
      const bool is_fractional = most_fractional(use).has_value();
      if (round % patience == 0) {
        if (is_fractional && before - program_.value() < hardly) return true;
        before = program_.value();
        if (!options_.every_stop) offer(guess_.along(use));
        if (is_beaten()) return false;
      }
      const Cuts cuts = broken_rules(graph_, use, [this] { report(); });
      if (cuts.empty()) return true;
      add(cuts);
    }
  }

  bool solve() {
    work(pivots_a_solve);
    const LinearProgram::Outcome outcome = program_.solve();
    if (outcome == LinearProgram::Outcome::stopped) gave_up_ = true;
    return outcome == LinearProgram::Outcome::solved;
  }
  bool is_beaten() const { return std::floor(program_.value() + whole) <= static_cast<double>(best_); }

  /// False if that was too much.
  bool work(std::uint64_t pivots) {
    work_ += pivots * (1 + program_.row_count() / rows_a_pivot);
    return work_ < most_work_;
  }
  bool on_pivot() {
    if (++pivots_ % pivots_a_report == 0) report();
    return work(1);
  }
  void report() const {
    if (options_.progress && !options_.progress({"decoding", nodes_, 0})) throw Cancelled();
  }

  void add(const Cuts& cuts) {
    std::vector<LinearProgram::Row> rows;
    for (const EndCut& cut : cuts.ends) {
      rows.push_back({edges_at(cut.end), 0, 2});
      for (auto& term : rows.back().terms)
        if (term.column == static_cast<int>(cut.edge)) term.factor = -1;
    }
    for (const RingCut& cut : cuts.rings) rows.push_back(ring_row(cut));
    program_.add(rows);
  }

  LinearProgram::Row ring_row(const RingCut& cut) const {
    std::vector<bool> inside(graph_.size(), false);
    for (const VertexId v : cut.inside) inside[v] = true;
    LinearProgram::Row row{{}, options_.every_stop ? 2.0 : 0.0, static_cast<double>(graph_.edges.size())};
    for (const VertexId v : cut.inside)
      for (const std::uint32_t e : graph_.at_vertex[v]) {
        const bool leaves = !inside[graph_.other_end(e, v)];
        const bool at_root = v == cut.root && !options_.every_stop;
        if (leaves != at_root) row.terms.push_back({static_cast<int>(e), leaves ? 1.0 : -1.0});
      }
    return row;
  }

  /// Where the ring must leave the forbidden one matters most: without one of its edges, nothing is forbidden any more. A ring through every stop leaves it in
  /// several places at once, and any fraction is as good.
  std::optional<std::uint32_t> branch_edge(std::span<const double> use) const {
    if (options_.every_stop) return most_fractional(use);
    std::optional<std::uint32_t> least;
    for (const std::uint32_t e : forbidden_)
      if (use[e] > whole && use[e] < 1 - whole && (!least || use[e] < use[*least])) least = e;
    return least ? least : most_fractional(use);
  }

  static std::optional<std::uint32_t> most_fractional(std::span<const double> use) {
    std::optional<std::uint32_t> found;
    double most = whole;
    for (std::uint32_t e = 0; e < use.size(); ++e) {
      const double apart = std::min(use[e], 1 - use[e]);
      if (apart > most) {
        most = apart;
        found = e;
      }
    }
    return found;
  }

  void take(std::span<const double> use) {
    std::vector<std::uint32_t> ring;
    for (std::uint32_t e = 0; e < use.size(); ++e)
      if (use[e] > 0.5) ring.push_back(e);
    take(std::move(ring));
  }
  void take(std::vector<std::uint32_t> ring) {
    std::int64_t score = 0;
    for (const std::uint32_t e : ring) score += score_[e];
    if (score <= best_ || ring == forbidden_) return;
    best_ = score;
    ring_ = std::move(ring);
  }
  void offer(const PathGuess::Path& path) {
    if (!path.empty()) take(guess_.ring(path));
  }

  const RingGraph& graph_;
  std::vector<std::int64_t> score_;
  const DecodeOptions& options_;
  PathGuess guess_;
  LinearProgram program_;
  std::int64_t best_ = 0, reachable_ = 0;
  std::vector<std::uint32_t> ring_, forbidden_;  // edges, rising
  std::uint64_t nodes_ = 0, pivots_ = 0, work_ = 0, most_work_ = 0;
  bool gave_up_ = false;
};

void require(const BitGraph& roads, const DecodeOptions& options) {
  if (options.most_nodes < 1 || options.most_nodes > 1'000'000'000)
    throw InvalidOption("nodes", "must be 1 to 1,000,000,000");
  if (options.ends && (options.ends->first == options.ends->second || options.ends->first >= roads.size() ||
                       options.ends->second >= roads.size()))
    throw InvalidOption("ends", "must be two different stops");
}

}  // namespace

Decoded most_likely_path(const BitGraph& roads, const BitGraph& candidates, const DecodeOptions& options) {
  if (roads.size() != candidates.size())
    throw InvalidOption("candidates", "must be labels of the same stops as the roads");
  return heaviest_path(
      roads, [&](StopId u, StopId v) { return candidates.joined(u, v) ? 1 : -1; }, options);
}

Decoded heaviest_path(const BitGraph& roads, const RoadScore& road_score, const DecodeOptions& options) {
  require(roads, options);
  Decoded decoded;
  if (roads.size() < 2) return decoded;
  const RingGraph graph = ring_graph(roads, options);
  std::vector<std::int64_t> score(graph.edges.size(), 0);
  for (std::size_t e = 0; e < score.size(); ++e)
    if (graph.edges[e].second != graph.hub())
      score[e] = road_score(graph.edges[e].first, graph.edges[e].second);

  Search search(graph, std::move(score), options);
  if (search.run({})) {
    decoded.path = stops_along(graph, search.ring(), options);
    decoded.score = search.best();
  }
  decoded.proved = !search.gave_up();
  if (options.second_best && decoded.proved && !decoded.path.empty()) {
    search.forbid_ring();
    if (search.run(decoded.score)) decoded.second_score = search.best();
    decoded.second_proved = !search.gave_up() || decoded.second_score == decoded.score;
  }
  decoded.nodes = search.nodes();
  return decoded;
}

}  // namespace fogline::path
