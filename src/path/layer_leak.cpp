// SPDX-License-Identifier: Apache-2.0
#include "path/layer_leak.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "path/published.hpp"

namespace fogline::path {
namespace {

/// The layers without the numbers of their pieces.
struct Shape {
  using Place = std::pair<StopId, std::int32_t>;
  std::vector<Place> pieces;
  std::vector<std::pair<Place, Place>> edges;
  friend bool operator==(const Shape&, const Shape&) = default;
};

Shape shape_of(const PublishedLayers& layers) {
  Shape shape;
  for (const LayerPiece& piece : layers.pieces) shape.pieces.emplace_back(piece.stop, piece.layer);
  for (const auto& [a, b] : layers.edges) {
    const Shape::Place u = shape.pieces[a], v = shape.pieces[b];
    shape.edges.emplace_back(std::min(u, v), std::max(u, v));
  }
  std::ranges::sort(shape.pieces);
  std::ranges::sort(shape.edges);
  return shape;
}

/// Every path through all stops, in both directions.
class AllPaths {
 public:
  AllPaths(const graph::BitGraph& candidates, std::uint64_t most) : candidates_(candidates), most_(most) {
    for (StopId v = 0; v < candidates.size(); ++v) extend(v, 0);
  }
  bool too_many() const { return paths_.size() > most_; }
  const std::vector<std::vector<StopId>>& paths() const { return paths_; }

 private:
  void extend(StopId next, std::uint32_t passed) {
    passed |= std::uint32_t{1} << next;
    path_.push_back(next);
    if (path_.size() == candidates_.size()) paths_.push_back(path_);
    graph::for_each_bit(candidates_.row(next), [&](StopId v) {
      if ((passed >> v & 1) == 0 && !too_many()) extend(v, passed);
    });
    path_.pop_back();
  }

  const graph::BitGraph& candidates_;
  std::uint64_t most_;
  std::vector<StopId> path_;
  std::vector<std::vector<StopId>> paths_;
};

bool takes(const std::vector<StopId>& path, VertexPair pair) {
  for (std::size_t i = 1; i < path.size(); ++i)
    if (std::minmax(path[i - 1], path[i]) == std::minmax(pair.first, pair.second)) return true;
  return false;
}

/// Per path, whether its layers are those.
std::vector<char> agreeing(const PublicPath& shown, const std::vector<std::vector<StopId>>& paths,
                           const LayerLeakOptions& options) {
  const Shape published = shape_of(*shown.layers);
  const graph::BitGraph ruled_out = shown.candidates.complement();
  std::vector<char> agrees(paths.size(), 0);
  ProgressMeter meter(options.progress, "building layers", paths.size());
  parallel_for(paths.size(), {.threads = options.threads}, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const PublishedLayers built = turned_to_start(build_layers(ruled_out, paths[i]).layers, paths[i]);
      agrees[i] = shape_of(built) == published ? 1 : 0;
      meter.advance();
    }
  });
  meter.finish();
  return agrees;
}

}  // namespace

std::optional<LayerLeak> layer_leak(const PublicPath& shown, std::span<const VertexPair> pairs,
                                    std::span<const StopId> route, const LayerLeakOptions& options) {
  if (options.most_paths < 1 || options.most_paths > 10'000'000)
    throw InvalidOption("most_paths", "must be 1 to 10,000,000");
  if (!shown.layers || shown.stops.size() != shown.stops.vertex_count() ||
      shown.stops.size() > most_layered_vertices)
    return std::nullopt;
  const AllPaths all(shown.candidates, options.most_paths);
  if (all.too_many()) return std::nullopt;
  const std::vector<char> agrees = agreeing(shown, all.paths(), options);

  LayerLeak leak{.paths = all.paths().size(),
                 .left = static_cast<std::uint64_t>(std::ranges::count(agrees, 1))};
  for (const VertexPair& pair : pairs) {
    double before = 0, after = 0;
    for (std::size_t i = 0; i < agrees.size(); ++i) {
      if (!takes(all.paths()[i], pair)) continue;
      ++before;
      after += agrees[i];
    }
    leak.beliefs.push_back({leak.paths == 0 ? 0 : before / static_cast<double>(leak.paths),
                            leak.left == 0 ? 0 : after / static_cast<double>(leak.left)});
  }
  if (!route.empty()) {
    const std::vector<StopId> forth(route.begin(), route.end()), back(route.rbegin(), route.rend());
    int ways = 0;
    for (std::size_t i = 0; i < agrees.size(); ++i)
      if (agrees[i] == 1 && (all.paths()[i] == forth || all.paths()[i] == back)) ++ways;
    if (ways > 0) leak.direction = 1.0 / ways;
  }
  return leak;
}

}  // namespace fogline::path
