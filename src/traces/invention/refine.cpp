// SPDX-License-Identifier: Apache-2.0
#include "traces/invention/refine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

#include "traces/invention/coarse_ways.hpp"
#include "traces/invention/curve.hpp"
#include "traces/invention/legs.hpp"
#include "traces/invention/move_counts.hpp"
#include "traces/invention/outline_width.hpp"
#include "traces/invention/quick_random.hpp"
#include "traces/invention/visit_counts.hpp"
#include "traces/invention/wanted.hpp"

namespace fogline::traces {
namespace {

float floats_apart(const PlanePoint& a, const PlanePoint& b) {
  const float dx = a.x - b.x, dy = a.y - b.y;
  return std::sqrt(dx * dx + dy * dy);
}

/// A part of the trips, refined by itself towards its part of the targets: every count_-th trip from index_ on, since
/// outlines lie in order of where they start and each shard should have trips from everywhere.
///
/// The cost is the sum over all tables of weight * (count - target)^2 and over trips of Wanted::miss(). A change is
/// kept if it lowers the cost (greedy descent).
class Shard {
 public:
  Shard(const Beliefs& b, const Targets& t, const CurveDrawer& drawer, const CoarseWays& ways,
        std::size_t index, std::size_t count)
      : t_(t),
        reader_(b.layout),
        drawer_(drawer),
        ways_(ways),
        width_(static_cast<float>(b.layout.width_m)),
        height_(static_cast<float>(b.layout.height_m)),
        index_(index),
        count_(count),
        table_(t.size()),
        moves_(part(0, t.triples), part(t.triples, t.strings), part(t.strings, t.visits), b.asked),
        medium_(t.fine_visits - t.visits, Sharing({b.favour.begin(), b.favour.end()},
                                                  part(t.visits, t.fine_visits), Layout::least_favour)),
        fine_(t.coarse_visits - t.fine_visits, Sharing(std::vector<float>(t.coarse_visits - t.fine_visits, 1),
                                                       part(t.fine_visits, t.coarse_visits))),
        coarse_(t.size() - t.coarse_visits, Sharing({b.coarse_favour.begin(), b.coarse_favour.end()},
                                                    part(t.coarse_visits, t.size()), Layout::least_favour)),
        legs_(2 * most_nodes) {
    // Legs are large, and change places by their pointers when a change is kept.
    for (std::size_t k = 0; k < most_nodes; ++k) {
      leg_[k] = &legs_[k];
      tried_[k] = &legs_[most_nodes + k];
    }
    for (std::size_t k = 0; k < t.size(); ++k) table_[k].weight = t.weight[k];
  }

  /// Adds what this shard's trips count.
  void count(const Outlines& outlines, std::span<float> all) {
    for (std::size_t i = index_; i < outlines.size(); i += count_) {
      open_trip(outlines, i);
      const std::array begin{std::size_t{0}, t_.triples, t_.strings};
      moves_.each_now([&](std::size_t t, std::uint32_t k, float v) { all[begin[t] + k] += v; });
      for (const std::uint32_t c : medium_.visited()) all[t_.visits + c] += medium_.share(c);
      for (const std::uint32_t c : fine_.visited()) all[t_.fine_visits + c] += fine_.share(c);
      for (const std::uint32_t c : coarse_.visited()) all[t_.coarse_visits + c] += coarse_.share(c);
    }
  }

  /// How many cells each outline passes, and how many moves it makes.
  void count_cells(Outlines& outlines) {
    for (std::size_t i = index_; i < outlines.size(); i += count_) {
      open_trip(outlines, i);
      outlines.cells[i] = static_cast<float>(medium_.visited().size());
      outlines.moves[i] = static_cast<float>(moves_.moves());
    }
  }

  /// `all`: what all shards add up to. A shard takes upon itself its part of what is missing: if each made up for all
  /// of it, the shards together would overshoot as many times as they are.
  void set_goal(std::span<const float> all) {
    for (std::size_t k = 0; k < t_.size(); ++k) table_[k].over = goal(all, k);
  }
  /// Adds what has changed since the goal was set; `all` is what it was set from.
  void add_changes(std::span<const float> all, std::span<float> sum) const {
    for (std::size_t k = 0; k < t_.size(); ++k) sum[k] += table_[k].over - goal(all, k);
  }

