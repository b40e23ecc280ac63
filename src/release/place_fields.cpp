// SPDX-License-Identifier: Apache-2.0
#include "release/place_fields.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "place/prior_file.hpp"
#include "place/range_file.hpp"
#include "release/prepared_places.hpp"
#include "roads/read_network.hpp"

namespace fogline::release {

void PlaceFields::declare(FieldTable& table) {
  network.declare(table);
  spacing.declare(table);
  if (takes_kernel)
    table
        .value("kernel", "FILE", kernel,
               "a prepared mechanism; `network`, if given too, is compared with its map")
        .role(FieldRole::public_input)
        .stated("kernel");
  table.group("Mechanism");
  std::vector<std::string> names{std::string(place::automatic)};
  for (const std::string_view name : place::mechanism_names()) names.emplace_back(name);
  table
      .value("mechanism", "NAME", mechanism,
             fmt::format("{}, or a table in .npz or .csv (auto){}", fmt::join(names, ", "),
                         epsilon.takes_several ? "; or several: gem,theirs.npz" : ""))
      .role(FieldRole::public_input)
      .stated("given_table");
  epsilon.declare(table);
  table.value("range", "FILE", range, "allowed outputs, one vertex a line; otherwise every vertex")
      .role(FieldRole::public_input)
      .stated("range_vertices");
  table
      .value("prior", "FILE", prior,
             "how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike")
      .role(FieldRole::public_input)
      .stated("prior");
  table.flag("remap", remap, "move each output to the best guess under the prior; costs no budget")
      .stated("remap");
  table
      .flag("exact-error", exact_error,
            "work out the expected error over every vertex, however long it takes")
      .rare();
  table.flag("no-cache", no_cache, "neither take a mechanism from the cache nor keep it there").rare();
}

bool names_table(std::string_view mechanism) {
  return mechanism.find_first_of("./") != std::string::npos;
}

void PlaceFields::require() const {
  if (kernel.empty()) {
    if (!names_table() && mechanism != place::automatic) {
      const auto names = place::mechanism_names();
      if (std::ranges::find(names, mechanism) == names.end())
        throw InvalidOption(
            "mechanism", fmt::format("is none of auto, {}, nor the file of a table", fmt::join(names, ", ")));
    }
    if (network.network.empty())
      throw InvalidOption("network", takes_kernel ? "is needed, or `kernel`" : "is needed");
    epsilon.value();
    return;
  }
  const auto refuse = [](std::string_view field) {
    throw InvalidOption(field, "is settled by the `kernel`: leave it out");
  };
  if (!epsilon.epsilon.empty()) refuse("epsilon");
  if (mechanism != place::automatic) refuse("mechanism");
  if (!range.empty()) refuse("range");
  if (!prior.empty()) refuse("prior");
  if (remap) refuse("remap");
  if (exact_error) refuse("exact-error");
  if (!spacing.spacing.empty()) refuse("spacing");
}

graph::LengthMm PlaceFields::spacing_mm(double max_snap_m) const {
  return spacing.value_mm({.network = network.network, .epsilon = epsilon.value(), .max_snap_m = max_snap_m});
}

void PlaceFields::require_map_of(const place::PreparedFile& file, Caller& caller) const {
  const roads::PublicNetwork& named = file.terms().network;
  const roads::PublicNetwork given = network.named();
  // A file may have another name here.
  const auto is_same = [](const privacy::PublicInput& a, const privacy::PublicInput& b) {
    return a.sha256 == b.sha256 && a.specification == b.specification;
  };
  if (!std::ranges::equal(named.inputs, given.inputs, is_same))
    throw InvalidOption("network",
                        fmt::format("is not {}, which the `kernel` was prepared for", named.identity()));
  roads::ReadOptions reading = named.reading;
  reading.coordinates = network.coordinates;
  reading.edges = network.edges;
  reading.progress = caller.progress();
  const roads::RoadNetwork map = roads::read_network(network.network, reading);
  if (!place::is_same_map(map, file.map()))
    throw DataError({kernel}, "holds another map than the one of the network that it names",
                    "prepare it again, and do not release with it");
}

bool PlaceFields::is_map_believed() const {
  return !kernel.empty() && network.network.empty() && !place::PreparedFile(kernel).names_rule();
}

std::vector<std::string> PlaceFields::remarks_of(const place::PlaceMechanism& built) const {
  std::vector<std::string> all = built.remarks();
  if (!kernel.empty() && built.lower_bound_m()) all.push_back(whose_bound());
  return all;
}

std::string whose_bound() {
  return "The bound is as the maker of the kernel says: only who solves the program anew can tell.";
}

place::PlaceTerms PlaceFields::terms(Caller& caller, double max_snap_m) const {
  require();
  if (!kernel.empty()) {
    const place::PreparedFile file(kernel);
    const auto map = network.network.empty() ? PreparedPlaces::Map::believed : PreparedPlaces::Map::compared;
    place::PlaceTerms terms = file.terms();
    terms.kernel = {.name = std::filesystem::path(kernel).filename().string(),
                    .sha256 = PreparedPlaces(caller.cache_folder()).require_sound(file, map, caller),
                    .specification = {}};
    if (map == PreparedPlaces::Map::compared) require_map_of(file, caller);
    return terms;
  }
  place::PlaceTerms terms{
      .mechanism = mechanism, .epsilon = epsilon.value(), .network = network.named(), .remap = remap};
  terms.network.reading.spacing_mm = spacing_mm(max_snap_m);
  if (names_table()) {
    terms.mechanism = "table";
    terms.given_table = public_file(mechanism);
  }
  if (!range.empty()) terms.range = public_file(range);
  if (!prior.empty()) terms.prior = public_file(prior);
  return terms;
}

place::MechanismChoice PlaceFields::choice(const roads::RoadNetwork& map, const place::PlaceTerms& terms,
                                           Caller& caller) const {
  place::MechanismChoice choice{.name = mechanism,
                                .epsilon = terms.epsilon,
                                .unit = terms.unit_of_report(),
                                .remap = remap,
                                .threads = caller.threads(),
                                .progress = caller.progress()};
  if (!range.empty()) choice.range = place::read_range(range, map);
  if (!prior.empty()) choice.prior = place::read_prior(prior, map);
  if (names_table()) {
    choice.name = "table";
    choice.table = mechanism;
    if (const graph::LengthMm apart_mm = terms.network.reading.spacing_mm; apart_mm > 0)
      choice.table_vertices =
          fmt::format("put along roads, {:g} m apart at most{}", apart_mm / 1e3,
                      spacing.is_number()
                          ? ""
                          : fmt::format(" as follows from epsilon {}", terms.epsilon.value().to_string()));
    choice.takes_any_table = takes_any_table;
  }
  return choice;
}

bool PlaceFields::is_kept(const place::PlaceTerms& terms, Caller& caller) const {
  return !no_cache && PreparedPlaces(caller.cache_folder()).has(terms, exact_error);
}

std::unique_ptr<place::PreparedPlace> PlaceFields::prepare(const place::PlaceTerms& terms, Caller& caller,
                                                           const roads::RoadNetwork* read) const {
  if (!kernel.empty()) return place::PreparedFile(kernel).restore(terms.unit_of_report());
  // A table from a file is there already; and one that keeps nothing must not be found by a release.
  const PreparedPlaces kept(no_cache || names_table() ? std::string() : caller.cache_folder());
  if (auto found = kept.find(terms, exact_error, caller)) return found;
  roads::RoadNetwork map = read != nullptr ? *read : network.read(caller, terms.network.reading.spacing_mm);
  const place::MechanismChoice choice = this->choice(map, terms, caller);
  auto prepared = place::prepare_place(
      std::move(map), choice,
      {.exact_error = exact_error, .threads = caller.threads(), .progress = caller.progress()});
  kept.keep(terms, exact_error, *prepared, caller);
  return prepared;
}

std::vector<std::string> PlaceFields::files() const {
  std::vector<std::string> all;
  if (!network.network.empty()) all = network.files();
  if (names_table()) all.push_back(mechanism);
  for (const std::string& file : {range, prior, kernel})
    if (!file.empty()) all.push_back(file);
  return all;
}

void ReportFields::declare(FieldTable& table) {
  table.value("max-snap", "METRES", max_snap_m, "farther from the network is too far (500)")
      .above("0", "10000000")
      .unit("m")
      .stated("max_snap_m");
  table.value("too-far", "RULE", too_far, "and what becomes of such points")
      .choices({place::too_far_names.begin(), place::too_far_names.end()})
      .stated("too_far");
  persons.declare(table, "reports", "1000000", "reports_per_person");
  persons.declare_too_many(table, "reports");
  table
      .value("reports-per-person", "K", reports_per_person, "old spelling of `persons` column `per-person` K")
      .rare()
      .nonzero()
      .range("1", "1000000")
      .stated("reports_per_person");
  table.value("keep", "COLUMNS", keep, "input columns to copy UNPROTECTED: traj_id, user_id, t")
      .stated("columns_copied");
}

std::vector<std::string> ReportFields::kept() const {
  std::vector<std::string> columns;
  std::size_t begin = 0;
  while (begin < keep.size()) {
    const std::size_t end = std::min(keep.find(',', begin), keep.size());
    const std::string column = keep.substr(begin, end - begin);
    if (std::ranges::find(columns, column) == columns.end()) columns.push_back(column);
    begin = end + 1;
  }
  return columns;
}

void ReportFields::require() const {
  const auto& keepable = place::PlaceTerms::copyable_columns;
  for (const std::string& column : kept()) {
    if (std::ranges::find(keepable, column) == keepable.end())
      throw InvalidOption("keep", fmt::format("takes {}, separated by commas", fmt::join(keepable, ", ")));
  }
}

PersonFields::Bound ReportFields::bound() const {
  return persons.bound("reports-per-person", reports_per_person);
}

void ReportFields::add_to(place::PlaceTerms& terms, bool is_guarded) const {
  terms.max_snap_m = max_snap_m;
  terms.too_far = !too_far.empty() ? place::too_far_from(too_far)
                  : is_guarded     ? place::TooFar::nearest
                                   : place::TooFar::refuse;
  // Refused, or missing among those that are told: either is certain, at any epsilon.
  if (is_guarded && terms.too_far != place::TooFar::nearest)
    throw InvalidOption("too-far",
                        "is nearest with `guarded` and in a service: whether a position lies far from the "
                        "network would be told "
                        "for certain, at any epsilon");
  const PersonFields::Bound of_person = bound();
  terms.reports_per_person = of_person.most;
  terms.persons = of_person.persons;
  terms.too_many = persons.rule(is_guarded);
  if (of_person.most == 0 || of_person.persons == privacy::Persons::declared) {
    if (!persons.too_many.empty())
      throw InvalidOption("too-many", "needs `persons` that can be told apart: column, or a file");
    terms.too_many = privacy::TooMany::refuse;
  }
  terms.columns_copied = kept();
  if (is_guarded && !terms.columns_copied.empty())
    throw InvalidOption(
        "keep", "is not to be had with `guarded`: what is copied is told for certain, at any epsilon");
}

std::optional<Worth> worth_of(const place::PreparedPlace& prepared) {
  if (!prepared.free_error_m) return std::nullopt;
  return Worth{.error = prepared.error.q_loss_m, .free_error = *prepared.free_error_m, .unit = " m"};
}

std::string to_text(const place::ExpectedError& error) {
  std::string text = fmt::format("{:.1f} m{}", error.q_loss_m, error.straight ? " in a straight line" : "");
  if (error.standard_error_m > 0) {
    text += fmt::format(" (standard error {:.1f} m over {} vertices)", error.standard_error_m,
                        grouped(error.vertices_used));
  }
  return text;
}

std::string to_text_with_snap(const place::ExpectedError& error, const roads::SnapDistance& snap) {
  // From position to vertex and from vertex to output; a road is no shorter than the straight line.
  return fmt::format("at most {:.1f} m in a straight line, the sum of the two", error.q_loss_m + snap.mean_m);
}

std::string size_of(const roads::RoadNetwork& map) {
  return fmt::format("{}: {} vertices, {} roads", map.source, grouped(map.vertex_count()),
                     grouped(map.graph.edge_count()));
}

}  // namespace fogline::release
