// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/figure_kind.hpp"

namespace fogline::path {

/// The vertices of the paper's maps.
inline constexpr std::uint32_t fewest_vertices = 5, most_vertices = 10;

std::uint64_t runs_of(const FigureOptions& options);  ///< of each map: the paper's 1,000; 5 if quick
std::string series_of(std::uint32_t vertices);        ///< "7 vertices"
std::string data_of(const std::string& maps, std::uint64_t runs);  ///< what a figure was computed on

double mean_of(const std::vector<double>& values);  ///< 0 of none
/// Whether the second half of a curve is above its first half, on average.
bool rises(const std::vector<double>& values);

}  // namespace fogline::path
