// SPDX-License-Identifier: Apache-2.0
#include "mobility/state_space.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"

namespace fogline::mobility::state_space_test {
namespace {

using geometry::LonLat;
using geometry::PointXY;
using testing::ElementsAre;
using testing::HasSubstr;

const CellGrid three_by_two = {.cell_m = 100, .west_m = -150, .south_m = -100, .columns = 3, .rows = 2};
const LonLat berlin = {13.377, 52.516};

template <class Body>
std::string refusal(Body body) {
  try {
    body();
  } catch (const InvalidOption& error) {
    return error.what();
  }
  ADD_FAILURE() << "expected an error";
  return "";
}

StateSpace named_places() {
  StateSpace space{.columns = {"x_m", "y_m"}, .values = {0, 0, 100, 0, 0, 300}, .centre = berlin};
  for (const char* name : {"home", "shop", "work"}) space.names.intern(name);
  return space;
}

TEST(StateSpace, CellsAreCalledByColumnAndRow) {
  const StateSpace space = grid_space(three_by_two, berlin);
  ASSERT_EQ(space.states(), 6U);
  EXPECT_EQ(space.names.name(0), "c0r0");
  EXPECT_EQ(space.names.name(5), "c2r1");
  EXPECT_THAT(space.value(0), ElementsAre(-100, -50));
  EXPECT_THAT(space.value(5), ElementsAre(100, 50));
  EXPECT_TRUE(space.is_places());
  check(space);
}

TEST(StateLocator, FindsCellsAndClampsWhatLiesOutside) {
  // row 1:  c0r1 c1r1 c2r1     y from 0 to 100
  // row 0:  c0r0 c1r0 c2r0     y from -100 to 0
  const StateLocator locator(grid_space(three_by_two, std::nullopt));
  EXPECT_EQ(locator.at(PointXY{-149, -99}), 0U);
  EXPECT_EQ(locator.at(PointXY{-50, -1}), 1U);  // a border belongs to the cell east of it
  EXPECT_EQ(locator.at(PointXY{149, 99}), 5U);
  EXPECT_EQ(locator.at(PointXY{0, 5000}), 4U);
  EXPECT_EQ(locator.at(PointXY{-1e300, -1e300}), 0U);
  EXPECT_FALSE(locator.takes_degrees());
  EXPECT_THAT(refusal([&] { locator.at(berlin); }), HasSubstr("metres on a plane"));
  EXPECT_THAT(refusal([&] { locator.at(PointXY{NAN, 0}); }), HasSubstr("finite"));
}

TEST(StateLocator, FindsTheNearestPlace) {
  const StateLocator locator(named_places());
  const geometry::LocalProjection plane(berlin);
  EXPECT_EQ(locator.at(berlin), 0U);
  EXPECT_EQ(locator.at(plane.inverse({60, 10})), 1U);
  EXPECT_EQ(locator.at(plane.inverse({0, 170})), 2U);
  EXPECT_EQ(locator.at(PointXY{50, 0}), 0U) << "a tie goes to the lowest number";
}

TEST(StateLocator, TakesPlacesOnly) {
  StateSpace rooms = named_places();
  rooms.centre.reset();
  measure_by_number(rooms);
  EXPECT_THAT(rooms.values, ElementsAre(0, 1, 2));
  check(rooms);
  EXPECT_THAT(refusal([&] { StateLocator locator(rooms); }), HasSubstr("not places"));
}

TEST(StateLocator, CentresFindThemselves) {
  EXPECT_TRUE(rc::check("the centre of a cell lies in it", [] {
    CellGrid grid;
    grid.cell_m = *rc::gen::inRange(1, 2000);
    grid.west_m = *rc::gen::inRange(-100'000, 100'000);
    grid.south_m = *rc::gen::inRange(-100'000, 100'000);
    grid.columns = *rc::gen::inRange(1U, 30U);
    grid.rows = *rc::gen::inRange(1U, 30U);
    const StateSpace space = grid_space(grid, berlin);
    const StateLocator locator(space);
    const geometry::LocalProjection plane(berlin);
    for (StateId s = 0; s < space.states(); s += 7) {
      const PointXY centre{space.value(s)[0], space.value(s)[1]};
      RC_ASSERT(locator.at(centre) == s);
      RC_ASSERT(locator.at(plane.inverse(centre)) == s);
    }
  }));
}

TEST(StateSpace, RefusesWhatDoesNotFit) {
  const auto broken = [](auto change) {
    StateSpace space = named_places();
    change(space);
    return refusal([&] { check(space); });
  };
  EXPECT_THAT(broken([](StateSpace& s) { s.names = {}; }), HasSubstr("there is none"));
  EXPECT_THAT(broken([](StateSpace& s) { s.names.intern(" inn"); }), HasSubstr("name of state 4"));
  EXPECT_THAT(broken([](StateSpace& s) { s.names.intern("a\nb"); }), HasSubstr("invisible character"));
  EXPECT_THAT(broken([](StateSpace& s) { s.names.intern("caf\xE9"); }), HasSubstr("UTF-8"));
  EXPECT_THAT(broken([](StateSpace& s) { s.names.intern("inn"); }), HasSubstr("measurement of each state"));
  EXPECT_THAT(broken([](StateSpace& s) { s.values[3] = INFINITY; }), HasSubstr("state shop"));
  EXPECT_THAT(broken([](StateSpace& s) { s.values[0] = -1.1e12; }), HasSubstr("beyond 10^12"));
  EXPECT_THAT(broken([](StateSpace& s) { s.columns.clear(); }), HasSubstr("1 to 8 columns"));
  EXPECT_THAT(broken([](StateSpace& s) { s.columns.assign(9, "x"); }), HasSubstr("1 to 8 columns"));
  EXPECT_THAT(broken([](StateSpace& s) { s.columns[0] = ""; }), HasSubstr("proper name"));
  EXPECT_THAT(broken([](StateSpace& s) { s.columns[0] = "height"; }), HasSubstr("x_m and y_m"));
  EXPECT_THAT(broken([](StateSpace& s) { s.centre = LonLat{200, 0}; }), HasSubstr("centre"));
  EXPECT_THAT(broken([](StateSpace& s) { s.grid = three_by_two; }), HasSubstr("number of cells"));
  EXPECT_THAT(refusal([] { grid_space({.cell_m = 0, .columns = 1, .rows = 1}, {}); }), HasSubstr("above 0"));
  EXPECT_THAT(refusal([] { grid_space({.cell_m = 1, .columns = 0, .rows = 1}, {}); }), HasSubstr("cells"));
  EXPECT_THAT(refusal([] { grid_space({.cell_m = 1, .columns = 90'000, .rows = 90'000}, {}); }),
              HasSubstr("16000000"));
  EXPECT_THAT(refusal([] { grid_space({.cell_m = 1, .west_m = NAN, .columns = 1, .rows = 1}, {}); }),
              HasSubstr("10^12"));
}

}  // namespace
}  // namespace fogline::mobility::state_space_test
