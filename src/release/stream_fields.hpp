// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "release/common_fields.hpp"
#include "release/person_fields.hpp"
#include "release/worth.hpp"
#include "stream/inference/simulate.hpp"
#include "stream/public_stream.hpp"
#include "stream/terms.hpp"

namespace fogline::release {

/// `model` and what may replace parts of it.
struct ModelFields {
  std::string model;
  std::string query;
  std::string initial;  ///< empty: as the model says; else a file, "uniform" or "stationary"

  void declare(FieldTable& table);
  bool initial_is_file() const;
  mobility::ModelFiles named() const;  ///< as the core takes them
  std::vector<std::string> files() const;
};

/// What every verb of `stream` shares that does not read it from a statement: the model, the policy, epsilon, and how a step is released.
///
///     const stream::StreamTerms terms = stream_.terms();
///     const stream::PublicStream stream(terms, stream_.named());
struct StreamFields {
  ModelFields model;
  std::string policy;
  std::string epsilon;
  std::string mechanism = "auto";
  std::string repair = "least-area";  ///< or a file of partners
  std::string delta;
  std::string lattice_step;
  std::uint64_t table_states = 0;  ///< 0: not given
  std::uint64_t groups = 0;        ///< 0: not given

  void declare(FieldTable& table);

  /// What the options settle; hashes the public files. Throws InvalidOption.
  stream::StreamTerms terms() const;
  stream::StreamFiles named() const;
  std::vector<std::string> files() const;  ///< all public ones
};

/// What `stream plan` and `stream release` settle alike: all of StreamFields, what is protected and charged, and what is
/// made of the draws.
///
///     const stream::StreamTerms terms = release_.terms();
///     const auto begin = release_.begin(terms, {});
struct StreamReleaseFields {
  StreamFields stream;
  std::string answer = "estimate";
  std::string protect = "step";
  std::uint64_t steps = 0;  ///< 0: not given
  PersonFields persons;
  std::uint64_t sequences_per_person = 0;  ///< the old spelling of `per-person`, also for one state of each
  std::string resume;                      ///< empty: the sequence begins as the model says

  void declare(FieldTable& table);

  PersonFields::Bound bound() const;  ///< throws InvalidOption
  /// With a guarantee: whatever decides what is charged is checked. Throws InvalidOption.
  stream::StreamTerms terms(bool is_guarded = false) const;
  std::vector<std::string> files() const;  ///< all public ones

  /// The public state to go on from, if `resume` names one. Throws InvalidOption if a run with a fixed seed saved it
  /// and `seed` is none.
  std::optional<stream::Tracker::Saved> begin(const stream::StreamTerms& terms,
                                              std::optional<std::uint64_t> seed) const;
};

/// "5 a step, 168 steps, 2 sequences a person": what the epsilon of a release is the product of. Empty if it is the
/// step's.
std::string cost_of(const stream::StreamTerms& terms);

/// What a forecast says of a release under these terms.
Worth worth_of(const stream::StreamTerms& terms, const stream::PublicStream& stream,
               const stream::Forecast& expected);

/// Says that errors will be differences of numbers if nothing was given to measure states by.
void warn_of_numbers(Caller& caller, const mobility::StateSpace& space);

}  // namespace fogline::release
