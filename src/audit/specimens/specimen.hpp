// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/engine/charge_order.hpp"
#include "audit/engine/exact.hpp"
#include "audit/engine/falsifier.hpp"
#include "audit/engine/replay.hpp"

namespace fogline::audit {

/// The parts of the audit engine.
enum class Engine { certificate, fit, falsifier, replay, charge_order };
std::string_view to_string(Engine engine);  ///< "certificate", ..., "charge order"

/// Where a specimen comes from.
enum class Origin {
  planted,    ///< made for the test: a bug, or its right twin
  published,  ///< a mechanism of a paper, as published, or its right twin
  released    ///< a mechanism that Fogline releases with
};
std::string_view to_string(Origin origin);  ///< "planted", "published", "released"

/// A mechanism on which the auditor itself is tested. Each has one or more faces, by which the parts of the engine can take hold of it.
struct Specimen {
  Origin origin = Origin::planted;
  std::string name;    ///< "noise scale": the same for a bug and its twin
  std::string words;   ///< what this one does
  bool broken = true;  ///< must be caught; false: nobody may accuse it
  double effort = 1;   ///< samples for the falsifier, as a multiple of the usual number; at least 4,000
  std::vector<Engine> blind =
      {};  ///< parts that cannot see the bug; every other part with a face must catch it
  std::vector<Pair> pairs = {};                ///< for the falsifier
  std::optional<ReplayCase> replay_case = {};  ///< for record and replay
  std::optional<ExactCase> exact_case = {};    ///< for the certificate and, with its sampler, the fit
  Walk walk = {};                              ///< for the order of charging and drawing
};

/// Mistakes people make with noisy numbers, and how to do it right.
std::vector<Specimen> number_specimens();
/// Mistakes with tables of weights.
std::vector<Specimen> table_specimens();
/// Mistakes with the ledger.
std::vector<Specimen> walk_specimens();

/// The mechanisms of papers whose claims do not hold, and their right twins.
std::vector<Specimen> published_specimens();
std::vector<Specimen> general_specimens();  ///< all of these: what is of no kind of release

// Every mechanism that Fogline releases with, by kind; of routes the paper's form too, of trips the mistakes that people make with them. release/kinds.hpp has all.
std::vector<Specimen> place_specimens();
std::vector<Specimen> stream_specimens();
std::vector<Specimen> path_specimens();
std::vector<Specimen> weights_specimens();
std::vector<Specimen> trace_specimens();

}  // namespace fogline::audit
