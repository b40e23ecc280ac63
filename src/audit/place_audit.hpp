// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "audit/exact.hpp"
#include "audit/fit.hpp"
#include "base/progress.hpp"
#include "graph/graph.hpp"
#include "place/mechanism.hpp"

namespace fogline::audit {

/// Audits GEM on a road network: the loss of its table on the roads, and whether its releases follow the table.
///
///     place::Gem gem(city.graph, {.epsilon = privacy::EpsilonPerMetre{1, 100}});
///     PlaceAudit audit = audit_place(gem, city.graph, {.samples = 50'000});
///     if (!audit.passed) std::cerr << audit.sentence;
///
/// All roads are checked where roads times outputs is at most `comparisons`: then a pass is a certificate, since ratios multiply
/// along a shortest path. On larger maps a sample of the roads is checked, and called a sample. Roads and places are chosen, and draws
/// made, from SeededKey(public_seed), so anybody can repeat the audit. No private record is read.
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
  bool passed = false;     ///< no fault: table.holds and fit.fits
  bool certified = false;  ///< passed, and all roads were checked
  std::uint64_t roads = 0;
  std::uint64_t roads_checked = 0;
  ExactVerdict table = {};
  FitVerdict fit = {};
  std::string sentence = {};  ///< the verdict in plain words
};

/// `graph` is the network the claim speaks of. Throws InvalidOption for an option outside its range; Cancelled.
PlaceAudit audit_place(const place::VertexMechanism& mechanism, const graph::Graph& graph,
                       const PlaceAuditOptions& options = {});

}  // namespace fogline::audit
