// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "kernel/metric_batch.hpp"
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
  MetricProgram(const MetricProblem& problem, const MetricOptions& options);

  std::size_t inputs() const { return inputs_; }
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
  double sum_of_products();                       ///< of slacks and duals
  double mean_product(const StepLengths& steps);  ///< of slacks and duals after such a step
  StepLengths longest_steps();
  /// What the rows lack of 1. Once the end is near, what columns have outside their blocks counts too, so that in the end the rows of the whole
  /// table sum to 1.
  std::vector<double> missing(bool near_the_end);
  /// The sum of the multipliers, each lowered until no reduced cost is negative: see docs/mechanisms/optimal.md.
  double lower_bound(std::span<const double> multiplier, std::vector<double> MetricBatch::*ratio);
  void take_columns(OptimalTable& result) const;

 private:
  struct Step {
    InputId input = 0;
    std::uint32_t pair = 0;
    double length = 0;  // in units of the relation
  };
  /// Shortest ways, with the memory kept between searches.
  class Search {
   public:
    explicit Search(const MetricProgram& program)
        : program_(program), length_(program.inputs_, std::numeric_limits<double>::infinity()) {}
    /// take(input, length) for inputs by their distance from the nearest source, until it returns false; ways go on from inputs within `radius(input)`.
    template <class Radius, class Take>
    void from(std::span<const InputId> sources, const Radius& radius, const Take& take);

   private:
    void reach(InputId input, double length);
    const MetricProgram& program_;
    std::vector<double> length_;
    std::vector<InputId> reached_;
    using Entry = std::pair<double, InputId>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
  };

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
  static constexpr std::size_t part_count = 16;

  double in_foldings(double length) const { return length * problem_.epsilon_per_unit; }
  void find_nearest_outputs();
  void cut_into_cores();
  void make_batches();
  void make_block(MetricBatch& batch, Search& search, std::vector<char>& is_member) const;
  void write_costs(MetricBatch& batch, Search& search) const;
  void widen_tiles();
  std::vector<std::uint32_t> pairs_within(std::span<const InputId> members,
                                          std::vector<char>& is_member) const;
  void start();
  void start_near_the_outputs();
  void start_duals();
  std::vector<double> tails();

  const MetricProblem& problem_;
  const MetricOptions& options_;
  std::size_t inputs_;
  double reach_;                          // in units of the relation
  std::vector<std::vector<Step>> steps_;  // from each input
  std::vector<double> nearest_;           // distance of the nearest output, of each input
  std::vector<MetricBatch> batches_;
  std::vector<MetricTile> tiles_;
  std::size_t constraints_ = 0;
  double unit_ = 1;
};

}  // namespace fogline::kernel
