// SPDX-License-Identifier: Apache-2.0
#include "fogline/figures.hpp"

#include <nlohmann/json.hpp>

#include "api/listening_caller.hpp"
#include "base/threads.hpp"
#include "release/analyses/whole_releases.hpp"
#include "release/json_text.hpp"
#include "release/kinds.hpp"
#include "report/figure_json.hpp"
#include "report/figure_plots.hpp"
#include "report/page_html.hpp"

namespace fogline {

std::vector<FigureName> figures() {
  std::vector<FigureName> all;
  for (const FigureKind& kind : release::all_figures())
    all.push_back({std::string(kind.name), std::string(kind.what)});
  return all;
}

ComputedFigure compute_figure(const FigureRequest& wanted, Listener& listener) {
  api::ListeningCaller caller(listener);
  const FigureOptions options{.quick = wanted.quick,
                              .data = wanted.data,
                              .seconds = [&caller] { return caller.seconds(); },
                              .threads = caller.threads(),
                              .progress = caller.progress(),
                              .whole = release::whole_for_figures(caller)};
  const Figure figure = on_threads(
      caller.threads(), [&] { return compute_figure(release::all_figures(), wanted.name, options); });
  return {.json = release::json_text(report::figure_json(figure, options)),
          .csv = to_csv(figure),
          .svg = report::figure_svg(figure),
          .page = report::has_page() ? report::figure_html(figure) : std::string(),
          .confirmed = figure.confirmed};
}

}  // namespace fogline
