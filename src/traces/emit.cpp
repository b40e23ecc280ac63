// SPDX-License-Identifier: Apache-2.0
#include "traces/emit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "traces/curve.hpp"
#include "traces/quick_random.hpp"
#include "traces/trip_shape.hpp"

namespace fogline::traces {
namespace {

using Open = std::function<bool(const PlanePoint&)>;

std::size_t points_of(const Outlines& outlines, std::size_t i) {
  const auto wanted = static_cast<std::size_t>(std::lround(outlines.length_m[i] / outlines.step_m[i])) + 1;
  // An outline has three nodes at least, so that there is something to move; a trip of two points leaves the middle one out.
  return std::max<std::size_t>(2, wanted);
}

/// Places points along an outline and shakes them sideways, each by a share of the shorter stride beside it.
class Placer {
 public:
  Placer(const Outlines& outlines, const Beliefs& b, const CurveDrawer& strides, const Open& open)
      : outlines_(outlines),
        strides_(strides),
        open_(open),
        width_(static_cast<float>(b.layout.width_m)),
        height_(static_cast<float>(b.layout.height_m)),
        fine_(b.layout.fine) {}

  void place(std::size_t i, double shake, QuickRandom& random, std::span<PlanePoint> points) {
    const auto nodes = outlines_.trip(i);
    if (points.size() == nodes.size()) {
      std::copy(nodes.begin(), nodes.end(), points.begin());
      return;
    }
    along_.assign(nodes.size(), 0);
    for (std::size_t k = 1; k < nodes.size(); ++k)
      along_[k] = along_[k - 1] + distance_m(nodes[k - 1], nodes[k]);
    at_.assign(points.size(), 0);
    for (std::size_t p = 1; p < points.size(); ++p)
      at_[p] = at_[p - 1] + static_cast<double>(strides_.stride(random));
    const double scale = along_.back() / at_.back();
    std::size_t leg = 1;
    for (std::size_t p = 0; p < points.size(); ++p) {
      const double where = at_[p] * scale;
      while (leg + 1 < nodes.size() && along_[leg] < where) ++leg;
      const double length = along_[leg] - along_[leg - 1];
      const double u = length > 0 ? std::clamp((where - along_[leg - 1]) / length, 0.0, 1.0) : 0;
      const double ux = nodes[leg].x - nodes[leg - 1].x, uy = nodes[leg].y - nodes[leg - 1].y;
      points[p] = {static_cast<float>(nodes[leg - 1].x + u * ux),
                   static_cast<float>(nodes[leg - 1].y + u * uy)};
      if (p == 0 || p + 1 == points.size() || !(length > 0) || shake <= 0) continue;
      const double stride = std::min(at_[p] - at_[p - 1], at_[p + 1] - at_[p]) * scale;
      const double aside = shake * stride * random.normal() / length;
      const PlanePoint moved{std::clamp(points[p].x - static_cast<float>(aside * uy), 0.0F, width_),
                             std::clamp(points[p].y + static_cast<float>(aside * ux), 0.0F, height_)};
      // What refinement has counted stays so: a point is not shaken out of its cell.
      if (fine_cell(moved) == fine_cell(points[p]) && (!open_ || open_(moved))) points[p] = moved;
    }
    points.front() = nodes.front();
    points.back() = nodes.back();
  }

 private:
  std::uint32_t fine_cell(const PlanePoint& p) const {
    const auto part = [](float at, float whole, std::uint32_t n) {
      return std::min(static_cast<std::uint32_t>(at / whole * static_cast<float>(n)), n - 1);
    };
    return part(p.y, height_, fine_) * fine_ + part(p.x, width_, fine_);
  }

