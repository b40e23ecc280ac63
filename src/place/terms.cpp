// SPDX-License-Identifier: Apache-2.0
#include "place/terms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "fogline/version.hpp"
#include "kernel/exponential_rule.hpp"
#include "place/catalogue.hpp"
#include "roads/read_network.hpp"

namespace fogline::place {
namespace {

using Json = nlohmann::ordered_json;

std::string factor_at(double metres, double epsilon) {
  constexpr double whole_from = 100;  // three digits are metres then
  return fmt::format("{:.3g} times at {} m", std::exp(epsilon * metres),
                     metres < whole_from ? fmt::format("{:.3g}", metres)
                                         : grouped(static_cast<std::uint64_t>(std::llround(metres))));
}

constexpr double mm_per_m = 1000;

/// Of a statement that speaks of it; 0 if it does not. Another spelling of the same millimetres is found by require_spelling.
graph::LengthMm spacing_from(double spacing_m) {
  if (!(spacing_m >= 0 && spacing_m * mm_per_m <= std::numeric_limits<graph::LengthMm>::max()))
    throw InvalidOption("spacing_m", "is not a number above 0 and at most 4,294,967");
  return static_cast<graph::LengthMm>(std::llround(spacing_m * mm_per_m));
}

/// What follows from epsilon has its value; the rest is compared when the mechanism is built again.
void require_own(const PlaceTerms& terms) {
  const MechanismKind& kind = mechanism_kind(terms.mechanism);
  const Json fixed = kind.fixed != nullptr ? kind.fixed(terms.epsilon) : Json::object();
  for (const auto& own : terms.own.json().items()) {
    if (own.value().is_structured() || own.value().is_null())
      throw InvalidOption(own.key(), "is not a number, a text or a truth value");
    // As texts, because 2 and 2.0 are the same number and not the same parameter.
    if (fixed.contains(own.key()) && own.value().dump() != fixed[own.key()].dump()) {
      throw InvalidOption(own.key(), fmt::format("is not {}, the value that belongs to this epsilon",
                                                 fixed[own.key()].dump()));
    }
  }
}

void require_in_range(const PlaceTerms& terms) {
  try {
    require_epsilon(terms.epsilon);
  } catch (const InvalidOption&) {
    throw InvalidOption("epsilon_per_metre", "is not a number from 0.00001 to 1000");
  }
  if (!(terms.max_snap_m > 0 && terms.max_snap_m <= PlaceTerms::farthest_snap_m))
    throw InvalidOption("max_snap_m", "is not a number above 0 and at most 10,000,000");
  const auto& known = PlaceTerms::copyable_columns;
  for (const std::string& column : terms.columns_copied) {
    if (std::ranges::find(known, column) == known.end() ||
        std::ranges::count(terms.columns_copied, column) > 1)
      throw InvalidOption("columns_copied",
                          fmt::format("holds other things than {}, each once", fmt::join(known, ", ")));
  }
}

/// Kernel and prior are the last of the inputs; their names among the parameters tell them from a range.
void take_last(std::string_view parameter, std::optional<privacy::PublicInput>& named,
               std::vector<privacy::PublicInput>& inputs) {
  if (!named) return;
  if (inputs.empty() || inputs.back().sha256.empty() || named->name != inputs.back().name)
    throw InvalidOption(parameter, "is not the name of the last public input");
  named = inputs.back();
  inputs.pop_back();
}

/// The first inputs are the network, one more is the range.
void take_network_and_range(const std::vector<privacy::PublicInput>& inputs, PlaceTerms& terms) {
  if (inputs.empty()) throw InvalidOption("public_inputs", "name no network");
  const privacy::PublicInput& first = inputs.front();
  const bool is_specification = first.sha256.empty();
  if (is_specification && (first.name != "network" || !roads::is_specification(first.specification))) {
    throw InvalidOption("public_inputs", "begin with a specification that is none of a network");
  }
  if (is_specification) roads::require_specification(first.specification);
  const std::size_t count = is_specification ? 1 : roads::network_file_count(first.name);
  if (inputs.size() != count && inputs.size() != count + 1) {
    throw InvalidOption("public_inputs", fmt::format("are {}; this network has {}, and a range is one more",
                                                     inputs.size(), count));
  }
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    if (inputs[i].sha256.empty()) throw InvalidOption("public_inputs", "hold a second specification");
  }
  const auto network_end = inputs.begin() + static_cast<std::ptrdiff_t>(count);
  terms.network.inputs.assign(inputs.begin(), network_end);
  if (network_end != inputs.end()) terms.range = *network_end;
}

/// A record that is left out is told from every one that is not: neighbours are then positions near the network only.
std::string where_reports_lie(const PlaceTerms& terms) {
  if (terms.too_far != TooFar::leave_out) return "";
  return fmt::format(" within {} m of the network", terms.max_snap_m);
}

std::string snapping_promise(const PlaceTerms& terms) {
  switch (terms.too_far) {
    case TooFar::leave_out:
      return fmt::format(
          "Positions are moved to the nearest vertex of the network first; the promise is between vertices, "
          "and only for positions within {0} m of one: a record that lies farther away is left out, and "
          "between it and any other position nothing is promised.",
          terms.max_snap_m);
    case TooFar::nearest:
      return "Positions are moved to the nearest vertex of the network first, however far it is; the promise "
             "is between vertices.";
    case TooFar::refuse:
      break;
  }
  return "Positions are moved to the nearest vertex of the network first; the promise is between vertices.";
}

std::string what_distance_tells(const PlaceTerms& terms) {
  if (terms.too_far == TooFar::refuse) {
    return fmt::format(
        "That every position lies within {} m of a vertex of the network: a file with one farther away is "
        "refused.",
        terms.max_snap_m);
  }
  return fmt::format(
      "Which records lie farther than {} m from every vertex of the network, and how many: they are left "
      "out, and whoever knows that they were in the input learns it.",
      terms.max_snap_m);
}

}  // namespace

