// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/progress.hpp"
#include "place/catalogue.hpp"
#include "place/figures.hpp"
#include "place/measures.hpp"
#include "roads/network.hpp"

namespace fogline::place {

/// What several figures need.

/// Progress of a figure that is made of a few long computations: one bar for all of them, and a way for each to be cancelled.
///
///     Steps steps(options.progress, "place-fig6", 9);
///     measured(map, {...}, steps.inner());
///     steps.done();
class Steps {
 public:
  Steps(const Progress& progress, std::string task, std::uint64_t total);
  Progress inner() const;
  void done();  ///< throws Cancelled

 private:
  void report() const;

  const Progress& progress_;
  ProgressUpdate update_;
};

/// Builds a mechanism and measures it under the prior it was built for.
PlaceMeasures measured(const roads::RoadNetwork& map, const MechanismChoice& choice);

/// A map for a figure, and its name in words.
struct FigureMap {
  std::string name;
  roads::RoadNetwork network;
};

/// A real map of options.data, cut to 1,000 m around its centre (250 m if quick); or, without data, the same of a generated city.
///
///     FigureMap monaco = figure_map("monaco-2021.osm.pbf", "Monaco", 2, options);
///
/// Drivable junctions, the largest connected piece. The centre has half of the vertices on each side, east and north. Throws as roads::read_network.
FigureMap figure_map(const std::string& file, const std::string& name, int city_seed,
                     const FigureOptions& options);

/// "1,000 m around the centre of monaco-2021.osm.pbf (600 vertices)".
std::string in_words(const FigureMap& map);

}  // namespace fogline::place
