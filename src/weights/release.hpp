// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/progress.hpp"
#include "io/graph_file.hpp"
#include "random/key.hpp"
#include "weights/estimates/groups.hpp"
#include "weights/estimates/order.hpp"
#include "weights/terms.hpp"

namespace fogline::weights {

/// A release of a graph held in memory: everything that can fail is done when it is made, before the ledger is charged; draw() is for after.
///
///     GraphRelease release(graph, terms, {.prior = prior});       // throws DataError with the line of a weight outside the range
///     std::vector<double> safe = release.draw(receipt.draw_key());
///
/// Weights are drawn as draw_all does, so that a release in pieces (weights/edge_stream.hpp) draws the same ones. Estimates and order work
/// on drawn numbers and public things alone.
class GraphRelease {
 public:
  struct Options {
    std::vector<double> prior = {};  ///< of each point, where the terms have a file; empty otherwise
    std::string groups_file =
        {};  ///< where the terms have one: groups, or a TNTP network with free-flow times
    std::string order_file = {};  ///< where the terms have one: ranks, pairs or a TNTP network
    int threads = 0;              ///< 0 (all cores) to 1,024
    Progress progress = {};       ///< called now and then; may cancel
  };
  /// Throws DataError, InvalidOption, FileError.
  GraphRelease(const io::GraphTable& graph, const WeightTerms& terms, const Options& options);

  std::vector<double> draw(const random::Key& key) const { return draw_and_tell(key).weights; }

  /// What was drawn, and how far the public order moved it on average: more than the noise if the order is not that of the weights. Both
  /// follow from drawn numbers and public things.
  struct Draw {
    std::vector<double> weights = {};
    double moved_by_order = 0;
  };
  Draw draw_and_tell(const random::Key& key) const;

 private:
  WeightTerms terms_;
  Options options_;
  std::vector<std::int64_t> points_;
  EdgeGroups groups_;
  std::variant<std::monostate, EdgeRanks, std::vector<OrderPair>> order_;
  std::unique_ptr<EdgeMechanism>
      mechanism_;  // with a noisy prior: for a flat one, to see that it can be built
};

/// The prior that a part of epsilon pays for, from how many edges each point has. For terms with a noisy prior, after the charge.
std::vector<double> paid_prior(const WeightTerms& terms, std::span<const std::int64_t> counts,
                               const random::Key& key);

/// Each edge's point; DataError with the line of the first that has none.
std::vector<std::int64_t> points_of(const io::GraphTable& graph, const WeightGrid& grid, Rounding rounding);

}  // namespace fogline::weights
