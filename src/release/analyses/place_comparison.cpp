// SPDX-License-Identifier: Apache-2.0
#include "release/analyses/place_comparison.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "place/catalogue.hpp"
#include "place/measures.hpp"
#include "place/optimal.hpp"
#include "release/analyses/place_subject.hpp"
#include "roads/snap_distance.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

/// Whole tables are needed to attack: about a second up to here.
constexpr std::size_t most_attacked = 1'500;

/// The displacement falls about as 1/epsilon, so that few steps lead near; nobody asks for more than two digits.
constexpr int most_steps = 8;
constexpr double near_enough = 0.02;
/// How many times 1/epsilon positions are moved, roughly, by the mechanisms there are: the first guess.
constexpr double usual_reach = 1.7;

/// Three digits, as somebody would write them: 0.0134.
privacy::EpsilonPerMetre rounded(double epsilon) {
  const int digits = 2 - static_cast<int>(std::floor(std::log10(epsilon)));
  return privacy::EpsilonPerMetre::parse(fmt::format("{:.{}f}", epsilon, std::max(0, digits)));
}

std::string in_metres(const std::optional<double>& metres) {
  return metres ? fmt::format("{:.1f} m", *metres) : "-";
}

Json or_nothing(const std::optional<double>& number) {
  return number ? Json(*number) : Json();
}

std::vector<std::string> mechanisms_in(const std::string& listed) {
  const auto all = place::mechanism_names();
  if (listed == place::automatic) return {all.begin(), all.end()};
  std::vector<std::string> named;
  for (std::size_t begin = 0; begin <= listed.size();) {
    const std::size_t end = std::min(listed.find(',', begin), listed.size());
    named.push_back(listed.substr(begin, end - begin));
    begin = end + 1;
    if (std::ranges::find(all, named.back()) == all.end() && !names_table(named.back()))
      throw InvalidOption("mechanism",
                          fmt::format("\"{}\" is none of those that are compared: {}, and files of tables",
                                      named.back(), fmt::join(all, ", ")));
  }
  return named;
}

}  // namespace

PlaceComparison::PlaceComparison(const PlaceFields& place,
                                 const std::vector<privacy::EpsilonPerMetre>& epsilons, double max_snap_m,
                                 Caller& caller)
    : max_snap_m_(max_snap_m), takes_time_(place.mechanism != place::automatic) {
  const std::vector<std::string> names = mechanisms_in(place.mechanism);
  for (const privacy::EpsilonPerMetre& epsilon : epsilons) {
    PlaceFields asked = place;
    asked.takes_any_table = true;
    asked.mechanism = names.front();
    asked.epsilon.epsilon = epsilon.value().to_string();
    // Where vertices are put along roads follows from epsilon.
    const roads::RoadNetwork map =
        place.network.read(caller, asked.terms(caller, max_snap_m_).network.reading.spacing_mm);
    const std::size_t first = rows_.size();
    for (const std::string& name : names) {
      asked.mechanism = name;
      if (!names_table(name) && place::mechanism_kind(name).releases_points() &&
          (!asked.range.empty() || asked.remap)) {
        rows_.push_back(
            {.mechanism = name,
             .epsilon = asked.epsilon.epsilon,
             .why_not = "it answers with points, and `range` and `remap` are for answers that are vertices"});
        continue;
      }
      rows_.push_back(row_of(asked, map, caller));
    }
    average_again(asked, map, first, caller);
  }
}

/// Errors are averaged in several ways that differ in the last digits. Of ours, what seems to err less than optimal is
/// averaged as optimal was when it was held against tight.
void PlaceComparison::average_again(PlaceFields asked, const roads::RoadNetwork& map, std::size_t first,
                                    Caller& caller) {
  const auto optimal = std::find_if(rows_.begin() + static_cast<std::ptrdiff_t>(first), rows_.end(),
                                    [](const Row& row) { return row.mechanism == "optimal"; });
  if (optimal == rows_.end() || !optimal->why_not.empty()) return;
  for (std::size_t i = first; i < rows_.size(); ++i) {
    Row& row = rows_[i];
    if (!row.why_not.empty() || row.on_table || row.error.straight ||
        row.error.q_loss_m >= optimal->error.q_loss_m)
      continue;
    asked.mechanism = row.mechanism;
    const auto prepared = asked.prepare(asked.terms(caller, max_snap_m_), caller, &map);
    row.error =
        prepared->mechanism->expected_error({.prior = prepared->choice.prior,
                                             .exact = map.vertex_count() <= place::ErrorOptions::exact_up_to,
                                             .work = place::ErrorOptions::every_vertex,
                                             .threads = caller.threads(),
                                             .progress = caller.progress()});
  }
}

