// SPDX-License-Identifier: Apache-2.0
#include "traces/refine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

#include "traces/curve.hpp"
#include "traces/legs.hpp"
#include "traces/move_counts.hpp"
#include "traces/quick_random.hpp"
#include "traces/visit_counts.hpp"

namespace fogline::traces {
namespace {

/// All tables side by side, with what is believed and how much a miss weighs.
struct Targets {
  std::size_t triples = 0, visits = 0, fine_visits = 0;  ///< where each begins; pairs at 0
  std::vector<float> wanted, weight;

  std::size_t size() const { return wanted.size(); }
};

Targets targets_of(const Beliefs& b, double scale) {
  Targets t;
  const auto append = [&](const Estimate& e) {
    for (std::size_t i = 0; i < e.mean.size(); ++i) {
      t.wanted.push_back(static_cast<float>(e.mean[i] * scale));
      t.weight.push_back(static_cast<float>(1 / (e.variance[i] * scale * scale + 0.5)));
    }
    return t.wanted.size();
  };
  t.triples = append(b.pairs);
  t.visits = append(b.triples);
  t.fine_visits = append(b.visits);
  append(b.fine_visits);
  // Off by one trip matters more where few go.
  const double usual = b.trips * scale / (Layout::medium * Layout::medium);
  for (std::size_t i = t.visits; i < t.fine_visits; ++i)
    t.weight[i] *= static_cast<float>(2 * std::clamp(std::pow(usual / (t.wanted[i] + 0.1), 2), 1.0, 200.0));
  return t;
}

float floats_apart(const PlanePoint& a, const PlanePoint& b) {
  const float dx = a.x - b.x, dy = a.y - b.y;
  return std::sqrt(dx * dx + dy * dy);
}

/// The two nodes of a trip that are farthest apart.
struct Width {
  std::size_t first = 0, second = 0;
  float square = 0;

  float metres() const { return std::sqrt(square); }

  /// Looks at node k and those before `end`. Squares are compared as the whole numbers that their bits are, which is the same order for what is not below zero, and
  /// several at a time.
  void widen(std::span<const PlanePoint> trip, std::size_t k, std::size_t end) {
    const auto square_to = [&](std::size_t j) {
      const float dx = trip[k].x - trip[j].x, dy = trip[k].y - trip[j].y;
      return std::bit_cast<std::int32_t>(dx * dx + dy * dy);
    };
    std::int32_t most = 0;
    for (std::size_t j = 0; j < end; ++j) most = std::max(most, square_to(j));
    if (std::bit_cast<float>(most) <= square) return;
    std::size_t j = 0;
    while (j + 1 < end && square_to(j) != most) ++j;
    *this = {j, k, std::bit_cast<float>(most)};
  }
};

Width width_of(std::span<const PlanePoint> trip) {
  Width width;
  for (std::size_t k = 1; k < trip.size(); ++k) width.widen(trip, k, k);
  return width;
}

/// What one trip shall be, all by itself.
struct Wanted {
  float length_m = 0, diameter_m = 0, cells = 0;

  float miss(float length, float diameter, float cells_passed) const {
    const float a = (length - length_m) / (0.015F * length_m + 40);
    const float b = (diameter - diameter_m) / (0.015F * diameter_m + 40);
    const float c = cells_passed - cells;
    return 1.5e-3F * (a * a + b * b) + 2e-3F * c * c / cells;
  }
};

/// A part of the trips, refined by itself towards its part of the targets.
class Shard {
 public:
  Shard(const Beliefs& b, const Targets& t, const CurveDrawer& drawer, std::size_t index, std::size_t count)
      : t_(t),
        reader_(b.layout),
        drawer_(drawer),
        width_(static_cast<float>(b.layout.width_m)),
        height_(static_cast<float>(b.layout.height_m)),
        index_(index),
        count_(count),
        table_(t.size()),
        moves_(part(0, t.triples), part(t.triples, t.visits)),
        medium_(t.fine_visits - t.visits,
                Sharing({b.favour.begin(), b.favour.end()}, part(t.visits, t.fine_visits))),
        fine_(t.size() - t.fine_visits,
              Sharing(std::vector<float>(t.size() - t.fine_visits, 1), part(t.fine_visits, t.size()))),
        legs_(2 * most_nodes) {
    for (std::size_t k = 0; k < most_nodes; ++k) leg_[k] = &legs_[k], tried_[k] = &legs_[most_nodes + k];
    for (std::size_t k = 0; k < t.size(); ++k) table_[k].weight = t.weight[k];
  }

