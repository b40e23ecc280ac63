// SPDX-License-Identifier: Apache-2.0
#include "place/terms.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "fogline/version.hpp"
#include "kernel/exponential_rule.hpp"
#include "place/catalogue.hpp"
#include "roads/read_network.hpp"

namespace fogline::place {
namespace {

using Json = nlohmann::ordered_json;

std::string factor_at(double metres, double epsilon) {
  return fmt::format("{:.3g} times at {:.3g} m", std::exp(epsilon * metres), metres);
}

const Json& parameter(const Json& parameters, const std::string& name) {
  const auto found = parameters.find(name);
  if (found == parameters.end()) throw InvalidOption(name, "is missing");
  return *found;
}

std::uint64_t count_from(const Json& parameters, const std::string& name, std::uint64_t most) {
  const Json& value = parameter(parameters, name);
  // A number beyond 2^63 becomes negative here, and is refused as such.
  const std::int64_t count = value.is_number_integer() ? value.get<std::int64_t>() : 0;
  if (count < 1 || static_cast<std::uint64_t>(count) > most) {
    throw InvalidOption(name, fmt::format("is not a whole number from 1 to {}", most));
  }
  return static_cast<std::uint64_t>(count);
}

privacy::EpsilonPerMetre epsilon_in_range(const std::string& name, const std::string& text) {
  try {
    const auto epsilon = privacy::EpsilonPerMetre::parse(text);
    require_epsilon(epsilon);
    return epsilon;
  } catch (const InvalidOption&) {
    throw InvalidOption(name, "is not a number from 0.00001 to 1000");
  }
}

privacy::EpsilonPerMetre epsilon_from(const Json& parameters) {
  const std::string name = "epsilon_per_metre";
  const Json& value = parameter(parameters, name);
  if (!value.is_string()) throw InvalidOption(name, "is not a text");
  const auto epsilon = epsilon_in_range(name, value.get<std::string>());
  if (epsilon.value().to_string() != value.get_ref<const std::string&>())
    throw InvalidOption(name, "is not written in its shortest form");
  return epsilon;
}

double max_snap_from(const Json& parameters) {
  const Json& value = parameter(parameters, "max_snap_m");
  const double metres = value.is_number() ? value.get<double>() : 0;
  if (!(metres > 0 && metres <= PlaceTerms::farthest_snap_m)) {
    throw InvalidOption("max_snap_m", "is not a number above 0 and at most 10,000,000");
  }
  return metres;
}

/// Not written for files that are refused, which is what was always done.
TooFar too_far_rule_from(const Json& parameters) {
  if (!parameters.contains("too_far")) return TooFar::refuse;
  const Json& value = parameters["too_far"];
  for (const TooFar rule : {TooFar::leave_out, TooFar::nearest})
    if (value == to_string(rule)) return rule;
  throw InvalidOption("too_far", "is not leave-out or nearest");
}

std::vector<std::string> columns_from(const Json& parameters) {
  const std::string name = "columns_copied";
  if (!parameters.contains(name)) return {};
  const Json& value = parameters[name];
  if (!value.is_array() || value.empty()) throw InvalidOption(name, "is not a list of columns");
  std::vector<std::string> columns;
  for (const Json& column : value) {
    const auto& known = PlaceTerms::copyable_columns;
    if (!column.is_string() ||
        std::find(known.begin(), known.end(), column.get_ref<const std::string&>()) == known.end() ||
        std::find(columns.begin(), columns.end(), column.get_ref<const std::string&>()) != columns.end()) {
      throw InvalidOption(name, fmt::format("holds other things than {}, each once", fmt::join(known, ", ")));
    }
    columns.push_back(column.get<std::string>());
  }
  return columns;
}

/// What only this mechanism has. What follows from epsilon is compared here; the rest when the mechanism is built again.
Json own_from(const Json& parameters, const MechanismKind& kind, const privacy::EpsilonPerMetre& epsilon) {
  const Json fixed = kind.fixed != nullptr ? kind.fixed(epsilon) : Json::object();
  Json own = Json::object();
  for (const std::string_view known : kind.parameters) {
    const std::string name(known);
    const Json& value = parameter(parameters, name);
    if (value.is_structured() || value.is_null())
      throw InvalidOption(name, "is not a number, a text or a truth value");
    // As texts, because 2 and 2.0 are the same number and not the same parameter.
    if (fixed.contains(name) && value.dump() != fixed[name].dump()) {
      throw InvalidOption(
          name, fmt::format("is not {}, the value that belongs to this epsilon", fixed[name].dump()));
    }
    own[name] = value;
  }
  return own;
}

bool remap_from(const Json& parameters) {
  if (!parameters.contains("remap")) return false;
  const Json& value = parameters["remap"];
  if (!value.is_boolean() || !value.get<bool>()) throw InvalidOption("remap", "is not true");
  return true;
}

void require_no_others(const Json& parameters, const PlaceTerms& terms) {
  const Json known = terms.parameters();
  for (const auto& item : parameters.items()) {
    if (!known.contains(item.key()) && item.key() != "prior")
      throw InvalidOption(item.key(), fmt::format("is no parameter of place {}", terms.mechanism));
  }
}

/// The prior is the last of the inputs; its name among the parameters tells it from a range.
void take_prior(const Json& parameters, std::vector<privacy::PublicInput>& inputs, PlaceTerms& terms) {
  if (!parameters.contains("prior")) return;
  const Json& name = parameters["prior"];
  if (!name.is_string() || inputs.empty() || inputs.back().sha256.empty() ||
      name.get_ref<const std::string&>() != inputs.back().name) {
    throw InvalidOption("prior", "is not the name of the last public input");
  }
  terms.prior = inputs.back();
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

void PlaceTerms::take(const PlaceMechanism& built) {
  mechanism = built.name();
  own = built.parameters();
  range_vertices = built.on_vertices() != nullptr ? built.on_vertices()->range().size() : 0;
}

std::string PlaceTerms::unit_of_report() const {
  return fmt::format("one report{}, by distance on {}", where_reports_lie(*this), network.identity());
}

privacy::EpsilonPerMetre PlaceTerms::epsilon_of_all_reports() const try {
  return privacy::EpsilonPerMetre(epsilon.value() * reports_per_person);
} catch (const InvalidOption&) {
  throw InvalidOption("reports-per-person", "times epsilon is above 1,000 per metre, which promises nothing");
}

privacy::Guarantee PlaceTerms::guarantee() const {
  const privacy::Exactness exactness = mechanism_kind(mechanism).exactness;
  if (reports_per_person == 0) return privacy::Guarantee::metric(epsilon, unit_of_report(), exactness);
  return privacy::Guarantee::metric(
      epsilon_of_all_reports(),
      fmt::format("one person's reports{}, at most {}, by distance on {}", where_reports_lie(*this),
                  reports_per_person, network.identity()),
      exactness);
}

nlohmann::ordered_json PlaceTerms::parameters() const {
  Json result = {{"epsilon_per_metre", epsilon.value().to_string()}};
  for (const auto& item : own.json().items()) result[item.key()] = item.value();
  if (remap) result["remap"] = true;
  if (prior) result["prior"] = prior->name;
  if (range_vertices > 0) result["range_vertices"] = range_vertices;
  for (const auto& [name, value] : network.parameters()) result[name] = value;
  result["max_snap_m"] = max_snap_m;
  if (too_far != TooFar::refuse) result["too_far"] = to_string(too_far);
  if (reports_per_person > 0) result["reports_per_person"] = reports_per_person;
  if (!columns_copied.empty()) result["columns_copied"] = columns_copied;
  return result;
}

std::vector<privacy::PublicInput> PlaceTerms::public_inputs() const {
  auto inputs = network.inputs;
  if (range) inputs.push_back(*range);
  if (prior) inputs.push_back(*prior);
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
  }
  return sentences;
}

std::vector<std::string> PlaceTerms::not_protected() const {
  std::vector<std::string> sentences{
      "The number of records and their order.",
      fmt::format("Several reports of one person together: k of them add up to k * {} per metre.",
                  epsilon.value().to_string()),
      "Whether two places far apart are told apart: the promise fades with distance.",
      "How long the release took."};
  if (too_far != TooFar::nearest) sentences.push_back(what_distance_tells(*this));
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
  const Json& parameters = statement.parameters.json();
  if (!parameters.is_object()) throw InvalidOption("parameters", "are not an object");
  const MechanismKind& kind = mechanism_kind(statement.mechanism);
  PlaceTerms terms{.mechanism = statement.mechanism, .epsilon = epsilon_from(parameters)};
  terms.own = own_from(parameters, kind, terms.epsilon);
  terms.remap = remap_from(parameters);
  terms.range_vertices = kind.releases_points() ? 0
                                                : count_from(parameters, "range_vertices",
                                                             kernel::ExponentialRule::largest_count);
  terms.network.reading = roads::reading_from(parameters);
  terms.max_snap_m = max_snap_from(parameters);
  terms.too_far = too_far_rule_from(parameters);
  if (parameters.contains("reports_per_person")) {
    terms.reports_per_person =
        count_from(parameters, "reports_per_person", PlaceTerms::most_reports_per_person);
  }
  terms.columns_copied = columns_from(parameters);
  require_no_others(parameters, terms);
  auto inputs = statement.public_inputs;
  take_prior(parameters, inputs, terms);
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
