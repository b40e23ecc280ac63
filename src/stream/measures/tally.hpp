// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "stream/terms.hpp"
#include "stream/tracker.hpp"

namespace fogline::stream {

/// What the steps of a release add up to: Theorem 5.3 for each, Theorem 7.2 for the sequence, and how often the policy left a state
/// exposed. Public: it follows from the released answers.
///
///     tally.begin_sequence();
///     tally.add(tracker, value);     // after observe(): the answer that is released
///     statement.outcome = tally.outcome(terms);
class Tally {
 public:
  void begin_sequence();
  void add(const Tracker& tracker, std::span<const double> released);
  void merge(const Tally& other);  ///< the sequences of another, which come after these

  std::uint64_t steps() const { return steps_; }
  std::uint64_t exposed_steps() const { return exposed_steps_; }

  nlohmann::ordered_json outcome(const StreamTerms& terms) const;

 private:
  void end_sequence();

  std::uint64_t sequences_ = 0, steps_ = 0, longest_ = 0, current_ = 0;
  std::uint64_t exposed_steps_ = 0;    // some state had no other to be taken for, before repair
  std::uint64_t separated_steps_ = 0;  // an answer could tell two possible states apart for certain
  std::uint64_t known_steps_ = 0;      // one state only was possible
  std::uint64_t repairs_ = 0;
  double current_any_two_ = 0, largest_any_two_ = 0, largest_joined_ = 0;
  double expected_error_ = 0, free_error_ = 0;
  std::uint64_t states_ = 0, fewest_ = 0, most_ = 0;
  std::map<std::string, std::uint64_t, std::less<>> mechanisms_;
};

}  // namespace fogline::stream
