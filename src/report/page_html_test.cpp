// SPDX-License-Identifier: Apache-2.0
#include "report/page_html.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "report/figure_plots.hpp"

namespace fogline::report::page_html_test {
namespace {

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size()))
    ++count;
  return count;
}

TEST(ReportPage, HoldsTheDocumentOnceAndAsksNobody) {
  if (!has_page()) GTEST_SKIP() << "built without the page";
  const std::string html = page_html({.title = "A & B </title>"});
  EXPECT_EQ(count_of(html, "id=\"document\">{"), 1U);
  EXPECT_EQ(count_of(html, "<title>A &amp; B &lt;/title&gt;</title>"), 1U);
  EXPECT_EQ(count_of(html, "FOGLINE-DOCUMENT"), 0U);
  EXPECT_EQ(count_of(html, "FOGLINE-TITLE"), 0U);
  EXPECT_EQ(count_of(html, "Content-Security-Policy"), 1U);
  for (const char* outside : {"<script src", "<link ", "<img "})
    EXPECT_EQ(count_of(html, outside), 0U) << outside;
}

TEST(ReportPage, MarksTheCuratorsReport) {
  if (!has_page()) GTEST_SKIP() << "built without the page";
  EXPECT_EQ(count_of(page_html({.title = "T", .curator = true}), "<title>PRIVATE: T</title>"), 1U);
  EXPECT_EQ(count_of(page_html({.title = "T"}), "<title>PRIVATE"), 0U);
}

TEST(ReportPage, ShowsAFigureWithItsClaimAndPlots) {
  Figure figure{.name = "place-fig4",
                .title = "T",
                .claim = "falls",
                .result = "falls too",
                .confirmed = true,
                .columns = {"x", "y"}};
  figure.rows = {{.series = "GEM", .values = {1, 2}}, {.series = "GEM", .values = {2, 1}}};
  figure.views = {{.title = "v", .x = {"x", "x"}, .y = {"y", "y"}}};
  const Page page = figure_page(figure);
  EXPECT_EQ(page.id, "place-fig4");
  ASSERT_EQ(page.sections.size(), 2U);
  const auto& plot = std::get<PlotBlock>(page.sections[1].blocks[0]);
  ASSERT_EQ(plot.series.size(), 1U);
  EXPECT_EQ(plot.series[0].y, (std::vector<double>{2, 1}));
  EXPECT_NO_THROW(to_json({.title = "t", .pages = {page}}));
}

}  // namespace
}  // namespace fogline::report::page_html_test
