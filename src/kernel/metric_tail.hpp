// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernel/relation.hpp"

namespace fogline::kernel {

/// What the columns of a batch have outside its block (kernel/metric_batch.hpp): they fall off by the promised factor along a tree that grows out of the block. So what is
/// outside costs no unknowns, and still counts in the rows, in the loss and in the bound.
///
///     MetricTail tail(block_size);
///     tail.add(input, parent, factor);       // parents first
///     tail.gather(at_block_and_tail);        // at each of the block: the sum over what hangs on it
///     tail.scatter(at_block_and_tail);       // the transpose: from the block outwards
///
/// Cost: 16 bytes an input of the tail, and one multiplication for either way, whatever the number of outputs.
class MetricTail {
 public:
  MetricTail() = default;
  explicit MetricTail(std::size_t block) : block_(block) {}

  /// `parent` counts the inputs of the block first, then those of the tail as they were added. `factor`: what the column has here for 1 at its parent.
  void add(InputId input, std::uint32_t parent, double factor) { twigs_.push_back({input, parent, factor}); }

  std::size_t size() const { return twigs_.size(); }
  std::size_t whole() const { return block_ + twigs_.size(); }  ///< with the block
  InputId input(std::size_t twig) const { return twigs_[twig].input; }

  /// Numbers of block and tail, `lanes` side by side: each of the tail is added to its parent's, times its factor, from the outside in.
  template <class Number>
  void gather(Number* numbers) const {
    for (std::size_t k = twigs_.size(); k-- > 0;)
      numbers[twigs_[k].parent] += twigs_[k].factor * numbers[block_ + k];
  }
  /// Each of the tail becomes its parent's times its factor, from the block outwards.
  void scatter(std::span<double> numbers) const {
    for (std::size_t k = 0; k < twigs_.size(); ++k)
      numbers[block_ + k] = twigs_[k].factor * numbers[twigs_[k].parent];
  }

 private:
  struct Twig {
    InputId input = 0;
    std::uint32_t parent = 0;
    double factor = 0;
  };
  std::size_t block_ = 0;
  std::vector<Twig> twigs_;
};

}  // namespace fogline::kernel
