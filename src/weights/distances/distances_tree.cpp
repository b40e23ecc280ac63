// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <map>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "random/noise.hpp"
#include "weights/distances/block_hierarchy.hpp"
#include "weights/distances/distances.hpp"
#include "weights/distances/heavy_paths.hpp"

namespace fogline::weights {
namespace {

using Vertex = Topology::Vertex;

/// Sums along the one way there is. Estimates of single edges may be negative; their sums are unbiased all the same.
class SummedDistances : public Distances {
 public:
  SummedDistances(const Topology& forest, std::vector<double> lengths)
      : forest_(forest), lengths_(std::move(lengths)) {}
  std::vector<double> from(Vertex source) const override {
    std::vector<double> result(forest_.vertex_count(), std::numeric_limits<double>::infinity());
    std::vector<Vertex> queue{source};
    result[source] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      for (const Topology::Arc& arc : forest_.arcs(queue[next])) {
        if (result[arc.head] != std::numeric_limits<double>::infinity()) continue;
        result[arc.head] = result[queue[next]] + lengths_[arc.edge];
        queue.push_back(arc.head);
      }
    }
    return result;
  }

 private:
  const Topology& forest_;
  std::vector<double> lengths_;
};

class TreeDistances : public DistanceMechanism {
 public:
  TreeDistances(const Topology& graph, const DistanceSettings& settings)
      : DistanceMechanism(graph, settings), paths_(heavy_paths(graph)) {
    std::map<std::size_t, std::size_t> branching;
    for (const auto& path : paths_) {
      const auto [found, is_new] = branching.try_emplace(path.size(), 0);
      if (is_new) found->second = best_branching(path.size());
      hierarchies_.emplace_back(path.size(), found->second);
      most_levels_ = std::max(most_levels_, hierarchies_.back().levels());
      // An edge is in one block of each level: a neighbour's change counts once in each.
      noises_.emplace_back(
          random::NoisyCounts::Options{.name = "sums of blocks",
                                       .epsilon = settings.epsilon.value(),
                                       .sensitivity = settings.sensitivity * hierarchies_.back().levels()});
    }
  }

  std::string_view name() const override { return "tree"; }
  nlohmann::ordered_json parameters() const override {
    std::size_t longest = 0;
    for (const auto& path : paths_) longest = std::max(longest, path.size());
    return {{"heavy_paths", paths_.size()}, {"longest_path_edges", longest}, {"most_levels", most_levels_}};
  }

 protected:
  std::unique_ptr<Distances> noisy(std::span<const std::int64_t> weights,
                                   random::Stream& noise) const override {
    std::vector<double> lengths(weights.size());
    for (std::size_t p = 0; p < paths_.size(); ++p) {
      std::vector<std::int64_t> along;
      for (const Topology::EdgeId edge : paths_[p]) along.push_back(weights[edge]);
      const std::vector<std::int64_t> sums = hierarchies_[p].sums(along);
      std::vector<std::int64_t> answers(sums.size());
      noises_[p].answer(sums, noise, answers);
      const std::vector<double> fitted =
          hierarchies_[p].fitted(std::vector<double>(answers.begin(), answers.end()));
      for (std::size_t i = 0; i < fitted.size(); ++i) lengths[paths_[p][i]] = fitted[i];
    }
    return std::make_unique<SummedDistances>(graph(), std::move(lengths));
  }

 private:
  std::vector<std::vector<Topology::EdgeId>> paths_;
  std::vector<BlockHierarchy> hierarchies_;
  std::vector<random::NoisyCounts> noises_;
  std::size_t most_levels_ = 1;
};

}  // namespace

std::unique_ptr<DistanceMechanism> make_tree_distances(const Topology& graph,
                                                       const DistanceSettings& settings) {
  return std::make_unique<TreeDistances>(graph, settings);
}

}  // namespace fogline::weights
