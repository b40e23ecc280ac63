// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "geometry/bounding_box.hpp"
#include "io/csv.hpp"
#include "mobility/chain_builder.hpp"
#include "mobility/model_file.hpp"

namespace fogline::mobility {
namespace {

constexpr std::array<std::string_view, 3> from_names = {"from", "source", "state"};
constexpr std::array<std::string_view, 3> to_names = {"to", "target", "next"};
constexpr std::array<std::string_view, 3> probability_names = {"probability", "p", "prob"};
constexpr std::array<std::string_view, 3> state_names = {"state", "name", "id"};
constexpr std::array<std::string_view, 2> lon_names = {"lon", "longitude"};
constexpr std::array<std::string_view, 2> lat_names = {"lat", "latitude"};

StateId new_or_known(io::NameTable& names, const io::CsvReader& csv, std::size_t column) {
  const std::string_view name = csv.trimmed(column);
  if (name.empty()) csv.fail(column, "is empty", "name the state");
  return names.intern(name);
}

/// The state named in a column, which must not have come before.
StateId next_state(const io::CsvReader& csv, std::size_t column, const io::NameTable& names,
                   std::vector<bool>& seen) {
  const auto state = names.find(csv.trimmed(column));
  if (!state) csv.fail(column, "names a state that the model does not have");
  if (seen[*state]) csv.fail(column, "names a state for the second time", "remove one of the lines");
  seen[*state] = true;
  return *state;
}

/// The measurements in degrees become metres around their middle.
void project(StateSpace& space, std::size_t lon, std::size_t lat) {
  std::vector<geometry::LonLat> positions;
  for (StateId s = 0; s < space.states(); ++s)
    positions.push_back({space.value(s)[lon], space.value(s)[lat]});
  space.centre = geometry::bounding_box(positions).centre();
  space.columns = {"x_m", "y_m"};
  space.values.clear();
  for (const auto& point : geometry::LocalProjection(*space.centre).forward(positions)) {
    space.values.push_back(point.x_m);
    space.values.push_back(point.y_m);
  }
}

std::vector<std::size_t> value_columns(const io::CsvReader& csv, std::size_t state_column) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < csv.header().size(); ++i)
    if (i != state_column) columns.push_back(i);
  if (columns.empty() || columns.size() > most_columns)
    throw DataError(csv.spot(),
                    fmt::format("has {} columns of measurements, not 1 to {}", columns.size(), most_columns),
                    "let the first line be a header such as state,x,y");
  return columns;
}

void read_values(io::CsvReader& csv, std::size_t state_column, const std::vector<std::size_t>& columns,
                 StateSpace& space) {
  space.values.assign(space.states() * columns.size(), 0);
  std::vector<bool> seen(space.states());
  while (csv.next()) {
    const StateId state = next_state(csv, state_column, space.names, seen);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const double value = csv.number(columns[i]);
      if (std::abs(value) > largest_measurement) csv.fail(columns[i], "lies beyond 10^12");
      space.values[state * columns.size() + i] = value;
    }
  }
  const auto missing = std::find(seen.begin(), seen.end(), false);
  if (missing != seen.end())
    throw DataError({csv.spot().file},
                    fmt::format("state \"{}\" has no measurement",
                                space.names.name(static_cast<StateId>(missing - seen.begin()))),
                    "add a line for it");
}

}  // namespace

StateModel read_model_csv(io::TextSource& source) {
  io::CsvReader csv(source, {});
  constexpr std::string_view example = "from,to,probability";
  const std::size_t from = csv.require_column("state before", from_names, example);
  const std::size_t to = csv.require_column("state after", to_names, example);
  const std::size_t probability = csv.require_column("probability", probability_names, example);
  StateSpace space;
  ChainBuilder chain(space.names, source.name());
  while (csv.next()) {
    const StateId before = new_or_known(space.names, csv, from);
    const StateId after = new_or_known(space.names, csv, to);
    chain.add(before, after, csv.number(probability), csv.line());
  }
  if (space.states() == 0) throw DataError({source.name()}, "holds no transitions");
  measure_by_number(space);
  try {
    check(space);
  } catch (const InvalidOption& error) {
    throw DataError({source.name()}, error.what());
  }
  auto model =
      std::move(chain).finish(std::vector<double>(space.states(), 1.0 / static_cast<double>(space.states())));
  return {std::move(space), std::move(model)};
}

void read_query(io::TextSource& source, StateModel& model) {
  io::CsvReader csv(source, {});
  const std::size_t state_column = csv.require_column("state", state_names, "state,x,y");
  const auto columns = value_columns(csv, state_column);
  const auto lon = csv.find_column(lon_names), lat = csv.find_column(lat_names);
  const bool degrees = lon && lat && columns.size() == 2;
  StateSpace space = model.space;
  if (!space.grid) space.centre.reset();
  space.columns.clear();
  for (const std::size_t column : columns) space.columns.emplace_back(csv.header()[column]);
  read_values(csv, state_column, columns, space);
  try {
    if (degrees && !space.grid) project(space, *lon > *lat ? 1 : 0, *lon > *lat ? 0 : 1);
    check(space);
  } catch (const InvalidOption& error) {
    throw DataError({source.name()}, error.what());
  }
  model.space = std::move(space);
}

void read_initial(io::TextSource& source, StateModel& model) {
  io::CsvReader csv(source, {});
  const std::size_t state_column = csv.require_column("state", state_names, "state,probability");
  const std::size_t column = csv.require_column("probability", probability_names, "state,probability");
  std::vector<double> initial(model.space.states(), 0);
  std::vector<bool> seen(initial.size());
  while (csv.next()) {
    const double probability = csv.number(column);
    if (probability < 0 || probability > 1) csv.fail(column, "lies outside 0 to 1");
    initial[next_state(csv, state_column, model.space.names, seen)] = probability;
  }
  model.chain =
      model.chain.starting_from(checked_distribution(std::move(initial), model.space.names, {source.name()}));
}

}  // namespace fogline::mobility