  const Outlines& outlines_;
  const CurveDrawer& strides_;
  const Open& open_;
  float width_, height_;
  std::uint32_t fine_;
  std::vector<double> along_, at_;
};

void add_turns(std::span<const PlanePoint> way, std::array<double, Layout::turn_bins>& turns) {
  for (std::size_t p = 2; p < way.size(); ++p) {
    const double ax = way[p - 1].x - way[p - 2].x, ay = way[p - 1].y - way[p - 2].y;
    const double bx = way[p].x - way[p - 1].x, by = way[p].y - way[p - 1].y;
    const double angle = std::abs(std::atan2(ax * by - ay * bx, ax * bx + ay * by)) / std::numbers::pi;
    turns[std::min(static_cast<std::size_t>(angle * Layout::turn_bins), turns.size() - 1)] +=
        1 / static_cast<double>(way.size() - 2);
  }
}

/// How far points lie beside their outline, as a share of their strides: what makes turns most like those believed without making trips longer than they shall be.
double find_shake(const Outlines& outlines, const Beliefs& b, Placer& placer, const random::Key& key) {
  constexpr std::array<double, 10> shares{0, 0.01, 0.02, 0.04, 0.08, 0.15, 0.25, 0.4, 0.6, 1};
  constexpr double longer = 1.02;
  const double believed = std::accumulate(b.turns.begin(), b.turns.end(), 0.0);
  const std::size_t every = std::max<std::size_t>(1, outlines.size() / 400);
  double best = 0, least = INFINITY;
  std::vector<PlanePoint> points;
  const QuickRandom same_for_all(key.stream("traces shake"));
  for (const double share : shares) {
    QuickRandom random = same_for_all;
    std::array<double, Layout::turn_bins> turns{};
    double before = 0, after = 0;
    for (std::size_t i = 0; i < outlines.size(); i += every) {
      points.resize(points_of(outlines, i));
      placer.place(i, share, random, points);
      add_turns(points, turns);
      before += length_m(outlines.trip(i));
      after += length_m(points);
    }
    const double total = std::accumulate(turns.begin(), turns.end(), 0.0);
    double miss = 0;
    for (std::size_t k = 0; k < turns.size(); ++k)
      miss += std::abs(turns[k] / std::max(total, 1e-9) - b.turns[k] / believed);
    if (after > longer * before && share > 0) break;
    if (miss < least) least = miss, best = share;
  }
  return best;
}

/// Draws from a histogram by running sums.
std::uint32_t drawn_bin(std::span<const double> bins, QuickRandom& random) {
  double at = random.uniform() * std::accumulate(bins.begin(), bins.end(), 0.0);
  std::uint32_t bin = 0;
  while (bin + 1 < bins.size() && at >= bins[bin]) at -= bins[bin++];
  return bin;
}

/// Times of a trip: when it leaves, and at each point in proportion to the way so far.
void tell_times(const Beliefs& b, std::span<const PlanePoint> points, QuickRandom& random,
                std::span<std::int64_t> times) {
  const double length = length_m(points);
  const double leave = (drawn_bin(b.hours, random) + random.uniform()) * 86'400 / Layout::hour_bins;
  const std::uint32_t row = b.layout.length_class(length) * Layout::speed_bins;
  const std::uint32_t bin = drawn_bin(std::span(b.speeds).subspan(row, Layout::speed_bins), random);
  const double speed = Layout::speed_edge(bin) * std::exp2(random.uniform() / 2);
  double way = 0;
  times[0] = static_cast<std::int64_t>(leave);
  for (std::size_t p = 1; p < points.size(); ++p) {
    way += distance_m(points[p - 1], points[p]);
    times[p] = std::max(times[p - 1], static_cast<std::int64_t>(leave + way / speed));
  }
}

}  // namespace

TripSet emit(const Outlines& outlines, const Beliefs& b, const random::Key& key, const Open& open,
             const ParallelOptions& parallel, const Progress& progress) {
  QuickRandom tables(key.stream("traces strides"));
  const CurveDrawer strides(b, tables);
  Placer first(outlines, b, strides, open);
  const double shake = find_shake(outlines, b, first, key);
  TripSet set;
  set.offset.resize(outlines.size() + 1);
  for (std::size_t i = 0; i < outlines.size(); ++i)
    set.offset[i + 1] = set.offset[i] + points_of(outlines, i);
  set.point.resize(set.offset.back());
  if (!b.hours.empty()) set.t.resize(set.point.size());
  const random::StreamFamily streams = key.streams("traces points");
  ProgressMeter meter(progress, "placing points", outlines.size());
  parallel_for(
      outlines.size(), {.threads = parallel.threads, .grain = 256}, [&](std::size_t begin, std::size_t end) {
        Placer placer(outlines, b, strides, open);
        for (std::size_t i = begin; i < end; ++i) {
          QuickRandom random(streams.stream(i));
          const auto points = std::span(set.point).subspan(set.offset[i], set.offset[i + 1] - set.offset[i]);
          placer.place(i, shake, random, points);
          if (set.has_time())
            tell_times(b, points, random, std::span(set.t).subspan(set.offset[i], points.size()));
        }
        meter.advance(end - begin);
      });
  meter.finish();
  return set;
}

}  // namespace fogline::traces
