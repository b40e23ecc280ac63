// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "random/key.hpp"
#include "release/common_fields.hpp"
#include "traces/roads/driving_map.hpp"
#include "traces/rules/constraints.hpp"
#include "traces/terms.hpp"

namespace fogline::release {

/// `constraints` and `network`: what released trips obey. Read and checked before anything is charged; applied to synthetic trips alone.
///
///     rules_.name(terms);                                  // the statement names the files
///     const TraceRules rules = rules_.read(caller, terms);
///     trips = rules.apply(std::move(trips), key, caller, told);
struct TraceRuleFields {
  std::string constraints;
  NetworkFields network;

  void declare(FieldTable& table);
  void name(traces::TraceTerms& terms) const;  ///< hashes the files; throws FileError
  std::vector<std::string> files() const;
  void refuse_for_published()
      const;  ///< throws InvalidOption if rules are given: the paper's trips obey none

  class Rules;
  /// Prints warnings. Throws DataError, for one if no legal place or road is left, and InvalidOption for a network with `plane`.
  Rules read(Caller& caller, const traces::TraceTerms& terms) const;
};

class TraceRuleFields::Rules {
 public:
  /// What obeying took, for people and as JSON: about synthetic trips alone, hence public.
  struct Told {
    std::vector<std::pair<std::string, std::string>> rows;
    std::vector<std::pair<std::string, nlohmann::ordered_json>> json;
  };

  /// Where points may lie at all; valid as long as this is.
  std::function<bool(const traces::PlanePoint&)> open() const;
  traces::TripSet apply(traces::TripSet trips, const random::Key& key, Caller& caller, Told& told) const;

 private:
  friend struct TraceRuleFields;
  explicit Rules(const traces::Frame& frame) : frame_(frame) {}

  traces::TripSet drive(const traces::TripSet& trips, Caller& caller, Told& told) const;
  /// `free`: the trips without constraints, if they would be others than these.
  void obey(traces::TripSet& trips, const std::optional<traces::TripSet>& free, const random::Key& key,
            Caller& caller, Told& told) const;

  traces::Frame frame_;
  std::unique_ptr<const traces::Constraints> constraints_;  ///< or null
  std::unique_ptr<const traces::DrivingMap> map_;           ///< or null
  std::unique_ptr<const traces::DrivingMap>
      free_map_;  ///< without constraints, to tell what these cost; or null
};

}  // namespace fogline::release
