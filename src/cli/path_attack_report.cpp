// SPDX-License-Identifier: Apache-2.0
#include "cli/path_attack_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"

namespace fogline::cli {
namespace {

using Json = nlohmann::ordered_json;
using path::Belief;

constexpr auto private_warning = "made with the roads and the route, for insiders alone; do not publish";

/// What the promise bounds the loss of a reader by; empty where it bounds nothing.
bool has_promise(const PathAttackReport& found) {
  return found.guarantee.notion() != privacy::Notion::none;
}
std::optional<double> bound_of_one_label(const PathAttackReport& found) {
  if (!has_promise(found)) return std::nullopt;
  return found.guarantee.epsilon().to_double();
}
std::optional<double> bound_of_all_but_one(const PathAttackReport& found) {
  // The missing step and each of its alternatives differ in two labels.
  if (!has_promise(found) || found.shown.form != path::PathForm::two_sided) return std::nullopt;
  return 2 * found.shown.epsilon_edges.to_double();
}

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}
Json bound(std::optional<double> value) {
  return value ? Json(*value) : Json();
}
Json belief(const Belief& told, std::optional<double> allowed) {
  return {{"applies", true},
          {"prior", told.prior},
          {"posterior", told.posterior},
          {"loss", number(told.loss())},
          {"certain", told.became_certain()},
          {"bound", bound(allowed)}};
}
Json not_applied(const std::string& because) {
  return {{"applies", false}, {"because", because}};
}

std::string why_not_all_but_one(const PathAttackReport& found) {
  return found.read.complete ? "the pair is no step of the route"
                             : "the network does not hold the whole route";
}

Json pair_json(const PathAttackReport& found, const AttackedPair& one) {
  Json json = {{"pair", {found.shown.names[one.pair.first], found.shown.names[one.pair.second]}},
               {"step", found.read.complete ? Json(one.is_step) : Json()}};
  json["one_label"] = belief(one.one_label.belief, bound_of_one_label(found));
  json["one_label"]["labels"] = one.one_label.labels;
  json["one_label"]["candidates"] = one.one_label.candidates;
  if (one.all_but_one) {
    json["all_but_one"] = belief(one.all_but_one->belief, bound_of_all_but_one(found));
    json["all_but_one"]["ways"] = one.all_but_one->options;
    json["all_but_one"]["left"] = one.all_but_one->left;
  } else {
    json["all_but_one"] = not_applied(why_not_all_but_one(found));
  }
  if (one.every_vertex) {
    json["every_vertex"] = belief(*one.every_vertex, {});
    json["every_vertex"]["standard_error"] = one.standard_error;
  } else {
    json["every_vertex"] = not_applied(found.no_every_vertex);
  }
  return json;
}

std::vector<double> posteriors(const std::vector<Belief>& beliefs) {
  std::vector<double> after;
  for (const Belief& told : beliefs) after.push_back(told.posterior);
  return after;
}

std::string what_is_bounded(const PathAttackReport& found) {
  if (!has_promise(found)) return "there is no promise, and nothing is bounded";
  if (found.shown.form == path::PathForm::one_sided)
    return "the promise bounds the loss of the reader of one label, towards a step; it bounds neither of "
           "the other readers";
  return "the promise bounds the loss of the reader of one label, and twice it that of the reader who "
         "lacks one step; for the reader of all labels it adds up over the labels in which two routes "
         "differ";
}

/// How many decimals of a number mean something; at most 4, as many as exact ones are given.
int decimals(double error) {
  if (error <= 0) return 4;
  return std::clamp(static_cast<int>(std::ceil(-std::log10(error))), 0, 4);
}

/// Of a posterior that walks found; where all walks agree, they could still be wrong by about one path.
double error_of(const PathAttackReport& found, double standard_error) {
  if (found.every_vertex->exact) return 0;
  return std::max(standard_error, 1 / std::max(1.0, found.every_vertex->effective_samples));
}

std::string row(std::string_view who, std::string_view first, std::string_view second, std::string_view third,
                std::string_view more) {
  return fmt::format("{:<34}{:>8}{:>8}{:>11}{}{}\n", who, first, second, third, more.empty() ? "" : "  ",
                     more);
}

std::string loss_text(const Belief& told, double error) {
  const double loss = told.loss();
  if (!std::isfinite(loss)) return error > 0 ? "unknown" : loss > 0 ? "certain" : "ruled out";
  const double spread = told.posterior * (1 - told.posterior);
  return fmt::format("{:.{}f}", loss, decimals(spread > 0 ? error / spread : 0));
}

std::string line(const std::string& who, const Belief& told, double error, const std::string& more) {
  return row(who, fmt::format("{:.4f}", told.prior), fmt::format("{:.{}f}", told.posterior, decimals(error)),
             loss_text(told, error), more);
}

/// A count that may be beyond what is counted exactly.
std::string count_text(double count) {
  return count < 0x1p53 ? grouped(static_cast<std::uint64_t>(std::llround(count)))
                        : fmt::format("{:.4g}", count);
}

std::string of_paths(const PathAttackReport& found) {
  const path::EveryVertex& paths = *found.every_vertex;
  if (!paths.exact)
    return fmt::format("{} paths sampled, worth {}", grouped(paths.samples),
                       count_text(paths.effective_samples));
  if (found.shown.form == path::PathForm::two_sided) return "all orders of the vertices, by their fit";
  return fmt::format("{} path{} left", count_text(paths.paths), paths.paths == 1 ? "" : "s");
}

std::string of_every_vertex(const PathAttackReport& found, const AttackedPair& one) {
  if (!one.every_vertex)
    return row("every vertex is visited", "-", "-", "-", "not computed: " + found.no_every_vertex);
  std::string more = of_paths(found);
  const double error = error_of(found, one.standard_error);
  if (error > 0) more = fmt::format("+- {:.{}f}, {}", error, decimals(error), more);
  return line("every vertex is visited", *one.every_vertex, error, more);
}

std::string pair_table(const PathAttackReport& found, const AttackedPair& one) {
  return row("the pair is a step, says", "before", "after", "loss", "") +
         line("one label", one.one_label.belief, 0,
              fmt::format("{} of {} labels candidate", grouped(one.one_label.candidates),
                          grouped(one.one_label.labels))) +
         (one.all_but_one
              ? line("all but one step", one.all_but_one->belief, 0,
                     fmt::format("{} of {} ways left", grouped(one.all_but_one->left),
                                 grouped(one.all_but_one->options)))
              : row("all but one step", "-", "-", "-", "not computed: " + why_not_all_but_one(found))) +
         of_every_vertex(found, one);
}

/// One row of the summary over all steps.
std::string summary(const std::string& who, const std::vector<Belief>& beliefs, double error,
                    const std::string& more) {
  if (beliefs.empty()) return row(who, "-", "-", "-", more);
  double sum = 0, largest = 0;
  std::size_t certain = 0;
  for (const Belief& told : beliefs) {
    sum += told.posterior;
    largest = std::max(largest, told.posterior);
    certain += told.became_certain() ? 1U : 0U;
  }
  const int digits = decimals(error);
  return row(who, fmt::format("{:.{}f}", sum / static_cast<double>(beliefs.size()), digits),
             fmt::format("{:.{}f}", largest, digits), error > 0 ? "unknown" : grouped(certain), more);
}

std::string step_table(const PathAttackReport& found) {
  std::vector<Belief> one_label, all_but_one, every_vertex;
  double error = 0;
  for (const AttackedPair& one : found.attacked) {
    one_label.push_back(one.one_label.belief);
    if (one.all_but_one) all_but_one.push_back(one.all_but_one->belief);
    if (!one.every_vertex) continue;
    every_vertex.push_back(*one.every_vertex);
    error = std::max(error, error_of(found, one.standard_error));
  }
  return row("belief in each step of the route", "mean", "most", "certain", "") +
         summary("one label", one_label, 0, "") +
         summary("all but one step", all_but_one, 0,
                 all_but_one.empty() ? "not computed: " + why_not_all_but_one(found) : "") +
         summary("every vertex is visited", every_vertex, error,
                 found.every_vertex ? of_paths(found) : "not computed: " + found.no_every_vertex);
}

/// What the layers of the published form give away.
std::string of_layers(const PathAttackReport& found) {
  if (found.shown.form != path::PathForm::published) return "";
  if (!found.leak) return fmt::format("how many routes remain: not computed, {}\n", found.no_leak);
  std::string text = found.one_pair ? line("and the layers", found.leak->beliefs.front(), 0, "")
                                    : summary("and the layers", found.leak->beliefs, 0, "");
  text += fmt::format("how many routes remain: {} of the {} that the labels leave, both directions counted",
                      grouped(found.leak->left), grouped(found.leak->paths));
  if (found.leak->direction)
    text += *found.leak->direction == 1 ? "; the layers tell the direction of the route"
                                        : "; the layers do not tell the direction of the route";
  return text + "\n";
}

std::string what_columns_say(const PathAttackReport& found) {
  return found.one_pair
             ? "before and after: belief that the pair is a step, without the publication and with "
               "it; loss: ln of the odds after over the odds before\n"
             : "mean and most: of the beliefs after reading; certain: steps that the reader was not "
               "certain of before, and is now\n";
}

}  // namespace

