// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "kernel/metric_batch.hpp"
#include "kernel/metric_map.hpp"
#include "kernel/metric_optimal.hpp"

namespace fogline::kernel {

/// A part of a map for the preconditioner of kernel/metric_rows.hpp. Its pattern has the inputs that it keeps last.
struct MetricTile {
  std::vector<InputId> core = {};  ///< inputs that are in no other tile's core
  std::unique_ptr<const BatchPattern> pattern = {};
  std::size_t first_kept = 0;
  std::vector<std::uint32_t> batches = {};  ///< that have one of the inputs kept
  std::span<const InputId> kept() const { return pattern->inputs().subspan(first_kept); }
};

/// The linear program of kernel/metric_optimal.hpp: the outputs in batches, and what they add up to. The map is cut into tiles; the outputs of a tile's core make batches of
/// their own, so that those of a batch are near each other.
class MetricProgram {
 public:
  MetricProgram(const MetricProblem& problem, const MetricOptions& options, const MetricMap& map);

  std::size_t inputs() const { return inputs_; }
  std::size_t constraints() const { return constraints_; }
  std::vector<MetricBatch>& batches() { return batches_; }
  std::span<const MetricTile> tiles() const { return tiles_; }
  int threads() const { return options_.threads; }
  double unit() const { return unit_; }  ///< all costs were divided by it

  /// body(batch), on several threads.
  template <class Body>
  void each_batch(const Body& body) {
    parallel_for(batches_.size(), {.threads = options_.threads}, [&](std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b) body(batches_[b]);
    });
  }
  /// The sum of what body(batch) returns, in the order of the batches.
  template <class Body>
  double sum_over_batches(const Body& body) {
    std::vector<double> part(batches_.size());
    parallel_for(batches_.size(), {.threads = options_.threads}, [&](std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b) part[b] = body(batches_[b]);
    });
    double sum = 0;
    for (const double each : part) sum += each;
    return sum;
  }
  /// The sum over all outputs of the column that body(batch, scratch) returns, by input.
  template <class Body>
  std::vector<double> sum_of_columns(const Body& body) {
    return in_parts(
        0.0,
        [&](MetricBatch& batch, Lanes& scratch, std::span<double> sum) {
          add_column(batch, body(batch, scratch), sum);
        },
        [](double a, double b) { return a + b; });
  }

  double loss();
  double mean_product(const StepLengths& steps);  ///< of slacks and duals after such a step
  StepLengths find_steps();                       ///< the longest that all batches allow; each keeps its own
  /// What the rows lack of 1. Once the end is near, what columns have outside their blocks counts too, so that in the end the rows of the whole
  /// table sum to 1.
  std::vector<double> missing(bool near_the_end);
  /// The sum of the multipliers, each lowered until no reduced cost is negative: see docs/mechanisms/optimal.md.
  double lower_bound(std::span<const double> multiplier, std::vector<double> MetricBatch::*ratio);
  void take_columns(OptimalTable& result) const;

 private:
  /// Batches in a fixed number of parts, and the parts joined in their order, so that no sum depends on the number of threads.
  template <class Add, class Join>
  std::vector<double> in_parts(double zero, const Add& add, const Join& join) {
    std::vector<std::vector<double>> parts(part_count);
    parallel_for(part_count, {.threads = options_.threads}, [&](std::size_t begin, std::size_t end) {
      Lanes scratch;
      for (std::size_t part = begin; part < end; ++part) {
        parts[part].assign(inputs_, zero);
        for (std::size_t b = part * batches_.size() / part_count;
             b < (part + 1) * batches_.size() / part_count; ++b)
          add(batches_[b], scratch, std::span(parts[part]));
      }
    });
    for (std::size_t part = 1; part < part_count; ++part) {
      for (std::size_t v = 0; v < inputs_; ++v) parts[0][v] = join(parts[0][v], parts[part][v]);
    }
    return std::move(parts[0]);
  }
  /// So many threads at most share a sum; its last digits depend on this number, and not on theirs.
  static constexpr std::size_t part_count = 16;

  void cut_into_cores();
  void make_batches();
  void make_block(MetricBatch& batch, std::span<const MetricMap::Reached> around,
                  std::vector<char>& is_member) const;
  void grow_tail(MetricBatch& batch, std::span<const MetricMap::Reached> around,
                 std::vector<std::uint32_t>& place) const;
  void write_costs(MetricBatch& batch, MetricMap::Search& search,
                   const std::vector<std::uint32_t>& place) const;
  void widen_tiles();
  std::vector<std::uint32_t> pairs_within(std::span<const InputId> members,
                                          std::vector<char>& is_member) const;
  void start();
  void scale_columns();
  void start_duals();
  std::vector<double> tails();

  const MetricProblem& problem_;
  const MetricOptions& options_;
  std::size_t inputs_;
  double stretch_;  // the bound's epsilon over the solver's
  const MetricMap& map_;
  std::vector<MetricBatch> batches_;
  std::vector<std::vector<InputId>>
      near_;  // of each batch, until tiles are made: where it counts in their blocks
  std::vector<MetricTile> tiles_;
  std::size_t constraints_ = 0;
  double unit_ = 1;
};

}  // namespace fogline::kernel
