// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "release/analyses/findings.hpp"
#include "release/analyses/written_file.hpp"
#include "release/caller.hpp"
#include "release/common_fields.hpp"
#include "release/field_table.hpp"

namespace fogline::release {

/// A request that releases nothing and charges nothing: a plan, a measure, an attack, an audit, a report.
///
///     auto plan = place_plan();                              // release/kinds.hpp
///     FieldTable table;
///     plan->declare(table);
///     set_fields(table, {{"network", "city:1"}, {"epsilon", "0.01"}});
///     Findings found = plan->run(caller);                    // found.json: what a program reads
///
/// What a measure or an attack finds of private records is private: its JSON says so.
class Analysis {
 public:
  virtual ~Analysis() = default;
  Analysis() = default;
  Analysis(const Analysis&) = delete;
  Analysis& operator=(const Analysis&) = delete;

  virtual std::string kind() const = 0;  ///< "place"
  virtual std::string verb() const = 0;  ///< "plan"

  /// Every field of the request; but see declare_all().
  virtual void declare(FieldTable& table) = 0;
  /// Throws Error for a request or a file that is wrong; a check that does not pass is a finding.
  virtual Findings run(Caller& caller) = 0;

  /// The ledger that it reads, for front ends that know which one is meant if none is named; null if it reads none.
  virtual LedgerFields* ledger() { return nullptr; }

  /// The file that is its answer, or goes with it; null if it writes none.
  virtual const WrittenFile* written() const { return nullptr; }

  /// Of every file that is read.
  LimitsField limits;
};

/// Runs it, if its fields hold what they may: for front ends.
Findings find(Analysis& request, Caller& caller);

}  // namespace fogline::release
