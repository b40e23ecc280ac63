// SPDX-License-Identifier: Apache-2.0
#include "place/capped_rows.hpp"

#include "base/error.hpp"

namespace fogline::place {

const NearRow& CappedRows::of(graph::VertexId input) {
  row_.output.clear();
  row_.probability.clear();
  double total = 0;
  for (const auto& [vertex, distance_mm] : search_.within(input, kernel_.rule().cap_mm() - 1)) {
    if (!kernel_.in_range(vertex)) continue;
    row_.output.push_back(vertex);
    row_.probability.push_back(static_cast<double>(kernel_.weight(vertex, distance_mm)));
    total += row_.probability.back();
  }
  const auto others = static_cast<double>(kernel_.range().size() - row_.output.size());
  const auto tail = static_cast<double>(kernel::ExponentialRule::tail_weight);
  total += tail * others;
  for (double& probability : row_.probability) probability /= total;
  row_.of_each_other = tail / total;
  return row_;
}

std::vector<std::uint32_t> near_outputs_in(const io::SectionFile& file) {
  const auto found = file.numbers<std::uint32_t>("near_outputs");
  if (found.empty())
    throw DataError({file.path()}, "does not say how many outputs lie near each vertex", "prepare it again");
  return {found.begin(), found.end()};
}

}  // namespace fogline::place
