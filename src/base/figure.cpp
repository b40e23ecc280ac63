// SPDX-License-Identifier: Apache-2.0
#include "base/figure.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline {
namespace {

std::string in_quotes(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string safe = "\"";
  for (const char c : text) {
    if (c == '"') safe += '"';
    safe += c;
  }
  return safe + '"';
}

}  // namespace

std::size_t Figure::column(std::string_view column_name) const {
  const auto found = std::find(columns.begin(), columns.end(), column_name);
  if (found == columns.end())
    throw InvalidOption("column", fmt::format("{} has none called {}", name, column_name));
  return static_cast<std::size_t>(found - columns.begin());
}

std::vector<double> Figure::values(std::string_view series, std::string_view column_name,
                                   std::string_view part) const {
  const std::size_t at = column(column_name);
  std::vector<double> found;
  for (const FigureRow& row : rows) {
    if (row.series == series && (part.empty() || row.part == part)) found.push_back(row.values.at(at));
  }
  return found;
}

void FigureClaims::ask(const std::string& what, bool holds) {
  ++asked_;
  if (!holds) failed_.push_back(what);
}

void FigureClaims::tell(Figure& figure) const {
  figure.confirmed = failed_.empty();
  figure.result += failed_.empty() ? fmt::format("; all {} claims hold", asked_)
                                   : fmt::format("; {} of {} claims hold, not: {}", asked_ - failed_.size(),
                                                 asked_, fmt::join(failed_, "; "));
}

std::string to_csv(const Figure& figure) {
  const bool parts = std::any_of(figure.rows.begin(), figure.rows.end(),
                                 [](const FigureRow& row) { return !row.part.empty(); });
  std::string text = parts ? "part,series" : "series";
  for (const std::string& column : figure.columns) text += "," + in_quotes(column);
  text += '\n';
  for (const FigureRow& row : figure.rows) {
    if (parts) text += in_quotes(row.part) + ",";
    text += in_quotes(row.series);
    for (const double value : row.values) text += fmt::format(",{:.7g}", value);
    text += '\n';
  }
  return text;
}

std::optional<double> height_at(std::span<const double> xs, std::span<const double> ys, double x) {
  std::vector<std::size_t> order(xs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return xs[a] < xs[b]; });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t here = order[i];
    if (xs[here] == x) return ys[here];
    if (xs[here] < x || i == 0) continue;
    const std::size_t before = order[i - 1];
    if (xs[before] > x) continue;
    const double share = (x - xs[before]) / (xs[here] - xs[before]);
    return ys[before] + share * (ys[here] - ys[before]);
  }
  return std::nullopt;
}

}  // namespace fogline
