// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "random/key.hpp"
#include "roads/city_plane.hpp"
#include "roads/network.hpp"

namespace fogline::roads::sketch {

/// The map is a rectangle of this size around the origin.
inline constexpr double half_width_m = 3500;
inline constexpr double half_height_m = 3000;
inline constexpr double line_step_m = 10;  ///< distance of points on a drawn line

/// A street as drawn, before it is cut at junctions.
struct Stroke {
  Line line;
  RoadClass road_class = RoadClass::residential;
  bool one_way = false;            ///< traffic only along the line
  bool raised = false;             ///< crosses other streets without meeting them
  std::vector<std::size_t> joins;  ///< of a raised stroke: points at which ramps meet it
};

/// An irregular round patch: a park, a wood, an industrial area.
struct Patch {
  Point centre;
  double radius_m = 0;
  double stretch = 1;  ///< length over breadth
  Turn turn;
  std::uint64_t seed = 0;

  /// 0 at the centre, 1 on the rim, more outside.
  double reach(Point p) const;
  Line outline() const;
};

/// What a town planner would draw first: the river, the main roads, the ring, the motorway, and where the town
/// is dense. The main roads are laid out in river coordinates (metres along the river, metres off its
/// middle), where the river is straight and it is plain which road crosses it; then all is bent together.
class Plan {
 public:
  explicit Plan(const random::Key& key);

  const std::vector<Stroke>& main_roads() const { return main_roads_; }
  const Line& motorway() const { return motorway_; }  ///< its middle, from edge to edge of the map
  const std::vector<Point>& interchanges() const { return interchanges_; }
  std::vector<Stroke> carriageways_and_ramps() const;
  const Patch& industry() const { return industry_; }
  const Patch& campus() const { return campus_; }
  Point centre() const { return centre_; }

  double bank_distance_m(Point p) const;  ///< below 0 in the water
  Point river_direction(Point p) const;
  double off_centre_m(Point p) const;  ///< in the plan's stretched measure: along the river counts less
  /// Above 0 where there are streets, towards 1 in the old town.
  double density(Point p) const;
  Line river_outline() const;
  static bool on_map(Point p, double margin_m = 0);

 private:
  struct RiverSpot {
    double along_m = 0;
    double off_m = 0;
  };
  Point place(double along_m, double off_m) const;
  RiverSpot spot(Point p) const;
  double bend(double along_m) const;
  double half_breadth(double along_m) const;
  void lay_bridges(Dice& dice);
  void lay_avenues(Dice& dice);
  void lay_rings(Dice& dice);
  void lay_quays();
  void lay_motorway(Dice& dice);
  void lay_interchanges();
  void lay_patches(Dice& dice);
  void add_road(const std::vector<RiverSpot>& control, RoadClass road_class);
  Line draw(const std::vector<RiverSpot>& control, double wobble_m) const;

  Turn turn_;
  Point shift_;
  double centre_bank_ = 1;  ///< 1 or -1: the bank the old town lies on
  double motorway_side_ = 1;
  Noise slow_bend_, quick_bend_, breadth_, wobble_x_, wobble_y_, edge_, grain_;
  Point centre_;
  std::vector<double> bridges_;  ///< metres along the river, from one end to the other
  double ring_left_ = 0;         ///< where avenues leave the inner ring, along the river
  double ring_right_ = 0;
  std::vector<Stroke> main_roads_;
  Line motorway_;
  std::vector<Point> interchanges_;
  std::vector<std::size_t> interchange_index_;       ///< point of the motorway
  std::vector<std::pair<Point, Point>> ramp_heads_;  ///< on the crossing road, left and right of the motorway
  Patch industry_, campus_;
  std::vector<Patch> villages_;
};

}  // namespace fogline::roads::sketch