Json PathAttackReport::as_json() const {
  Json json = {{"kind", "path"},
               {"private", true},
               {"warning", private_warning},
               {"form", to_string(shown.form)},
               {"epsilon_edges", shown.epsilon_edges.to_string()},
               {"guarantee", to_string(guarantee)},
               {"statement", has_statement},
               {"bounds", what_is_bounded(*this)}};
  if (every_vertex)
    json["paths"] = {{"exact", every_vertex->exact},
                     {"weight_of_all", every_vertex->exact ? Json(every_vertex->paths) : Json()},
                     {"samples", every_vertex->samples},
                     {"effective_samples", every_vertex->effective_samples},
                     {"certain_pairs", every_vertex->certain}};
  if (leak)
    json["layers"] = {{"paths", leak->paths},
                      {"left", leak->left},
                      {"direction", leak->direction ? Json(*leak->direction) : Json()},
                      {"posteriors", posteriors(leak->beliefs)}};
  else if (!no_leak.empty())
    json["layers"] = not_applied(no_leak);
  if (one_pair) {
    json["missing"] = pair_json(*this, attacked.front());
    return json;
  }
  json["steps"] = Json::array();
  for (const AttackedPair& one : attacked) json["steps"].push_back(pair_json(*this, one));
  return json;
}

std::string PathAttackReport::as_text() const {
  std::vector<std::pair<std::string, std::string>> rows = {
      {"release", fmt::format("{}, epsilon {}, {} vertices, {} stops", to_string(shown.form),
                              shown.epsilon_edges.to_string(), grouped(shown.stops.vertex_count()),
                              grouped(shown.stops.size()))},
      {"promise",
       to_string(guarantee) + (has_statement ? "" : " (no statement beside it: as the file says)")}};
  if (one_pair) {
    const AttackedPair& one = attacked.front();
    rows.emplace_back("pair",
                      fmt::format("{} - {}, {}", shown.names[one.pair.first], shown.names[one.pair.second],
                                  !read.complete ? "of a route that is not wholly known"
                                  : one.is_step  ? "a step of the route"
                                                 : "no step of the route"));
  }
  return fmt::format("PRIVATE: {}\n", private_warning) + fields(rows) +
         (one_pair ? pair_table(*this, attacked.front()) : step_table(*this)) + of_layers(*this) +
         what_columns_say(*this) + what_is_bounded(*this) + "\n";
}

}  // namespace fogline::cli
