// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <set>
#include <span>
#include <string_view>

#include <gtest/gtest.h>

#include "base/figure_kind.hpp"

namespace fogline::testing_support {

/// Computes every figure of a kind, and looks whether its rows and views fit its columns. How many there are.
inline std::size_t expect_figures_fit(std::span<const FigureKind> kinds, const FigureOptions& options) {
  std::set<std::string_view> names;
  for (const FigureKind& kind : kinds) {
    SCOPED_TRACE(kind.name);
    EXPECT_TRUE(names.insert(kind.name).second);
    const Figure figure = compute_figure(kinds, kind.name, options);
    EXPECT_EQ(figure.name, kind.name);
    EXPECT_FALSE(figure.title.empty() || figure.data.empty() || figure.claim.empty() ||
                 figure.result.empty());
    EXPECT_FALSE(figure.rows.empty() || figure.views.empty());
    for (const FigureRow& row : figure.rows) EXPECT_EQ(row.values.size(), figure.columns.size());
    for (const FigureView& view : figure.views) {
      EXPECT_NO_THROW(figure.column(view.x.column));
      EXPECT_NO_THROW(figure.column(view.y.column));
      EXPECT_TRUE(view.part.empty() || std::ranges::any_of(figure.rows, [&](const FigureRow& row) {
                    return row.part == view.part;
                  }));
    }
  }
  return names.size();
}

/// The same options, with releases of another key than a figure asks for.
inline FigureOptions with_key(const FigureOptions& options, const random::Key& key) {
  FigureOptions other = options;
  other.whole = [whole = options.whole, &key](const WholeRequest& wanted) {
    return [draw = whole(wanted), &key](const random::Key&) { return draw(key); };
  };
  return other;
}

}  // namespace fogline::testing_support
