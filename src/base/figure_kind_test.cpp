// SPDX-License-Identifier: Apache-2.0
#include "base/figure_kind.hpp"

#include <array>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::figure_kind_test {
namespace {

constexpr std::array kinds{
    FigureKind{"a-fig1", "one", [](const FigureOptions&) { return Figure{.title = "one"}; }},
    FigureKind{"a-fig2", "two", [](const FigureOptions& options) {
                 return Figure{.title = options.quick ? "quick" : "slow"};
               }}};

TEST(FigureKind, IsFoundByName) {
  const Figure figure = compute_figure(kinds, "a-fig2", {.quick = true});
  EXPECT_EQ(figure.name, "a-fig2");
  EXPECT_EQ(figure.title, "quick");
  EXPECT_THROW(compute_figure(kinds, "a-fig3", {}), InvalidOption);
}

}  // namespace
}  // namespace fogline::figure_kind_test
