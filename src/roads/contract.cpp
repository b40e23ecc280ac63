// SPDX-License-Identifier: Apache-2.0
#include "roads/contract.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace fogline::roads {
namespace {

using graph::VertexId;

/// Roads that were contracted before have a shape of their own.
void append_shape(std::vector<geometry::LonLat>& shape, const std::vector<geometry::LonLat>& more,
                  bool forward) {
  if (forward)
    shape.insert(shape.end(), more.begin(), more.end());
  else
    shape.insert(shape.end(), more.rbegin(), more.rend());
}

class Contraction {
 public:
  explicit Contraction(Draft& draft) : draft_(draft), walked_(draft.roads.size()) { index_segments(); }

  void run() {
    for (VertexId v = 0; v < draft_.position.size(); ++v) {
      if (!is_junction(v)) continue;
      for (std::uint32_t i = first_[v]; i < first_[v + 1]; ++i) {
        if (!walked_[segment_[i]]) walk(v, segment_[i]);
      }
    }
    count_rings();
    note_dropped(draft_, too_long_, "road longer than 4,294 km", "roads longer than 4,294 km");
    draft_.roads = std::move(roads_);
    keep_junctions();
  }

 private:
  void index_segments() {
    first_.assign(draft_.position.size() + 1, 0);
    for (const Road& road : draft_.roads) {
      ++first_[road.tail + 1];
      ++first_[road.head + 1];
    }
    for (std::size_t v = 0; v + 1 < first_.size(); ++v) first_[v + 1] += first_[v];
    segment_.resize(first_.back());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t i = 0; i < draft_.roads.size(); ++i) {
      segment_[next[draft_.roads[i].tail]++] = i;
      segment_[next[draft_.roads[i].head]++] = i;
    }
  }

  bool is_junction(VertexId v) const { return first_[v + 1] - first_[v] != 2; }

  void walk(VertexId start, std::uint32_t segment) {
    Road road{.tail = start, .head = start};
    std::uint64_t length_mm = 0;
    bool forward = true;
    bool backward = true;
    while (true) {
      walked_[segment] = true;
      const Road& step = draft_.roads[segment];
      const bool along = step.tail == road.head;
      const Direction direction = along ? step.direction : reversed(step.direction);
      forward = forward && direction != Direction::backward;
      backward = backward && direction != Direction::forward;
      length_mm += step.length_mm;
      road.road_class = std::min(road.road_class, step.road_class);
      append_shape(road.shape, step.shape, along);
      road.head = along ? step.head : step.tail;
      if (is_junction(road.head)) break;
      road.shape.push_back(draft_.position[road.head]);
      segment = other_segment(road.head, segment);
    }
    if (length_mm > std::numeric_limits<graph::LengthMm>::max()) {
      ++too_long_;
      return;
    }
    road.length_mm = static_cast<graph::LengthMm>(length_mm);
    if (forward != backward) road.direction = forward ? Direction::forward : Direction::backward;
    roads_.push_back(std::move(road));
  }

  std::uint32_t other_segment(VertexId between, std::uint32_t segment) const {
    const std::uint32_t* both = &segment_[first_[between]];
    return both[0] == segment ? both[1] : both[0];
  }

  void count_rings() {
    std::uint64_t rings = 0;
    for (std::uint32_t start = 0; start < walked_.size(); ++start) {
      if (walked_[start]) continue;
      ++rings;
      VertexId at = draft_.roads[start].tail;
      for (std::uint32_t segment = start; !walked_[segment]; segment = other_segment(at, segment)) {
        walked_[segment] = true;
        const Road& step = draft_.roads[segment];
        at = step.tail == at ? step.head : step.tail;
      }
    }
    note_dropped(draft_, rings, "ring road without a junction", "ring roads without a junction");
  }

  void keep_junctions() {
    std::vector<VertexId> kept;
    for (VertexId v = 0; v < draft_.position.size(); ++v) {
      if (is_junction(v)) kept.push_back(v);
    }
    keep_vertices(draft_, kept);
  }

  Draft& draft_;
  std::vector<std::uint32_t> first_;    // per vertex, where its segments begin in segment_
  std::vector<std::uint32_t> segment_;  // numbers of roads of the draft
  std::vector<bool> walked_;
  std::vector<Road> roads_;
  std::uint64_t too_long_ = 0;
};

}  // namespace

void contract_to_junctions(Draft& draft) {
  Contraction(draft).run();
}

}  // namespace fogline::roads
