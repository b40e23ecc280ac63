// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "audit/engine/exact.hpp"
#include "audit/engine/falsifier.hpp"
#include "audit/engine/fit.hpp"
#include "base/progress.hpp"
#include "path/labels.hpp"

namespace fogline::audit {

struct PathAuditOptions {
  std::uint64_t samples = 40'000;   ///< draws of each fit and of each input of the falsifier, 1,000 to 10^8
  std::uint64_t most_routes = 200;  ///< of the network that are enumerated, 1 to 10^6
  std::uint64_t most_outputs =
      1 << 18;  ///< of a publication that are enumerated, 2 to 2^22; beyond, nothing is enumerated
  double false_alarm = 1e-7;  ///< of fit and falsifier each; 1e-12 to 1e-6
  int threads = 0;
  Progress progress = {};

  static constexpr std::uint64_t public_seed = 1;
};

/// What an enumeration of whole publications found. Directions: `towards` is ln P(o | with the road) - ln P(o | without), the one that is promised;
/// `back` the other, infinite where a publication is possible without the road only.
struct PathEnumeration {
  bool done = false;             ///< false: there are too many publications
  std::uint64_t routes = 0;      ///< of the network that were enumerated
  std::uint64_t neighbours = 0;  ///< pairs of inputs compared
  std::uint64_t outputs = 0;     ///< publications of one of them, at most
  double towards = 0;
  double back = 0;
};

/// Audits the publication of a route on a network, reading no private route: routes are those that the network has.
///
///     PathAudit audit = audit_path(map, labels);
///
/// Certificate  of the tables that labels and numbers of stops are drawn from, from their integers, both directions.
/// Enumeration  on small networks: every route (up to a number), each with every one of its steps taken away: the probabilities of all publications, compared both ways.
/// Fit          draws of the mechanism itself, against the tables.
/// Falsifier    the mechanism on one route and on the same without one of its steps.
struct PathAudit {
  bool passed = false;
  ExactVerdict label;     ///< of one label
  double label_back = 0;  ///< the direction that a one-sided promise leaves open
  double stop_loss = 0;   ///< of one visit more, from integers; 0 where no number of stops is drawn
  double stated = 0;      ///< epsilon of the guarantee
  double certified = 0;   ///< what the tables add up to
  double paper = 0;       ///< the paper's bound: eps_e + ln 2, and eps_v
  PathEnumeration enumeration = {};
  FitVerdict fit = {};                      ///< of labels
  std::optional<FitVerdict> stop_fit = {};  ///< of numbers of stops
  Finding finding = {};
  std::string sentence = {};
};

/// Throws InvalidOption for an option out of range, or a network without a route; Cancelled.
PathAudit audit_path(const path::RouteMap& map, const path::PathLabels& labels,
                     const PathAuditOptions& options = {});

/// The label of one pair, as a table and its sampler. Inputs: a step of the route, another road, no road; outputs: ruled out, candidate.
ExactCase label_case(const path::PathLabels& labels);

/// Some of the network's routes as an audit takes them: simple paths, those through every vertex if the labels declare that, in a fixed order.
std::vector<path::Route> routes_of(const path::RouteMap& map, const path::PathOptions& options,
                                   std::uint64_t most);

}  // namespace fogline::audit