  void refine(Outlines& outlines, const RefineOptions& options, QuickRandom random, ProgressMeter& meter) {
    for (std::size_t i = index_; i < outlines.size(); i += count_) {
      meter.advance();
      constexpr std::size_t ends = 2;  // which stay where they are
      if (outlines.trip(i).size() <= ends) continue;
      open_trip(outlines, i);
      const auto inner = static_cast<double>(outlines.trip(i).size() - ends);
      for (std::uint32_t k = 0; k < options.new_ways; ++k) attempt(true, options, random);
      // A part of a try is made as often as its size says.
      const auto tries = static_cast<int>(options.tries_per_node * inner + random.uniform());
      for (int k = 0; k < tries; ++k) attempt(false, options, random);
      std::copy(node_.begin(), node_.end(), outlines.trip(i).begin());
      outlines.cells[i] = is_.cells;
      outlines.moves[i] = is_.moves;
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
    wanted_ = {outlines.length_m[i], outlines.diameter_m[i], outlines.cells[i], outlines.moves[i]};
    reader_.begin(node_[0], *leg_[0]);
    leg_[0]->length = 0;
    for (std::size_t k = 1; k < node_.size(); ++k) {
      reader_.read(node_[k - 1], node_[k], step_, *leg_[k]);
      leg_[k]->length = floats_apart(node_[k - 1], node_[k]);
    }
    medium_.open();
    fine_.open();
    coarse_.open();
    moves_.tried().clear();
    is_ = {};
    for (std::size_t k = 0; k < node_.size(); ++k) {
      is_.length_m += leg_[k]->length;
      for (const std::uint32_t c : leg_[k]->medium.all()) medium_.enter(c);
      for (const std::uint32_t c : leg_[k]->fine.all()) fine_.enter(c);
      for (const std::uint32_t c : leg_[k]->coarse.all()) coarse_.enter(c);
      append(leg_[k]->coarse.all(), moves_.tried());
    }
    medium_.opened();
    fine_.opened();
    coarse_.opened();
    moves_.opened();
    farthest_ = width_of(node_);
    is_.diameter_m = farthest_.metres();
    is_.cells = static_cast<float>(medium_.visited().size());
    is_.moves = static_cast<float>(moves_.moves());
    own_cost_ = wanted_.miss(is_);
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

  /// A whole new way between the same ends: in half of the cases over cells as trips move between them, else freely.
  /// The first bring moves and strings near what is believed, which small changes hardly do; the second need no
  /// chain.
  bool draw_anew(QuickRandom& random) {
    first_ = 1;
    last_ = node_.size() - 2;
    moved_.resize(node_.size());
    const CurveShape shape{wanted_.length_m, wanted_.diameter_m};
    const CoarseWays::Wanted way{leg_[0]->coarse.all()[0], moves_.last(),
                                 static_cast<std::size_t>(wanted_.moves)};
    constexpr std::uint32_t one_in_two = 2;
    if (random.below(one_in_two) == 0 && ways_.draw(way, random, way_) &&
        drawer_.draw_over(way_, node_.front(), node_.back(), shape, random, moved_))
      return true;
    drawer_.draw(node_.front(), node_.back(), shape, random, moved_);
    return true;
  }

  /// Moves some nodes in `moved_`, rather by what leaves every stride as it is; false if that leads out of the frame.
  bool change(QuickRandom& random) {
    // Of eight changes one mirrors a single node, two mirror a run, three reverse one and two shift one: three in
    // four leave lengths as they are, which are right from the start. Runs have eight nodes at most, a quarter of the
    // longest outline. Chosen, not derived.
    constexpr std::uint32_t kinds = 8, single = 0, last_mirrored = 2, last_reversed = 5, longest_run = 8;
    // A shift by a twelfth of the area's side, half a coarse cell, down to 2^-5 of that, even in the logarithm: cells
    // of all three grids are left by some of them.
    constexpr float sides_of_farthest = 12, halvings = 5;
    const auto inner = static_cast<std::uint32_t>(node_.size() - 2);
    first_ = 1 + random.below(inner);
    const std::uint32_t kind = random.below(kinds);
    last_ = kind == single
                ? first_
                : std::min<std::size_t>(inner, first_ + random.below(std::min(inner, longest_run)));
    moved_ = node_;
    const PlanePoint before = node_[first_ - 1], after = node_[last_ + 1];
    if (kind <= last_mirrored) {
      mirror(before, after);
    } else if (kind <= last_reversed) {  // the same strides in reverse order
      for (std::size_t k = first_; k <= last_; ++k) {
        const PlanePoint& p = node_[first_ + last_ - k];
        moved_[k] = {before.x + after.x - p.x, before.y + after.y - p.y};
      }
    } else {
      const float reach =
          std::min(width_, height_) / sides_of_farthest * std::exp2(-halvings * random.uniform_f());
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
    constexpr float least_square_m2 = 1;  // nodes within a metre of each other have no line between them
    if (square < least_square_m2) return;
    for (std::size_t k = first_; k <= last_; ++k) {
      const float px = node_[k].x - before.x, py = node_[k].y - before.y;
      const float along = 2 * (px * ax + py * ay) / square;
      moved_[k] = {before.x + along * ax - px, before.y + along * ay - py};
    }
  }

  void attempt(bool anew, const RefineOptions& options, QuickRandom& random) {
    if (!(anew ? draw_anew(random) : change(random))) return;
    if (!all_open(options)) return;
    measure_change();
    // What spoils the trip itself by this much is hardly ever made up for by the tables: one in fifty of what would be
    // kept (by experiment). It is found out before cells are read, which takes most of the time.
    constexpr float spoilt = 0.015F;
    if (!anew && wanted_.miss(tried_is_) > own_cost_ + spoilt) return;
    if (weigh_change() < 0)
      keep_change();
    else
      take_back_change();
  }

  bool all_open(const RefineOptions& options) const {
    return !options.open ||
           std::all_of(moved_.begin() + static_cast<std::ptrdiff_t>(first_),
                       moved_.begin() + static_cast<std::ptrdiff_t>(last_) + 1, options.open);
  }

  /// Length and width of `moved_`; cells and moves as if they were as wanted, so that what this misses is the least
  /// that the change can miss.
  void measure_change() {
    tried_is_ = wanted_;
    tried_is_.length_m = is_.length_m;
    for (std::size_t k = first_; k <= last_ + 1; ++k) {
      tried_[k]->length = floats_apart(moved_[k - 1], moved_[k]);
      tried_is_.length_m += tried_[k]->length - leg_[k]->length;
    }
    tried_width_ = width_after();
    tried_is_.diameter_m = tried_width_.metres();
  }

  /// By how much everything gets worse if the nodes become `moved_`.
  float weigh_change() {
    same_walk_ = true;
    for (std::size_t k = first_; k <= last_ + 1; ++k) {
      reader_.read(moved_[k - 1], moved_[k], step_, *tried_[k]);
      same_walk_ = same_walk_ && tried_[k]->coarse == leg_[k]->coarse;
    }
    float worse = weigh_visits();
    if (!same_walk_) worse += weigh_moves();
    tried_is_.cells = static_cast<float>(medium_.visited_after());
    tried_is_.moves = same_walk_ ? is_.moves : static_cast<float>(moves_.tried().size() - 1);
    tried_cost_ = wanted_.miss(tried_is_);
    return worse + tried_cost_ - own_cost_;
  }

  void take_back_change() {
    medium_.take_back();
    fine_.take_back();
    if (!same_walk_) coarse_.take_back();
  }

  void keep_change() {
    medium_.keep();
    fine_.keep();
    if (!same_walk_) {
      coarse_.keep();
      moves_.keep();
    }
    for (std::size_t k = first_; k <= last_ + 1; ++k) std::swap(leg_[k], tried_[k]);
    std::swap(node_, moved_);
    is_ = tried_is_;
    farthest_ = tried_width_;
    own_cost_ = tried_cost_;
  }

  float weigh_visits() {
    medium_.begin_change();
    fine_.begin_change();
    for (std::size_t k = first_; k <= last_ + 1; ++k) {
      if (leg_[k]->fine == tried_[k]->fine && leg_[k]->medium == tried_[k]->medium) continue;
      for (const std::uint32_t c : leg_[k]->fine.all()) fine_.add(c, -1);
      for (const std::uint32_t c : tried_[k]->fine.all()) fine_.add(c, 1);
      for (const std::uint32_t c : leg_[k]->medium.all()) medium_.add(c, -1);
      for (const std::uint32_t c : tried_[k]->medium.all()) medium_.add(c, 1);
    }
    return medium_.weigh() + fine_.weigh();
  }

  /// Of coarse cells: which are visited, and in which order.
  float weigh_moves() {
    coarse_.begin_change();
    std::vector<std::uint16_t>& walk = moves_.tried();
    walk.clear();
    for (std::size_t k = 0; k < node_.size(); ++k) {
      const bool changed = k >= first_ && k <= last_ + 1;
      append((changed ? tried_ : leg_)[k]->coarse.all(), walk);
      if (!changed) continue;
      for (const std::uint32_t c : leg_[k]->coarse.all()) coarse_.add(c, -1);
      for (const std::uint32_t c : tried_[k]->coarse.all()) coarse_.add(c, 1);
    }
    return coarse_.weigh() + moves_.weigh();
  }

  const Targets& t_;
  LegReader reader_;
  const CurveDrawer& drawer_;
  const CoarseWays& ways_;
  std::vector<std::uint16_t> way_;
  float width_, height_;
  std::size_t index_, count_;
  std::vector<Weighed> table_;
  MoveCounts moves_;
  VisitCounts medium_, fine_, coarse_;
  std::vector<Leg> legs_;
  std::array<Leg*, most_nodes> leg_{}, tried_{};
  std::vector<PlanePoint> node_, moved_;
  std::size_t first_ = 0, last_ = 0;
  Width farthest_, tried_width_;
  Wanted wanted_, is_, tried_is_;
  float step_ = 0, own_cost_ = 0, tried_cost_ = 0;
  bool same_walk_ = true;
};

}  // namespace

void refine(Outlines& outlines, const Beliefs& beliefs, const random::PublicKey& key,
            const RefineOptions& options) {
  const Targets targets = targets_of(beliefs, static_cast<double>(outlines.size()) / beliefs.trips);
  // Shards, not threads, decide the result, and their number follows from the number of trips alone: any number of
  // threads makes the same trips. A shard is blind to the others for a round, so that there are no more of them than
  // large machines have cores. Chosen, not derived.
  constexpr std::size_t trips_a_shard = 2000, most_shards = 64;
  const std::size_t count = std::clamp<std::size_t>(outlines.size() / trips_a_shard, 1, most_shards);
  QuickRandom tables(key.stream("traces curves"));
  const CurveDrawer drawer(beliefs, tables);
  const CoarseWays ways(beliefs);
  std::vector<Shard> shards;
  shards.reserve(count);
  for (std::size_t s = 0; s < count; ++s) shards.emplace_back(beliefs, targets, drawer, ways, s, count);
  const auto each = [&](const std::function<void(std::size_t)>& body) {
    parallel_for(count, {.threads = options.parallel.threads, .grain = 1},
                 [&](std::size_t begin, std::size_t end) {
                   for (std::size_t s = begin; s < end; ++s) body(s);
                 });
  };
  outlines.cells.resize(outlines.size());
  outlines.moves.resize(outlines.size());
  each([&](std::size_t s) { shards[s].count_cells(outlines); });
  assign_numbers(outlines, beliefs, key, 0);
  std::vector<float> all(targets.size());
  for (Shard& shard : shards) shard.count(outlines, all);
  ProgressMeter meter(options.progress, "refining", options.rounds * outlines.size());
  for (std::uint32_t round = 0; round < options.rounds; ++round) {
    each([&](std::size_t s) {
      shards[s].set_goal(all);
      shards[s].refine(outlines, options, QuickRandom(key.stream("traces refine", round * count + s)), meter);
    });
    std::vector<float> sum = all;
    for (const Shard& shard : shards) shard.add_changes(all, sum);
    all = std::move(sum);
    // Who shall pass many cells is free; how many shall is not.
    assign_numbers(outlines, beliefs, key, round + 1);
  }
  meter.finish();
}

}  // namespace fogline::traces
