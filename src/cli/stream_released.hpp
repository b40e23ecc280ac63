// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/option_set.hpp"
#include "mobility/sequences.hpp"
#include "stream/public_stream.hpp"
#include "stream/released_file.hpp"
#include "stream/terms.hpp"

namespace fogline::cli {

/// A release of a stream, with everything public that it was made from.
struct ReleasedStream {
  stream::StreamTerms terms;
  stream::PublicStream stream;
  std::optional<stream::Tracker::Saved> begin = {};  ///< where it began, if it went on from a saved state
  std::vector<std::vector<stream::ReleasedFormat::Row>> sequences = {};

  stream::Tracker tracker() const;  ///< as it stood before the first step of a sequence
  /// Throws DataError unless there is a true state for every row.
  void require_truth(const mobility::StateSequences& truth, const std::string& file) const;
  std::string unit() const;  ///< "_m" where distances are metres, else nothing
};

/// --model, --statement and --file: finds a release's public files by its statement.
struct ReleasedBlock {
  std::string released;
  std::string model;
  std::string statement;
  std::vector<std::string> files;

  void declare(OptionSet& options);
  /// Throws DataError for files that are not those of the statement.
  ReleasedStream read() const;
};

}  // namespace fogline::cli
