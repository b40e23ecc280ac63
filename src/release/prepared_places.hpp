// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "io/file_stamp.hpp"
#include "place/prepared.hpp"
#include "release/caller.hpp"

namespace fogline::release {

/// Prepared place mechanisms in the user's cache folder: those that were built here, so that the next command need not
/// build them again, and which files of others were found sound here, so that they are certified once and not for every
/// release.
///
///     const PreparedPlaces places(caller.cache_folder());
///     const place::PreparedFile file("city.kernel");
///     std::string sha256 = places.require_sound(file, PreparedPlaces::Map::believed, caller);      // certified, or known to be
///     auto kept = places.find(terms, has_exact_error, caller);
///
/// A file is known by device, inode, size and the time of its last change, which no program can choose: whoever writes
/// to it, or puts another in its place, has it certified again. Nothing private is ever here: a key is a hash of public
/// inputs and options, and so is what lies under it. Without a folder nothing is kept, and everything certified.
///
/// What lies under a key is taken only if it says of itself what was asked for. Whoever can write to the folder could still put a mechanism there that says
/// so and was made for another map: a folder, or a file in it, that is not the user's own or that others may write to is not
/// used, and that is told.
///
/// What cannot be written here is no error: the cache is for speed alone.
class PreparedPlaces {
 public:
  /// What is kept of built mechanisms, at most; the oldest go first.
  static constexpr std::uint64_t most_bytes = std::uint64_t{4} << 30;

  explicit PreparedPlaces(std::string folder) : folder_(std::move(folder)) {}

  /// Who holds the map of a file against the network that it names.
  enum class Map {
    believed,  ///< nobody: that is told each time, unless the network is made by rule
    told,      ///< nobody, and whoever asks tells of it himself
    compared   ///< whoever asks, or wrote the file
  };
  /// The SHA-256 of the file, once it is known to be sound. Throws DataError if it is not; Cancelled.
  std::string require_sound(const place::PreparedFile& file, Map map, Caller& caller) const;

  /// Under which a mechanism of these terms is kept.
  static std::string key(const place::PlaceTerms& terms, bool has_exact_error);

  bool has(const place::PlaceTerms& terms, bool has_exact_error) const;
  /// Null if there is none, or if it cannot be used any more, or is another.
  std::unique_ptr<place::PreparedPlace> find(const place::PlaceTerms& terms, bool has_exact_error,
                                             Caller& caller) const;

  /// Is it worth keeping: does it take longer to build than to read?
  static bool is_worth_keeping(const place::PreparedPlace& prepared);
  void keep(const place::PlaceTerms& terms, bool has_exact_error, place::PreparedPlace& prepared,
            Caller& caller) const;

  /// After writing a file: it need not be certified, for what was written was.
  void know(const std::string& path) const;

 private:
  std::string path_of(const std::string& key) const { return folder_ + "/" + key + ".kernel"; }
  std::optional<std::string> known_sha256(const io::FileStamp& stamp) const;
  void know(const io::FileStamp& stamp, const std::string& sha256) const;
  void make_room() const;
  bool is_usable() const;  ///< there is a folder, or may be one, that nobody else writes to
  void warn_if_strange(Caller& caller) const;

  std::string folder_;
};

}  // namespace fogline::release
