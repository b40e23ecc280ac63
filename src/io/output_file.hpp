// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fogline::io {

/// A file that appears whole or not at all: written beside its final name, synced, then renamed by commit().
///
///     OutputFile out("safe.csv", {.overwrite = false});   // throws FileError: exists, read-only folder
///     out.write("vertex,lon,lat\n");
///     out.commit();                                       // throws FileError: disk full
///
/// Without commit() the temporary file is removed. The name "-" writes to standard output at commit().
class OutputFile {
 public:
  struct Options {
    bool overwrite = false;  ///< replace an existing file; otherwise its presence is an error
  };
  OutputFile(std::string name, const Options& options);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void sync();    ///< everything written so far is on the disk; commit() does it too
  void commit();  ///< at most once
  const std::string& name() const { return name_; }

 private:
  [[noreturn]] void fail(std::string_view what) const;
  void flush();

  std::string name_;
  std::string temporary_;
  std::string buffer_;
  bool overwrite_;
  int file_ = -1;
};

}  // namespace fogline::io
