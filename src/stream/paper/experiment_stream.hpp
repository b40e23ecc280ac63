// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/figure_kind.hpp"
#include "io/points.hpp"
#include "mobility/sequences.hpp"
#include "mobility/state_space.hpp"

namespace fogline::stream {

/// The two data sets of the paper's experiments, or what stands for them here.
enum class ExperimentCity {
  /// taxis of T-Drive within the third ring road, every minute, cells of 340 m; the paper has Geolife there
  beijing,
  new_york  ///< check-ins of Gowalla, cells of 890 m; the paper has Los Angeles
};

/// A model learned from public sequences, and some of the sequences to release.
struct ExperimentStream {
  std::string name = {};  ///< in words, for a figure
  mobility::StateModel model;
  std::vector<std::vector<mobility::StateId>> sequences = {};  ///< of the same length each
  double cell_m = 0;
  double reach_m = 0;  ///< r of the policy "within r", as in the paper
};

struct ExperimentOptions {
  std::size_t sequences = 20;  ///< 1 or more
  std::size_t steps = 100;     ///< of each; 2 or more
};

/// Reads points, cuts them into sequences and learns by counting, as the paper does. Without a folder of data, walks through a generated city
/// take the place of both.
///
///     ExperimentStream taxis = experiment_stream(ExperimentCity::beijing, figure_options, {});
///
/// Throws FileError, DataError. Cost: seconds.
ExperimentStream experiment_stream(ExperimentCity city, const FigureOptions& figure,
                                   const ExperimentOptions& options);

/// How points become sequences.
struct SequenceRule {
  double west = -180, south = -90, east = 180,
         north = 90;               ///< points outside are left out, and cut a sequence
  std::int64_t largest_gap_s = 0;  ///< a longer gap cuts; 0: none does
  double least_speed_m_s = 0;      ///< who is slower between two points stands still, which cuts too
  std::int64_t interval_s =
      0;  ///< positions are taken so often, on straight lines between points; 0: the points themselves
};

/// The points of each user or trip in the order of time, as the rule has them; pieces of one point are dropped.
io::PointTable cut_into_sequences(const io::PointTable& points, const SequenceRule& rule);

}  // namespace fogline::stream
