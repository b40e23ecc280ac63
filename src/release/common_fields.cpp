// SPDX-License-Identifier: Apache-2.0
#include "release/common_fields.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/plain_text.hpp"
#include "roads/read_network.hpp"

namespace fogline::release {
namespace fs = std::filesystem;

void LimitsField::declare(FieldTable& table) {
  table.group("General");  // whose options are explained once, for all verbs
  table.value("limits", "LIST", limits,
              "when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, "
              "seconds, such as "
              "records=1000000,bytes=4G");
}

io::ReadLimits LimitsField::value(const Caller& caller) const {
  io::ReadLimits asked = io::parse_limits(limits, io::current_limits());
  asked.clock = [&caller] { return caller.seconds(); };
  return asked;
}

void NetworkFields::declare(FieldTable& table) {
  table.group("Network");
  table.value("network", "MAP", network, "OSM, DIMACS, CSV, or lattice:RxC:M, line:N:M, city:N, valley:N")
      .role(FieldRole::public_input)
      .required_unless("kernel");
  declare_reading(table);
}

void NetworkFields::declare_optional(FieldTable& table, const std::string& help) {
  table.value("network", "MAP", network, help)
      .role(FieldRole::public_input)
      .stated("network_detail")
      .stated("network_components")
      .stated("network_length_unit_m");
  declare_mode(table);
}

void NetworkFields::declare_mode(FieldTable& table) {
  table.value("mode", "MODE", mode, "roads to keep from OSM")
      .choices({"drivable", "walkable", "all"})
      .stated("network_mode");
}

void NetworkFields::declare_reading(FieldTable& table) {
  table.group("Network");
  declare_mode(table);
  table.flag("shape-points", shape_points, "keep every OSM point, not junctions only")
      .rare()
      .stated("network_detail");
  table.flag("all-components", all_components, "keep parts not joined to the largest")
      .rare()
      .stated("network_components");
  table.value("coordinates", "FILE", coordinates, "DIMACS .co file, if not beside the .gr file")
      .rare()
      .role(FieldRole::public_input);
  table.value("length-unit", "METRES", length_unit_m, "metres per unit of a DIMACS length (0.1)")
      .rare()
      .above("0", "1000000")
      .unit("m")
      .stated("network_length_unit_m");
  table.value("edges", "FILE", edges, "CSV edges, if not beside the nodes")
      .rare()
      .role(FieldRole::public_input);
}

roads::ReadOptions NetworkFields::read_options() const {
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

roads::RoadNetwork NetworkFields::read(Caller& caller, graph::LengthMm spacing_mm) const {
  roads::ReadOptions options = read_options();
  options.spacing_mm = spacing_mm;
  options.progress = caller.progress();
  roads::RoadNetwork result = roads::read_network(network, options);
  caller.warn(result.warnings);
  for (const std::string& sentence : result.dropped) caller.detail(sentence);
  caller.detail(fmt::format("{}: {} vertices, {} roads", network, grouped(result.vertex_count()),
                            grouped(result.graph.edge_count())));
  return result;
}

roads::Draft NetworkFields::read_draft(Caller& caller) const {
  roads::ReadOptions options = read_options();
  options.progress = caller.progress();
  return roads::read_draft(network, options);
}

std::vector<std::string> NetworkFields::files() const {
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

roads::PublicNetwork NetworkFields::named() const {
  roads::PublicNetwork result{.reading = read_options()};
  for (const std::string& file : files()) result.inputs.push_back(public_file(file));
  if (result.inputs.empty())
    result.inputs.push_back({.name = "network", .sha256 = {}, .specification = network});
  return result;
}

void require_public(const std::string& file, const InputField& input, std::string_view option) {
  const std::string& private_file = input.file;
  namespace fs = std::filesystem;
  std::error_code unknown;
  if (!fs::is_regular_file(file, unknown) || !fs::is_regular_file(private_file, unknown)) return;
  const auto is_same = [&] {
    if (fs::equivalent(file, private_file, unknown)) return true;
    if (input.is_guarded || fs::file_size(file) != fs::file_size(private_file)) return false;
    std::ifstream first(file, std::ios::binary), second(private_file, std::ios::binary);
    return std::equal(std::istreambuf_iterator<char>(first), {}, std::istreambuf_iterator<char>(second));
  };
  if (is_same())
    throw InvalidOption(
        option, "names the private file, which is not public: what is public stands in a file of its own");
}

void LedgerFields::declare(FieldTable& table) {
  declare_ledger(table);
  table.value("dataset", "NAME", dataset,
              "whose budget is spent: your name for the private data ('default')");
}

void LedgerFields::declare_ledger(FieldTable& table) {
  table.group("Ledger");
  table.value("ledger", "FILE", ledger, "the ledger; otherwise the one in your data folder");
}

void LedgerFields::require_dataset() const {
  constexpr std::size_t longest_dataset = 200;  // as the ledger takes it
  privacy::require_plain_text("dataset", dataset, longest_dataset);
}

std::shared_ptr<privacy::Ledger> LedgerFields::open(privacy::Ledger::Access access) const {
  if (name().empty()) throw InvalidOption("ledger", "is needed");
  if (handle != nullptr)
    if (privacy::Ledger* opened = handle->if_there()) return {std::shared_ptr<void>(), opened};
  return std::make_shared<privacy::Ledger>(name(),
                                           privacy::Ledger::Options{.access = access, .anchor = anchors});
}

void InputField::declare(FieldTable& table, const std::string& value, const std::string& help) {
  auto field = table.positional("input", value, file, help);
  field.role(FieldRole::private_input);
  if (!columns && !more) field.required();
}

void InputField::require_one() const {
  const int given = (file.empty() ? 0 : 1) + (columns ? 1 : 0) + (more ? 1 : 0);
  if (given == 0) throw InvalidOption("input", "is needed");
  if (given > 1) throw InvalidOption("input", "is a file or in memory, not both");
}

void InputField::require_format(const std::string& format) const {
  if (file == "-" && format.empty())
    throw InvalidOption("format",
                        "is needed for standard input: nothing of the records is looked at before the "
                        "ledger was asked");
}

io::TextSource InputField::open(Caller& caller) const {
  if (columns) return io::TextSource::from_columns(*columns);
  return more ? io::TextSource::from_function(name(), more)
              : io::TextSource::from_file(file, caller.progress());
}

std::string InputField::name() const {
  return columns ? "columns in memory" : more ? "the input" : file;
}

void OutputFields::declare(FieldTable& table) {
  table.group("Output");
  auto field = table.value("output", "FILE", output, "where the release goes; - for standard output");
  field.letter('o').role(FieldRole::output);
  if (!receive) field.required();
  table.value("statement", "FILE", statement, "otherwise OUTPUT.statement.json; for - release.statement.json")
      .role(FieldRole::output);
  table.flag("overwrite", overwrite, "replace existing files");
  table.value("sign", "KEY", sign, "sign the statement with this secret key");
  table.flag("guarded", guarded, "for who may not see the records: pays for a refusal, and is not told why");
}

std::shared_ptr<const privacy::SigningKey> OutputFields::signer() const {
  if (sign.empty()) return nullptr;
  return std::make_shared<const privacy::SigningKey>(privacy::SigningKey::read(sign, ask_passphrase));
}

void OutputFields::require_one() const {
  if (receive && !output.empty()) throw InvalidOption("output", "goes to a file or into memory, not to both");
  if (!receive && output.empty()) throw InvalidOption("output", "is needed");
}

std::string OutputFields::statement_path() const {
  if (!statement.empty() || receive) return statement;
  return privacy::statement_path(output == "-" ? "release" : output);
}

std::string OutputFields::beside(const std::string& ending) const {
  if (name() != "-") return output + ending;
  std::string stem = statement_path();
  if (stem.empty()) return "release" + ending;
  if (const std::string usual = privacy::statement_path(""); stem.ends_with(usual))
    stem.resize(stem.size() - usual.size());
  return stem + ending;
}

void SeedField::declare(FieldTable& table) {
  table.value("seed", "N", seed, "fixed noise, for tests and experiments: NOT PRIVATE, costs nothing").rare();
}

std::optional<std::uint64_t> SeedField::value() const {
  if (seed.empty()) return std::nullopt;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(seed.data(), seed.data() + seed.size(), number);
  if (error != std::errc() || end != seed.data() + seed.size()) {
    throw InvalidOption("seed", "must be a whole number from 0 to 2^64 - 1");
  }
  return number;
}

void EpsilonPerMetreField::declare(FieldTable& table) {
  if (takes_several) {
    table.value("epsilon", "E", epsilon, "privacy parameter per metre, such as 0.01, or several: 0.005,0.01")
        .stated("epsilon_per_metre");
    return;
  }
  table.value("epsilon", "E", epsilon, "privacy parameter per metre, such as 0.01; no default")
      .required_unless("kernel")
      .range("0.00001", "1000")
      .unit("1/m")
      .stated("epsilon_per_metre");
}

std::vector<privacy::EpsilonPerMetre> EpsilonPerMetreField::values() const {
  std::vector<privacy::EpsilonPerMetre> all;
  for (std::size_t begin = 0; begin < epsilon.size();) {
    const std::size_t end = std::min(epsilon.find(',', begin), epsilon.size());
    const auto refuse = [] {
      throw InvalidOption("epsilon", "must be a number from 0.00001 to 1000, written like 0.01 or 1/100");
    };
    try {
      all.push_back(privacy::EpsilonPerMetre::parse(epsilon.substr(begin, end - begin)));
    } catch (const InvalidOption&) {
      refuse();
    }
    if (all.back().value() < Rational(1, 100'000) || all.back().value() > Rational(1000)) refuse();
    begin = end + 1;
  }
  return all;
}

privacy::EpsilonPerMetre EpsilonPerMetreField::value() const {
  return epsilon_in<privacy::EpsilonPerMetre>(epsilon, "epsilon");
}

}  // namespace fogline::release
