// SPDX-License-Identifier: Apache-2.0
#include "roads/read_network.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <string_view>
#include <system_error>
#include <variant>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/input_file.hpp"
#include "io/numbers.hpp"
#include "roads/city.hpp"
#include "roads/generated.hpp"
#include "roads/read_dimacs.hpp"
#include "roads/read_network_csv.hpp"
#include "roads/read_osm.hpp"
#include "roads/spacing.hpp"
#include "roads/valley.hpp"

namespace fogline::roads {
namespace {

namespace fs = std::filesystem;

struct CitySeed {
  std::uint64_t seed;
};

struct ValleySeed {
  std::uint64_t seed;
};

// "lattice:20x20:1500" without "lattice:", cut at its last colon.
struct Fields {
  std::string_view shape;
  std::string_view size;
};

Fields fields_of(std::string_view specification) {
  const std::string_view rest = specification.substr(specification.find(':') + 1);
  const std::size_t colon = rest.rfind(':');
  if (colon == std::string_view::npos) return {rest, ""};
  return {rest.substr(0, colon), rest.substr(colon + 1)};
}

using Rule = std::variant<LatticeOptions, LineOptions, CitySeed, ValleySeed>;

Rule lattice_of(std::string_view specification) {
  const Fields fields = fields_of(specification);
  const std::size_t cross = fields.shape.find('x');
  const auto rows = io::parse_uint64(fields.shape.substr(0, cross));
  const auto columns =
      cross == std::string_view::npos ? std::nullopt : io::parse_uint64(fields.shape.substr(cross + 1));
  const auto side_m = io::parse_double(fields.size);
  if (!rows || !columns || !side_m) {
    throw InvalidOption("network",
                        "is not of the form lattice:ROWSxCOLUMNS:SIDE_M, as in lattice:20x20:1500");
  }
  if (*rows == 1 || *columns == 1) {
    throw InvalidOption("network",
                        fmt::format("is a line; use line:{}:{}", std::max(*rows, *columns), *side_m));
  }
  return LatticeOptions{*rows, *columns, *side_m};
}

Rule line_of(std::string_view specification) {
  const Fields fields = fields_of(specification);
  const auto vertices = io::parse_uint64(fields.shape);
  const auto length_m = io::parse_double(fields.size);
  if (!vertices || !length_m) {
    throw InvalidOption("network", "is not of the form line:VERTICES:LENGTH_M, as in line:11:1000");
  }
  return LineOptions{*vertices, *length_m};
}

Rule city_of(std::string_view specification) {
  const auto seed = io::parse_uint64(specification.substr(specification.find(':') + 1));
  if (!seed) throw InvalidOption("network", "is not of the form city:SEED, as in city:1");
  return CitySeed{*seed};
}

Rule valley_of(std::string_view specification) {
  const auto seed = io::parse_uint64(specification.substr(specification.find(':') + 1));
  if (!seed) throw InvalidOption("network", "is not of the form valley:SEED, as in valley:1");
  return ValleySeed{*seed};
}

std::string text_of(const LatticeOptions& lattice) {
  return fmt::format("lattice:{}x{}:{}", lattice.rows, lattice.columns, lattice.side_m);
}
std::string text_of(const LineOptions& line) {
  return fmt::format("line:{}:{}", line.vertices, line.length_m);
}
std::string text_of(const CitySeed& city) {
  return fmt::format("city:{}", city.seed);
}
std::string text_of(const ValleySeed& valley) {
  return fmt::format("valley:{}", valley.seed);
}

RoadNetwork make(const LatticeOptions& lattice) {
  return make_lattice(lattice);
}
RoadNetwork make(const LineOptions& line) {
  return make_line(line);
}
RoadNetwork make(const CitySeed& city) {
  return make_city(city.seed).network;
}
RoadNetwork make(const ValleySeed& valley) {
  return make_valley(valley.seed);
}

std::uint64_t vertices_of(const LatticeOptions& lattice) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return lattice.columns > 0 && lattice.rows > most / lattice.columns ? most : lattice.rows * lattice.columns;
}
std::uint64_t vertices_of(const LineOptions& line) {
  return line.vertices;
}
std::uint64_t vertices_of(const CitySeed&) {
  return 5'000;  // no seed gives more by much
}
std::uint64_t vertices_of(const ValleySeed&) {
  return 500;  // no seed gives more
}

struct Reader {
  std::string_view prefix;
  Rule (*read)(std::string_view specification);
};

constexpr std::array<Reader, 4> readers = {{
    {"lattice:", lattice_of},
    {"line:", line_of},
    {"city:", city_of},
    {"valley:", valley_of},
}};

const Reader* reader_of(std::string_view source) {
  for (const Reader& reader : readers) {
    if (source.starts_with(reader.prefix)) return &reader;
  }
  return nullptr;
}

/// The text names the network in statements and ledgers, so one network must not have two.
Rule rule_of(const std::string& specification) {
  const Reader* reader = reader_of(specification);
  if (reader == nullptr) throw InvalidOption("network", "is not a specification such as lattice:20x20:1500");
  const Rule rule = reader->read(specification);
  const std::string shortest = std::visit([](const auto& known) { return text_of(known); }, rule);
  if (shortest != specification) {
    throw InvalidOption("network", fmt::format("is not written in its shortest form; write {}", shortest));
  }
  return rule;
}

bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> suffixes) {
  for (const std::string_view suffix : suffixes) {
    if (name.ends_with(suffix)) return true;
  }
  return false;
}

