// SPDX-License-Identifier: Apache-2.0
#include "release/prepared_places.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.hpp"
#include "fogline/version.hpp"
#include "io/limits.hpp"
#include "io/output_file.hpp"
#include "privacy/file_hash.hpp"

namespace fogline::release {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Longer than the clock of any file system needs to tell two changes apart (4 to 10 ms): what is written to a file after
/// this wait gives it another stamp than it had before.
constexpr std::chrono::milliseconds until_a_change_shows{20};

/// Below, reading the map and averaging the error take less than a tenth of a second.
constexpr std::size_t many_vertices = 5000;

/// Raised with what PreparedFile::require_sound() looks at: what was found sound by less is certified again.
constexpr int soundness = 3;

std::string known_as(const io::FileStamp& stamp) {
  return fmt::format("{} {} {}", version, soundness, fmt::join(stamp, " "));
}

void make_folder(const std::string& folder) {
  std::error_code unknown;
  if (!fs::create_directories(folder, unknown)) return;
  fs::permissions(folder, fs::perms::owner_all, unknown);
}

/// Can nobody but the user have written it? What is not there, nobody has.
bool is_own(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return errno == ENOENT;
  return status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Does the file say of itself what the terms ask for? What only a built mechanism knows of itself is no part of a question.
bool is_asked_for(const place::PreparedFile& file, const place::PlaceTerms& asked, bool has_exact_error) {
  place::PlaceTerms held = file.terms();
  if (asked.mechanism != place::automatic && held.mechanism != asked.mechanism) return false;
  if (has_exact_error && !file.has_exact_error()) return false;
  held.mechanism = asked.mechanism;
  return PreparedPlaces::key(held, has_exact_error) == PreparedPlaces::key(asked, has_exact_error);
}

}  // namespace

bool PreparedPlaces::is_usable() const {
  return !folder_.empty() && is_own(folder_) && is_own(folder_ + "/known");
}

void PreparedPlaces::warn_if_strange(Caller& caller) const {
  if (folder_.empty() || is_usable()) return;
  caller.warn_once(
      fmt::format("{} is not used: it is another user's, or others may write to it, and what lies there "
                  "decides what is drawn",
                  folder_));
}

std::optional<std::string> PreparedPlaces::known_sha256(const io::FileStamp& stamp) const {
  if (!is_usable() || stamp == io::FileStamp{}) return std::nullopt;
  const std::string path = fmt::format("{}/known/{}-{}", folder_, stamp[0], stamp[1]);
  if (!is_own(path)) return std::nullopt;
  std::ifstream file(path);
  std::string line, sha256;
  if (!std::getline(file, line) || !std::getline(file, sha256)) return std::nullopt;
  if (line != known_as(stamp) || !privacy::is_sha256_hex(sha256)) return std::nullopt;
  return sha256;
}

void PreparedPlaces::know(const io::FileStamp& stamp, const std::string& sha256) const try {
  if (!is_usable() || stamp == io::FileStamp{}) return;
  make_folder(folder_);
  make_folder(folder_ + "/known");
  io::OutputFile file(fmt::format("{}/known/{}-{}", folder_, stamp[0], stamp[1]),
                      {.overwrite = true, .owner_only = true});
  file.write(fmt::format("{}\n{}\n", known_as(stamp), sha256));
  file.commit();
} catch (const FileError&) {  // it is certified again next time
}

std::string PreparedPlaces::require_sound(const place::PreparedFile& file, Map map, Caller& caller) const {
  warn_if_strange(caller);
  if (map == Map::believed && !file.names_rule())
    caller.warn_once(fmt::format(
        "{}: its map is believed; whether it is that of {}, only who has that can tell (`network`)",
        file.sections().path(), file.terms().network.identity()));
  const io::FileStamp stamp = file.sections().stamp();
  if (const auto known = known_sha256(stamp)) return *known;
  std::this_thread::sleep_for(until_a_change_shows);
  caller.detail(fmt::format("{} is new here, and is certified", file.sections().path()));
  const std::string sha256 = privacy::sha256_of_file(file.sections().path());
  file.require_sound({.threads = caller.threads(), .progress = caller.progress()});
  if (place::PreparedFile(file.sections().path()).sections().stamp() != stamp)
    throw DataError({file.sections().path()}, "changed while it was read", "run again");
  know(stamp, sha256);
  return sha256;
}

void PreparedPlaces::know(const std::string& path) const {
  if (!is_usable()) return;
  const io::LimitScope own{io::ReadLimits{}};
  std::this_thread::sleep_for(until_a_change_shows);
  const place::PreparedFile file(path);
  file.sections().require_whole();
  know(file.sections().stamp(), privacy::sha256_of_file(path));
}

std::string PreparedPlaces::key(const place::PlaceTerms& terms, bool has_exact_error) {
  // What becomes of `auto` follows from the rest; any mechanism's parameters tell that.
  place::PlaceTerms plain = terms.of_mechanism();
  plain.mechanism = "gem";
  plain.own = {};
  plain.range_vertices = 1;
  plain.snap = {};
  Json inputs = Json::array();
  for (const privacy::PublicInput& input : plain.public_inputs())
    inputs.push_back({input.name, input.sha256, input.specification});
  const Json all{{"program", version},
                 {"mechanism", terms.mechanism},
                 {"exact_error", has_exact_error},
                 {"parameters", plain.parameters()},
                 {"inputs", std::move(inputs)}};
  return privacy::sha256_of_text(all.dump());
}

bool PreparedPlaces::has(const place::PlaceTerms& terms, bool has_exact_error) const {
  std::error_code unknown;
  return is_usable() && fs::is_regular_file(path_of(key(terms, has_exact_error)), unknown);
}

std::unique_ptr<place::PreparedPlace> PreparedPlaces::find(const place::PlaceTerms& terms,
                                                           bool has_exact_error, Caller& caller) const {
  warn_if_strange(caller);
  if (!has(terms, has_exact_error)) return nullptr;
  const std::string path = path_of(key(terms, has_exact_error));
  const io::LimitScope own{io::ReadLimits{}};  // limits are for files of others
  try {
    if (!is_own(path)) throw DataError({path}, "is another user's, or others may write to it");
    const place::PreparedFile file(path);
    if (!is_asked_for(file, terms, has_exact_error)) throw DataError({path}, "is another mechanism");
    require_sound(file, Map::compared, caller);
    return file.restore(terms.unit_of_report());
  } catch (const DataError& error) {
    caller.detail(fmt::format("not taken from the cache: {}", error.what()));
  } catch (const FileError& error) {
    caller.detail(fmt::format("not taken from the cache: {}", error.what()));
  }
  std::error_code unknown;
  fs::remove(path, unknown);
  return nullptr;
}

bool PreparedPlaces::is_worth_keeping(const place::PreparedPlace& prepared) {
  const place::MechanismKind& kind = place::mechanism_kind(prepared.mechanism->name());
  return kind.restore != nullptr &&
         (kind.numerical || prepared.choice.remap || prepared.map.vertex_count() > many_vertices);
}

void PreparedPlaces::keep(const place::PlaceTerms& terms, bool has_exact_error,
                          place::PreparedPlace& prepared, Caller& caller) const {
  if (!is_usable() || !is_worth_keeping(prepared)) return;
  const std::string path = path_of(key(terms, has_exact_error));
  try {
    make_folder(folder_);
    place::write_prepared(path, prepared, terms, {.overwrite = true, .owner_only = true});
    know(path);
    make_room();
  } catch (const FileError& error) {
    caller.detail(fmt::format("not kept in the cache: {}", error.what()));
  }
}

void PreparedPlaces::make_room() const {
  struct Kept {
    fs::path path;
    fs::file_time_type made;
    std::uint64_t size;
  };
  std::vector<Kept> all;
  std::error_code unknown;  // another process may be making room as well
  for (const auto& entry : fs::directory_iterator(folder_, unknown)) {
    if (entry.path().extension() == ".kernel")
      all.push_back({entry.path(), entry.last_write_time(unknown), entry.file_size(unknown)});
  }
  std::ranges::sort(all, [](const Kept& a, const Kept& b) { return a.made > b.made; });
  std::uint64_t bytes = 0;
  for (const Kept& kept : all) {
    bytes += kept.size;
    if (bytes > most_bytes) fs::remove(kept.path, unknown);
  }
}

}  // namespace fogline::release
