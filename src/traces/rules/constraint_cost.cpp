// SPDX-License-Identifier: Apache-2.0
#include "traces/rules/constraint_cost.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "traces/frame/cell_grid.hpp"
#include "traces/frame/trip_shape.hpp"
#include "traces/measures/divergence.hpp"
#include "traces/rules/constraints.hpp"

namespace fogline::traces {
namespace {

/// Cells, lengths and half hours as traces/measures/measures.hpp has them, so that the figures can be compared.
constexpr std::uint32_t cells_a_side = 15;
constexpr std::size_t length_bins = 20;
constexpr std::size_t day_bins = 48;

using Counts = std::vector<std::uint64_t>;

struct Profile {
  Counts visits, starts, ends, lengths, times;
};

double longest(const TripSet& trips) {
  double most = 0;
  for (std::size_t i = 0; i < trips.size(); ++i) most = std::max(most, length_m(trips.trip(i)));
  return most;
}

Profile profile_of(const TripSet& trips, const CellGrid& grid, double longest_m) {
  Profile profile{Counts(grid.size()), Counts(grid.size()), Counts(grid.size()), Counts(length_bins),
                  Counts(day_bins)};
  std::vector<std::uint32_t> cells;
  for (std::size_t i = 0; i < trips.size(); ++i) {
    grid.walk(trips.trip(i), cells);
    for (const std::uint32_t cell : cells) ++profile.visits[cell];
    ++profile.starts[cells.front()];
    ++profile.ends[cells.back()];
    const double share = longest_m > 0 ? length_m(trips.trip(i)) / longest_m : 0;
    ++profile.lengths[std::min(length_bins - 1, static_cast<std::size_t>(share * length_bins))];
    if (trips.has_time())
      ++profile.times[static_cast<std::size_t>(second_of_day(trips.times(i).front())) * day_bins / day_s];
  }
  return profile;
}

}  // namespace

ConstraintCost constraint_cost(const TripSet& before, const TripSet& after, const Frame& frame) {
  if (before.size() == 0 || after.size() == 0) throw InvalidOption("trips", "must not be empty");
  const CellGrid grid({.width_m = frame.width_m(),
                       .height_m = frame.height_m(),
                       .columns = cells_a_side,
                       .rows = cells_a_side});
  const double longest_m = longest(before);
  const Profile old = profile_of(before, grid, longest_m), now = profile_of(after, grid, longest_m);
  ConstraintCost cost{.visits = jensen_shannon(old.visits, now.visits),
                      .starts = jensen_shannon(old.starts, now.starts),
                      .ends = jensen_shannon(old.ends, now.ends),
                      .length = jensen_shannon(old.lengths, now.lengths)};
  if (before.has_time() && after.has_time()) cost.time_of_day = jensen_shannon(old.times, now.times);
  return cost;
}

}  // namespace fogline::traces
