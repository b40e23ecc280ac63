// SPDX-License-Identifier: Apache-2.0
#include "geometry/nearest_index.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

#include <nanoflann.hpp>

#include "base/error.hpp"

namespace fogline::geometry {
namespace {

/// A tree over n points takes as long to build as looking at all of them some hundred times. So many are asked about without one, at once or
/// one after another: who asks for one position after another must not look at all points each time.
constexpr std::size_t too_few_for_a_tree = 16;

// Squares of coordinates must stay far from overflow.
constexpr double largest_m = 1e9;

void check(const PointXY& point) {
  // Written so that NaN fails the comparison.
  if (!(std::abs(point.x_m) <= largest_m && std::abs(point.y_m) <= largest_m)) {
    throw InvalidOption("point", "must be finite and within 10^9 m of the plane's centre");
  }
}

// The face nanoflann wants to see points through.
struct Points {
  std::vector<PointXY> at;

  std::size_t kdtree_get_point_count() const { return at.size(); }
  double kdtree_get_pt(std::size_t index, std::size_t axis) const {
    return axis == 0 ? at[index].x_m : at[index].y_m;
  }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

// Keeps the best point and, of equally near ones, the lowest number. The tree offers only points nearer than
// worstDist(), which is therefore a hair above the best so that ties are offered too.
class LowestNearest {
 public:
  using DistanceType = double;

  double worstDist() const { return std::nextafter(best_, std::numeric_limits<double>::infinity()); }
  bool full() const { return true; }
  bool addPoint(double square_m2, std::uint32_t vertex) {
    if (square_m2 < best_ || (square_m2 == best_ && vertex < vertex_)) {
      best_ = square_m2;
      vertex_ = vertex;
    }
    return true;
  }
  NearestIndex::Match match() const { return {vertex_, std::sqrt(best_)}; }

 private:
  double best_ = std::numeric_limits<double>::max();
  std::uint32_t vertex_ = std::numeric_limits<std::uint32_t>::max();
};

using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Points>, Points, 2,
                                                 std::uint32_t>;

Points checked(std::vector<PointXY> points) {
  if (points.empty()) throw InvalidOption("points", "must hold at least one");
  if (points.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw InvalidOption("points", "must be fewer than 2^32 - 1");
  }
  for (const PointXY& point : points) check(point);
  return {std::move(points)};
}

}  // namespace

struct NearestIndex::Impl {
  explicit Impl(std::vector<PointXY> all) : points(checked(std::move(all))) {}

  const Tree& tree() const {
    std::call_once(once, [this] {
      built = std::make_unique<Tree>(2, points);
      is_built = true;
    });
    return *built;
  }

  /// The same without a tree.
  Match look_at_all(const PointXY& point) const {
    LowestNearest best;
    for (std::uint32_t i = 0; i < points.at.size(); ++i) {
      const double x = points.at[i].x_m - point.x_m, y = points.at[i].y_m - point.y_m;
      best.addPoint(x * x + y * y, i);
    }
    return best.match();
  }

  Points points;
  mutable std::once_flag once;
  mutable std::unique_ptr<Tree> built;
  mutable std::atomic<bool> is_built{false};
  mutable std::atomic<std::size_t> asked{0};  // without a tree
};

NearestIndex::NearestIndex(std::vector<PointXY> points) : impl_(std::make_unique<Impl>(std::move(points))) {}
NearestIndex::NearestIndex(NearestIndex&&) noexcept = default;
NearestIndex& NearestIndex::operator=(NearestIndex&&) noexcept = default;
NearestIndex::~NearestIndex() = default;

std::size_t NearestIndex::size() const {
  return impl_->points.at.size();
}

std::span<const PointXY> NearestIndex::points() const {
  return impl_->points.at;
}

NearestIndex::Match NearestIndex::nearest(const PointXY& point) const {
  check(point);
  const double query[2] = {point.x_m, point.y_m};
  LowestNearest best;
  impl_->tree().findNeighbors(best, query, nanoflann::SearchParams());
  return best.match();
}

std::vector<NearestIndex::Match> NearestIndex::nearest(std::span<const PointXY> points,
                                                       const ParallelOptions& options) const {
  std::vector<Match> matches(points.size());
  if (points.size() <= too_few_for_a_tree && !impl_->is_built &&
      impl_->asked.fetch_add(points.size()) + points.size() <= too_few_for_a_tree) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      check(points[i]);
      matches[i] = impl_->look_at_all(points[i]);
    }
    return matches;
  }
  ParallelOptions coarse = options;
  coarse.grain = std::max<std::size_t>(coarse.grain, 1024);
  parallel_for(points.size(), coarse, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) matches[i] = nearest(points[i]);
  });
  return matches;
}

}  // namespace fogline::geometry
