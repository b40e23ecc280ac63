// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "audit/engine/replay.hpp"
#include "base/figure_kind.hpp"
#include "fogline/column_set.hpp"
#include "release/analyses/analysis.hpp"
#include "release/driver.hpp"
#include "roads/network.hpp"

namespace fogline::release {

/// Whole releases of invented records, for audits: what is audited is what is released, from columns to bytes, outcome and saved state. A request is good for one release,
/// and so each draw makes another.
using MakeRequest = std::function<std::unique_ptr<Release>()>;

/// Requests with the fields of an audit, as far as the release has fields of these names; `change` then sets what else it takes.
MakeRequest with_fields_of(Analysis& audit, std::unique_ptr<Release> (*make)(),
                           std::function<void(const FieldTable&)> change = {});
/// Requests with these fields.
MakeRequest with_fields(const MakeRequest& make, const nlohmann::ordered_json& fields);

/// Gives a field of a request a value, whatever is asked of those that people give.
template <class Value>
void hold(const FieldTable& table, const char* field, Value value) {
  *std::get<Value*>(table.find(field)->target) = std::move(value);
}

// Invented records: a position at each of these vertices; the edges of a triangle.
ColumnSet positions_at(const roads::RoadNetwork& map, const std::vector<graph::VertexId>& vertices);
ColumnSet triangle_of(std::vector<double> weights);

/// What a release writes for these records. `caller` must outlive it.
audit::TextRun whole_release(MakeRequest make, ColumnSet records, Caller& caller);
/// The same for figures, which ask by kind and verb and read the output. `caller` must outlive it.
MakeWhole whole_for_figures(Caller& caller);

/// What replays of whole releases showed, as an audit tells it.
struct ReplayedReleases {
  std::string words = {};                            ///< which neighbours
  std::string why_not = {};                          ///< nothing was replayed, since ...
  std::optional<audit::ReplayFinding> finding = {};  ///< or what was found

  bool broken() const { return finding && finding->broken; }
  std::string row() const;  ///< for people
  /// "The promise is broken, with ...": empty unless it is.
  std::string accusation() const;
  nlohmann::ordered_json json() const;
};

/// Replays a few times, with a public seed. `meetings`: how often a release of either must meet noise; 0: at all. One that is refused draws nothing, and shows nothing.
ReplayedReleases replay_releases(const audit::ReplayCase& pair, std::uint64_t meetings = 0);

}  // namespace fogline::release