PlaceComparison::Row PlaceComparison::row_of(const PlaceFields& asked, const roads::RoadNetwork& map,
                                             Caller& caller) const {
  Row row{.mechanism = asked.mechanism,
          .epsilon = asked.epsilon.epsilon,
          .snap_m = roads::snap_distance(map.graph).mean_m};
  const place::PlaceTerms terms = asked.terms(caller, max_snap_m_);
  row.from_cache = asked.is_kept(terms, caller);
  if (!takes_time_ && !row.from_cache) {
    row.why_not = place::why_not_at_once(asked.mechanism, map.graph, terms.epsilon);
    row.is_spaced_out = !row.why_not.empty() && terms.network.reading.spacing_mm > 0;
    if (!row.why_not.empty()) return row;
  }
  const double begin = caller.seconds();
  try {
    const auto prepared = asked.prepare(terms, caller, &map);
    if (const double end = caller.seconds(); end > begin && !row.from_cache) row.prepared_s = end - begin;
    row.on_table = verdict_on_table(terms, *prepared->mechanism, caller);
    row.error = prepared->error;
    row.lower_bound_m = prepared->mechanism->lower_bound_m();
    const place::VertexMechanism* on_vertices = prepared->mechanism->on_vertices();
    if (on_vertices != nullptr && map.vertex_count() <= most_attacked)
      row.attacker_m =
          place::measure(
              *on_vertices, map,
              {.prior = prepared->choice.prior, .threads = caller.threads(), .progress = caller.progress()})
              .road.ae_m;
  } catch (const InvalidOption& error) {
    row.why_not = error.problem().wrong;
  } catch (const place::NoTableFound& error) {
    row.why_not = error.what();
  } catch (const DataError& error) {  // a table of the vertices of another epsilon
    if (!asked.names_table()) throw;
    row.why_not = error.problem().wrong;
  }
  return row;
}

Json PlaceComparison::json() const {
  Json all = Json::array();
  for (const Row& row : rows_) {
    Json one{{"mechanism", row.mechanism}, {"epsilon", row.epsilon}};
    if (!row.why_not.empty()) {
      one["why_not"] = row.why_not;
    } else {
      one["q_loss_m"] = row.error.q_loss_m;
      one["q_loss_standard_error_m"] = row.error.standard_error_m;
      one["straight"] = row.error.straight;
      one["median_m"] = or_nothing(row.error.median_m);
      one["p95_m"] = or_nothing(row.error.p95_m);
      one["snap_mean_m"] = row.snap_m;
      one["attacker_error_m"] = or_nothing(row.attacker_m);
      one["lower_bound_m"] = or_nothing(row.lower_bound_m);
      one["prepared_s"] = or_nothing(row.prepared_s);
      one["from_cache"] = row.from_cache;
      if (row.on_table) add_to(one, *row.on_table);
    }
    all.push_back(std::move(one));
  }
  return all;
}

Findings::Table PlaceComparison::table() const {
  std::size_t widest = 11;
  for (const Row& row : rows_) widest = std::max(widest, row.mechanism.size() + 2);
  Findings::Table table{{{"epsilon", 10, Findings::Align::left},
                         {"mechanism", widest, Findings::Align::left},
                         {"moved", 11},
                         {"half", 9},
                         {"95 %", 9},
                         {"snap", 9},
                         {"attacker", 11},
                         {"bound", 11},
                         {"prepared", 10}},
                        {}};
  for (const Row& row : rows_) {
    if (!row.why_not.empty()) continue;
    table.rows.push_back({row.epsilon, row.mechanism, in_metres(row.error.q_loss_m),
                          row.error.median_m ? fmt::format("{:.0f} m", *row.error.median_m) : "-",
                          row.error.p95_m ? fmt::format("{:.0f} m", *row.error.p95_m) : "-",
                          in_metres(row.snap_m), in_metres(row.attacker_m), in_metres(row.lower_bound_m),
                          row.from_cache   ? "cached"
                          : row.prepared_s ? fmt::format("{:.1f} s", *row.prepared_s)
                                           : "-"});
  }
  return table;
}

std::vector<std::string> PlaceComparison::remarks() const {
  std::vector<std::string> all;
  for (const Row& row : rows_) {
    if (!row.why_not.empty())
      all.push_back(fmt::format("Without {} at {}: {}.", row.mechanism, row.epsilon, row.why_not));
    if (row.on_table)
      all.push_back(fmt::format("{} at {}: {}", row.mechanism, row.epsilon, row.on_table->sentence));
  }
  if (std::ranges::any_of(rows_, &Row::is_spaced_out))
    all.emplace_back(
        "Vertices along roads make a large map larger: with `spacing` none more mechanisms fit.");
  if (std::ranges::any_of(rows_, [](const Row& row) { return row.error.straight; }))
    all.emplace_back("plm is measured in a straight line, the others by road.");
  return all;
}

privacy::EpsilonPerMetre epsilon_for(double target_m, const PlaceFields& place, double max_snap_m,
                                     Caller& caller) {
  PlaceFields asked = place;
  double epsilon = usual_reach / target_m;
  for (int step = 0; step < most_steps; ++step) {
    if (!(epsilon >= 1e-5 && epsilon <= 1000)) break;
    const privacy::EpsilonPerMetre tried = rounded(epsilon);
    asked.epsilon.epsilon = tried.value().to_string();
    const double found_m = asked.prepare(asked.terms(caller, max_snap_m), caller)->error.q_loss_m;
    if (std::abs(found_m - target_m) <= near_enough * target_m) return tried;
    epsilon *= found_m / target_m;
  }
  throw InvalidOption(
      "target", "cannot be met on this network: it is below the length of its roads, or above its size");
}

}  // namespace fogline::release
