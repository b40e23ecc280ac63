// SPDX-License-Identifier: Apache-2.0
#include "roads/city_plan.hpp"

#include <algorithm>

namespace fogline::roads::sketch {
namespace {

constexpr double old_town_off_river_m = 520;

Line clip_to_map(const Line& line) {
  // Keeps the longest run of points on the map; main roads leave it once at each end.
  Line best;
  Line run;
  for (const Point p : line) {
    if (Plan::on_map(p)) {
      run.push_back(p);
    } else {
      if (run.size() > best.size()) best = run;
      run.clear();
    }
  }
  return run.size() > best.size() ? run : best;
}

}  // namespace

double Patch::reach(Point p) const {
  const Point local = turn.back(p - centre);
  const Point round{local.x_m / stretch, local.y_m * stretch};
  const double distance = norm(round);
  if (distance == 0) return 0;
  const Noise rim(seed, 1);
  return distance / (radius_m * (1 + 0.28 * rim(unit(round) * 1.6) + 0.1 * rim(unit(round) * 4.7)));
}

Line Patch::outline() const {
  Line ring;
  constexpr int corners = 48;
  for (int i = 0; i < corners; ++i) {
    // Directions from the unit square's rim; their uneven spread does not show.
    const double t = 8.0 * i / corners;
    const double side = t - 2 * std::floor(t / 2) - 1;
    Point direction{1, side};
    for (int quarter = static_cast<int>(t / 2); quarter > 0; --quarter) direction = left_of(direction);
    const Point round = unit(direction);
    const Point probe = centre + turn(Point{round.x_m * stretch, round.y_m / stretch});
    ring.push_back(centre + (probe - centre) * (1 / reach(probe)));
  }
  return ring;
}

bool Plan::on_map(Point p, double margin_m) {
  return std::abs(p.x_m) <= half_width_m - margin_m && std::abs(p.y_m) <= half_height_m - margin_m;
}

namespace {

Noise noise_of(const random::Key& key, std::uint64_t which, double wavelength_m) {
  return Noise(key.stream("city noise", which).next64(), wavelength_m);
}

}  // namespace

Plan::Plan(const random::Key& key)
    : slow_bend_(noise_of(key, 0, 1650)),
      quick_bend_(noise_of(key, 1, 620)),
      breadth_(noise_of(key, 2, 500)),
      wobble_x_(noise_of(key, 3, 420)),
      wobble_y_(noise_of(key, 4, 420)),
      edge_(noise_of(key, 5, 900)),
      grain_(noise_of(key, 6, 330)) {
  Dice dice(key.stream("city plan"));
  turn_ = Turn::half_tangent(dice.in(-0.30, 0.30));
  shift_ = {dice.around(0, 250), dice.around(-250, 150)};
  centre_bank_ = 1;
  motorway_side_ = dice.chance(0.5) ? 1 : -1;
  if (dice.chance(0.5)) {
    centre_bank_ = -1;
    shift_.y_m = -shift_.y_m;
  }
  centre_ = place(0, old_town_off_river_m);
  lay_bridges(dice);
  lay_avenues(dice);
  lay_rings(dice);
  lay_quays();
  lay_motorway(dice);
  lay_interchanges();
  lay_patches(dice);
}

double Plan::bend(double along_m) const {
  return 620 * slow_bend_({along_m, 0.5}) + 75 * quick_bend_({along_m, 0.5});
}

double Plan::half_breadth(double along_m) const {
  return 52 + 16 * breadth_({along_m, 0.5});
}

Point Plan::place(double along_m, double off_m) const {
  const double fading = 1 / (1 + off_m * off_m / (1500.0 * 1500.0));
  return turn_(Point{along_m, centre_bank_ * off_m + bend(along_m) * fading}) + shift_;
}

Plan::RiverSpot Plan::spot(Point p) const {
  const Point straight = turn_.back(p - shift_);
  const double bent = bend(straight.x_m);
  double off = straight.y_m - bent;
  // The bend fades slowly with distance, so this contracts; the number of rounds is fixed for repeatability.
  for (int round = 0; round < 12; ++round) off = straight.y_m - bent / (1 + off * off / (1500.0 * 1500.0));
  return {straight.x_m, centre_bank_ * off};
}

double Plan::bank_distance_m(Point p) const {
  const RiverSpot at = spot(p);
  const double slope = (bend(at.along_m + 5) - bend(at.along_m - 5)) / 10;
  return std::abs(at.off_m) / std::sqrt(1 + slope * slope) - half_breadth(at.along_m);
}

Point Plan::river_direction(Point p) const {
  const RiverSpot at = spot(p);
  return unit(place(at.along_m + 15, at.off_m) - place(at.along_m - 15, at.off_m));
}

double Plan::off_centre_m(Point p) const {
  const RiverSpot at = spot(p);
  const double across = at.off_m - 380;
  const double along = at.along_m / 1.22;
  return std::sqrt(along * along + across * across);
}

double Plan::density(Point p) const {
  const double rim = 2600 * (1 + 0.24 * edge_(p));
  double density = 1 - off_centre_m(p) / rim + 0.05 * grain_(p);
  for (const Patch& village : villages_) density = std::max(density, 0.55 * (1 - village.reach(p)));
  density = std::max(density, 0.5 * (1 - industry_.reach(p)));
  return density;
}

Line Plan::river_outline() const {
  Line left;
  Line right;
  for (double along = -6000; along <= 6000; along += 30) {
    const double slope = (bend(along + 5) - bend(along - 5)) / 10;
    const double off = half_breadth(along) * std::sqrt(1 + slope * slope);
    left.push_back(place(along, off));
    right.push_back(place(along, -off));
  }
  left.insert(left.end(), right.rbegin(), right.rend());
  return left;
}

Line Plan::draw(const std::vector<RiverSpot>& control, double wobble_m) const {
  Line points;
  for (const RiverSpot& at : control) points.push_back({at.along_m, at.off_m});
  Line line;
  for (const Point p : spline(points, line_step_m)) {
    // Wobble along the river only, so that no road slips into the water or off its bridge head.
    const Point at = place(p.x_m, p.y_m);
    const double calm = std::min(1.0, std::abs(p.y_m) / 600);
    line.push_back(place(p.x_m + wobble_m * wobble_x_(at), p.y_m + calm * wobble_m * wobble_y_(at)));
  }
  return clip_to_map(resample(line, line_step_m));
}

void Plan::add_road(const std::vector<RiverSpot>& control, RoadClass road_class) {
  Line line = draw(control, 38);
  if (line.size() > 20) main_roads_.push_back({std::move(line), road_class, false, false, {}});
}

void Plan::lay_bridges(Dice& dice) {
  bridges_ = {dice.around(-1980, 160), dice.around(-880, 110), dice.around(0, 90), dice.around(860, 110),
              dice.around(1960, 160)};
  ring_left_ = dice.around(-640, 70);
  ring_right_ = dice.around(620, 70);
}

void Plan::lay_avenues(Dice& dice) {
  const double c = old_town_off_river_m;
  const double middle = bridges_[2];
  const auto j = [&](double value) { return dice.around(value, 130); };
  add_road({{j(-250), -6000},
            {j(-150), -4200},
            {j(0), -2900},
            {j(150), -1900},
            {j(60), -1100},
            {middle, -400},
            {middle, 0},
            {middle, 230},
            {0, c},
            {j(60), 1150},
            {j(-80), 1900},
            {j(120), 2900},
            {j(300), 4200},
            {j(300), 6000}},
           RoadClass::primary);
  add_road({{-6000, j(1300)},
            {-4400, j(1150)},
            {-3000, j(760)},
            {-1900, j(620)},
            {-900, j(640)},
            {0, c},
            {900, j(700)},
            {1900, j(640)},
            {3000, j(820)},
            {4400, j(1100)},
            {6000, j(1400)}},
           RoadClass::primary);
  add_road({{ring_right_ - 8, 1050},
            {ring_right_, 1060},
            {j(1150), j(1500)},
            {j(1900), j(2150)},
            {j(2700), j(3000)},
            {j(3900), j(4200)}},
           RoadClass::primary);
  add_road({{ring_left_ + 8, 1050},
            {ring_left_, 1060},
            {j(-1100), j(1550)},
            {j(-1800), j(2250)},
            {j(-2500), j(3100)},
            {j(-3600), j(4300)}},
           RoadClass::primary);
  add_road({{bridges_[1], -640},
            {j(-1350), j(-1150)},
            {j(-1950), j(-1800)},
            {j(-2800), j(-2600)},
            {j(-4200), j(-3700)}},
           RoadClass::primary);
  add_road({{bridges_[3], -640},
            {j(1300), j(-1200)},
            {j(1950), j(-1750)},
            {j(2900), j(-2450)},
            {j(4300), j(-3500)}},
           RoadClass::primary);
  add_road({{-6000, j(-1500)},
            {-4200, j(-1150)},
            {-3000, j(-860)},
            {-1980, j(-700)},
            {bridges_[1], -620},
            {0, j(-720)},
            {bridges_[3], -620},
            {1950, j(-720)},
            {3000, j(-900)},
            {4300, j(-1150)},
            {6000, j(-1400)}},
           RoadClass::secondary);
}

void Plan::lay_rings(Dice& dice) {
  const auto j = [&](double value) { return dice.around(value, 70); };
  const double left = bridges_[1];
  const double right = bridges_[3];
  add_road({{left, -660},
            {left, -300},
            {left, 0},
            {left, 260},
            {j(-860), 640},
            {ring_left_, 1060},
            {j(-60), 1290},
            {ring_right_, 1060},
            {j(870), 660},
            {right, 260},
            {right, 0},
            {right, -300},
            {right, -660}},
           RoadClass::primary);
  const double west = bridges_[0];
  const double east = bridges_[4];
  const double south = j(-1940);
  add_road({{-40, south},
            {j(-950), j(-1780)},
            {j(-1700), j(-1250)},
            {west, -600},
            {west, 0},
            {west, 520},
            {j(-1800), 1150},
            {j(-1300), 1900},
            {j(-500), j(2280)},
            {j(400), j(2300)},
            {j(1250), 1950},
            {j(1850), 1200},
            {east, 520},
            {east, 0},
            {east, -600},
            {j(1680), j(-1300)},
            {j(980), j(-1800)},
            {-40, south}},
           RoadClass::secondary);
}

void Plan::lay_quays() {
  std::vector<RiverSpot> city_side;
  std::vector<RiverSpot> far_side;
  for (double along = -2300; along <= 2300; along += 100) {
    city_side.push_back({along, half_breadth(along) + 62});
    if (std::abs(along) < 1600) far_side.push_back({along, -half_breadth(along) - 62});
  }
  main_roads_.push_back({draw(city_side, 0), RoadClass::secondary, false, false, {}});
  main_roads_.push_back({draw(far_side, 0), RoadClass::tertiary, false, false, {}});
}

void Plan::lay_patches(Dice& dice) {
  const double s = motorway_side_;
  // Draws stand in braces, never as arguments of a call: only braces fix the order in which they are drawn.
  const auto patch = [&](const RiverSpot& at, double radius_m, double stretch) {
    return Patch{place(at.along_m, at.off_m), radius_m, stretch, Turn::half_tangent(dice.in(-0.4, 0.4)),
                 dice.word()};
  };
  industry_ = patch(RiverSpot{s * dice.in(2000, 2200), -dice.in(1250, 1500)}, 520, 1.15);
  campus_ = patch(RiverSpot{-s * dice.in(1300, 1500), dice.in(1350, 1550)}, 270, 1.2);
  for (const RiverSpot& site :
       {RiverSpot{-s * 3050, 780}, {s * 180, 2900}, {-s * 2750, -2450}, {s * 3250, 900}}) {
    const RiverSpot at{dice.around(site.along_m, 120), dice.around(site.off_m, 120)};
    const double radius_m = dice.in(330, 520);
    villages_.push_back(patch(at, radius_m, dice.in(1, 1.3)));
  }
}

}  // namespace fogline::roads::sketch
