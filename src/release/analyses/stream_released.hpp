// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mobility/sequences.hpp"
#include "release/analyses/findings.hpp"
#include "release/caller.hpp"
#include "release/column_fields.hpp"
#include "release/field_table.hpp"
#include "stream/public_stream.hpp"
#include "stream/released_file.hpp"
#include "stream/terms.hpp"

namespace fogline::release {

/// A release of a stream, with everything public that it was made from.
struct ReleasedStream {
  stream::StreamTerms terms;
  stream::PublicStream stream;
  std::optional<stream::Tracker::Saved> begin = {};  ///< where it began, if it went on from a saved state
  std::vector<std::vector<stream::ReleasedFormat::Row>> sequences = {};

  stream::Tracker tracker() const;  ///< as it stood before the first step of a sequence
  /// The private states that it is of. Throws DataError unless there is one for every row.
  mobility::StateSequences read_truth(const std::string& file, const ColumnFields& columns,
                                      Caller& caller) const;
  std::string unit() const;                        ///< "_m" where distances are metres, else nothing
  Findings::Rows rows(std::uint64_t steps) const;  ///< "release": what it is, in one line
};

/// `model`, `statement` and `file`: finds a release's public files by its statement.
struct ReleasedStreamFields {
  std::string released;
  std::string model;
  std::string statement;
  std::vector<std::string> files;

  void declare(FieldTable& table, const std::string& help);  ///< `released`, which the sentence is of, too
  /// Throws DataError for files that are not those of the statement.
  ReleasedStream read() const;
};

}  // namespace fogline::release
