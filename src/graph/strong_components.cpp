// SPDX-License-Identifier: Apache-2.0
#include "graph/strong_components.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/error.hpp"

namespace fogline::graph {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

void check(std::span<const std::uint32_t> first, std::span<const VertexId> heads) {
  const bool rows_fit = !first.empty() && first.front() == 0 && first.back() == heads.size() &&
                        std::is_sorted(first.begin(), first.end());
  const auto beyond = [&](VertexId head) { return head + std::size_t{1} >= first.size(); };
  if (!rows_fit || std::any_of(heads.begin(), heads.end(), beyond))
    throw InvalidOption("graph", "has rows that do not fit its heads");
}

/// Tarjan's algorithm with its stack of calls written out.
class Search {
 public:
  Search(std::span<const std::uint32_t> first, std::span<const VertexId> heads)
      : first_(first),
        heads_(heads),
        order_(first.size() - 1, none),
        low_(order_.size()),
        part_(order_.size(), none) {}

  std::vector<std::uint32_t> run() {
    for (VertexId v = 0; v < order_.size(); ++v)
      if (order_[v] == none) visit(v);
    return std::move(part_);
  }

 private:
  struct Call {
    VertexId vertex;
    std::uint32_t next;  // arc to look at
  };

  void enter(VertexId v) {
    order_[v] = low_[v] = seen_++;
    open_.push_back(v);
    calls_.push_back({v, first_[v]});
  }

  void visit(VertexId root) {
    enter(root);
    while (!calls_.empty()) {
      const VertexId v = calls_.back().vertex;
      if (calls_.back().next < first_[v + 1]) {
        const VertexId head = heads_[calls_.back().next++];
        if (order_[head] == none) {
          enter(head);
        } else if (part_[head] == none) {
          low_[v] = std::min(low_[v], order_[head]);
        }
        continue;
      }
      calls_.pop_back();
      if (!calls_.empty()) low_[calls_.back().vertex] = std::min(low_[calls_.back().vertex], low_[v]);
      if (low_[v] == order_[v]) close(v);
    }
  }

  void close(VertexId root) {
    for (VertexId v = none; v != root;) {
      v = open_.back();
      open_.pop_back();
      part_[v] = parts_;
    }
    ++parts_;
  }

  std::span<const std::uint32_t> first_;
  std::span<const VertexId> heads_;
  std::vector<std::uint32_t> order_, low_, part_;
  std::vector<VertexId> open_;
  std::vector<Call> calls_;
  std::uint32_t seen_ = 0, parts_ = 0;
};

}  // namespace

Components strong_components(std::span<const std::uint32_t> first, std::span<const VertexId> heads) {
  check(first, heads);
  Components result{Search(first, heads).run(), {}};
  std::vector<std::uint32_t> renumbered(result.of_vertex.size(), none);
  for (std::uint32_t& part : result.of_vertex) {
    if (renumbered[part] == none) {
      renumbered[part] = static_cast<std::uint32_t>(result.vertex_count.size());
      result.vertex_count.push_back(0);
    }
    part = renumbered[part];
    ++result.vertex_count[part];
  }
  return result;
}

}  // namespace fogline::graph
