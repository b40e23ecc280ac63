// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "audit/engine/exact.hpp"
#include "audit/engine/fit.hpp"
#include "base/progress.hpp"
#include "graph/graph.hpp"
#include "place/mechanism.hpp"

namespace fogline::audit {

/// What a place audit rests on.
enum class PlaceAuditMethod {
  all_roads,   ///< the whole table: every road, both ways, every output
  local_rule,  ///< the rule the weights follow, whatever the map; and the table of a sample of the roads
  sample       ///< the table of a sample of the roads: not a certificate
};
std::string_view to_string(PlaceAuditMethod method);  ///< "all roads", "local rule", "sample of roads"

/// Audits a place mechanism on a road network: its loss, and whether its releases follow its table.
///
///     auto gem = place::make_mechanism(city, {.epsilon = privacy::EpsilonPerMetre{1, 100}});
///     PlaceAudit audit = audit_place(*gem, city.graph, {.samples = 50'000});
///     if (!audit.passed) std::cerr << audit.sentence;
///
/// All roads are checked where roads times outputs is at most `comparisons`: then a pass is a certificate, since ratios multiply
/// along a shortest path. On larger maps the mechanism's local rule is certified, if it has one (PlaceMechanism::certify_rule), and
/// the roads of a sample are checked besides; without a rule the sample is all, and is called a sample. Roads and places are chosen, and
/// draws made, from SeededKey(public_seed), so anybody can repeat the audit. No private record is read.
///
/// A mechanism without rows, or whose outputs are points of the plane, has no table and no fit; then its rule decides.
///
/// Cost: for a certificate a search and a row per vertex; for a sample two per road. `samples` releases from each place.
struct PlaceAuditOptions {
  std::uint64_t comparisons = 200'000'000;  ///< at least 1; one road is always checked
  std::uint64_t samples = 20'000;           ///< releases from each place, 1,000 to 100,000,000
  std::size_t fit_places = 3;               ///< vertices to release from, 1 to 1,000
  double false_alarm = 1e-7;                ///< of the fit, per audit; 1e-12 to 1e-6
  std::uint64_t largest_memory_bytes = std::uint64_t{1} << 30;  ///< for rows; kernel/certificate.hpp
  int threads = 0;                                              ///< 0 (all cores) to 1,024
  Progress progress = {};                                       ///< told of every stage; may cancel

  static constexpr std::uint64_t public_seed = 1;
};

struct PlaceAudit {
  bool passed = false;     ///< no fault: table, rule and fit hold, as far as there are any
  bool certified = false;  ///< passed, and not by a sample
  PlaceAuditMethod method = PlaceAuditMethod::sample;
  std::uint64_t roads = 0;
  std::uint64_t roads_checked = 0;
  std::optional<ExactVerdict> table = {};           ///< empty for a mechanism without rows
  std::optional<place::RuleCertificate> rule = {};  ///< empty where all roads were checked or there is none
  std::optional<FitVerdict> fit = {};               ///< empty for a mechanism without rows
  std::string sentence = {};                        ///< the verdict in plain words
};

/// `graph` is the network the claim speaks of. Throws InvalidOption for an option outside its range, or a mechanism with neither rows nor
/// a rule; Cancelled.
PlaceAudit audit_place(const place::PlaceMechanism& mechanism, const graph::Graph& graph,
                       const PlaceAuditOptions& options = {});

}  // namespace fogline::audit
