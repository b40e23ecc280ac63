// SPDX-License-Identifier: Apache-2.0
#include "weights/mechanisms/mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace fogline::weights {

kernel::WeightRow EdgeMechanism::row(std::int64_t) const {
  throw InvalidOption("mechanism", "has no finite table");
}

void draw_all(const EdgeMechanism& mechanism, std::span<const std::int64_t> points, const random::Key& key,
              const DrawOptions& options, std::span<std::int64_t> drawn) {
  if (points.size() != drawn.size()) throw InvalidOption("drawn", "must have room for one number per edge");
  if (options.first_edge % edges_per_stream != 0)
    throw InvalidOption("first_edge", "must be a multiple of 1,024");
  const std::uint64_t first_stream = options.first_edge / edges_per_stream;
  const std::size_t streams = (points.size() + edges_per_stream - 1) / edges_per_stream;
  const random::StreamFamily family = key.streams("weights");
  ProgressMeter meter(options.progress, "drawing", points.size());
  constexpr std::size_t streams_a_task = 16;  // sixteen thousand draws
  parallel_for(streams, {.threads = options.threads, .grain = streams_a_task},
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t s = begin; s < end; ++s) {
                   const std::size_t from = s * edges_per_stream;
                   const std::size_t count = std::min<std::size_t>(edges_per_stream, points.size() - from);
                   random::Stream noise = family.stream(first_stream + s);
                   mechanism.draw(points.subspan(from, count), noise, drawn.subspan(from, count));
                   meter.advance(count);
                 }
               });
  meter.finish();
}

double best_constant_error(const WeightGrid& grid, std::span<const double> prior) {
  if (!grid.is_finite()) throw InvalidOption("range", "must have both ends");
  const auto points = static_cast<std::size_t>(grid.points());
  if (!prior.empty() && prior.size() != points)
    throw InvalidOption("prior", "must have a probability for each weight of the range");
  const auto share = [&](std::size_t point) {
    return prior.empty() ? 1.0 / static_cast<double>(points) : prior[point];
  };
  double total = 0;
  for (std::size_t p = 0; p < points; ++p) total += share(p);
  std::size_t median = 0;
  for (double below = share(0); below < total / 2 && median + 1 < points;) below += share(++median);
  double error = 0;
  for (std::size_t p = 0; p < points; ++p)
    error += share(p) * std::abs(static_cast<double>(p) - static_cast<double>(median));
  return error / total * grid.step();
}

}  // namespace fogline::weights
