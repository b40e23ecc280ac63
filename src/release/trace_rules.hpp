// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "release/common_fields.hpp"
#include "traces/make_trips.hpp"
#include "traces/terms.hpp"

namespace fogline::release {

/// `constraints` and `network`: what released trips obey. Read and checked before anything is charged; applied to synthetic trips alone.
///
///     rules_.name(terms);                                  // the statement names the files
///     const traces::TripRules rules = rules_.read(caller, terms);
///     const traces::MadeTrips made = traces::make_trips(counted, terms, rules, {});
///     told_of(made, terms);
struct TraceRuleFields {
  std::string constraints;
  NetworkFields network;

  void declare(FieldTable& table);
  void name(traces::TraceTerms& terms) const;  ///< hashes the files; throws FileError
  std::vector<std::string> files() const;
  void refuse_for_published()
      const;  ///< throws InvalidOption if rules are given: the paper's trips obey none

  /// Prints warnings. Throws DataError, for one if no legal place or road is left, and InvalidOption for a network with `plane`.
  traces::TripRules read(Caller& caller, const traces::TraceTerms& terms) const;
};

/// What obeying took, for people and as JSON: about synthetic trips alone, hence public.
struct ToldOfRules {
  std::vector<std::pair<std::string, std::string>> rows;
  std::vector<std::pair<std::string, nlohmann::ordered_json>> json;
};
ToldOfRules told_of(const traces::MadeTrips& made, const traces::TraceTerms& terms);

}  // namespace fogline::release
