// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace fogline::path {

/// A linear program over columns between 0 and 1 that grows by rows: what branch and cut solves again and again.
///
///     LinearProgram program({1, 1});                                   // maximise x + y
///     program.add({{{{0, 1}, {1, 2}}, 0, 2}});                         // 0 <= x + 2 y <= 2
///     if (program.solve() == LinearProgram::Outcome::solved) program.value();    // 1.5
///
/// Each solve goes on from the last basis, so that a few new rows or bounds cost a few pivots. The same calls give the same answers.
/// One object for one thread; different objects do not meet. Throws Error if the solver gives up.
class LinearProgram {
 public:
  struct Term {
    int column = 0;
    double factor = 0;
  };
  struct Row {
    std::vector<Term> terms;
    double low = 0, high = 0;
  };
  enum class Outcome {
    solved,
    impossible,  ///< no point satisfies all rows and bounds
    stopped      ///< by `on_pivot`; there is no solution then
  };
  /// Called at every pivot; false stops. What it throws, solve() throws.
  using OnPivot = std::function<bool()>;

  explicit LinearProgram(const std::vector<double>& gain, OnPivot on_pivot = {});  ///< gain per column
  ~LinearProgram();

  void add(const std::vector<Row>& rows);
  void bound(int column, double low, double high);
  Outcome solve();
  std::size_t row_count() const;
  double value() const;
  std::span<const double> solution() const;

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace fogline::path
