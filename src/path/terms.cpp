// SPDX-License-Identifier: Apache-2.0
#include "path/terms.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "fogline/version.hpp"
#include "privacy/plain_words.hpp"

namespace fogline::path {
namespace {

using Json = nlohmann::ordered_json;
using privacy::Epsilon;
using privacy::factor_text;

std::string times(std::uint32_t visits) {
  return visits == 1 ? "once" : fmt::format("{} times", visits);
}

std::vector<std::string> one_sided_promise(const PathTerms& terms) {
  const double epsilon = terms.guarantee().epsilon().to_double();
  const GuaranteeParts parts = terms.labels().parts();
  std::vector<std::string> sentences{
      fmt::format(
          "One-sided: whatever is released is at most {} times as likely with a road that the route takes as "
          "without that road, everything else being the same.",
          factor_text(epsilon)),
      "The other way nothing is bounded, so this is not differential privacy: a pair that is ruled out is "
      "certainly no "
      "step of the route."};
  if (parts.other_stops > 0 || parts.visit > 0)
    sentences.push_back(
        fmt::format("Of epsilon, {:.6f} is for the road's own pair of stops, {:.6f} for the other pairs of "
                    "stops of its two ends, "
                    "and {:.6f} for a visit at an end of the route.",
                    parts.pair, parts.other_stops, parts.visit));
  return sentences;
}

std::vector<std::string> two_sided_promise(const PathTerms& terms) {
  const double epsilon = terms.guarantee().epsilon().to_double();
  const double label = terms.epsilon_edges.value().to_double();
  const double other = epsilon - label;
  return {fmt::format("Whatever is released is at most {} times as likely if a pair of stops is a step of "
                      "the route as if "
                      "it is not, all other pairs being the same.",
                      factor_text(epsilon)),
          fmt::format("Two routes over the same stops differ in at least two pairs, and most in four or "
                      "more: for two the "
                      "factor is {}, for four {}.",
                      factor_text(2 * label + other), factor_text(4 * label + other))};
}

}  // namespace

std::vector<std::string_view> mechanism_names() {
  return {to_string(PathForm::one_sided), to_string(PathForm::two_sided)};
}

PathOptions PathTerms::options(const RouteMap& map) const {
  PathOptions options = labels().options();
  if (!from.empty()) options.ends = {map.vertex(from, "from"), map.vertex(to, "to")};
  return options;
}

PathLabels PathTerms::labels() const {
  if (from.empty() != to.empty()) throw InvalidOption("from", "and `to` belong together: give both, or none");
  return PathLabels({.form = form,
                     .epsilon_edges = epsilon_edges,
                     .epsilon_vertices = epsilon_vertices,
                     .most_visits = visits,
                     .direction = direction,
                     .epsilon_direction = epsilon_direction,
                     .every_vertex = every_vertex});
}

Corridor PathTerms::corridor() const {
  Corridor corridor;
  if (!area.empty()) corridor.area = area_from(area);
  if (stretch.empty()) return corridor;
  if (from.empty()) throw InvalidOption("stretch", "needs `from` and `to`, the public ends of the route");
  const auto value = Rational::parse(stretch);
  if (!value) throw InvalidOption("stretch", "must be a number from 1 to 100");
  corridor.between = Corridor::Between{.from = from, .to = to, .stretch = value->to_double()};
  return corridor;
}

privacy::Guarantee PathTerms::guarantee() const {
  return labels().guarantee();
}

void PathTerms::declare(privacy::ParameterTable& table) {
  table.value("epsilon_edges", epsilon_edges,
              "of the labels, exact; one-sided, the guarantee's epsilon follows from it, "
              "[path.md](mechanisms/path.md)");
  table.value("epsilon_vertices", epsilon_vertices, "of the numbers of stops");
  table.value("visits", visits, "how often a vertex may be visited at most", {1, PathTerms::most_visits});
  table.when(form == PathForm::one_sided)
      .value("direction", direction, "one-sided: whether it is published which end is the start");
  table.value("epsilon_direction", epsilon_direction,
              "two-sided: of the bit that says which end is the start");
  table.value("every_vertex", every_vertex, "the route is known to visit every vertex");
  table.optional().value("from", from, "where the route begins, as declared");
  table.optional().value("to", to, "where it ends");
  table.optional().value("area", area, "the public corridor, as a box");
  table.optional().value("stretch", stretch, "the public corridor, by the length of ways between the ends");
  std::uint64_t per_person = persons == privacy::Persons::declared ? 1 : 0;
  table.optional().value("per_person", per_person, "1: the route is all that one person has in the release",
                         {1, 1});
  table.when(table.lists() || per_person > 0)
      .word("persons", persons, privacy::persons_from, "`declared`: a route names nobody");
  if (table.reads() && per_person > 0 && persons != privacy::Persons::declared)
    throw InvalidOption("persons", "of a route are declared: nothing in it tells persons apart");
}

std::vector<privacy::ParameterTable::Listed> PathTerms::listed() {
  PathTerms any{};
  return privacy::list_parameters(any);
}

nlohmann::ordered_json PathTerms::parameters() const {
  return privacy::parameters_of(*this);
}

std::vector<std::string> PathTerms::promise() const {
  std::vector<std::string> sentences =
      form == PathForm::one_sided ? one_sided_promise(*this) : two_sided_promise(*this);
  sentences.emplace_back(
      "This holds as long as nobody can predict the random bits (ChaCha20 under a key of the operating "
      "system).");
  return sentences;
}

std::vector<std::string> PathTerms::not_protected() const {
  std::vector<std::string> sentences;
  if (form == PathForm::one_sided) {
    sentences.emplace_back(
        "The route, from anybody who knows which pairs are roads: they read all of it, which is what it is "
        "published for. "
        "If the network is a public street map, that is everybody.");
    sentences.emplace_back(
        "What follows from many labels together: who knows all steps but one, or that the route visits every "
        "vertex, can "
        "become certain of a step. Attacks on the published route show how often.");
    sentences.emplace_back(
        "Several roads at once: k of them add up to k times epsilon. Roads that the route does not take: "
        "they are ruled "
        "out, always.");
    if (direction)
      sentences.emplace_back(
          "The direction of the route: one bit, published as it is, says which of its two ends comes first.");
  } else {
    sentences.emplace_back(
        "Several pairs at once: k of them add up to k times epsilon, and a whole route is many.");
  }
  sentences.emplace_back(
      "That there is a route of one piece, in a network that hangs together: what is published is one, and "
      "where few vertices or "
      "candidates are left that alone can make a step certain.");
  sentences.emplace_back("The vertices: which there are and how they are called.");
  sentences.push_back(
      fmt::format("That the route visits no vertex more than {}, which is declared.", times(visits)));
  if (every_vertex) sentences.emplace_back("That the route visits every vertex, which is declared.");
  if (!from.empty()) sentences.emplace_back("Where the route begins and ends, which is declared.");
  if (!area.empty() || !stretch.empty())
    sentences.emplace_back("That the route stays within the corridor, which is declared.");
  sentences.emplace_back("How long the release took.");
  return sentences;
}

privacy::Statement PathTerms::draft() const {
  return {.kind = "path",
          .mechanism = std::string(to_string(form)),
          .form = privacy::Form::sound,
          .guarantee = guarantee(),
          .parameters = parameters(),
          .public_inputs = {},
          .outputs = {},
          .ledger = privacy::NoLedgerEntry{"not charged yet"},
          .version = std::string(version),
          .randomness = random::Source::operating_system,
          .expected_error = std::nullopt,
          .not_protected = not_protected(),
          .promise = promise()};
}

PathTerms terms_from(const privacy::Statement& statement) {
  const Json& parameters = statement.parameters.json();
  if (statement.kind != "path") throw InvalidOption("kind", "is not path");
  PathTerms terms{.form = form_from(statement.mechanism)};
  privacy::read_parameters(parameters, terms);
  terms.labels();  // throws for what does not fit together
  terms.corridor();
  privacy::require_spelling(parameters, terms.parameters());
  if (!statement.public_inputs.empty())
    throw InvalidOption("public_inputs", "hold a file; a release of a route has none");
  return terms;
}

std::string mismatch(const PathTerms& terms, const PublicPath& shown) {
  if (shown.form != terms.form) return "its form is another";
  if (shown.epsilon_edges != terms.epsilon_edges.value()) return "its epsilon is another";
  if (shown.every_vertex != terms.every_vertex)
    return "it declares otherwise whether the route visits every vertex";
  if (shown.ends.has_value() != !terms.from.empty())
    return "it declares otherwise where the route begins and ends";
  if (shown.ends &&
      (shown.names[shown.ends->first] != terms.from || shown.names[shown.ends->second] != terms.to))
    return "it declares other ends of the route";
  const bool bit = terms.form == PathForm::one_sided ? terms.direction : terms.epsilon_direction.has_value();
  if (shown.starts_low.has_value() != bit)
    return bit ? "it lacks the bit of direction" : "it tells the direction";
  if (terms.form == PathForm::one_sided) {
    if (shown.candidates.edge_count() == 0)
      return "it has no candidate, and a step of the route always is one";
    for (VertexId v = 0; terms.every_vertex && v < shown.names.size(); ++v) {
      std::size_t candidates = 0;
      for (std::uint32_t i = 0; i < shown.stops.of_vertex(v); ++i)
        candidates += shown.candidates.degree(shown.stops.first(v) + i);
      if (candidates == 0) return "a vertex has no candidate, and the route is said to visit every vertex";
    }
  }
  for (const std::uint32_t stops : shown.stops.counts()) {
    if (stops > terms.visits || (!terms.epsilon_vertices && stops != terms.visits))
      return "a vertex has another number of stops than the terms allow";
  }
  return "";
}

void PublishedTerms::declare(privacy::ParameterTable& table) {
  table.value("epsilon_edges", epsilon_edges, "of the paper's labels");
  table.value("epsilon_vertices", epsilon_vertices, "of the paper's numbers of stops");
}

nlohmann::ordered_json PublishedTerms::parameters() const {
  return privacy::parameters_of(*this);
}

PublishedTerms published_terms_from(const privacy::Statement& statement) {
  const Json& parameters = statement.parameters.json();
  PublishedTerms terms;
  privacy::read_parameters(parameters, terms);
  privacy::require_spelling(parameters, terms.parameters());
  return terms;
}

privacy::Guarantee published_guarantee() {
  return privacy::Guarantee::none(
      "one road that the route takes, against no road there",
      "the layers follow the order in which the route visits the vertices, and stops and "
      "splits follow from the route itself");
}

privacy::Statement published_draft(const PublishedTerms& terms) {
  return {
      .kind = "path",
      .mechanism = "layered",
      .form = privacy::Form::published,
      .guarantee = published_guarantee(),
      .parameters = terms.parameters(),
      .public_inputs = {},
      .outputs = {},
      .ledger = privacy::NoLedgerEntry{"not charged yet"},
      .version = std::string(version),
      .randomness = random::Source::operating_system,
      .expected_error = std::nullopt,
      .not_protected =
          {"Anything: this is the paper's form, for comparison. Its layers follow the order of the route, "
           "its number of stops is read from the route, and an edge that is ruled out is certainly not on "
           "it."},
      .promise = {
          "Nothing is promised. The paper claims differential privacy at epsilon_v + epsilon_e + ln 2."}};
}

}  // namespace fogline::path
