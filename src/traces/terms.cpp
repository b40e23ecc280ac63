// SPDX-License-Identifier: Apache-2.0
#include "traces/terms.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "fogline/version.hpp"
#include "privacy/plain_words.hpp"
#include "roads/read_network.hpp"

namespace fogline::traces {
namespace {

using Json = nlohmann::ordered_json;
using privacy::PublicInput;

/// 100,000 km, 115 days, and more trips than memory holds: beyond, a number is a slip of the unit.
constexpr std::uint64_t longest_m = 100'000'000, longest_s = 10'000'000, most_to_make = 100'000'000;

void require_term(bool holds, const char* option, const char* what) {
  if (!holds) throw InvalidOption(option, what);
}

std::uint64_t length_bound_m(const TraceTerms& terms) {
  constexpr double sides_long = TraceStatistics::usual_sides_long;
  return terms.max_length_m > 0
             ? terms.max_length_m
             : static_cast<std::uint64_t>(std::ceil(sides_long * terms.frame.larger_side_m()));
}

Json shares_json(const Layout& layout) {
  Json shares = Json::object();
  for (std::size_t s = 0; s < statistic_count; ++s) {
    const auto statistic = static_cast<Statistic>(s);
    if (layout.share_of(statistic) > 0)
      shares[std::string(to_string(statistic))] = layout.share_of(statistic);
  }
  return shares;
}

/// Where the number of trips is counted, its noisy value decides where between these two the shares lie.
Json shares(const TraceTerms& terms) {
  if (terms.trips) return shares_json(terms.layout(static_cast<double>(*terms.trips)));
  constexpr double few_trips = 0, many_trips = 1e12;
  return {{"few_trips", shares_json(terms.layout(few_trips))},
          {"many_trips", shares_json(terms.layout(many_trips))}};
}

/// The files of the network that is there.
void take_network(std::vector<PublicInput> inputs, roads::PublicNetwork& network) {
  require_term(!inputs.empty(), "public_inputs", "name no network");
  const PublicInput& first = inputs.front();
  const bool is_specification = first.sha256.empty();
  if (is_specification) {
    require_term(first.name == "network" && roads::is_specification(first.specification), "public_inputs",
                 "hold a specification that is none of a network");
    roads::require_specification(first.specification);
  }
  const std::size_t count = is_specification ? 1 : roads::network_file_count(first.name);
  require_term(inputs.size() == count, "public_inputs", "are not the files that this network has");
  for (std::size_t i = 1; i < inputs.size(); ++i)
    require_term(!inputs[i].sha256.empty(), "public_inputs", "hold a second specification");
  network.inputs = std::move(inputs);
}

void take_inputs(std::vector<PublicInput> inputs, TraceTerms& terms) {
  if (terms.constraints) {
    require_term(
        !inputs.empty() && !inputs.front().sha256.empty() && inputs.front().name == terms.constraints->name,
        "public_inputs", "lack the file of constraints");
    terms.constraints = inputs.front();
    inputs.erase(inputs.begin());
  }
  if (terms.network)
    take_network(std::move(inputs), *terms.network);
  else
    require_term(inputs.empty(), "public_inputs", "hold a file too many");
}

}  // namespace

std::string_view to_string(Unit unit) {
  return unit == Unit::trip ? "trip" : "user";
}

Unit unit_from(std::string_view text) {
  for (const Unit unit : {Unit::trip, Unit::user})
    if (to_string(unit) == text) return unit;
  throw InvalidOption("unit", "is trip or user");
}

TraceStatistics::Options TraceTerms::options() const {
  const std::uint64_t length_m = length_bound_m(*this);
  require_term(length_m <= longest_m, "max length", "must be at most 100,000 km");
  require_term(max_duration_s >= 1 && max_duration_s <= longest_s, "max-duration",
               "must lie between 1 and 10,000,000 seconds");
  require_term(trips_to_make <= most_to_make, "trips-to-make", "must be at most 100,000,000");
  return {.frame = frame,
          .epsilon = epsilon,
          .unit = unit,
          .trips_per_user = unit == Unit::user ? trips_per_user : 1,
          .persons = unit == Unit::user ? persons : privacy::Persons::unsaid,
          .public_trips = trips,
          .has_time = times,
          .max_length_m = static_cast<double>(length_m)};
}

TripBounds TraceTerms::bounds() const {
  return {.max_length_m = static_cast<double>(length_bound_m(*this)),
          .max_duration_s = times ? static_cast<std::int64_t>(max_duration_s) : 0};
}

Layout TraceTerms::layout(double about_trips) const {
  return TraceStatistics(options()).layout(about_trips);
}

bool TraceTerms::is_mostly_noise(double about_trips) const {
  const double of_one = unit == Unit::user ? trips_per_user : 1;
  return !(telling(about_trips * epsilon.value().to_double() / of_one) > 0);
}

privacy::Guarantee TraceTerms::guarantee() const {
  return TraceStatistics(options()).guarantee();
}

void TraceTerms::declare(privacy::ParameterTable& table) {
  table.value("epsilon", epsilon, "in all, exact");
  table.word("unit", unit, unit_from, "`trip` or `user`");
  table.when(unit == Unit::user)
      .value("trips_per_user", trips_per_user, "the number of a user's trips that count in full",
             {1, TraceStatistics::most_trips_per_user});
  table.when(table.lists() || unit == Unit::user)
      .word("persons", persons, privacy::persons_from,
            "how persons are told apart: by a `column`, a `file`, or `declared`; not there, not said",
            std::optional(privacy::Persons::unsaid));
  std::string area = frame.text();
  bool plane = frame.unit() == Frame::Unit::metres;
  table.value("area", area, "the public box, in degrees or, on a plane, in metres; in its shortest form");
  table.value("plane", plane, "whether the box is in metres");
  if (table.reads()) frame = Frame::parse(area, plane ? Frame::Unit::metres : Frame::Unit::degrees);
  table.value("trips", trips, "the number of trips, which is declared and not counted");
  table.optional().value("trips_to_make", trips_to_make,
                         "how many were made; otherwise as many as there are, by the noisy count",
                         {1, most_to_make});
  table.value("times", times, "whether times are released");
  if (!table.reads() && !table.lists()) max_length_m = length_bound_m(*this);
  table.value("max_length_m", max_length_m, "trips were cut off there", {1, longest_m});
  table.when(times).value("max_duration_s", max_duration_s, "likewise, where times are released",
                          {1, longest_s});
  table.value("constraints", constraints, "the name of that public input, which is the first of them");
  if (table.lists() || table.is_given("network_mode")) network.emplace();
  if (network) network->declare(table);
  table.derived(
      "shares_of_10000", [&] { return shares(*this); },
      "how epsilon is shared among the counts; follows from the others");
}

std::vector<privacy::ParameterTable::Listed> TraceTerms::listed() {
  TraceTerms any{.frame = Frame::parse("0,0,1,1", Frame::Unit::degrees), .epsilon = {1, 1}};
  return privacy::list_parameters(any);
}

nlohmann::ordered_json TraceTerms::parameters() const {
  return privacy::parameters_of(*this);
}

std::vector<PublicInput> TraceTerms::public_inputs() const {
  std::vector<PublicInput> inputs;
  if (constraints) inputs.push_back(*constraints);
  if (network) inputs.insert(inputs.end(), network->inputs.begin(), network->inputs.end());
  return inputs;
}

std::vector<std::string> TraceTerms::promise() const {
  const std::string factor = privacy::factor_text(epsilon.value().to_double());
  const bool is_declared = persons == privacy::Persons::declared;
  std::vector<std::string> sentences;
  if (unit == Unit::trip) {
    sentences.push_back(fmt::format(
        "Whatever is released is at most {} times as likely with any one trip as without it, and the other "
        "way round, all other trips being the same.",
        factor));
  } else {
    sentences.push_back(fmt::format(
        "Whatever is released is at most {} times as likely with all trips of any one user as without them, "
        "and the other way round, all other users' trips being the same. {} {} trip{}{}",
        factor, is_declared ? "Nobody has more than" : "Who has more than", trips_per_user,
        trips_per_user == 1 ? "" : "s", is_declared ? "." : " counts each for less."));
    if (persons != privacy::Persons::unsaid) sentences.push_back(privacy::how_told_apart(persons, "trips"));
  }
  sentences.emplace_back(
      "This holds against anybody, whatever they know, all other trips included, as long as nobody can "
      "predict the random bits (ChaCha20 under a key of the operating system).");
  sentences.emplace_back(
      "Counts with noise are all that is taken from the private trips, and they are released. The trips are "
      "invented from these counts and public things alone, which takes nothing from the promise: whoever has "
      "the counts can make the same trips.");
  return sentences;
}

std::vector<std::string> TraceTerms::not_protected() const {
  std::vector<std::string> sentences;
  if (unit == Unit::trip) {
    sentences.push_back(fmt::format(
        "Several trips of one person together: k of them add up to k times epsilon; who has 30 "
        "trips is protected with an epsilon of {}. A release that protects users protects all of them.",
        (epsilon.value() * 30).to_string()));
  } else {
    sentences.emplace_back("A person who is several users: k of them add up to k times epsilon.");
    if (persons != privacy::Persons::unsaid)
      sentences.emplace_back(
          "Which trips a person made instead of which others: the promise is for a person with all trips "
          "against "
          "none, and exchanging them takes two such steps, twice epsilon.");
    if (persons == privacy::Persons::declared) sentences.push_back(privacy::what_nobody_counted("trips"));
  }
  sentences.emplace_back(
      "What is true of many: where and when people travel is what is released, and whoever does as others do "
      "may be known by that.");
  sentences.emplace_back(
      times ? "The area, how long a trip can be and how long it can take, which are declared; and that trips "
              "have times. Points and parts of trips beyond these bounds were left out."
            : "The area, and how long a trip can be, which are declared. Points and parts of trips beyond "
              "these bounds were left out.");
  if (trips) sentences.emplace_back("How many trips there are, which is declared.");
  sentences.emplace_back(
      "That there is a trip in the area at all: without one there is no release; guarded, only a file "
      "without "
      "any point is refused.");
  if (constraints)
    sentences.emplace_back("The constraints, which are taken to be public and to hold for everybody.");
  if (network) sentences.emplace_back("The road network, which is taken to be public.");
  sentences.emplace_back("That there was a release, and how long it took.");
  return sentences;
}

privacy::Statement TraceTerms::draft() const {
  return {.kind = "traces",
          .mechanism = std::string(synthesis_name),
          .form = privacy::Form::sound,
          .guarantee = guarantee(),
          .parameters = parameters(),
          .public_inputs = public_inputs(),
          .outputs = {},
          .ledger = privacy::NoLedgerEntry{"not charged yet"},
          .version = std::string(version),
          .randomness = random::Source::operating_system,
          .expected_error = std::nullopt,
          .not_protected = not_protected(),
          .promise = promise()};
}

TraceTerms terms_from(const privacy::Statement& statement) {
  require_term(statement.kind == "traces", "kind", "is not traces");
  require_term(statement.mechanism == synthesis_name, "mechanism", "is not synthesis");
  const Json& parameters = statement.parameters.json();
  TraceTerms terms{.frame = Frame::parse("0,0,1,1", Frame::Unit::degrees), .epsilon = {1, 1}};
  privacy::read_parameters(parameters, terms);
  take_inputs(statement.public_inputs, terms);
  TraceStatistics checked(terms.options());  // throws for what is out of range
  privacy::require_spelling(parameters, terms.parameters());
  return terms;
}

}  // namespace fogline::traces
