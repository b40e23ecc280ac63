// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "io/name_table.hpp"
#include "mobility/markov_model.hpp"

namespace fogline::mobility {

/// Collects the transitions of a model as a file lists them, in any order, and says of bad ones where they stand.
///
///     ChainBuilder chain(names, "walk.csv");
///     chain.add(from, to, probability, line);
///     MarkovModel model = std::move(chain).finish(initial);
///
/// DataError, with the line where there is one and the names of the states: a probability outside 0 to 1, a transition given twice, a
/// state without transitions, a sum away from 1 by more than 10^-6. Probability 0 is no transition. `names` may grow until finish().
/// Cost: a sort.
class ChainBuilder {
 public:
  ChainBuilder(const io::NameTable& names, std::string file);
  void reserve(std::size_t transitions) { entries_.reserve(transitions); }
  void add(StateId from, StateId to, double probability, std::uint64_t line = 0);
  MarkovModel finish(std::vector<double> initial) &&;

 private:
  struct Entry {
    StateId from, to;
    double probability;
    std::uint64_t line;
  };
  void divide_row(std::size_t begin, std::size_t end, StateId state);

  const io::NameTable& names_;
  std::string file_;
  std::vector<Entry> entries_;
};

/// The probabilities, divided by their sum. DataError: one outside 0 to 1, not one for each state, a sum away from 1 by more than 10^-6.
std::vector<double> checked_distribution(std::vector<double> probability, const io::NameTable& names,
                                         const FileSpot& spot);

}  // namespace fogline::mobility
