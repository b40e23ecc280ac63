// SPDX-License-Identifier: Apache-2.0
#include "weights/paper/figures.hpp"

#include <array>

#include "weights/paper/figures_distances.hpp"
#include "weights/paper/figures_paper.hpp"
#include "weights/paper/figures_real.hpp"

namespace fogline::weights {
namespace {

template <Figure (*figure)(DataSet, const FigureOptions&), DataSet data>
Figure on(const FigureOptions& options) {
  return figure(data, options);
}

constexpr std::array kinds{
    FigureKind{"weights-table1", "the paper's data sets, and ours", data_sets_table},
    FigureKind{"weights-fig2", "error of the weights against epsilon, MB under k: BA1",
               on<merging_figure, DataSet::ba1>},
    FigureKind{"weights-fig3", "error of the weights with consistency: BA1",
               on<consistency_figure, DataSet::ba1>},
    FigureKind{"weights-fig4", "shortest paths kept: BA1", on<kept_paths_figure, DataSet::ba1>},
    FigureKind{"weights-fig5", "error in length of kept paths: BA1", on<path_error_figure, DataSet::ba1>},
    FigureKind{"weights-fig6", "as weights-fig2: BA2", on<merging_figure, DataSet::ba2>},
    FigureKind{"weights-fig7", "as weights-fig3: BA2", on<consistency_figure, DataSet::ba2>},
    FigureKind{"weights-fig8", "as weights-fig4: BA2", on<kept_paths_figure, DataSet::ba2>},
    FigureKind{"weights-fig9", "as weights-fig5: BA2", on<path_error_figure, DataSet::ba2>},
    FigureKind{"weights-fig10", "as weights-fig2: CA-GrQc", on<merging_figure, DataSet::ca_grqc>},
    FigureKind{"weights-fig11", "as weights-fig3: CA-GrQc", on<consistency_figure, DataSet::ca_grqc>},
    FigureKind{"weights-fig12", "as weights-fig4: CA-GrQc", on<kept_paths_figure, DataSet::ca_grqc>},
    FigureKind{"weights-fig13", "as weights-fig5: CA-GrQc", on<path_error_figure, DataSet::ca_grqc>},
    FigureKind{"weights-openflights", "routes between airports: one route, or a whole weight, protected",
               openflights_figure},
    FigureKind{"weights-airports", "seats between airports: one flight protected", airports_figure},
    FigureKind{"weights-milano", "calls between cells: one call protected", milano_figure},
    FigureKind{"weights-siouxfalls", "vehicles on roads: one trip protected, Sioux Falls",
               sioux_falls_figure},
    FigureKind{"weights-chicago", "vehicles on roads: one trip protected, Chicago", chicago_figure},
    FigureKind{"weights-distances", "error of released distances by hops, for every method",
               distances_figure},
};

}  // namespace

std::span<const FigureKind> figure_kinds() {
  return kinds;
}

}  // namespace fogline::weights
