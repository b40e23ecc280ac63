// SPDX-License-Identifier: Apache-2.0
#include "report/figure_json.hpp"

#include <array>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace fogline::report::figure_json_test {
namespace {

using Json = nlohmann::ordered_json;

TEST(FigureJson, HasClaimResultAndARowForEachPoint) {
  const Figure figure{.name = "place-fig4",
                      .data = "a line",
                      .claim = "the paper says so",
                      .result = "ours do too",
                      .confirmed = true,
                      .numbers = {{"most", 0.5}},
                      .columns = {"length_m", "tp"},
                      .rows = {{.series = "GEM", .values = {100, 0.25}},
                               {.part = "right", .series = "PLM", .values = {200, 0.5}}}};
  EXPECT_EQ(figure_json(figure, {.quick = true}), Json::parse(R"({
    "figure": "place-fig4", "data": "a line", "quick": true, "claim": "the paper says so",
    "result": "ours do too", "confirmed": true, "numbers": {"most": 0.5},
    "rows": [{"series": "GEM", "length_m": 100.0, "tp": 0.25},
             {"series": "PLM", "part": "right", "length_m": 200.0, "tp": 0.5}]})"));
  EXPECT_EQ(figure_json({}, {})["numbers"], Json::object()) << "and not null";
}

TEST(FigureJson, ListsWhatThereIs) {
  const std::array kinds{FigureKind{"a-fig1", "one", nullptr}, FigureKind{"a-fig2", "two", nullptr}};
  EXPECT_EQ(figure_list_json(kinds),
            Json::parse(R"([{"figure": "a-fig1", "what": "one"}, {"figure": "a-fig2", "what": "two"}])"));
}

}  // namespace
}  // namespace fogline::report::figure_json_test
