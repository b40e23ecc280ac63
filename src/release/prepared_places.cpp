// SPDX-License-Identifier: Apache-2.0
#include "release/prepared_places.hpp"

#include <algorithm>
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

#include "base/error.hpp"
#include "fogline/version.hpp"
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

std::string to_text(const io::FileStamp& stamp) {
  return fmt::format("{}", fmt::join(stamp, " "));
}

void make_folder(const std::string& folder) {
  std::error_code unknown;
  if (!fs::create_directories(folder, unknown)) return;
  fs::permissions(folder, fs::perms::owner_all, unknown);
}

}  // namespace

std::optional<std::string> PreparedPlaces::known_sha256(const io::FileStamp& stamp) const {
  if (folder_.empty() || stamp == io::FileStamp{}) return std::nullopt;
  std::ifstream file(fmt::format("{}/known/{}-{}", folder_, stamp[0], stamp[1]));
  std::string line, sha256;
  if (!std::getline(file, line) || !std::getline(file, sha256)) return std::nullopt;
  if (line != fmt::format("{} {}", version, to_text(stamp)) || !privacy::is_sha256_hex(sha256))
    return std::nullopt;
  return sha256;
}

void PreparedPlaces::know(const io::FileStamp& stamp, const std::string& sha256) const try {
  if (folder_.empty() || stamp == io::FileStamp{}) return;
  make_folder(folder_);
  make_folder(folder_ + "/known");
  io::OutputFile file(fmt::format("{}/known/{}-{}", folder_, stamp[0], stamp[1]),
                      {.overwrite = true, .owner_only = true});
  file.write(fmt::format("{} {}\n{}\n", version, to_text(stamp), sha256));
  file.commit();
} catch (const FileError&) {  // it is certified again next time
}

std::string PreparedPlaces::require_sound(const place::PreparedFile& file, Caller& caller) const {
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
  if (folder_.empty()) return;
  std::this_thread::sleep_for(until_a_change_shows);
  const place::PreparedFile file(path);
  file.sections().require_whole();
  know(file.sections().stamp(), privacy::sha256_of_file(path));
}

std::string PreparedPlaces::key(const place::PlaceTerms& terms, bool has_exact_error) {
  // What becomes of `auto` follows from the rest; any mechanism's parameters tell that.
  place::PlaceTerms plain = terms.of_mechanism();
  plain.mechanism = "gem";
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

bool PreparedPlaces::has(const std::string& key) const {
  std::error_code unknown;
  return !folder_.empty() && fs::is_regular_file(path_of(key), unknown);
}

std::unique_ptr<place::PreparedPlace> PreparedPlaces::find(const std::string& key, const std::string& unit,
                                                           Caller& caller) const {
  std::error_code unknown;
  const std::string path = path_of(key);
  if (!has(key)) return nullptr;
  try {
    const place::PreparedFile file(path);
    require_sound(file, caller);
    return file.restore(unit);
  } catch (const DataError& error) {
    caller.detail(fmt::format("not taken from the cache: {}", error.what()));
  } catch (const FileError& error) {
    caller.detail(fmt::format("not taken from the cache: {}", error.what()));
  }
  fs::remove(path, unknown);
  return nullptr;
}

bool PreparedPlaces::is_worth_keeping(const place::PreparedPlace& prepared) {
  const place::MechanismKind& kind = place::mechanism_kind(prepared.mechanism->name());
  return kind.restore != nullptr &&
         (kind.numerical || prepared.choice.remap || prepared.map.vertex_count() > many_vertices);
}

void PreparedPlaces::keep(const std::string& key, place::PreparedPlace& prepared,
                          const place::PlaceTerms& terms, Caller& caller) const {
  if (folder_.empty() || !is_worth_keeping(prepared)) return;
  try {
    make_folder(folder_);
    place::write_prepared(path_of(key), prepared, terms, {.overwrite = true, .owner_only = true});
    know(path_of(key));
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
