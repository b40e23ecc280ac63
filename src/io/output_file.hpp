// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace fogline::io {

/// What to try after a write that failed with this error of the system; empty if there is nothing to say.
std::string what_to_try_writing(int error);

/// A file that appears whole or not at all: written beside its final name, synced, then renamed by commit().
///
///     OutputFile out("safe.csv", {.overwrite = false});   // throws FileError: exists, read-only folder
///     out.write("vertex,lon,lat\n");
///     out.commit();                                       // throws FileError: disk full
///
/// Without commit() the temporary file is removed. Killed before, the program leaves it behind, readable by its
/// owner alone. The finished file gets the permissions that any new file gets, once it has its name (Linux tells them in
/// /proc; without it, and if the program is killed right then, they stay the owner's). The name "-" writes to standard
/// output at commit().
class OutputFile {
 public:
  struct Options {
    bool overwrite = false;   ///< replace an existing file; otherwise its presence is an error
    bool owner_only = false;  ///< the finished file too is readable by its owner alone
  };
  OutputFile(std::string name, const Options& options);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void sync();    ///< everything written so far is on the disk; commit() does it too
  void commit();  ///< at most once
  const std::string& name() const { return name_; }

  /// For whoever ends the process from another thread while files are open: calls `leave` when no file is being
  /// put in place, and every temporary file has been removed. No other file is begun or put in place meanwhile.
  static void remove_temporaries_and(const std::function<void()>& leave);

 private:
  [[noreturn]] void fail(std::string_view what) const;
  void flush();
  void put_in_place() const;

  std::string name_;
  std::string temporary_;
  std::string buffer_;
  Options options_;
  int file_ = -1;
};

}  // namespace fogline::io
