// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/output_file.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/statement.hpp"

namespace fogline::privacy {

/// The files of a release: its outputs and their statement, of which no output ever stands without the other.
///
///     ReleaseFiles files({"safe.csv"}, {});        // throws FileError here, before anything is charged
///     Receipt receipt = ledger.charge(request);
///     files.write(0, "vertex,lon,lat\n");
///     files.write_record(0, "17,13.377,52.516\n");
///     files.commit(statement);                      // names and hashes of the outputs are filled in
///
/// Everything is written and synced under temporary names first. Then the statement is put in place and the
/// folder synced, then the outputs. A crash in between leaves a statement without its output, never the
/// reverse. With `overwrite`, outputs of that name are removed before the statement is replaced, so that an
/// old output never stands beside a new statement. Without commit() nothing stays.
class ReleaseFiles {
 public:
  struct Options {
    bool overwrite = false;  ///< replace files of these names; otherwise their presence is an error
    std::string statement;   ///< path of the statement; empty: beside the first output, OUT.statement.json
  };
  /// `outputs` are paths, at least one; "-" is standard output and needs a path for the statement.
  ReleaseFiles(const std::vector<std::string>& outputs, const Options& options);

  void write(std::size_t output, std::string_view text);         ///< a header, or part of a record
  void write_record(std::size_t output, std::string_view text);  ///< counts it as well
  void count_records(std::size_t output, std::uint64_t records) { outputs_.at(output).records += records; }
  /// The statement as it was written. At most once; throws InvalidOption before anything is in place.
  Statement commit(Statement statement);
  const std::string& statement_name() const { return statement_->name(); }

 private:
  struct Output {
    std::unique_ptr<io::OutputFile> file;
    Sha256 hash;
    std::uint64_t records = 0;
  };
  void remove_old_outputs() const;

  std::vector<Output> outputs_;
  std::unique_ptr<io::OutputFile> statement_;
  bool overwrite_;
};

}  // namespace fogline::privacy
