// SPDX-License-Identifier: Apache-2.0
#include "traces/invention/legs.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fogline::traces::legs_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A square of 3 km: fine cells of 100 m, medium ones of 200 m, coarse ones of 500 m.
Layout square() {
  Layout layout;
  layout.width_m = layout.height_m = 3'000;
  return layout;
}

TEST(LegReader, BeginsInTheCellsOfAPoint) {
  Leg leg;
  LegReader(square()).begin({550, 120}, leg);
  EXPECT_THAT(leg.fine.all(), ElementsAre(1 * 30 + 5));
  EXPECT_THAT(leg.medium.all(), ElementsAre(0 * 15 + 2));
  EXPECT_THAT(leg.coarse.all(), ElementsAre(0 * 6 + 1));
}

/// On the border, and by rounding beyond it, a point lies in the last cell.
TEST(LegReader, KeepsPointsOnTheBorderInside) {
  Leg leg;
  LegReader(square()).begin({3'000, 3'001}, leg);
  EXPECT_THAT(leg.fine.all(), ElementsAre(30 * 30 - 1));
  EXPECT_THAT(leg.coarse.all(), ElementsAre(6 * 6 - 1));
  LegReader(square()).begin({-1, 0}, leg);
  EXPECT_THAT(leg.fine.all(), ElementsAre(0));
}

///   0 1 2 3 4 5 6     fine cells of the lowest row
///   |-+-+-+-+-->      from the first to the sixth: entered are 1 to 5, medium 1 and 2, coarse 1
TEST(LegReader, NamesTheCellsThatAreEnteredAndNotTheFirst) {
  Leg leg;
  const LegReader reader(square());
  reader.read({50, 50}, {550, 50}, 100, leg);
  EXPECT_THAT(leg.fine.all(), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(leg.medium.all(), ElementsAre(1, 2));
  EXPECT_THAT(leg.coarse.all(), ElementsAre(1));
  reader.read({550, 50}, {50, 50}, 100, leg);
  EXPECT_THAT(leg.fine.all(), ElementsAre(4, 3, 2, 1, 0));
  reader.read({10, 10}, {90, 90}, 1, leg);
  EXPECT_THAT(leg.fine.all(), IsEmpty()) << "within a cell";
}

/// Points may lie cells apart: what is between is filled in by king moves.
TEST(LegReader, LeavesOutNoCellHoweverFarPointsLieApart) {
  const LegReader reader(square());
  for (const float step : {10.0F, 400.0F, 5'000.0F}) {
    Leg leg;
    reader.read({50, 50}, {2'950, 1'450}, step, leg);
    int x = 0, y = 0;
    for (const std::uint16_t cell : leg.fine.all()) {
      EXPECT_LE(std::abs(cell % 30 - x), 1) << step;
      EXPECT_LE(std::abs(cell / 30 - y), 1) << step;
      x = cell % 30;
      y = cell / 30;
    }
    EXPECT_EQ(x, 29);
    EXPECT_EQ(y, 14);
  }
}

}  // namespace
}  // namespace fogline::traces::legs_test