// A name the system cannot even look up is reported when it is opened, not here.
bool is_there(const std::string& name) {
  std::error_code ignored;
  return fs::exists(name, ignored);
}

bool is_folder(const std::string& name) {
  std::error_code ignored;
  return fs::is_directory(name, ignored);
}

// `plain` or `plain`.gz, whichever is there; `plain` if neither is, so that the error names it.
std::string plain_or_packed(const std::string& plain) {
  const std::string packed = plain + ".gz";
  return !is_there(plain) && is_there(packed) ? packed : plain;
}

std::string coordinates_of(const std::string& arcs_name, const ReadOptions& options) {
  if (!options.coordinates.empty()) return options.coordinates;
  return plain_or_packed(arcs_name.substr(0, arcs_name.rfind(".gr")) + ".co");
}

std::string edges_of(const std::string& nodes_name, const ReadOptions& options) {
  if (!options.edges.empty()) return options.edges;
  const std::string own = plain_or_packed(edges_file_of(nodes_name));
  return is_there(own) ? own : plain_or_packed((fs::path(nodes_name).parent_path() / "edges.csv").string());
}

RoadNetwork read_dimacs_files(const std::vector<std::string>& files, const ReadOptions& options) {
  auto arcs = io::TextSource::from_file(files.at(0), options.progress);
  auto places = io::TextSource::from_file(files.at(1), options.progress);
  return read_dimacs(arcs, places, options);
}

RoadNetwork read_csv_files(const std::vector<std::string>& files, const ReadOptions& options) {
  auto nodes = io::TextSource::from_file(files.at(0), options.progress);
  auto edges = io::TextSource::from_file(files.at(1), options.progress);
  return read_network_csv(nodes, edges, options);
}

enum class NetworkFormat { specification, osm, dimacs, csv };

NetworkFormat format_of_file(const std::string& source) {
  if (ends_with_any(source, {".csv", ".csv.gz"})) return NetworkFormat::csv;
  if (ends_with_any(source, {".pbf", ".osm", ".osm.gz", ".osm.bz2"})) return NetworkFormat::osm;
  if (ends_with_any(source, {".gr", ".gr.gz"})) return NetworkFormat::dimacs;
  throw InvalidOption(
      "network", fmt::format("\"{}\" has no known ending; known are .osm.pbf, .osm, .osm.gz, .osm.bz2, .gr, "
                             ".gr.gz, .csv, .csv.gz, a folder with nodes.csv and edges.csv, "
                             "lattice:ROWSxCOLUMNS:SIDE_M, line:VERTICES:LENGTH_M, city:SEED and valley:SEED",
                             source));
}

NetworkFormat format_of(const std::string& source) {
  if (is_specification(source)) return NetworkFormat::specification;
  return is_folder(source) ? NetworkFormat::csv : format_of_file(source);
}

}  // namespace

std::size_t network_file_count(const std::string& first_file) {
  return format_of_file(first_file) == NetworkFormat::osm ? 1 : 2;
}

bool is_specification(const std::string& source) {
  return reader_of(source) != nullptr;
}

void require_specification(const std::string& specification) {
  rule_of(specification);
}

std::uint64_t specified_vertices(const std::string& specification) {
  return std::visit([](const auto& rule) { return vertices_of(rule); }, rule_of(specification));
}

RoadNetwork make_network(const std::string& specification, graph::LengthMm spacing_mm) {
  RoadNetwork network = std::visit([](const auto& rule) { return make(rule); }, rule_of(specification));
  return spacing_mm == 0 ? network : spaced(std::move(network), spacing_mm);
}

bool has_given_vertices(const std::string& source) {
  return format_of(source) != NetworkFormat::osm;
}

std::vector<std::string> network_files(const std::string& source, const ReadOptions& options) {
  switch (format_of(source)) {
    case NetworkFormat::specification:
      return {};
    case NetworkFormat::osm:
      return {source};
    case NetworkFormat::dimacs:
      return {source, coordinates_of(source, options)};
    case NetworkFormat::csv:
      break;
  }
  const std::string nodes =
      is_folder(source) ? plain_or_packed((fs::path(source) / "nodes.csv").string()) : source;
  return {nodes, edges_of(nodes, options)};
}

Draft read_draft(const std::string& source, const ReadOptions& options) {
  if (format_of(source) == NetworkFormat::osm) return draft_osm_file(source, options);
  ReadOptions whole = options;
  whole.largest_component = false;
  whole.spacing_mm = 0;
  return draft_of(read_network(source, whole));
}

RoadNetwork read_network(const std::string& source, const ReadOptions& options) {
  switch (format_of(source)) {
    case NetworkFormat::specification:
      return make_network(source, options.spacing_mm);
    case NetworkFormat::osm:
      return read_osm_file(source, options);
    case NetworkFormat::dimacs:
      return read_dimacs_files(network_files(source, options), options);
    case NetworkFormat::csv:
      break;
  }
  return read_csv_files(network_files(source, options), options);
}

}  // namespace fogline::roads
