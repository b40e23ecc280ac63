// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/input_file.hpp"
#include "mobility/state_space.hpp"
#include "stream/policy/policy.hpp"

namespace fogline::stream {

/// A policy as it is written on the command line and in a statement: parts joined by "+".
///
///     complete            every two states
///     util:1000           answers at most 1,000 apart, in the units of the measurement (metres for places)
///     transition          every two states that can follow one state
///     category:FILE       states of the same category: CSV state,category; states that are not listed are joined with none
///     file:FILE           the listed pairs: CSV state,other
///
///     PolicyText policy = PolicyText::parse("util:500+transition");
///     PolicyGraph graph = policy.build(model);
class PolicyText {
 public:
  static PolicyText parse(std::string_view text);  ///< throws InvalidOption that lists the forms

  /// Throws DataError naming the line: an unknown state, a state joined with itself, a state given twice (categories).
  PolicyGraph build(const mobility::StateModel& model) const;

  const std::string& text() const { return text_; }  ///< with file names without their folders
  std::vector<std::string> files() const;            ///< of the parts, as given
  /// The same policy with its files elsewhere: one path for each of files(), in order.
  PolicyText with_files(const std::vector<std::string>& paths) const;

 private:
  struct Part {
    std::string kind;
    std::string argument;
  };
  std::vector<Part> parts_;
  std::string text_;
};

/// The partner of each state, itself for those that are not listed: CSV state,partner. Throws DataError naming the line.
std::vector<StateId> read_partners(const std::string& file, const mobility::StateSpace& space);
std::vector<StateId> read_partners(io::TextSource& source, const mobility::StateSpace& space);

/// The files of a policy's parts, from any source. Throws DataError as PolicyText::build does.
PolicyGraph read_categories(io::TextSource& source, const mobility::StateSpace& space);
PolicyGraph read_pairs(io::TextSource& source, const mobility::StateSpace& space);

}  // namespace fogline::stream
