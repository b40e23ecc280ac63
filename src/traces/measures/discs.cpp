// SPDX-License-Identifier: Apache-2.0
#include "traces/measures/discs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace fogline::traces {
namespace {

/// What the index may take, if that leaves enough cells along a side. Answers do not depend on their number: more of
/// them leave fewer points to be asked, and take longer to fill. Chosen, not derived.
constexpr double index_bytes = 64e6;
constexpr std::uint32_t fewest_cells = 16, most_cells = 128;
constexpr std::size_t word_bytes = sizeof(std::uint64_t), word_bits = 8 * word_bytes;
/// Of the lengths that a comparison adds up: more than a float's rounding, which is 6e-8.
constexpr double rounding_share = 1e-6;

CellGrid::Options with_cells(CellGrid::Options box, std::size_t words) {
  const double side = std::sqrt(index_bytes / (word_bytes * static_cast<double>(words)));
  box.columns = box.rows = static_cast<std::uint32_t>(std::clamp<double>(side, fewest_cells, most_cells));
  return box;
}

}  // namespace

DiscIndex::DiscIndex(std::vector<Disc> discs, const CellGrid::Options& box)
    : discs_(std::move(discs)),
      words_((discs_.size() + word_bits - 1) / word_bits),
      box_(with_cells(box, words_)),
      grid_(box_),
      whole_(grid_.size() * words_),
      edges_(grid_.size()) {
  for (std::size_t d = 0; d < discs_.size(); ++d) enter(d);
}

void DiscIndex::enter(std::size_t disc) {
  const Disc& d = discs_[disc];
  const double width = box_.width_m / box_.columns, height = box_.height_m / box_.rows;
  // A point may be counted to the cell beside it by rounding; a cell within this of the edge is asked point by point.
  const double margin = rounding_share * (d.radius_m + box_.width_m + box_.height_m);
  for (std::uint32_t row = grid_.row_of(d.y_m - d.radius_m - margin);
       row <= grid_.row_of(d.y_m + d.radius_m + margin); ++row)
    for (std::uint32_t column = grid_.column_of(d.x_m - d.radius_m - margin);
         column <= grid_.column_of(d.x_m + d.radius_m + margin); ++column) {
      const double west = box_.west_m + column * width - d.x_m, south = box_.south_m + row * height - d.y_m;
      const double near_x = std::max({west, -(west + width), 0.0});
      const double near_y = std::max({south, -(south + height), 0.0});
      const double far_x = std::max(std::abs(west), std::abs(west + width));
      const double far_y = std::max(std::abs(south), std::abs(south + height));
      const std::size_t cell = row * grid_.columns() + column;
      if (std::hypot(far_x, far_y) < d.radius_m - margin)
        whole_[cell * words_ + disc / word_bits] |= std::uint64_t{1} << (disc % word_bits);
      else if (std::hypot(near_x, near_y) < d.radius_m + margin)
        edges_[cell].push_back(static_cast<std::uint32_t>(disc));
    }
}

void DiscIndex::ask(const PlanePoint& p, std::size_t disc, std::span<std::uint64_t> touched) const {
  const Disc& d = discs_[disc];
  const double dx = p.x - d.x_m, dy = p.y - d.y_m;
  if (dx * dx + dy * dy <= d.radius_m * d.radius_m)
    touched[disc / word_bits] |= std::uint64_t{1} << (disc % word_bits);
}

void DiscIndex::touch(std::span<const PlanePoint> trip, std::span<std::uint64_t> touched) const {
  std::fill(touched.begin(), touched.end(), 0);
  std::size_t entered = grid_.size();
  for (const PlanePoint& p : trip) {
    if (p.x < box_.west_m || p.x > box_.west_m + box_.width_m || p.y < box_.south_m ||
        p.y > box_.south_m + box_.height_m) {
      for (std::size_t d = 0; d < discs_.size(); ++d) ask(p, d, touched);
      continue;
    }
    const std::size_t cell = grid_.cell_of(p);
    if (cell != entered)
      for (std::size_t w = 0; w < words_; ++w) touched[w] |= whole_[cell * words_ + w];
    entered = cell;
    for (const std::uint32_t d : edges_[cell]) ask(p, d, touched);
  }
}

void DiscIndex::count(std::span<const std::uint64_t> touched, std::span<std::uint64_t> counts) const {
  for (std::size_t w = 0; w < words_; ++w)
    for (std::uint64_t bits = touched[w]; bits != 0; bits &= bits - 1)
      ++counts[w * word_bits + static_cast<std::size_t>(std::countr_zero(bits))];
}

}  // namespace fogline::traces