  /// Adds what this shard's trips count.
  void count(const Outlines& outlines, std::span<float> all) {
    for (std::size_t i = index_; i < outlines.size(); i += count_) {
      open_trip(outlines, i);
      moves_.each_now(
          [&](std::size_t t, std::uint32_t k, float v) { all[(t == 0 ? 0 : t_.triples) + k] += v; });
      for (const std::uint32_t c : medium_.visited()) all[t_.visits + c] += medium_.share(c);
      for (const std::uint32_t c : fine_.visited()) all[t_.fine_visits + c] += fine_.share(c);
    }
  }

  /// How many medium cells each outline passes.
  void count_cells(Outlines& outlines) {
    for (std::size_t i = index_; i < outlines.size(); i += count_) {
      open_trip(outlines, i);
      outlines.cells[i] = static_cast<float>(medium_.visited().size());
    }
  }

  /// `all`: what all shards add up to. A shard takes upon itself its part of what is missing.
  void set_goal(std::span<const float> all) {
    for (std::size_t k = 0; k < t_.size(); ++k) table_[k].over = goal(all, k);
  }
  /// Adds what has changed since the goal was set; `all` is what it was set from.
  void add_changes(std::span<const float> all, std::span<float> sum) const {
    for (std::size_t k = 0; k < t_.size(); ++k) sum[k] += table_[k].over - goal(all, k);
  }

  void refine(Outlines& outlines, const RefineOptions& options, QuickRandom random) {
    for (std::size_t i = index_; i < outlines.size(); i += count_) {
      if (outlines.trip(i).size() < 3) continue;
      open_trip(outlines, i);
      const auto inner = static_cast<double>(outlines.trip(i).size() - 2);
      for (std::uint32_t k = 0; k < options.new_ways; ++k) attempt(true, options, random);
      const auto tries = static_cast<int>(options.tries_per_node * inner + random.uniform());
      for (int k = 0; k < tries; ++k) attempt(false, options, random);
      std::copy(node_.begin(), node_.end(), outlines.trip(i).begin());
    }
  }

 private:
  std::span<Weighed> part(std::size_t begin, std::size_t end) {
    return std::span(table_).subspan(begin, end - begin);
  }
  float goal(std::span<const float> all, std::size_t k) const {
    return (all[k] - t_.wanted[k]) / static_cast<float>(count_);
  }

  void open_trip(const Outlines& outlines, std::size_t i) {
    const auto trip = outlines.trip(i);
    node_.assign(trip.begin(), trip.end());
    step_ = outlines.step_m[i];
    wanted_ = {outlines.length_m[i], outlines.diameter_m[i], outlines.cells[i]};
    reader_.begin(node_[0], *leg_[0]);
    leg_[0]->length = 0;
    for (std::size_t k = 1; k < node_.size(); ++k) {
      reader_.read(node_[k - 1], node_[k], step_, *leg_[k]);
      leg_[k]->length = floats_apart(node_[k - 1], node_[k]);
    }
    medium_.open();
    fine_.open();
    moves_.tried().clear();
    length_ = 0;
    for (std::size_t k = 0; k < node_.size(); ++k) {
      length_ += leg_[k]->length;
      for (const std::uint32_t c : leg_[k]->medium.all()) medium_.enter(c);
      for (const std::uint32_t c : leg_[k]->fine.all()) fine_.enter(c);
      append(leg_[k]->coarse.all(), moves_.tried());
    }
    medium_.opened();
    fine_.opened();
    moves_.opened();
    farthest_ = width_of(node_);
    own_cost_ = wanted_.miss(length_, farthest_.metres(), static_cast<float>(medium_.visited().size()));
  }

  static void append(std::span<const std::uint16_t> cells, std::vector<std::uint16_t>& walk) {
    walk.insert(walk.end(), cells.begin(), cells.end());
  }

  /// Of `moved_`: from what is known if the farthest nodes stayed where they are.
  Width width_after() const {
    const auto moved = [&](std::size_t k) { return k >= first_ && k <= last_; };
    if (moved(farthest_.first) || moved(farthest_.second)) return width_of(moved_);
    Width width = farthest_;
    for (std::size_t k = first_; k <= last_; ++k) width.widen(moved_, k, moved_.size());
    return width;
  }

  bool inside(const PlanePoint& p) const { return p.x >= 0 && p.y >= 0 && p.x <= width_ && p.y <= height_; }

