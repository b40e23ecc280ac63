// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/figure_kind.hpp"
#include "weights/paper/figure_sweep.hpp"

namespace fogline::weights {

/// The paper's three data sets (Table 1).
enum class DataSet { ba1, ba2, ca_grqc };

Figure data_sets_table(const FigureOptions& options);  ///< Table 1
Figure merging_figure(DataSet data,
                      const FigureOptions& options);  ///< Figures 2, 6, 10: WARE of MB under k = 1, 5, 10
Figure consistency_figure(DataSet data,
                          const FigureOptions& options);  ///< Figures 3, 7, 11: WARE of all four, k = 5
Figure kept_paths_figure(DataSet data, const FigureOptions& options);  ///< Figures 4, 8, 12: KSP
Figure path_error_figure(DataSet data, const FigureOptions& options);  ///< Figures 5, 9, 13: LARE

/// The graph with its weights drawn evenly from the paper's range. CA-GrQc comes from options.data/graphs; without data a scale-free graph of about its size
/// takes its place.
FigureGraph paper_graph(DataSet data, const FigureOptions& options);
WeightGrid paper_grid(DataSet data);

}  // namespace fogline::weights
