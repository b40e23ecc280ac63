// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "io/graph_file.hpp"
#include "privacy/parameter_table.hpp"
#include "privacy/statement.hpp"
#include "weights/paper/published.hpp"

namespace fogline::weights {

/// What is public of a release by a form of the paper.
struct PublishedTerms {
  PublishedWeights::Options options;  ///< with a public range
  std::string range = {};             ///< the same as it was declared: "100:600"
  privacy::Epsilon epsilon;           ///< what the paper claims
  bool directed = false;

  void declare(privacy::ParameterTable& table);  ///< the parameters
  nlohmann::ordered_json parameters() const;
};

/// The statement of such a release: it promises nothing, and says why. Complete but for outputs, ledger and randomness.
privacy::Statement published_draft(const PublishedTerms& terms);

/// Throws DataError with the first line whose weight lies outside the range. The published forms clamp; a release does not let them do so unseen.
void require_in_range(const io::GraphTable& graph, const WeightRange& range);

}  // namespace fogline::weights
