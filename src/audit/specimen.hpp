// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/charge_order.hpp"
#include "audit/exact.hpp"
#include "audit/falsifier.hpp"
#include "audit/replay.hpp"

namespace fogline::audit {

/// The parts of the audit engine.
enum class Engine { certificate, fit, falsifier, replay, charge_order };
std::string_view to_string(Engine engine);  ///< "certificate", ..., "charge order"

/// A mechanism on which the auditor itself is tested: with a planted bug, or its right twin. Each has one or more faces, by which the
/// parts of the engine can take hold of it.
struct Specimen {
  std::string name;              ///< "noise scale": the same for a bug and its twin
  std::string words;             ///< what this one does
  bool broken = true;            ///< a planted bug; false: its right twin, which nobody may accuse
  std::vector<Pair> pairs = {};  ///< for the falsifier
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

std::vector<Specimen> specimens();  ///< all of them

}  // namespace fogline::audit
