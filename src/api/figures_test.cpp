// SPDX-License-Identifier: Apache-2.0
#include "fogline/figures.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "fogline/claims.hpp"
#include "fogline/error.hpp"
#include "fogline/kinds.hpp"

namespace fogline::figures_test {
namespace {

using Json = nlohmann::json;
using testing::StartsWith;

TEST(Figures, AreListedWithTheirKind) {
  const auto all = figures();
  EXPECT_GT(all.size(), 10U);
  for (const char* kind : {"place-", "stream-", "path-", "weights-", "traces-"})
    EXPECT_TRUE(std::ranges::any_of(all, [&](const FigureName& one) { return one.name.starts_with(kind); }))
        << kind;
  for (const FigureName& one : all) EXPECT_FALSE(one.what.empty()) << one.name;
}

TEST(Figures, AreComputedAsDataAndPictures) {
  Listener listener;
  const ComputedFigure figure = compute_figure({.name = "place-fig4", .quick = true}, listener);
  const Json json = Json::parse(figure.json);
  EXPECT_EQ(json["figure"], "place-fig4");
  EXPECT_EQ(json["quick"], true);
  EXPECT_EQ(json["confirmed"], figure.confirmed);
  EXPECT_FALSE(json["rows"].empty());
  EXPECT_THAT(figure.csv, StartsWith("series,"));
  EXPECT_THAT(figure.svg, StartsWith("<svg"));
}

struct Impatient : Listener {
  bool progress(std::string_view, std::uint64_t, std::uint64_t) override { return false; }
};

TEST(Figures, SayWhatIsWrongAndCanBeStopped) {
  Listener listener;
  try {
    compute_figure({.name = "place-fig99"}, listener);
    FAIL() << "there is none of that name";
  } catch (const InvalidOption& error) {
    EXPECT_EQ(error.option(), "figure");
  }
  Impatient impatient;
  EXPECT_THROW(compute_figure({.name = "place-fig6", .quick = true}, impatient), Cancelled);
}

TEST(Claims, AreAnArrayOfThoseThatHoldAndThenThoseThatDoNot) {
  const Json all = Json::parse(claims());
  ASSERT_GT(all.size(), 10U);
  EXPECT_EQ(all.front()["holds"], true);
  EXPECT_EQ(all.back()["holds"], false);
}

}  // namespace
}  // namespace fogline::figures_test
