// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "fogline/column_set.hpp"

namespace fogline {

/// What a release gave.
struct Released {
  std::string statement;       ///< JSON: what is promised, to whom and how; docs/statement.md
  std::string statement_file;  ///< empty if it was written to none
  std::string guarantee;       ///< one sentence of it
  std::uint64_t records = 0;   ///< of live positions, each of which has a statement, all that were answered
  std::uint64_t entry = 0;     ///< of the ledger
  std::string told =
      "{}";  ///< JSON: what the kind has to say beside the statement, such as the expected error
  /// JSON: what was released, where, who paid and what is left, with `told`: what the command line prints with `--json`.
  std::string json = "{}";
  std::string text = {};  ///< what was released, unless it went to a file or to a receiver
  /// What was released besides, by its name in the statement, whether it went to a file or not: the counts that trips were made of.
  std::map<std::string, std::string> more = {};

  /// The text as columns: those of the CSV that it is, numbers as numbers (missing ones not finite), names and all else as texts. Throws InvalidOption
  /// if there is no text, or it is no CSV, as that of a path.
  ColumnSet columns() const;
};

}  // namespace fogline
