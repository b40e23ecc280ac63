// SPDX-License-Identifier: Apache-2.0
#include "release/weights_fields.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "weights/estimates/prior_file.hpp"

namespace fogline::release {
namespace {

bool is_sound(const std::string& name) {
  const auto names = weights::mechanism_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

Rational fraction(const std::string& text, std::string_view option, std::string_view problem) {
  const auto value = Rational::parse(text);
  if (!value) throw InvalidOption(option, problem);
  return *value;
}

}  // namespace

void WeightsFields::declare(FieldTable& table) {
  table.group("Mechanism");
  std::vector<std::string> names;
  for (const auto name : weights::mechanism_names()) names.emplace_back(name);
  for (const auto strategy : weights::weights_strategies()) names.emplace_back(to_string(strategy));
  table.value("mechanism", "NAME", mechanism, "the best if not given").choices(names);
  table.flag("published", published,
             "allow a form of the paper that promises nothing: lap, mb, lap-ci, mb-ci");
  table.value("epsilon", "E", epsilon, "privacy parameter for one unit of protection")
      .required()
      .above("0", "1000")
      .stated("epsilon");
  table.value("unit", "UNIT", unit, "what is protected; edge if not given")
      .choices({"edge", "change", "trip"})
      .stated("unit");
  table.value("most", "N", most, "largest change of an edge (1); number of edges of a trip (no default)")
      .above("0", "")
      .stated("most");
  table
      .value("range", "LOW:HIGH", range,
             "PUBLIC range of the weights; LOW: without an end for change and trip")
      .stated("range");
  table.value("out-of-range", "RULE", out_of_range, "what becomes of weights outside")
      .choices({"refuse", "clamp"})
      .stated("clamped");
  table.value("step", "S", step, "PUBLIC grid of the weights (1)").above("0", "").stated("step");
  persons.declare_declared(table, "such units", "1000000", "per_person");
  table.flag("round", round, "round weights between grid points; the manual tells its cost")
      .stated("rounded");
  table.flag("positive", positive, "never release a weight of 0").stated("positive");
  table.value("prior", "PRIOR", prior, "for blocks: flat, noisy, or a PUBLIC file weight,probability")
      .role(FieldRole::public_input)
      .stated("prior");
  table.value("prior-share", "X", prior_share, "part of epsilon that a noisy prior gets")
      .otherwise("1/20")
      .between("0", "1")
      .stated("prior_share");
  table.value("k", "K", k, "mb, mb-ci: groups of equal size it takes to merge")
      .otherwise("1")
      .nonzero()
      .range("1", "1000000")
      .stated("k");
}

privacy::Epsilon WeightsFields::epsilon_value() const {
  return epsilon_in<privacy::Epsilon>(epsilon, "epsilon");
}

weights::WeightGrid WeightsFields::grid(bool is_guarded) const {
  if (range.empty() && unit == "edge") {
    throw InvalidOption("range", "is needed: the public range of the weights, such as 100:600");
  }
  // A guarded release refuses nothing that it can move: that it does would tell for certain, at any epsilon.
  if (is_guarded && out_of_range == "refuse")
    throw InvalidOption("out-of-range",
                        "is clamp with `guarded`: a refusal would tell of the weights at any epsilon");
  const bool clamps = out_of_range.empty() ? is_guarded : out_of_range == "clamp";
  return weights::WeightGrid::parse(range.empty() ? "0:" : range, step, clamps);
}

weights::WeightTerms WeightsFields::terms(bool is_guarded) const {
  if (published || (!mechanism.empty() && !is_sound(mechanism))) {
    published_options("0:1");  // says that `published` is missing, and why
    throw InvalidOption("published", "forms promise nothing, and have no terms");
  }
  weights::WeightTerms terms{.mechanism = mechanism, .epsilon = epsilon_value(), .grid = grid(is_guarded)};
  const PersonFields::Bound of_person = persons.bound();
  if (of_person.most > 0 && of_person.persons != privacy::Persons::declared)
    throw InvalidOption(
        "persons", "takes declared alone here: nothing in a graph tells whose an edge, change or trip is");
  terms.protection.per_person = of_person.most;
  terms.protection.persons = of_person.persons;
  terms.protection.unit = weights::protected_unit_from(unit);
  if (!most.empty()) {
    if (terms.protection.unit == weights::ProtectedUnit::edge)
      throw InvalidOption("most", "belongs to `unit` change or trip");
    terms.protection.most = fraction(most, "most", "is a number such as 1 or 30");
  }
  if (most.empty() && terms.protection.unit == weights::ProtectedUnit::trip)
    throw InvalidOption("most", "is needed: the largest number of edges that a trip adds to");
  // Any two weights of the range are neighbours if the unit is the edge, so rounding them costs nothing there.
  terms.rounding = round ? weights::Rounding::nearest : weights::Rounding::refuse;
  terms.positive = positive;
  if (mechanism.empty()) terms.mechanism = weights::default_mechanism(terms.choice({}));
  if (!prior.empty() && prior != "flat") {
    if (terms.mechanism != "blocks") throw InvalidOption("prior", "is for blocks");
    terms.prior = prior == "noisy" ? weights::PriorSource::noisy : weights::PriorSource::file;
    if (terms.prior == weights::PriorSource::file) terms.prior_file = public_file(prior);
  }
  if (!prior_share.empty()) {
    if (terms.prior != weights::PriorSource::noisy)
      throw InvalidOption("prior-share", "belongs to `prior` noisy");
    terms.prior_share = fraction(prior_share, "prior-share", "is a part such as 1/20");
  }
  if (k > 0) throw InvalidOption("k", "belongs to mb and mb-ci");
  return terms;
}

std::vector<double> WeightsFields::prior_of_points() const {
  if (prior.empty() || prior == "flat" || prior == "noisy") return {};
  return weights::read_prior(prior, grid());
}

weights::PublishedWeights::Options WeightsFields::published_options(const std::string& default_range) const {
  if (mechanism.empty() || is_sound(mechanism))
    throw InvalidOption("mechanism", "with `published` is lap, mb, lap-ci or mb-ci");
  const weights::WeightsStrategy strategy = weights::strategy_from(mechanism);
  if (!published) {
    throw InvalidOption("mechanism",
                        fmt::format("{} promises nothing ({}); add `published` to use it all the same",
                                    mechanism, weights::reason(strategy)));
  }
  if (unit != "edge") throw InvalidOption("unit", "of the paper's forms is edge");
  if (persons.bound().most > 0) throw InvalidOption("persons", "are not protected by the paper's forms");
  if (!out_of_range.empty()) throw InvalidOption("out-of-range", "is not for the paper's forms");
  const std::string text = range.empty() ? default_range : range;
  if (text.empty())
    throw InvalidOption("range", "is needed: the public range of the weights, such as 100:600");
  const weights::WeightGrid ends = weights::WeightGrid::parse(text, step);
  if (!ends.is_finite()) throw InvalidOption("range", "must have both ends");
  const bool merges = mechanism.starts_with("mb");
  if (k > 0 && !merges) throw InvalidOption("k", "belongs to mb and mb-ci");
  if (!prior.empty() || !prior_share.empty()) throw InvalidOption("prior", "is for blocks");
  return {
      .strategy = strategy,
      .epsilon = epsilon_value().value().to_double(),
      .range = weights::WeightRange{ends.value(0), ends.value(static_cast<std::int64_t>(ends.points()) - 1)},
      .k = static_cast<int>(std::max<std::uint64_t>(k, 1))};
}

std::vector<std::string> WeightsFields::files() const {
  if (prior.empty() || prior == "flat" || prior == "noisy") return {};
  return {prior};
}

void WeightsReleaseFields::declare(FieldTable& table) {
  weights.declare(table);
  table.value("estimate", "HOW", estimate, "made of the drawn numbers; the manual tells more")
      .choices({"plain", "median", "mean"})
      .stated("estimate");
  table.value("groups", "GROUPS", groups, "for estimates: degrees, none, or a PUBLIC file of groups")
      .otherwise("degrees")
      .role(FieldRole::public_input)
      .stated("groups");
  table.value("order", "FILE", order, "PUBLIC order that weights follow: ranks, pairs of edges, or a .tntp")
      .role(FieldRole::public_input)
      .stated("order");
  table.flag("directed", directed, "a,b and b,a are two edges (TNTP: always)").stated("directed");
}

weights::WeightTerms WeightsReleaseFields::terms(bool is_guarded) const {
  using weights::Finish;
  weights::WeightTerms terms = weights.terms(is_guarded);
  terms.directed = directed;
  const bool gains = terms.mechanism != "blocks" || terms.prior == weights::PriorSource::noisy;
  terms.finish = estimate.empty() ? (gains ? Finish::median : Finish::plain) : weights::finish_from(estimate);
  if (terms.finish != Finish::plain) {
    terms.groups = groups.empty() ? "degrees" : groups_is_file() ? "file" : groups;
    if (groups_is_file()) terms.groups_file = public_file(groups);
  } else if (!groups.empty()) {
    throw InvalidOption("groups", "is for `estimate` median or mean");
  }
  if (!order.empty()) terms.order_file = public_file(order);
  return terms;
}

bool WeightsReleaseFields::groups_is_file() const {
  return !groups.empty() && groups != "none" && groups != "degrees";
}

std::vector<std::string> WeightsReleaseFields::files() const {
  std::vector<std::string> all = weights.files();
  if (groups_is_file()) all.push_back(groups);
  if (!order.empty()) all.push_back(order);
  return all;
}

std::optional<Worth> worth_of(const weights::WeightTerms& terms, double expected_error,
                              const std::vector<double>& prior_of_points) {
  if (terms.finish != weights::Finish::plain || terms.order_file ||
      terms.prior == weights::PriorSource::noisy || !terms.grid.is_finite())
    return std::nullopt;
  return Worth{.error = expected_error,
               .free_error = weights::best_constant_error(terms.grid, prior_of_points)};
}

}  // namespace fogline::release
