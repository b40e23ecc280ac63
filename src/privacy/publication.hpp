// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/output_file.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/statement.hpp"

namespace fogline::privacy {

/// An output and its statement, put in place together. The last step of the walk every release takes:
///
///     Publication publication({.output = "safe.csv"});            // both can be written, or throws: nothing was charged yet
///     Receipt receipt = ledger.charge(request);
///     ... receipt.draw_key() ... publication.write(rows);
///     publication.publish(statement, row_count);                  // fills in the output's hash and count
///
/// Nothing appears before publish(), and then the statement first: an output never stands without its statement. A crash between
/// the two leaves a statement whose output is missing, and budget that is spent.
class Publication {
 public:
  struct Options {
    std::string output;          ///< file name, or "-" for standard output
    std::string statement = {};  ///< file name; empty: OUTPUT.statement.json (not with "-")
    bool overwrite = false;      ///< replace existing files
  };
  explicit Publication(const Options& options);  ///< throws FileError, InvalidOption

  void write(std::string_view text);
  void publish(Statement statement,
               std::uint64_t records);  ///< at most once; throws FileError, InvalidOption

  const std::string& output_name() const { return output_.name(); }
  const std::string& statement_name() const { return statement_.name(); }

 private:
  io::OutputFile output_;
  io::OutputFile statement_;
  Sha256 hash_;
};

}  // namespace fogline::privacy
