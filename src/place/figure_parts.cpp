// SPDX-License-Identifier: Apache-2.0
#include "place/figure_parts.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "roads/cut.hpp"
#include "roads/read_network.hpp"

namespace fogline::place {
namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Where most of a network lies; the middle of its bounding box may be in the sea.
geometry::LonLat centre_of(const roads::RoadNetwork& network) {
  std::vector<double> lon, lat;
  for (const geometry::LonLat& position : network.position) {
    lon.push_back(position.lon);
    lat.push_back(position.lat);
  }
  return {median(std::move(lon)), median(std::move(lat))};
}

}  // namespace

Steps::Steps(const Progress& progress, std::string task, std::uint64_t total)
    : progress_(progress), update_{.task = std::move(task), .done = 0, .total = total} {
  report();
}

Progress Steps::inner() const {
  return [this](const ProgressUpdate&) { return !progress_ || progress_(update_); };
}

void Steps::done() {
  ++update_.done;
  report();
}

void Steps::report() const {
  if (progress_ && !progress_(update_)) throw Cancelled();
}

PlaceMeasures measured(const roads::RoadNetwork& map, const MechanismChoice& choice) {
  const auto mechanism = make_mechanism(map, choice);
  return measure(*mechanism, map,
                 {.prior = choice.prior, .threads = choice.threads, .progress = choice.progress});
}

FigureMap figure_map(const std::string& file, const std::string& name, int city_seed,
                     const FigureOptions& options) {
  const bool real = !options.data.empty();
  roads::RoadNetwork whole =
      roads::read_network(real ? options.data + "/maps/" + file : fmt::format("city:{}", city_seed));
  whole.source = real ? file : fmt::format("the generated city:{}", city_seed);
  const double radius_m = options.quick ? 250 : 1000;
  return {.name = real ? name : fmt::format("generated city {}", city_seed),
          .network = roads::cut_around(whole, centre_of(whole), radius_m)};
}

std::string in_words(const FigureMap& map) {
  return fmt::format("{} its centre ({} vertices)", map.network.source, map.network.vertex_count());
}

}  // namespace fogline::place