  /// A whole new way between the same ends.
  bool draw_anew(QuickRandom& random) {
    first_ = 1;
    last_ = node_.size() - 2;
    moved_.resize(node_.size());
    drawer_.draw(node_.front(), node_.back(), {wanted_.length_m, wanted_.diameter_m}, random, moved_);
    return true;
  }

  /// Moves some nodes in `moved_`, rather by what leaves every stride as it is; false if that leads out of the frame.
  bool change(QuickRandom& random) {
    const auto inner = static_cast<std::uint32_t>(node_.size() - 2);
    first_ = 1 + random.below(inner);
    const std::uint32_t kind = random.below(8);
    last_ = kind == 0 ? first_ : std::min<std::size_t>(inner, first_ + random.below(std::min(inner, 8U)));
    moved_ = node_;
    const PlanePoint before = node_[first_ - 1], after = node_[last_ + 1];
    if (kind <= 2) {
      mirror(before, after);
    } else if (kind <= 5) {  // the same strides in reverse order
      for (std::size_t k = first_; k <= last_; ++k) {
        const PlanePoint& p = node_[first_ + last_ - k];
        moved_[k] = {before.x + after.x - p.x, before.y + after.y - p.y};
      }
    } else {
      const float reach = std::min(width_, height_) / 12 * std::exp2(-5 * random.uniform_f());
      const float angle = 2 * std::numbers::pi_v<float> * random.uniform_f();
      const float dx = reach * std::cos(angle), dy = reach * std::sin(angle);
      for (std::size_t k = first_; k <= last_; ++k) moved_[k] = {node_[k].x + dx, node_[k].y + dy};
    }
    for (std::size_t k = first_; k <= last_; ++k)
      if (!inside(moved_[k])) return false;
    return true;
  }

  /// Turns a run of nodes over the line between the nodes around it.
  void mirror(const PlanePoint& before, const PlanePoint& after) {
    const float ax = after.x - before.x, ay = after.y - before.y, square = ax * ax + ay * ay;
    if (square < 1) return;
    for (std::size_t k = first_; k <= last_; ++k) {
      const float px = node_[k].x - before.x, py = node_[k].y - before.y;
      const float along = 2 * (px * ax + py * ay) / square;
      moved_[k] = {before.x + along * ax - px, before.y + along * ay - py};
    }
  }

  void attempt(bool anew, const RefineOptions& options, QuickRandom& random) {
    if (!(anew ? draw_anew(random) : change(random))) return;
    if (options.open)
      for (std::size_t k = first_; k <= last_; ++k)
        if (!options.open(moved_[k])) return;
    float length = length_;
    for (std::size_t k = first_; k <= last_ + 1; ++k) {
      tried_[k]->length = floats_apart(moved_[k - 1], moved_[k]);
      length += tried_[k]->length - leg_[k]->length;
    }
    const Width width = width_after();
    // What spoils the trip itself by this much is hardly ever made up for by the tables: one in fifty of what would be kept.
    constexpr float spoilt = 0.015F;
    if (!anew && wanted_.miss(length, width.metres(), wanted_.cells) > own_cost_ + spoilt) return;
    bool same_walk = true;
    for (std::size_t k = first_; k <= last_ + 1; ++k) {
      reader_.read(moved_[k - 1], moved_[k], step_, *tried_[k]);
      same_walk = same_walk && tried_[k]->coarse == leg_[k]->coarse;
    }
    float worse = weigh_visits();
    const float own_cost = wanted_.miss(length, width.metres(), static_cast<float>(medium_.visited_after()));
    worse += own_cost - own_cost_;
    if (!same_walk) worse += weigh_moves();
    if (worse >= 0) {
      medium_.take_back();
      fine_.take_back();
      return;
    }
    medium_.keep();
    fine_.keep();
    if (!same_walk) moves_.keep();
    for (std::size_t k = first_; k <= last_ + 1; ++k) std::swap(leg_[k], tried_[k]);
    std::swap(node_, moved_);
    length_ = length;
    farthest_ = width;
    own_cost_ = own_cost;
  }

  float weigh_visits() {
    medium_.begin_change();
    fine_.begin_change();
    for (std::size_t k = first_; k <= last_ + 1; ++k) {
      if (leg_[k]->fine == tried_[k]->fine) continue;
      for (const std::uint32_t c : leg_[k]->fine.all()) fine_.add(c, -1);
      for (const std::uint32_t c : tried_[k]->fine.all()) fine_.add(c, 1);
      for (const std::uint32_t c : leg_[k]->medium.all()) medium_.add(c, -1);
      for (const std::uint32_t c : tried_[k]->medium.all()) medium_.add(c, 1);
    }
    return medium_.weigh() + fine_.weigh();
  }