PlaceTerms PlaceTerms::of_mechanism() const {
  PlaceTerms result = *this;
  result.kernel.reset();
  result.max_snap_m = usual_snap_m;
  result.too_far = TooFar::refuse;
  result.reports_per_person = 0;
  result.persons = privacy::Persons::unsaid;
  result.too_many = privacy::TooMany::refuse;
  result.columns_copied.clear();
  return result;
}

void PlaceTerms::take(const PlaceMechanism& built) {
  mechanism = built.name();
  own = built.parameters();
  snap = roads::snap_distance(built.graph());
  range_vertices = built.on_vertices() != nullptr ? built.on_vertices()->range().size() : 0;
}

std::string PlaceTerms::unit_of_report() const {
  return fmt::format("one report{}, by distance on {}", where_reports_lie(*this), network.identity());
}

privacy::EpsilonPerMetre PlaceTerms::epsilon_of_all_reports() const try {
  return privacy::EpsilonPerMetre(epsilon.value() * reports_per_person);
} catch (const InvalidOption&) {
  throw InvalidOption("per-person", "times epsilon is above 1,000 per metre, which promises nothing");
}

privacy::Guarantee PlaceTerms::guarantee() const {
  const privacy::Exactness exactness = mechanism_kind(mechanism).exactness;
  if (reports_per_person == 0) return privacy::Guarantee::metric(epsilon, unit_of_report(), exactness);
  const auto all = privacy::Guarantee::metric(
      epsilon_of_all_reports(),
      fmt::format("one person's reports{}, at most {}, by distance on {}", where_reports_lie(*this),
                  reports_per_person, network.identity()),
      exactness);
  // Statements from before say nothing of persons. A record that is left out for where it lies tells that for certain, and so does a column that is copied; no
  // epsilon bounds it.
  const bool is_all =
      persons != privacy::Persons::unsaid && too_far != TooFar::leave_out && columns_copied.empty();
  return is_all ? all.for_person() : all;
}

