// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/blocks.hpp"
#include "stream/public_stream.hpp"
#include "stream/terms.hpp"

namespace fogline::cli {

/// --model and what may replace parts of it.
struct ModelBlock {
  std::string model;
  std::string query;
  std::string initial;  ///< empty: as the model says; else a file, "uniform" or "stationary"

  void declare(OptionSet& options);
  bool initial_is_file() const;
  mobility::ModelFiles named() const;  ///< as the core takes them
  std::vector<std::string> files() const;
};

/// What every verb of `stream` shares that does not read it from a statement: the model, the policy, epsilon, and how a step is released.
///
///     const stream::StreamTerms terms = stream_.terms();
///     const stream::PublicStream stream(terms, stream_.named());
struct StreamBlock {
  ModelBlock model;
  std::string policy;
  std::string epsilon;
  std::string mechanism = "auto";
  std::string repair = "least-area";  ///< or a file of partners
  std::string delta;
  std::string lattice_step;
  std::uint64_t table_states = 0;  ///< 0: not given
  std::uint64_t groups = 0;        ///< 0: not given

  void declare(OptionSet& options);

  /// What the options settle; hashes the public files. Throws InvalidOption.
  stream::StreamTerms terms() const;
  stream::StreamFiles named() const;
  std::vector<std::string> files() const;  ///< all public ones
};

/// Says that errors will be differences of numbers if nothing was given to measure states by.
void warn_of_numbers(Session& session, const mobility::StateSpace& space);

}  // namespace fogline::cli
