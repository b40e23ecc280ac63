// SPDX-License-Identifier: Apache-2.0
#include "place/prior_file.hpp"

#include <numeric>

#include "io/prior.hpp"
#include "place/vertex_lookup.hpp"

namespace fogline::place {

std::vector<double> read_prior(const std::string& file, const roads::RoadNetwork& map) {
  const io::Prior listed = io::read_prior(file, vertex_lookup(map));
  const double sum = std::accumulate(listed.probability.begin(), listed.probability.end(), 0.0);
  std::vector<double> prior(map.vertex_count());
  for (std::size_t i = 0; i < listed.vertex.size(); ++i) {
    prior[listed.vertex[i]] = listed.probability[i] / sum;
  }
  return prior;
}

}  // namespace fogline::place
