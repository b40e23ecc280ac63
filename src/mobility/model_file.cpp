// SPDX-License-Identifier: Apache-2.0
#include "mobility/model_file.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "io/csv.hpp"
#include "io/json_columns.hpp"
#include "io/words.hpp"
#include "mobility/chain_builder.hpp"

namespace fogline::mobility {
namespace {

constexpr std::string_view format_name = "fogline-model-1";
constexpr double most_states = 4294967294.0;

std::vector<double> uniform(std::size_t states) {
  return std::vector<double>(states, 1.0 / static_cast<double>(states));
}

/// Says of an InvalidOption, which knows no file, where it came from.
template <class Body>
auto in_file(const std::string& file, Body body) {
  try {
    return body();
  } catch (const InvalidOption& error) {
    throw DataError({file}, error.what());
  }
}

io::NameTable read_names(io::JsonColumns& fields, const std::string& file) {
  io::NameTable names;
  for (const std::string& name : fields.take_texts("states")) {
    const std::size_t before = names.size();
    if (names.intern(name) < before)
      throw DataError({file}, fmt::format("state \"{}\" is given twice", name), "rename one of them");
  }
  return names;
}

CellGrid read_grid(io::JsonColumns& fields) {
  return {.cell_m = fields.number("grid.cell_m"),
          .west_m = fields.number("grid.west_m"),
          .south_m = fields.number("grid.south_m"),
          .columns = static_cast<std::uint32_t>(fields.whole_number("grid.columns", most_states)),
          .rows = static_cast<std::uint32_t>(fields.whole_number("grid.rows", most_states))};
}

StateSpace read_space(io::JsonColumns& fields, const std::string& file, std::size_t states) {
  StateSpace space;
  if (fields.has("centre")) space.centre = {fields.number("centre.lon"), fields.number("centre.lat")};
  if (fields.has("grid")) {
    const CellGrid grid = read_grid(fields);
    // Before the cells are made: a short file must not ask for millions of them.
    if (std::uint64_t{grid.columns} * grid.rows != states)
      fields.fail("transitions.successors", "must have one number for each cell of the grid");
    space = grid_space(grid, space.centre);
  }
  if (fields.has("states")) space.names = read_names(fields, file);
  if (fields.has("columns") || fields.has("values")) {
    space.columns = fields.take_texts("columns");
    space.values = fields.take_numbers("values");
  } else if (!space.grid) {
    measure_by_number(space);
  }
  check(space);
  return space;
}

MarkovModel read_chain(io::JsonColumns& fields, const std::vector<double>& successors,
                       const StateSpace& space, const std::string& file) {
  const auto to = fields.take_numbers("transitions.to");
  const auto probability = fields.take_numbers("transitions.probability");
  if (successors.size() != space.states())
    fields.fail("transitions.successors", "must have one number for each state");
  if (to.size() != probability.size())
    fields.fail("transitions.to", "must be as long as transitions.probability");
  ChainBuilder chain(space.names, file);
  chain.reserve(to.size());
  std::size_t next = 0;
  for (StateId s = 0; s < space.states(); ++s) {
    if (!(successors[s] >= 0 && successors[s] <= static_cast<double>(to.size() - next)) ||
        successors[s] != std::floor(successors[s]))
      fields.fail("transitions.successors", "does not add up to the transitions there are");
    for (const std::size_t end = next + static_cast<std::size_t>(successors[s]); next < end; ++next) {
      if (!(to[next] >= 0 && to[next] < static_cast<double>(space.states())) ||
          to[next] != std::floor(to[next]))
        fields.fail("transitions.to", fmt::format("holds a state that does not exist, at entry {}", next + 1),
                    "states are numbered from 0");
      chain.add(s, static_cast<StateId>(to[next]), probability[next]);
    }
  }
  if (next != to.size())
    fields.fail("transitions.successors", "does not add up to the transitions there are");
  return std::move(chain).finish(uniform(space.states()));
}

bool is_csv(const std::string& file) {
  const std::string name = io::name_for_suffix(file);
  return name.ends_with(".csv") || name.ends_with(".tsv");
}

StateModel read_main(const std::string& file) {
  if (!is_csv(file) && !io::name_for_suffix(file).ends_with(".json"))
    throw InvalidOption("model", "must end in .json, or in .csv for from,to,probability");
  auto source = io::TextSource::from_file(file);
  return is_csv(file) ? read_model_csv(source) : read_model_json(source);
}

}  // namespace

StateModel read_model_json(io::TextSource& source) {
  const std::string& file = source.name();
  io::JsonColumns fields(source.read_all(io::format_limit::model_bytes), file);
  if (fields.text("format") != format_name)
    fields.fail("format", fmt::format("is not \"{}\"", format_name),
                "name a model that was learned from public trips");
  return in_file(file, [&] {
    const auto successors = fields.take_numbers("transitions.successors");
    StateSpace space = read_space(fields, file, successors.size());
    MarkovModel chain = read_chain(fields, successors, space, file);
    if (fields.is_text("initial")) {
      if (fields.text("initial") != "uniform") fields.fail("initial", "is neither \"uniform\" nor a list");
    } else if (fields.has("initial")) {
      chain = chain.starting_from(
          checked_distribution(fields.take_numbers("initial"), space.names, FileSpot{file}));
    }
    fields.require_all_used();
    return StateModel{std::move(space), std::move(chain)};
  });
}

StateModel read_model(const ModelFiles& files) {
  StateModel model = read_main(files.model);
  if (!files.query.empty()) {
    auto source = io::TextSource::from_file(files.query);
    read_query(source, model);
  }
  if (!files.initial.empty()) {
    if (files.start != Start::as_given)
      throw InvalidOption("initial", "give either a file or a rule for the first state, not both");
    auto source = io::TextSource::from_file(files.initial);
    read_initial(source, model);
  } else if (files.start != Start::as_given) {
    model.chain = model.chain.starting_from(uniform(model.space.states()));
  }
  if (files.start == Start::stationary) model.chain = model.chain.starting_from(model.chain.stationary());
  return model;
}

}  // namespace fogline::mobility
