// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "io/input_file.hpp"
#include "mobility/state_space.hpp"

namespace fogline::mobility {

/// Where a sequence is before its first step, if the files do not say.
enum class Start {
  as_given,   ///< as the model file says; uniform if it does not
  uniform,    ///< every state alike
  stationary  ///< the long-run distribution, from a uniform start
};

/// The files that a model is given by.
///
///     StateModel city = read_model({.model = "model.json"});
///     StateModel walk = read_model({.model = "walk.csv", .query = "places.csv"});       // by hand
///
/// All are public, so messages name states. docs/formats.md describes each; all may be gzipped.
struct ModelFiles {
  std::string model = {};  ///< .json, or .csv or .tsv: `from,to,probability`
  std::string query =
      {};  ///< CSV `state` and 1 to 8 columns of numbers, or `lon,lat`; empty: the model's own
  std::string initial = {};  ///< CSV `state,probability`; empty: by `start`
  Start start = Start::as_given;
};

/// Throws DataError naming the line, field or state: transitions of a state that do not sum to 1 within 10^-6, a probability outside 0 to 1,
/// a transition or a state given twice, a state without transitions or without measurement, a state that the model does not have, values that
/// are not finite or beyond 10^12, more than 8 columns, no content, content that does not fit together. InvalidOption for another suffix.
/// Transitions of probability 0 are left out: they are none. Cost: 50,000 states with 500,000 transitions in a fraction of a second.
StateModel read_model(const ModelFiles& files);

/// One of the two forms, from any source.
StateModel read_model_json(io::TextSource& source);
StateModel read_model_csv(io::TextSource& source);

/// Replaces what is measured of each state. Places that are not cells can then only be given by name, unless the new table has lon and lat.
void read_query(io::TextSource& source, StateModel& model);
/// Replaces the distribution of the first state.
void read_initial(io::TextSource& source, StateModel& model);

/// The model file as JSON, every number in its shortest form that reads back to the same. Cells have neither names nor measurements written
/// out if they are those of grid_space.
std::string to_json(const StateModel& model);

}  // namespace fogline::mobility
