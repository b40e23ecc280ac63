// SPDX-License-Identifier: Apache-2.0
#include "report/figure_json.hpp"

#include <nlohmann/json.hpp>

namespace fogline::report {
namespace {

using Json = nlohmann::ordered_json;

Json row_json(const FigureRow& row, const std::vector<std::string>& columns) {
  Json line = {{"series", row.series}};
  if (!row.part.empty()) line["part"] = row.part;
  for (std::size_t i = 0; i < columns.size(); ++i) line[columns[i]] = row.values[i];
  return line;
}

}  // namespace

Json figure_json(const Figure& figure, const FigureOptions& asked) {
  Json numbers = Json::object(), rows = Json::array();
  for (const auto& [name, value] : figure.numbers) numbers[name] = value;
  for (const FigureRow& row : figure.rows) rows.push_back(row_json(row, figure.columns));
  return {{"figure", figure.name},         {"data", figure.data},     {"quick", asked.quick},
          {"claim", figure.claim},         {"result", figure.result}, {"confirmed", figure.confirmed},
          {"numbers", std::move(numbers)}, {"rows", std::move(rows)}};
}

Json figure_list_json(std::span<const FigureKind> kinds) {
  Json list = Json::array();
  for (const FigureKind& kind : kinds) list.push_back({{"figure", kind.name}, {"what", kind.what}});
  return list;
}

}  // namespace fogline::report
