// SPDX-License-Identifier: Apache-2.0
#include "mobility/learn.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "geometry/bounding_box.hpp"

namespace fogline::mobility {
namespace {

struct Step {
  StateId from, to;
  friend auto operator<=>(const Step&, const Step&) = default;
};

std::vector<Step> steps_of(const StateSequences& sequences, std::size_t states) {
  std::vector<Step> steps;
  steps.reserve(sequences.state.size());
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const auto one = sequences[i];
    for (std::size_t k = 0; k < one.size(); ++k) {
      if (one[k] >= states) throw InvalidOption("sequences", "hold a state that the model does not have");
      if (k > 0) steps.push_back({one[k - 1], one[k]});
    }
  }
  std::sort(steps.begin(), steps.end());
  return steps;
}

/// The transitions of one state: its counts, which begin at `next`, merged with its neighbourhood.
void learn_row(const std::vector<Step>& steps, std::size_t& next, StateId state,
               std::span<const StateId> possible, double smoothing,
               std::vector<MarkovModel::Transition>& into) {
  const std::size_t begin = into.size();
  const bool is_seen = next < steps.size() && steps[next].from == state;
  const double added = is_seen ? smoothing : 1;  // never left: the neighbourhood alone
  double total = 0;
  std::size_t neighbour = 0;
  while (neighbour < possible.size() || (next < steps.size() && steps[next].from == state)) {
    const bool has_step = next < steps.size() && steps[next].from == state;
    const StateId to = has_step && (neighbour == possible.size() || steps[next].to < possible[neighbour])
                           ? steps[next].to
                           : possible[neighbour];
    double weight = 0;
    if (neighbour < possible.size() && possible[neighbour] == to) {
      weight += added;
      ++neighbour;
    }
    for (; next < steps.size() && steps[next] == Step{state, to}; ++next) weight += 1;
    if (weight > 0) into.push_back({to, weight});
    total += weight;
  }
  for (std::size_t i = begin; i < into.size(); ++i) into[i].probability /= total;
}

std::vector<double> even(std::size_t states) {
  return std::vector<double>(states, 1.0 / static_cast<double>(states));
}

std::vector<double> counted_starts(const StateSequences& sequences, std::size_t states, double smoothing) {
  std::vector<double> start(states, smoothing);
  double total = smoothing * static_cast<double>(states);
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    if (sequences[i].empty()) continue;
    start[sequences[i].front()] += 1;
    total += 1;
  }
  if (!(total > 0)) return even(states);
  for (double& probability : start) probability /= total;
  return start;
}

}  // namespace

Neighbourhood grid_neighbourhood(const CellGrid& grid) {
  Neighbourhood around;
  for (std::uint32_t row = 0; row < grid.rows; ++row) {
    for (std::uint32_t column = 0; column < grid.columns; ++column) {
      for (std::uint32_t r = row == 0 ? 0 : row - 1; r <= row + 1 && r < grid.rows; ++r)
        for (std::uint32_t c = column == 0 ? 0 : column - 1; c <= column + 1 && c < grid.columns; ++c)
          around.state.push_back(r * grid.columns + c);
      around.offset.push_back(around.state.size());
    }
  }
  return around;
}

Neighbourhood graph_neighbourhood(const graph::Graph& graph) {
  Neighbourhood around;
  for (graph::VertexId v = 0; v < graph.vertex_count(); ++v) {
    const std::size_t begin = around.state.size();
    around.state.push_back(v);
    for (const graph::Arc& arc : graph.arcs(v)) around.state.push_back(arc.head);
    std::sort(around.state.begin() + static_cast<std::ptrdiff_t>(begin), around.state.end());
    around.offset.push_back(around.state.size());
  }
  return around;
}

Neighbourhood seen_neighbourhood(const StateSequences& sequences, std::size_t states) {
  std::vector<Step> steps = steps_of(sequences, states);
  for (StateId s = 0; s < states; ++s) steps.push_back({s, s});
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  Neighbourhood around;
  std::size_t next = 0;
  for (StateId s = 0; s < states; ++s) {
    for (; next < steps.size() && steps[next].from == s; ++next) around.state.push_back(steps[next].to);
    around.offset.push_back(around.state.size());
  }
  return around;
}

