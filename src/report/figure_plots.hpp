// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/figure.hpp"
#include "report/document.hpp"
#include "report/plot_svg.hpp"

namespace fogline::report {

/// What an experiment found, as panels of an SVG picture; one for each of its views.
std::vector<PlotPanel> panels_of(const Figure& figure);

/// The same plots on a page of a report, with the paper's claim, our result and the numbers.
Page figure_page(const Figure& figure);

/// Both as files: an SVG picture, and a page by itself (page_html.hpp, which throws Error if there is none).
std::string figure_svg(const Figure& figure);
std::string figure_html(const Figure& figure);

}  // namespace fogline::report