void PlaceTerms::declare(privacy::ParameterTable& table) {
  const MechanismKind& kind = mechanism_kind(mechanism);
  table.value("epsilon_per_metre", epsilon, "of one report, exact");
  for (const MechanismKind& one : mechanism_kinds()) {
    if (!table.lists() && one.name != kind.name) continue;
    for (const std::string_view name : one.parameters)
      table.member(std::string(name), own,
                   fmt::format("what `{}` says of itself; its page explains it", one.name));
  }
  table.optional().value("remap", remap,
                         "true where outputs are moved by a public table, [remap.md](mechanisms/remap.md)");
  table.value("prior", prior, "the name of that public input, which is the last of them but for the kernel");
  table.value("given_table", given_table, "the name of that public input: the table, if somebody gave one");
  table.value("kernel", kernel,
              "the name of that public input, which is the last of them: the file of the prepared mechanism");
  table.when(table.lists() || !kind.releases_points())
      .value("range_vertices", range_vertices,
             "how many vertices may be released; not there for `plm`, which releases points of the plane",
             {1, kernel::ExponentialRule::largest_count});
  network.declare(table);
  // No part of the network's identity: however roads are cut, distances are the same.
  double spacing_m = network.reading.spacing_mm / mm_per_m;
  table.when(table.lists() || spacing_m > 0 || table.is_given("spacing_m"))
      .value(
          "spacing_m", spacing_m,
          "the longest piece of road between two vertices, [spacing.md](mechanisms/spacing.md); not there, "
          "vertices are those of the map");
  if (table.reads()) network.reading.spacing_mm = spacing_from(spacing_m);
  table.value("snap_mean_m", snap.mean_m,
              "how far the nearer end of its piece of road is from a point on the map's roads, in the mean");
  table.value("snap_max_m", snap.largest_m, "and at most");
  table.value("max_snap_m", max_snap_m, "a position farther from every vertex is too far");
  table.word("too_far", too_far, too_far_from,
             "what became of those: not there, the file is refused; `leave-out` or `nearest`, "
             "[soundness.md](soundness.md)",
             std::optional(TooFar::refuse));
  table.optional().value("reports_per_person", reports_per_person,
                         "how many reports of a person the promise covers", {1, most_reports_per_person});
  table.when(table.lists() || reports_per_person > 0)
      .word("persons", persons, privacy::persons_from,
            "how persons are told apart: by a `column`, a `file`, or `declared`; not there, not said",
            std::optional(privacy::Persons::unsaid));
  table.when(table.lists() || reports_per_person > 0)
      .word("too_many", too_many, privacy::too_many_from,
            "`leave-out` where a person's reports beyond that number were left out, and not refused",
            std::optional(privacy::TooMany::refuse));
  table.optional().value("columns_copied", columns_copied, "input columns copied unprotected");
}

std::vector<privacy::ParameterTable::Listed> PlaceTerms::listed() {
  const roads::PublicNetwork no_network;
  PlaceTerms any{.epsilon = {1, 1}, .network = no_network};
  return privacy::list_parameters(any);
}

nlohmann::ordered_json PlaceTerms::parameters() const {
  return privacy::parameters_of(*this);
}

std::vector<privacy::PublicInput> PlaceTerms::public_inputs() const {
  auto inputs = network.inputs;
  if (range) inputs.push_back(*range);
  if (prior) inputs.push_back(*prior);
  if (given_table) inputs.push_back(*given_table);
  if (kernel) inputs.push_back(*kernel);
  return inputs;
}

std::vector<std::string> PlaceTerms::promise() const {
  const std::string exact = epsilon.value().to_string();
  const double rate = epsilon.value().to_double();
  // Distances at which the factor is e^(1/2), e and e^2.
  std::vector<std::string> sentences{
      fmt::format("Whatever is released is at most exp({} * d) times as likely from one vertex of the "
                  "network as from another that is d metres of road away: {}, {}, {}.",
                  exact, factor_at(0.5 / rate, rate), factor_at(1 / rate, rate), factor_at(2 / rate, rate)),
      "This holds against anybody, whatever they know, for each single report, as long as nobody can predict "
      "the random bits (ChaCha20 under a key of the operating system).",
      snapping_promise(*this)};
  if (mechanism_kind(mechanism).releases_points()) {
    sentences.push_back(
        "What is released are points of the plane, drawn round those vertices; they need not lie on a road.");
  }
  if (remap) {
    sentences.push_back(
        "What was drawn is moved to another vertex by a table that is made from public things alone, which "
        "takes nothing from the promise.");
  }
  if (reports_per_person > 0) {
    sentences.push_back(fmt::format(
        "A person has at most {0} reports here: all of them together are at most exp({0} * {1} "
        "* d) times as likely from one set of places as from another, each at most d metres away.",
        reports_per_person, exact));
    if (persons != privacy::Persons::unsaid) sentences.push_back(privacy::how_told_apart(persons, "reports"));
  }
  return sentences;
}

