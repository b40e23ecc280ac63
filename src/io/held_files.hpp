// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fogline::io {

/// Files that are opened once, and that this thread reads through those handles as long as they are held, whatever their names lead to meanwhile: what is hashed is what
/// is read.
///
///     const HeldFiles held({"roads.osm.pbf", "prior.csv"});
///     sha256_of_file("prior.csv");  TextSource::from_file("prior.csv", {});      // both read the file that was opened above
///     held.require_unchanged();                                                  // nobody wrote to it
///
/// What is not there or is no file is not held, and is told when it is opened by its name. Held files may be held again, within.
class HeldFiles {
 public:
  explicit HeldFiles(const std::vector<std::string>& names);
  ~HeldFiles();
  HeldFiles(const HeldFiles&) = delete;
  HeldFiles& operator=(const HeldFiles&) = delete;

  /// Throws DataError if a file was written to since, or if its name leads to another.
  void require_unchanged() const;

 private:
  friend std::string place_of_file(const std::string& name);
  /// Device, inode, size, and the time of the last change, which no program can choose.
  using Stamp = std::array<std::int64_t, 5>;
  struct Held {
    std::string name;
    int handle = -1;
    Stamp stamp = {};
  };
  static Stamp stamp_of(const Held& file);

  std::vector<Held> files_;
  const HeldFiles* before_;  // of this thread
};

/// What to open for a file of this name: the name, or the handle through which this thread holds it.
std::string place_of_file(const std::string& name);

}  // namespace fogline::io
