// SPDX-License-Identifier: Apache-2.0
#include "release/place_fields.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "place/free_answer.hpp"
#include "place/prior_file.hpp"
#include "place/range_file.hpp"

namespace fogline::release {

void PlaceFields::declare(FieldTable& table) {
  network.declare(table);
  table.group("Mechanism");
  std::vector<std::string> names{std::string(place::automatic)};
  for (const std::string_view name : place::mechanism_names()) names.emplace_back(name);
  table.value("mechanism", "NAME", mechanism, "how positions are moved, else auto").choices(names);
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
}

place::PlaceTerms PlaceFields::terms() const {
  place::PlaceTerms terms{
      .mechanism = mechanism, .epsilon = epsilon.value(), .network = network.named(), .remap = remap};
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
  return choice;
}

std::unique_ptr<place::PlaceMechanism> PlaceFields::make(const roads::RoadNetwork& map,
                                                         Caller& caller) const {
  return place::make_place_mechanism(map, choice(map, terms(), caller));
}

std::vector<std::string> PlaceFields::files() const {
  std::vector<std::string> all = network.files();
  for (const std::string& file : {range, prior})
    if (!file.empty()) all.push_back(file);
  return all;
}

void ReportFields::declare(FieldTable& table) {
  table.value("max-snap", "METRES", max_snap_m, "farther from the network is too far (500)")
      .above("0", "10000000")
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
}

std::optional<Worth> worth_of(const roads::RoadNetwork& map, const place::MechanismChoice& choice,
                              const place::ExpectedError& error) {
  const auto free_m = place::free_error_m(map, choice.prior, error);
  if (!free_m) return std::nullopt;
  return Worth{.error = error.q_loss_m, .free_error = *free_m, .unit = " m"};
}

std::string to_text(const place::ExpectedError& error) {
  std::string text = fmt::format("{:.1f} m{}", error.q_loss_m, error.straight ? " in a straight line" : "");
  if (error.standard_error_m > 0) {
    text += fmt::format(" (standard error {:.1f} m over {} vertices)", error.standard_error_m,
                        grouped(error.vertices_used));
  }
  return text;
}

std::string size_of(const roads::RoadNetwork& map) {
  return fmt::format("{}: {} vertices, {} roads", map.source, grouped(map.vertex_count()),
                     grouped(map.graph.edge_count()));
}

}  // namespace fogline::release
