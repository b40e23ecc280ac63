// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <nlohmann/json_fwd.hpp>

#include "base/figure_kind.hpp"

namespace fogline::report {

/// What an experiment found, beside the paper's claim: the one JSON form of a figure, whoever shows it. `asked` is
/// how it was computed.
///
///     nlohmann::ordered_json json = figure_json(figure, {.quick = true});      // {"figure": "place-fig4", "confirmed": true, ...}
///
/// A row has its series, its part if there are several pictures, and a value for each column.
nlohmann::ordered_json figure_json(const Figure& figure, const FigureOptions& asked);

/// Which figures there are: their names, and what each shows.
nlohmann::ordered_json figure_list_json(std::span<const FigureKind> kinds);

}  // namespace fogline::report
