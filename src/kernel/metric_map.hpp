// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "kernel/metric_optimal.hpp"

namespace fogline::kernel {

/// The map of kernel/metric_optimal.hpp: shortest ways on it, and how far from its output each input must be free.
///
/// Lengths are in units of the relation; a folding is 1 / epsilon of them.
class MetricMap {
 public:
  MetricMap(const MetricProblem& problem,
            const MetricOptions& options);  ///< the problem must outlive the map

  struct Step {
    InputId input = 0;
    std::uint32_t pair = 0;  ///< its number in the relation
    double length = 0;
  };
  std::size_t inputs() const { return steps_.size(); }
  std::span<const Step> steps(InputId input) const { return steps_[input]; }
  double in_foldings(double length) const { return length * epsilon_; }
  double nearest_output(InputId input) const { return nearest_[input]; }

  /// Outputs that have the input outside their block are at least so far from it.
  double least_outside(InputId input) const { return nearest_[input] + reach_[input]; }

  struct Reached {
    InputId input = 0;
    InputId before = 0;  ///< on the shortest way; a source has itself
    double length = 0;
    double step = 0;  ///< from the one before
  };

  /// Shortest ways, with the memory kept between searches.
  class Search {
   public:
    explicit Search(const MetricMap& map)
        : map_(map), length_(map.inputs(), std::numeric_limits<double>::infinity()), before_(map.inputs()) {}
    /// take(Reached) for inputs by their distance from the nearest source, until it returns false; ways go on from inputs within `radius(input)`.
    template <class Radius, class Take>
    void from(std::span<const InputId> sources, const Radius& radius, const Take& take) {
      for (const InputId source : sources) reach(source, 0, source);
      while (!queue_.empty()) {
        const auto [length, input] = queue_.top();
        queue_.pop();
        if (length > length_[input]) continue;
        if (length > radius(input)) continue;
        if (!take(Reached{input, before_[input], length, length - length_[before_[input]]})) break;
        for (const Step& step : map_.steps(input)) reach(step.input, length + step.length, input);
      }
      queue_ = {};
      for (const InputId input : reached_) length_[input] = std::numeric_limits<double>::infinity();
      reached_.clear();
    }

   private:
    void reach(InputId input, double length, InputId before) {
      if (length >= length_[input]) return;
      if (length_[input] == std::numeric_limits<double>::infinity()) reached_.push_back(input);
      length_[input] = length;
      before_[input] = before;
      queue_.emplace(length, input);
    }

    const MetricMap& map_;
    std::vector<double> length_;
    std::vector<InputId> before_;
    std::vector<InputId> reached_;
    using Entry = std::pair<double, InputId>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
  };

  /// Has an input in more blocks where a row turned out to be worth more, for 1 of prior, than what outputs outside cost there. False if nothing changes.
  bool widen(std::span<const double> worth);
  /// Has every input in as many blocks as could be wanted. False if that is so.
  bool widen_all();

  /// What lies around the sources as far as tails go, by its distance.
  std::vector<Reached> around(std::span<const InputId> sources, Search& search) const;

 private:
  void find_nearest(std::span<const InputId> outputs);
  void find_reaches(std::span<const double> prior, double least, int threads);

  double epsilon_;
  double wide_reach_ = 0, widest_ = 0, tail_reach_ = 0;
  std::vector<std::vector<Step>> steps_;
  std::vector<double> nearest_;
  std::vector<double> reach_;
};

}  // namespace fogline::kernel
