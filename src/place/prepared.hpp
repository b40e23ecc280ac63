// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/progress.hpp"
#include "io/limits.hpp"
#include "io/section_file.hpp"
#include "place/catalogue.hpp"
#include "place/mechanism.hpp"
#include "place/terms.hpp"
#include "roads/network.hpp"
#include "roads/snap.hpp"

namespace fogline::place {

/// A place mechanism on its map with all that a release needs besides the records, ready to draw. Public throughout.
///
///     auto city = prepare_place(map, choice, {.threads = 2});
///     write_prepared("city.kernel", *city, terms, {});
///     const PreparedFile file("city.kernel");
///     file.require_sound({});                                     // once, if somebody else may have written it
///     auto same = file.restore(file.terms().unit_of_report());   // in milliseconds, whatever the mechanism took to find
///
/// What comes out of a file draws the same with the same key as what was written to it.
struct PreparedPlace {
  PreparedPlace() = default;
  PreparedPlace(const PreparedPlace&) = delete;  // the mechanism keeps the address of the map
  PreparedPlace& operator=(const PreparedPlace&) = delete;

  roads::RoadNetwork map;  ///< from a file: without names of roads, classes and shapes
  MechanismChoice choice{.epsilon = {1, 100}};
  std::unique_ptr<PlaceMechanism> mechanism;
  ExpectedError error;
  std::optional<double> free_error_m;  ///< of the answer that costs nothing (place/free_answer.hpp)

  /// Made when it is first asked for, unless it came from a file. Not for several threads at once.
  const roads::Snapper& snapper();
  std::optional<roads::Snapper> kept_snapper = {};
};

struct PrepareOptions {
  bool exact_error = false;  ///< the expected error over every vertex, however long it takes
  int threads = 0;           ///< 0 (all cores) to 1,024
  Progress progress = {};    ///< may cancel
};

/// Builds the mechanism and works out its error. Throws as make_place_mechanism does.
std::unique_ptr<PreparedPlace> prepare_place(roads::RoadNetwork map, const MechanismChoice& choice,
                                             const PrepareOptions& options);

/// Writes it, for the network, range and prior that `terms` name. What terms say of reports, persons and copied columns is no part of it.
/// Throws InvalidOption for a mechanism that needs no preparing (points of the plane); FileError.
void write_prepared(const std::string& path, PreparedPlace& prepared, PlaceTerms terms,
                    const io::SectionWriter::Options& options);

/// Have both the same vertices, by name and position, and the same roads, by length?
bool is_same_map(const roads::RoadNetwork& a, const roads::RoadNetwork& b);

/// A file of a prepared mechanism: "kernel" for short. Format: docs/formats.md.
///
/// Opening it looks at its table of contents and what it says about itself, and reads nothing else. Throws FileError; DataError for
/// another file, another version, or one that is damaged there. The limits of reading hold for it as for any file: bytes of the whole, memory
/// for what is copied out of it, vertices as records, and seconds until it is found sound.
class PreparedFile {
 public:
  explicit PreparedFile(const std::string& path);

  const io::SectionFile& sections() const { return file_; }
  const PlaceTerms& terms() const { return *terms_; }
  std::string source() const { return source_; }  ///< what its network is called
  bool has_exact_error() const { return error_.is_exact(); }
  std::size_t vertex_count() const { return file_.numbers<geometry::LonLat>("map_position").size(); }

  /// With the unit that the guarantee names. Throws DataError for what does not fit together. What it cannot see at a glance
  /// is for require_sound(): who has not asked for that, or made the file himself, must not draw from it.
  std::unique_ptr<PreparedPlace> restore(const std::string& unit) const;

  /// Its map alone, whose roads fit together. Throws DataError for one that is none.
  roads::RoadNetwork map() const;
  /// Is the network that it names made by rule (lattice:3x4:100)? Then require_sound() makes it anew and compares.
  bool names_rule() const;

  /// Looks at everything, as at a file that a stranger wrote: that it is whole, that its map is one, that its integers keep the promise
  /// on every road, that draws follow them, and that its mechanism and its map are what it says of them. Throws DataError otherwise; Cancelled.
  /// Whether its map is that of the files it names, only who has them can tell. Cost: that of a certificate.
  void require_sound(const PrepareOptions& options) const;

 private:
  void require_plane(const roads::RoadNetwork& map, const roads::Snapper& snapper) const;
  void require_made_by_rule(const roads::RoadNetwork& map) const;
  void require_figures(const PreparedPlace& prepared, const RuleCertificate& certificate,
                       const PrepareOptions& options) const;
  [[noreturn]] void refuse(const std::string& why) const;

  io::SectionFile file_;
  std::optional<PlaceTerms> terms_;
  std::string source_;
  ExpectedError error_;
  std::optional<double> free_error_m_;
  io::ReadLimits limits_ = io::current_limits();
  io::ReadingTime time_{limits_};
};

}  // namespace fogline::place
