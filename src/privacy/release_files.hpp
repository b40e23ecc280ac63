// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.hpp"
#include "io/output_file.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/statement.hpp"

namespace fogline::privacy {

/// The records of a text with a header and a line for each record, the last of which may be cut short.
std::uint64_t lines_after_header(std::string_view text);

/// The files of a release: its outputs and their statement, of which no output ever stands without the other.
///
///     ReleaseFiles files({"safe.csv"}, {});        // throws FileError here, before anything is charged
///     Receipt receipt = ledger.charge(request);
///     files.write(0, "vertex,lon,lat\n");
///     files.write_record(0, "17,13.377,52.516\n");
///     files.commit(statement);                      // names and hashes of the outputs are filled in
///
/// Everything is written and synced under temporary names first, readable by their owner alone. Then the statement
/// is put in place and the folder synced, then the outputs. A crash in between leaves a statement without its
/// output, never the reverse: a statement alone tells of a charge that the ledger holds as well, and `fogline
/// verify` says that the output is missing, whereas an output alone would be numbers of which nobody can tell what
/// they promise, or that they were paid for. With `overwrite`, outputs of that name are removed before the
/// statement is replaced, so that an old output never stands beside a new statement. Without commit(), or when an
/// output cannot be put in place, nothing stays.
///
/// Standard output comes last, and cannot be taken back. If it cannot be written to the end, or is not wanted any more, the
/// statement is replaced by one that tells of what went out, without an outcome, and all that is in place stays.
///
/// A release into memory hands its pieces to `receive` as they are drawn, after the charge; the statement is what commit() gives back, and also a file if
/// one was named. Without one there are no files at all: of further outputs only hash and number of records are kept. Whoever received pieces of a release
/// that then threw has no statement for them.
///
/// Companions are files that are no outputs but must not be missing once an output is there: they are put in place
/// between the statement, which does not name them, and the outputs.
class ReleaseFiles {
 public:
  struct Options {
    bool overwrite = false;  ///< replace files of these names; otherwise their presence is an error
    std::string statement =
        {};  ///< path of the statement; empty: beside the first output, OUT.statement.json
    std::vector<std::string> companions = {};  ///< paths; those that are not written do not appear
    Wanted wanted = {};                        ///< asked while standard output waits for its reader
    /// Instead of standard output: is given each piece of "-" when it is written, and nothing is held. There need be no statement file then.
    std::function<void(std::string_view)> receive = {};
    const SigningKey* signer = nullptr;  ///< signs the statement once all else is in it; null: nobody does
    /// How many records the beginning of an output holds, for a standard output that was cut short.
    std::function<std::uint64_t(std::string_view)> records_in = lines_after_header;
  };
  /// `outputs` are paths, at least one; "-" is standard output and needs a path for the statement.
  ReleaseFiles(const std::vector<std::string>& outputs, const Options& options);

  void write(std::size_t output, std::string_view text);         ///< a header, or part of a record
  void write_record(std::size_t output, std::string_view text);  ///< counts it as well
  void count_records(std::size_t output, std::uint64_t records) { outputs_.at(output).records += records; }
  void write_companion(std::size_t companion, std::string_view text);
  /// Fills in the outputs and puts everything in place; the statement then is as it was written, also where it throws because standard output was
  /// cut short. At most once; throws InvalidOption before anything is in place, Cancelled.
  void commit(Statement& statement);
  bool is_cut_short() const { return is_cut_short_; }  ///< part of the output is out, with its statement
  /// Empty if there is no file.
  std::string statement_name() const { return statement_ ? statement_->name() : ""; }

 private:
  struct Output {
    std::string name;
    std::unique_ptr<io::OutputFile> file;  // none for standard output
    std::string held;                      // for standard output, unless somebody receives it
    Sha256 hash;
    std::uint64_t records = 0;
  };
  struct Companion {
    std::unique_ptr<io::OutputFile> file;
    bool is_written = false;
  };
  void remove_old_outputs() const;
  void put_statement_in_place() const;
  void put_files_in_place() const;
  void write_standard_output(Statement& statement);
  void replace_statement(Statement& statement) const;

  Options options_;
  std::vector<Output> outputs_;
  std::vector<Companion> companions_;
  std::unique_ptr<io::OutputFile> statement_;  // none: a release into memory
  bool is_cut_short_ = false;
};

}  // namespace fogline::privacy
