// SPDX-License-Identifier: Apache-2.0
#include "cli/blocks.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "privacy/file_hash.hpp"
#include "roads/read_network.hpp"

namespace fogline::cli {
namespace fs = std::filesystem;

void NetworkBlock::declare(OptionSet& options) {
  options.group("Network");
  options
      .value("--network", "NETWORK", network,
             "OSM, DIMACS or CSV file, or lattice:RxC:M, line:N:M, city:SEED")
      .required();
  declare_reading(options);
}

void NetworkBlock::declare_reading(OptionSet& options) {
  options.group("Network");
  options.value("--mode", "MODE", mode, "roads to keep from OSM").choices({"drivable", "walkable", "all"});
  options.flag("--shape-points", shape_points, "keep every OSM point, not junctions only");
  options.flag("--all-components", all_components, "keep parts not joined to the largest");
  options.value("--coordinates", "FILE", coordinates, "DIMACS .co file, if not beside the .gr file");
  options.value("--length-unit", "METRES", length_unit_m, "metres per unit of a DIMACS length (0.1)");
  options.value("--edges", "FILE", edges, "CSV edges, if not beside the nodes");
}

roads::ReadOptions NetworkBlock::read_options() const {
  if (!(length_unit_m > 0 && length_unit_m <= 1e6)) {
    throw InvalidOption("--length-unit", "must be above 0 and at most 1,000,000 metres");
  }
  roads::ReadOptions options;
  options.mode = mode == "walkable" ? roads::TravelMode::walkable
                 : mode == "all"    ? roads::TravelMode::all
                                    : roads::TravelMode::drivable;
  options.detail = shape_points ? roads::Detail::shape_points : roads::Detail::junctions;
  options.largest_component = !all_components;
  options.coordinates = coordinates;
  options.length_unit_m = length_unit_m;
  options.edges = edges;
  return options;
}

roads::RoadNetwork NetworkBlock::read(Session& session) const {
  roads::ReadOptions options = read_options();
  options.progress = session.progress();
  roads::RoadNetwork result = roads::read_network(network, options);
  session.warn(result.warnings);
  for (const std::string& sentence : result.dropped) session.detail(sentence);
  session.detail(fmt::format("{}: {} vertices, {} roads", network, grouped(result.vertex_count()),
                             grouped(result.graph.edge_count())));
  return result;
}

std::vector<std::string> NetworkBlock::files() const {
  return roads::network_files(network, read_options());
}

privacy::PublicInput public_file(const std::string& file) {
  if (!fs::exists(file)) throw FileError(file, "does not exist", "check the name");
  // A pipe could not be read a second time, for its hash.
  if (!fs::is_regular_file(file))
    throw FileError(file, "is not a regular file",
                    "a public input must be one, so that its hash can be named");
  return {.name = fs::path(file).filename().string(),
          .sha256 = privacy::sha256_of_file(file),
          .specification = {}};
}

roads::PublicNetwork NetworkBlock::named() const {
  roads::PublicNetwork result{.reading = read_options()};
  for (const std::string& file : files()) result.inputs.push_back(public_file(file));
  if (result.inputs.empty())
    result.inputs.push_back({.name = "network", .sha256 = {}, .specification = network});
  return result;
}

void require_public(const std::string& file, const std::string& private_file, std::string_view option) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  if (!fs::is_regular_file(file, unknown) || !fs::is_regular_file(private_file, unknown)) return;
  const auto is_same = [&] {
    if (fs::equivalent(file, private_file, unknown)) return true;
    if (fs::file_size(file) != fs::file_size(private_file)) return false;
    std::ifstream first(file, std::ios::binary), second(private_file, std::ios::binary);
    return std::equal(std::istreambuf_iterator<char>(first), {}, std::istreambuf_iterator<char>(second));
  };
  if (is_same())
    throw InvalidOption(
        option, "names the private file, which is not public: what is public stands in a file of its own");
}

void require_other_file(const std::string& output, const std::vector<std::string>& inputs) {
  std::error_code unknown;  // a file that is not there is no input
  for (const std::string& input : inputs)
    if (output != "-" && input != "-" && std::filesystem::equivalent(output, input, unknown))
      throw InvalidOption("--output", "would replace the file that is read; write to another one");
}

void LedgerBlock::declare(OptionSet& options) {
  declare_ledger(options);
  options.value("--dataset", "NAME", dataset,
                "whose budget is spent: your name for the private data ('default')");
}

void LedgerBlock::declare_ledger(OptionSet& options) {
  options.group("Ledger");
  options.value("--ledger", "FILE", ledger, "the ledger; otherwise the one in your data folder");
}

std::string LedgerBlock::path() const {
  if (!ledger.empty()) return ledger;
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data != nullptr && *data == '/') return fs::path(data) / "fogline" / "ledger.sqlite";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') throw InvalidOption("--ledger", "is needed, for HOME is not set");
  return fs::path(home) / ".local" / "share" / "fogline" / "ledger.sqlite";
}

std::string LedgerBlock::path_for_writing() const {
  const std::string result = path();
  if (ledger.empty()) {
    std::error_code error;
    fs::create_directories(fs::path(result).parent_path(), error);
    if (error) {
      throw FileError(fs::path(result).parent_path().string(), "cannot be made (" + error.message() + ")",
                      "name another place with --ledger");
    }
  }
  return result;
}

void OutputBlock::declare(OptionSet& options) {
  options.group("Output");
  options.value("-o,--output", "FILE", output, "where the release goes; - for standard output").required();
  options.value("--statement", "FILE", statement,
                "otherwise OUTPUT.statement.json; for - release.statement.json");
  options.flag("--overwrite", overwrite, "replace existing files");
}

std::string OutputBlock::statement_path() const {
  if (!statement.empty()) return statement;
  return privacy::statement_path(output == "-" ? "release" : output);
}

void SeedBlock::declare(OptionSet& options) {
  options.value("--seed", "N", seed, "fixed noise, for tests and experiments: NOT PRIVATE, costs nothing");
}

std::optional<std::uint64_t> SeedBlock::value() const {
  if (seed.empty()) return std::nullopt;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(seed.data(), seed.data() + seed.size(), number);
  if (error != std::errc() || end != seed.data() + seed.size()) {
    throw InvalidOption("--seed", "must be a whole number from 0 to 2^64 - 1");
  }
  return number;
}

void EpsilonPerMetreBlock::declare(OptionSet& options) {
  options.value("--epsilon", "E", epsilon, "privacy parameter per metre, such as 0.01; no default")
      .required();
}

privacy::EpsilonPerMetre EpsilonPerMetreBlock::value() const {
  try {
    return privacy::EpsilonPerMetre::parse(epsilon);
  } catch (const InvalidOption&) {
    throw InvalidOption("--epsilon", "must be a number from 0.00001 to 1000, written like 0.01 or 1/100");
  }
}

std::string to_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string fields(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.first.size());
  std::string text;
  for (const auto& [name, value] : rows) text += fmt::format("{:{}}  {}\n", name, width, value);
  return text;
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

}  // namespace fogline::cli
