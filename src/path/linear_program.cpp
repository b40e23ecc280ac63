// SPDX-License-Identifier: Apache-2.0
#include "path/linear_program.hpp"

#include <exception>
#include <utility>

#include <coin/ClpEventHandler.hpp>
#include <coin/ClpSimplex.hpp>

#include "base/error.hpp"

namespace fogline::path {
namespace {

/// Asks at every pivot whether to go on. Nothing may be thrown through the solver, so it is kept until the solver has returned.
struct Watch {
  LinearProgram::OnPivot on_pivot;
  bool stopped = false;
  std::exception_ptr thrown = {};

  bool goes_on() noexcept {
    try {
      stopped = stopped || (on_pivot && !on_pivot());
    } catch (...) {
      thrown = std::current_exception();
      stopped = true;
    }
    return !stopped;
  }
};

class PivotEvents : public ClpEventHandler {
 public:
  explicit PivotEvents(Watch& watch) : watch_(&watch) {}
  int event(Event which) override { return which != endOfIteration || watch_->goes_on() ? -1 : 0; }
  ClpEventHandler* clone() const override { return new PivotEvents(*this); }

 private:
  Watch* watch_;
};

}  // namespace

struct LinearProgram::Solver {
  Watch watch;
  ClpSimplex simplex;
};

LinearProgram::LinearProgram(const std::vector<double>& gain, OnPivot on_pivot)
    : solver_(std::make_unique<Solver>()) {
  ClpSimplex& simplex = solver_->simplex;
  solver_->watch.on_pivot = std::move(on_pivot);
  const PivotEvents events(solver_->watch);
  simplex.passInEventHandler(&events);
  simplex.setLogLevel(0);
  simplex.setOptimizationDirection(-1);
  simplex.resize(0, static_cast<int>(gain.size()));
  for (int column = 0; column < static_cast<int>(gain.size()); ++column) {
    simplex.setObjectiveCoefficient(column, gain[static_cast<std::size_t>(column)]);
    simplex.setColumnBounds(column, 0, 1);
  }
}

LinearProgram::~LinearProgram() = default;

void LinearProgram::add(const std::vector<Row>& rows) {
  std::vector<double> low, high, factors;
  std::vector<CoinBigIndex> starts = {0};
  std::vector<int> columns;
  for (const Row& row : rows) {
    for (const Term& term : row.terms) {
      columns.push_back(term.column);
      factors.push_back(term.factor);
    }
    low.push_back(row.low);
    high.push_back(row.high);
    starts.push_back(static_cast<CoinBigIndex>(columns.size()));
  }
  solver_->simplex.addRows(static_cast<int>(rows.size()), low.data(), high.data(), starts.data(),
                           columns.data(), factors.data());
}

void LinearProgram::bound(int column, double low, double high) {
  solver_->simplex.setColumnBounds(column, low, high);
}

LinearProgram::Outcome LinearProgram::solve() {
  ClpSimplex& simplex = solver_->simplex;
  Watch& watch = solver_->watch;
  watch.stopped = false;
  simplex.dual();
  if (simplex.status() > 1 && !watch.stopped) {
    // Rounding led the warm basis astray; a fresh start is slow but safe.
    simplex.allSlackBasis(true);
    simplex.primal();
  }
  if (watch.thrown) std::rethrow_exception(std::exchange(watch.thrown, nullptr));
  if (watch.stopped) return Outcome::stopped;
  if (simplex.status() > 1) throw Error("a linear program of the search could not be solved");
  return simplex.status() == 0 ? Outcome::solved : Outcome::impossible;
}

std::size_t LinearProgram::row_count() const {
  return static_cast<std::size_t>(solver_->simplex.numberRows());
}

double LinearProgram::value() const {
  return solver_->simplex.objectiveValue();
}

std::span<const double> LinearProgram::solution() const {
  const ClpSimplex& simplex = solver_->simplex;
  return {simplex.primalColumnSolution(), static_cast<std::size_t>(simplex.numberColumns())};
}

}  // namespace fogline::path
