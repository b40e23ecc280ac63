// SPDX-License-Identifier: Apache-2.0
#include "weights/terms.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "fogline/version.hpp"
#include "weights/estimates/noisy_prior.hpp"
#include "weights/term_parameters.hpp"

namespace fogline::weights {
namespace {

using Json = nlohmann::ordered_json;

PriorSource prior_from(std::string_view text) {
  for (const PriorSource source : {PriorSource::flat, PriorSource::file, PriorSource::noisy})
    if (to_string(source) == text) return source;
  throw InvalidOption("prior", "is flat, file or noisy");
}

void require_groups(const std::string& text) {
  if (text != "none" && text != "degrees" && text != "file")
    throw InvalidOption("groups", "is none, degrees or file");
}

}  // namespace

std::string_view to_string(PriorSource source) {
  return source == PriorSource::flat ? "flat" : source == PriorSource::file ? "file" : "noisy";
}

std::string_view to_string(Finish finish) {
  return finish == Finish::plain ? "plain" : finish == Finish::median ? "median" : "mean";
}

Finish finish_from(std::string_view text) {
  for (const Finish finish : {Finish::plain, Finish::median, Finish::mean})
    if (to_string(finish) == text) return finish;
  throw InvalidOption("estimate", "is plain, median or mean");
}

privacy::Epsilon WeightTerms::epsilon_of_weights() const {
  return prior == PriorSource::noisy ? split_budget(epsilon, prior_share).weights : epsilon;
}

MechanismChoice WeightTerms::choice(std::vector<double> prior_of_points) const {
  return {.name = mechanism,
          .epsilon = epsilon_of_weights(),
          .grid = grid,
          .protection = protection,
          .rounding = rounding,
          .positive = positive,
          .prior = std::move(prior_of_points)};
}

privacy::Guarantee WeightTerms::guarantee() const {
  return protection.guarantee(epsilon, grid);
}

void WeightTerms::declare(privacy::ParameterTable& table) {
  PromiseParameters{epsilon, grid, protection, rounding, directed}.declare(table);
  table.optional().value("positive", positive, "true where no weight of 0 is released");
  table.when(mechanism == "blocks")
      .word("prior", prior, prior_from, "of `blocks`: `flat`, `file` (the first public input) or `noisy`");
  table.when(prior == PriorSource::noisy)
      .value("prior_share", prior_share, "of a noisy prior: its part of epsilon");
  table.word("estimate", finish, finish_from, "`plain`, or `median` or `mean` of the posterior");
  table.when(finish != Finish::plain)
      .value("groups", groups,
             "of an estimate: edges grouped by `degrees`, `none`, or a `file` (the next public input)");
  table.value("order", order_file, "name of the public order, the last public input");
}

std::vector<privacy::ParameterTable::Listed> WeightTerms::listed() {
  WeightTerms any{.mechanism = "blocks", .epsilon = {1, 1}, .grid = WeightGrid::parse("0:1", "1")};
  return privacy::list_parameters(any);
}

nlohmann::ordered_json WeightTerms::parameters() const {
  return privacy::parameters_of(*this);
}

std::vector<privacy::PublicInput> WeightTerms::public_inputs() const {
  std::vector<privacy::PublicInput> inputs;
  for (const auto& file : {prior_file, groups_file, order_file})
    if (file) inputs.push_back(*file);
  return inputs;
}

std::vector<std::string> WeightTerms::promise() const {
  const std::string exact = epsilon.value().to_string();
  const double factor = std::exp(epsilon.value().to_double());
  // A bound is rounded up, to three digits, and told as a power of e from where nobody can picture it.
  constexpr double three_digits = 100, beyond_picturing = 1e6;
  const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(factor)) - 2));
  const double above = factor < three_digits ? std::ceil(factor * three_digits) / three_digits
                                             : std::ceil(factor / unit) * unit;
  const std::string times =
      factor < beyond_picturing ? fmt::format("{:g} times", above) : fmt::format("exp({}) times", exact);
  std::vector<std::string> sentences;
  if (protection.unit == ProtectedUnit::edge) {
    sentences.push_back(
        fmt::format("Whatever is released is at most {} as likely with one weight of an edge as with any "
                    "other in {}, all "
                    "other weights being the same.",
                    times, grid.range_text()));
  } else if (protection.unit == ProtectedUnit::change) {
    sentences.push_back(
        fmt::format("Whatever is released is at most {} as likely with one weight of an edge as with another "
                    "that differs "
                    "by at most {}, all other weights being the same.",
                    times, protection.most.to_string()));
  } else {
    sentences.push_back(fmt::format(
        "Whatever is released is at most {} as likely with a trip as without it, if the trip adds at most 1 "
        "to {}.",
        times,
        protection.most == Rational(1)
            ? std::string("one edge")
            : fmt::format("each of at most {} edges", protection.most.to_string())));
  }
  if (protection.per_person > 0) {
    sentences.push_back(
        protection.unit == ProtectedUnit::trip
            ? fmt::format(
                  "A person has at most {0} of these here: with all of them or without any it is at most "
                  "exp({0} * {1}) times as likely, and where they are exchanged for others exp(2 * {0} * "
                  "{1}) "
                  "times.",
                  protection.per_person, exact)
            : fmt::format(
                  "A person has at most {0} of these here: with all of them changed it is at most exp({0} * "
                  "{1}) times as likely.",
                  protection.per_person, exact));
    sentences.push_back(privacy::how_told_apart(protection.persons, "of these"));
  }
  sentences.push_back(
      "This holds against anybody, whatever they know, all other weights included, as long as nobody can "
      "predict the random bits (ChaCha20 under a key of the operating system).");
  if (prior == PriorSource::noisy) {
    sentences.push_back(fmt::format(
        "Of epsilon, {} is for a histogram of the weights with noise, from which the blocks are made.",
        split_budget(epsilon, prior_share).prior.value().to_string()));
  }
  if (finish != Finish::plain || order_file) {
    sentences.push_back(
        "What was drawn is made into estimates from drawn numbers and public things alone, which takes "
        "nothing from the promise.");
  }
  return sentences;
}

