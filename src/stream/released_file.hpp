// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "geometry/projection.hpp"
#include "io/input_file.hpp"
#include "mobility/state_space.hpp"
#include "stream/steps/step_mechanism.hpp"

namespace fogline::stream {

/// The released file: CSV `sequence,step,state,` the answer's coordinates, `draw,` and the free baseline's coordinates. Coordinates of places are `lon,lat`
/// in degrees (metres x_m,y_m if the model has no place on the Earth), of other states those of the measurement; of the baseline with
/// `free_` before their names. `state` is the likeliest state given the answers. `draw` holds the drawn integers with spaces between them: from these and public things alone everything else
/// in the row follows.
///
///     ReleasedFormat format(model.space);
///     out.write(format.header());
///     out.write(format.row({.sequence = "1", .step = 1, .state = "c3r4", .value = estimate, .draw = answer, .free = baseline}));
class ReleasedFormat {
 public:
  struct Row {
    std::string sequence = {};
    std::uint64_t step = 0;
    std::string state = {};
    std::vector<double> value = {};  ///< in the units of the space
    Answer draw = {};
    std::vector<double> free = {};
  };

  explicit ReleasedFormat(const mobility::StateSpace& space);

  std::string header() const;  ///< with its line break
  std::string row(const Row& row) const;

  /// All rows, in order. Throws DataError naming the line: other columns, a number that is none, a draw without integers, steps of a
  /// sequence that do not follow one another.
  std::vector<Row> read(io::TextSource& source) const;

 private:
  std::vector<double> outward(std::span<const double> value) const;  // degrees for places
  std::vector<double> inward(std::span<const double> value) const;

  std::vector<std::string> names_;
  std::optional<geometry::LocalProjection> plane_;
};

}  // namespace fogline::stream
