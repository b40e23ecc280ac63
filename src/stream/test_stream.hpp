// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mobility/state_space.hpp"

/// Small models for the tests of this room.
namespace fogline::stream::testing_stream {

/// A walk on a grid of cells: stay, or go to a neighbour of the four, all alike. The first state is anywhere.
inline mobility::StateModel grid_walk(std::uint32_t columns, std::uint32_t rows, double cell_m = 100) {
  mobility::StateSpace space = mobility::grid_space({.cell_m = cell_m, .columns = columns, .rows = rows}, {});
  std::vector<std::uint64_t> offset{0};
  std::vector<mobility::MarkovModel::Transition> transitions;
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t column = 0; column < columns; ++column) {
      std::vector<mobility::StateId> next;
      const mobility::StateId here = row * columns + column;
      if (row > 0) next.push_back(here - columns);
      if (column > 0) next.push_back(here - 1);
      next.push_back(here);
      if (column + 1 < columns) next.push_back(here + 1);
      if (row + 1 < rows) next.push_back(here + columns);
      for (const mobility::StateId to : next)
        transitions.push_back({to, 1.0 / static_cast<double>(next.size())});
      offset.push_back(transitions.size());
    }
  }
  const std::size_t states = std::size_t{columns} * rows;
  return {std::move(space),
          mobility::MarkovModel(std::move(offset), std::move(transitions),
                                std::vector<double>(states, 1.0 / static_cast<double>(states)))};
}

/// States s1, s2, ... with two measurements each, of which each leads to every other alike.
inline mobility::StateModel free_walk(const std::vector<std::pair<double, double>>& measurements) {
  mobility::StateSpace space{.columns = {"temperature", "noise"}};
  std::vector<std::uint64_t> offset{0};
  std::vector<mobility::MarkovModel::Transition> transitions;
  const std::size_t states = measurements.size();
  for (std::size_t s = 0; s < states; ++s) {
    space.names.intern("s" + std::to_string(s + 1));
    space.values.insert(space.values.end(), {measurements[s].first, measurements[s].second});
    for (mobility::StateId to = 0; to < states; ++to)
      transitions.push_back({to, 1.0 / static_cast<double>(states)});
    offset.push_back(transitions.size());
  }
  return {std::move(space),
          mobility::MarkovModel(std::move(offset), std::move(transitions),
                                std::vector<double>(states, 1.0 / static_cast<double>(states)))};
}

}  // namespace fogline::stream::testing_stream