std::vector<std::string> WeightTerms::not_protected() const {
  std::vector<std::string> sentences{
      "The graph itself: which vertices and edges there are, and how they are called and ordered.",
      grid.clamps() ? "That every weight lies on the grid and in the file as declared: a file of which that "
                      "is not true is "
                      "refused. Weights outside the range count as the nearest end of it."
                    : "That every weight lies in the range, on the grid and in the file as declared: a file "
                      "of which that is "
                      "not true is refused."};
  if (protection.per_person > 0) {
    sentences.push_back(
        "More of one person than that, here under another name or elsewhere: what else is released adds up.");
    sentences.push_back(privacy::what_nobody_counted("of these"));
  } else if (protection.unit == ProtectedUnit::edge) {
    sentences.push_back("Several edges of one person or firm together: k of them add up to k times epsilon.");
  } else if (protection.unit == ProtectedUnit::change) {
    sentences.push_back(fmt::format("Larger changes: k times {}, or k edges, add up to k times epsilon.",
                                    protection.most.to_string()));
  } else {
    sentences.push_back("Several trips of one person: k of them add up to k times epsilon.");
  }
  if (prior == PriorSource::file)
    sentences.push_back("The prior: it is taken to be public, and whatever it tells of anybody is told.");
  if (groups_file) sentences.push_back("The groups of the edges, which are taken to be public.");
  if (order_file) sentences.push_back("The order of the edges, which is taken to be public.");
  sentences.push_back("How long the release took.");
  return sentences;
}

std::optional<privacy::ExpectedError> WeightTerms::expected_error(std::vector<double> prior_of_points) const {
  if (prior == PriorSource::noisy) return std::nullopt;
  const Prediction predicted = make_mechanism(choice(prior_of_points))->predict(prior_of_points);
  std::string method =
      grid.is_finite() ? "mean absolute error of one weight, " : "mean size of the noise of one weight, ";
  method += !grid.is_finite()            ? "computed exactly"
            : prior == PriorSource::file ? "computed under the public prior"
                                         : "computed with all weights of the range alike";
  if (finish != Finish::plain || order_file) method += ", before estimates";
  return privacy::ExpectedError{predicted.expected_error, "weight", method};
}

privacy::Statement WeightTerms::draft(std::vector<double> prior_of_points) const {
  privacy::Statement result = draft_without_error();
  result.expected_error = expected_error(std::move(prior_of_points));
  return result;
}

privacy::Statement WeightTerms::draft_without_error() const {
  return {.kind = "weights",
          .mechanism = mechanism,
          .form = privacy::Form::sound,
          .guarantee = guarantee(),
          .parameters = parameters(),
          .public_inputs = public_inputs(),
          .outputs = {},
          .ledger = privacy::NoLedgerEntry{"not charged yet"},
          .version = std::string(version),
          .randomness = random::Source::operating_system,
          .expected_error = {},
          .not_protected = not_protected(),
          .promise = promise()};
}

WeightTerms terms_from(const privacy::Statement& statement) {
  const Json& parameters = statement.parameters.json();
  if (statement.kind != "weights") throw InvalidOption("kind", "is not weights");
  WeightTerms terms{.mechanism = statement.mechanism, .epsilon = {1, 1}, .grid = grid_to_be_read()};
  privacy::read_parameters(parameters, terms);
  require_groups(terms.groups);
  privacy::InputFiles files(statement.public_inputs);
  if (terms.prior == PriorSource::file) terms.prior_file = files.next();
  if (terms.groups == "file") terms.groups_file = files.next();
  files.fill(terms.order_file);
  files.require_all_used();
  make_mechanism(terms.choice({}));  // throws for what does not fit together
  privacy::require_spelling(parameters, terms.parameters());
  return terms;
}

}  // namespace fogline::weights