  float weigh_moves() {
    std::vector<std::uint16_t>& walk = moves_.tried();
    walk.clear();
    for (std::size_t k = 0; k < node_.size(); ++k)
      append((k >= first_ && k <= last_ + 1 ? tried_ : leg_)[k]->coarse.all(), walk);
    return moves_.weigh();
  }

  const Targets& t_;
  LegReader reader_;
  const CurveDrawer& drawer_;
  float width_, height_;
  std::size_t index_, count_;
  std::vector<Weighed> table_;
  MoveCounts moves_;
  VisitCounts medium_, fine_;
  std::vector<Leg> legs_;
  std::array<Leg*, most_nodes> leg_{}, tried_{};
  std::vector<PlanePoint> node_, moved_;
  std::size_t first_ = 0, last_ = 0;
  Width farthest_;
  Wanted wanted_;
  float step_ = 0, length_ = 0, own_cost_ = 0;
};

/// Gives each outline a number of cells to pass: within a class of lengths the outlines keep their order, the numbers are those believed.
void assign_cells(Outlines& outlines, const Beliefs& b, const random::Key& key) {
  QuickRandom random(key.stream("traces reaches"));
  for (std::uint32_t row = 0; row < Layout::length_classes; ++row) {
    std::vector<std::pair<float, std::uint32_t>> order;
    for (std::uint32_t i = 0; i < outlines.size(); ++i)
      if (b.layout.length_class(outlines.length_m[i]) == row)
        order.emplace_back(outlines.cells[i] + random.uniform_f(), i);
    std::sort(order.begin(), order.end());
    const double* bins = &b.reaches[row * Layout::reach_bins];
    const double total = std::accumulate(bins, bins + Layout::reach_bins, 0.0);
    if (!(total > 0)) continue;
    double upto = 0;
    std::size_t given = 0;
    for (std::uint32_t k = 0; k < Layout::reach_bins; ++k) {
      upto += bins[k] / total * static_cast<double>(order.size());
      const std::size_t begin = given, end = std::min(order.size(), static_cast<std::size_t>(upto + 0.5));
      for (; given < end; ++given) {
        const float within = (static_cast<float>(given - begin) + 0.5F) / static_cast<float>(end - begin);
        const auto low = static_cast<float>(reach_edges[k]), high = static_cast<float>(reach_edges[k + 1]);
        outlines.cells[order[given].second] = std::floor(low + within * (high - low));
      }
    }
  }
}

}  // namespace

void refine(Outlines& outlines, const Beliefs& beliefs, const random::Key& key,
            const RefineOptions& options) {
  const Targets targets = targets_of(beliefs, static_cast<double>(outlines.size()) / beliefs.trips);
  const std::size_t count = std::clamp<std::size_t>(outlines.size() / 2000, 1, 64);
  QuickRandom tables(key.stream("traces curves"));
  const CurveDrawer drawer(beliefs, tables);
  std::vector<Shard> shards;
  shards.reserve(count);
  for (std::size_t s = 0; s < count; ++s) shards.emplace_back(beliefs, targets, drawer, s, count);
  const auto each = [&](const std::function<void(std::size_t)>& body) {
    parallel_for(count, {.threads = options.parallel.threads, .grain = 1},
                 [&](std::size_t begin, std::size_t end) {
                   for (std::size_t s = begin; s < end; ++s) body(s);
                 });
  };
  outlines.cells.resize(outlines.size());
  each([&](std::size_t s) { shards[s].count_cells(outlines); });
  assign_cells(outlines, beliefs, key);
  std::vector<float> all(targets.size());
  for (Shard& shard : shards) shard.count(outlines, all);
  ProgressMeter meter(options.progress, "refining", options.rounds);
  for (std::uint32_t round = 0; round < options.rounds; ++round) {
    each([&](std::size_t s) {
      shards[s].set_goal(all);
      shards[s].refine(outlines, options, QuickRandom(key.stream("traces refine", round * count + s)));
    });
    std::vector<float> sum = all;
    for (const Shard& shard : shards) shard.add_changes(all, sum);
    all = std::move(sum);
    meter.advance();
  }
  meter.finish();
}

}  // namespace fogline::traces