std::vector<std::string> PlaceTerms::not_protected() const {
  std::vector<std::string> sentences{
      "The number of records and their order.",
      reports_per_person > 0 && persons != privacy::Persons::unsaid
          ? std::string(
                "What else is released of the same person, here under another name or elsewhere: it adds up.")
          : fmt::format("Several reports of one person together: k of them add up to k * {} per metre.",
                        epsilon.value().to_string()),
      "Whether two places far apart are told apart: the promise fades with distance.",
      "How long the release took."};
  if (too_far != TooFar::nearest) sentences.push_back(what_distance_tells(*this));
  if (persons == privacy::Persons::declared) sentences.push_back(privacy::what_nobody_counted("reports"));
  if (reports_per_person > 0 && too_many == privacy::TooMany::leave_out)
    sentences.push_back(
        fmt::format("Which records come after the first {} of their person, and how many: they are left out.",
                    reports_per_person));
  const bool is_made = network.inputs.empty() || network.inputs.front().sha256.empty();
  if (!is_made && !network.reading.largest_component) {  // a network made by rule is in one piece
    sentences.push_back(
        "Which piece of the network somebody is in, where pieces are not joined by any road.");
  }
  if (prior) {
    sentences.push_back("The prior: it is taken to be public, and whatever it tells of anybody is told.");
  }
  if (!columns_copied.empty()) {
    sentences.push_back(
        fmt::format("The columns copied unchanged from the input: {}.", fmt::join(columns_copied, ", ")));
  }
  return sentences;
}

PlaceTerms terms_from(const privacy::Statement& statement) {
  return terms_from(statement.mechanism, statement.parameters.json(), statement.public_inputs);
}

PlaceTerms terms_from(const std::string& mechanism, const nlohmann::ordered_json& parameters,
                      std::vector<privacy::PublicInput> inputs) {
  const MechanismKind& kind = mechanism_kind(mechanism);
  PlaceTerms terms{.mechanism = mechanism, .epsilon = {1, 1}};
  if (kind.releases_points()) terms.range_vertices = 0;
  privacy::read_parameters(parameters, terms);
  require_in_range(terms);
  require_own(terms);
  privacy::require_spelling(parameters, terms.parameters());
  take_last("kernel", terms.kernel, inputs);
  take_last("given_table", terms.given_table, inputs);
  take_last("prior", terms.prior, inputs);
  if (kind.from_file != terms.given_table.has_value())
    throw InvalidOption("given_table", "belongs to the mechanism table, and to no other");
  take_network_and_range(inputs, terms);
  if (kind.releases_points() && (terms.range || terms.remap)) {
    throw InvalidOption(terms.range ? "public_inputs" : "remap",
                        fmt::format("is about vertices, and {} releases points", terms.mechanism));
  }
  return terms;
}

privacy::Statement PlaceTerms::draft(const ExpectedError& error) const {
  return {.kind = "place",
          .mechanism = mechanism,
          .form = privacy::Form::sound,
          .guarantee = guarantee(),
          .parameters = parameters(),
          .public_inputs = public_inputs(),
          .outputs = {},
          .ledger = privacy::NoLedgerEntry{"not charged yet"},
          .version = std::string(version),
          .randomness = random::Source::operating_system,
          .expected_error = stated(error),
          .not_protected = not_protected(),
          .promise = promise()};
}

privacy::ExpectedError PlaceTerms::stated(const ExpectedError& error) const {
  if (error.straight) {
    return {error.q_loss_m, "m",
            "mean straight distance on the plane from truth to output, the same from every vertex"};
  }
  const std::string_view likely =
      prior ? "each vertex as likely as the prior says" : "every vertex equally likely";
  if (error.standard_error_m == 0)
    return {error.q_loss_m, "m", fmt::format("mean road distance from truth to output, {}", likely)};
  return {error.q_loss_m, "m",
          fmt::format("mean road distance from truth to output, over {} vertices chosen by a public rule{}, "
                      "standard error {:.1f} m",
                      error.vertices_used, prior ? ", each as likely as the prior says" : "",
                      error.standard_error_m)};
}

}  // namespace fogline::place