StateSpace grid_over(const Trips& trips, double cell_m) {
  if (!(cell_m > 0) || !std::isfinite(cell_m)) throw InvalidOption("grid", "must be above 0 metres");
  if (trips.point_count() == 0) throw InvalidOption("trips", "there is none");
  std::vector<geometry::PointXY> points;
  std::optional<geometry::LonLat> centre;
  if (trips.plane) {
    for (std::size_t i = 0; i < trips.point_count(); ++i) points.push_back({trips.lon[i], trips.lat[i]});
  } else {
    std::vector<geometry::LonLat> positions;
    for (std::size_t i = 0; i < trips.point_count(); ++i) positions.push_back({trips.lon[i], trips.lat[i]});
    centre = geometry::bounding_box(positions).centre();
    points = geometry::LocalProjection(*centre).forward(positions);
  }
  geometry::PointXY low = points.front(), high = low;
  for (const auto& point : points) {
    low = {std::min(low.x_m, point.x_m), std::min(low.y_m, point.y_m)};
    high = {std::max(high.x_m, point.x_m), std::max(high.y_m, point.y_m)};
  }
  const double columns = std::max(1.0, std::ceil((high.x_m - low.x_m) / cell_m));
  const double rows = std::max(1.0, std::ceil((high.y_m - low.y_m) / cell_m));
  if (columns * rows > static_cast<double>(most_learned_cells))
    throw InvalidOption("grid",
                        fmt::format("cells of {} m would be {:.0f}, more than {}; take larger cells, or only "
                                    "what lies within a smaller box",
                                    cell_m, columns * rows, most_learned_cells));
  return grid_space({.cell_m = cell_m,
                     .west_m = (low.x_m + high.x_m - columns * cell_m) / 2,
                     .south_m = (low.y_m + high.y_m - rows * cell_m) / 2,
                     .columns = static_cast<std::uint32_t>(columns),
                     .rows = static_cast<std::uint32_t>(rows)},
                    centre);
}

StateSpace network_space(const roads::RoadNetwork& network) {
  StateSpace space{.columns = {"x_m", "y_m"}, .centre = geometry::bounding_box(network.position).centre()};
  for (graph::VertexId v = 0; v < network.vertex_count(); ++v) space.names.intern(name_of(network, v));
  for (const auto& point : geometry::LocalProjection(*space.centre).forward(network.position)) {
    space.values.push_back(point.x_m);
    space.values.push_back(point.y_m);
  }
  check(space);
  return space;
}

MarkovModel learn_counts(const StateSequences& sequences, const Neighbourhood& possible,
                         const LearnOptions& options) {
  if (!(options.smoothing >= 0 && options.smoothing <= 1000))
    throw InvalidOption("smoothing", "must lie between 0 and 1,000");
  const std::size_t states = possible.states();
  const std::vector<Step> steps = steps_of(sequences, states);
  std::vector<std::uint64_t> offset = {0};
  std::vector<MarkovModel::Transition> transitions;
  transitions.reserve(possible.state.size());
  std::size_t next = 0;
  for (StateId s = 0; s < states; ++s) {
    learn_row(steps, next, s, possible.of(s), options.smoothing, transitions);
    offset.push_back(transitions.size());
  }
  const bool is_counted = options.first == FirstState::counted;
  MarkovModel chain(std::move(offset), std::move(transitions),
                    is_counted ? counted_starts(sequences, states, options.smoothing) : even(states));
  return options.first == FirstState::stationary ? chain.starting_from(chain.stationary()) : chain;
}

double log_likelihood_of_steps(const MarkovModel& chain, const StateSequences& sequences) {
  double sum = 0;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const auto one = sequences[i];
    for (std::size_t k = 1; k < one.size(); ++k) sum += std::log(chain.probability(one[k - 1], one[k]));
  }
  return sum;
}

}  // namespace fogline::mobility
