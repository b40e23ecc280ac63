// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "geometry/area_index.hpp"
#include "geometry/nearest_index.hpp"
#include "geometry/polygons.hpp"
#include "random/stream.hpp"

namespace fogline::traces {

/// A point of a trip while it is being moved.
struct CoursePoint {
  static constexpr std::uint32_t added = ~std::uint32_t{0};
  geometry::PointXY at;
  std::int64_t t = 0;
  std::uint32_t origin = added;  ///< the point of the trip that it was, or `added`
};
using Course = std::vector<CoursePoint>;

/// The places of a frame where trips may be, and ways round the places where they may not.
///
///     OpenGround ground(open, {.south_west = {-2, -2}, .north_east = {1002, 1002}, .outline = &outline});
///     if (!ground.clear(p)) p = *ground.nearest(p, 1);
///     ground.lead(course, {.beyond_m = 1}, ties);        // round every closed area
///
/// Points are kept `clear_m` from the border, so that rounding on the way to a file does not push them over it. The border of the whole frame
/// (the outline) is no such border: the outline reaches `skirt_m` beyond the frame, and points on the frame's edge are as good as any.
/// Cost: building a few milliseconds; moving a trip some microseconds for each area in its way.
class OpenGround {
 public:
  /// More than twice what a file rounds a point by, a tenth of a metre.
  static constexpr double clear_m = 0.25;
  /// More than `clear_m`, so that points on the frame's edge are clear of the outline. Chosen, not derived.
  static constexpr double skirt_m = 2;

  struct Options {
    geometry::PointXY south_west{}, north_east{};  ///< a box round the outline
    const geometry::AreaIndex* outline =
        nullptr;  ///< its area 0: all that there is, skirt_m beyond the frame; not kept
  };
  OpenGround(const geometry::Polygons& open, const Options& options);
  ~OpenGround();
  OpenGround(OpenGround&&) noexcept;

  bool empty() const { return refuges_ == std::nullopt; }  ///< no place lies clear of the border
  bool contains(const geometry::PointXY& p) const { return index_.contains(0, p); }
  bool clear(const geometry::PointXY& p) const {
    return index_.contains_well(0, p, clear_m, [this](std::uint32_t e) { return outline_edge_[e] == 0; });
  }
  bool crosses(const geometry::PointXY& a, const geometry::PointXY& b) const {
    return index_.crosses(0, a, b);
  }

  /// Straight out to the nearest open place and `beyond_m` further; the point itself if it is clear. Nothing if the ground is empty.
  std::optional<geometry::PointXY> nearest(const geometry::PointXY& p, double beyond_m) const;

  struct LeadOptions {
    double beyond_m = 1;  ///< how far from a border that is walked round, above clear_m
  };
  /// Moves the points of a course that are not clear, and leads its steps round what they cross. A way round is taken along the border, on the side that moves its points
  /// less, or the shorter one if it has none there. Points keep their order and their share of the way, and points are added at corners where none is near. Where there is
  /// no way round (the two sides are not connected), each point goes to the nearest open place and the step still crosses. Added points get times in between.
  /// True if every point is clear.
  bool lead(Course& course, const LeadOptions& options, random::Stream& ties) const;

 private:
  struct Tree;  // of edges
  struct Spot {
    geometry::PointXY at;
    std::uint32_t edge = 0;
  };
  struct Stray {
    CoursePoint point;
    double share = 0;  ///< of the visit; at first metres along the course
  };
  struct Visit {
    Spot in = {}, out = {};
    double begin_m = 0, end_m = 0;  ///< along the course
    bool over = false;
    std::vector<Stray> strays = {};  ///< the points that must leave
  };

  double offset_of(std::uint32_t edge, double beyond_m) const;
  geometry::PointXY beside(const Spot& spot, double beyond_m) const;
  geometry::PointXY beside_corner(std::uint32_t edge, double beyond_m) const;  ///< where `edge` begins
  std::uint32_t before(std::uint32_t edge) const;
  std::uint32_t after(std::uint32_t edge) const;
  double forward_m(const Spot& from, const Spot& to) const;
  std::vector<geometry::PointXY> walk_round(const Spot& from, const Spot& to, bool forward,
                                            double beyond_m) const;
  std::vector<geometry::PointXY> better_side(const Visit& visit, double beyond_m, random::Stream& ties) const;
  bool visits_between(const Course& course, std::size_t i, std::size_t j, std::vector<Visit>& visits) const;
  Course way_past(const Visit& visit, const geometry::PointXY& from, const geometry::PointXY& to,
                  double beyond_m, random::Stream& ties) const;
  static double moved_m(const Course& course, const Visit& visit);
  static Course placed_on(std::vector<geometry::PointXY> corners, const Visit& visit);
  bool lead_between(Course& course, std::size_t i, std::size_t j, double beyond_m,
                    random::Stream& ties) const;
  void tauten(std::vector<geometry::PointXY>& way) const;
  void find_refuges(const Options& options);
  bool put_right(CoursePoint& point, double beyond_m) const;

  geometry::AreaIndex index_;
  std::vector<char> outline_edge_;     ///< per edge
  std::vector<double> along_;          ///< per edge, metres from the beginning of its ring
  std::vector<std::uint32_t> first_;   ///< per ring, its first edge; one more at the end
  std::vector<double> ring_length_m_;  ///< per ring
  std::unique_ptr<Tree> tree_;
  std::vector<geometry::PointXY> refuge_;
  std::optional<geometry::NearestIndex> refuges_;
};

}  // namespace fogline::traces
