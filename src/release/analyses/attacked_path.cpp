// SPDX-License-Identifier: Apache-2.0
#include "release/analyses/attacked_path.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto attacked_path_warning =
    "made with the roads and the route, for insiders alone; do not publish";

/// For programs.
class AttackedPathJson {
 public:
  explicit AttackedPathJson(const AttackedPath& found) : found_(found) {}

  Json all() const {
    Json json = {{"kind", "path"},
                 {"private", true},
                 {"warning", attacked_path_warning},
                 {"form", to_string(found_.shown.form)},
                 {"epsilon_edges", found_.shown.epsilon_edges.to_string()},
                 {"guarantee", to_string(found_.guarantee)},
                 {"statement", found_.has_statement},
                 {"bounds", found_.bounds()}};
    if (const auto& paths = found_.every_vertex)
      json["paths"] = {{"exact", paths->exact},
                       {"weight_of_all", paths->exact ? Json(paths->paths) : Json()},
                       {"samples", paths->samples},
                       {"effective_samples", paths->effective_samples},
                       {"certain_pairs", paths->certain}};
    if (const auto& leak = found_.leak)
      json["layers"] = {{"paths", leak->paths},
                        {"left", leak->left},
                        {"direction", leak->direction ? Json(*leak->direction) : Json()},
                        {"posteriors", posteriors(leak->beliefs)}};
    else if (!found_.no_leak.empty())
      json["layers"] = not_applied(found_.no_leak);
    if (found_.one_pair) {
      json["missing"] = pair(found_.attacked.front());
      return json;
    }
    json["steps"] = Json::array();
    for (const AttackedPair& one : found_.attacked) json["steps"].push_back(pair(one));
    return json;
  }

 private:
  Json pair(const AttackedPair& one) const {
    Json json = {{"pair", {found_.shown.names[one.pair.first], found_.shown.names[one.pair.second]}},
                 {"step", found_.read.complete ? Json(one.is_step) : Json()}};
    json["one_label"] = belief(one.one_label.belief, bound_of_one_label());
    json["one_label"]["labels"] = one.one_label.labels;
    json["one_label"]["candidates"] = one.one_label.candidates;
    if (one.all_but_one) {
      json["all_but_one"] = belief(one.all_but_one->belief, bound_of_all_but_one());
      json["all_but_one"]["ways"] = one.all_but_one->options;
      json["all_but_one"]["left"] = one.all_but_one->left;
    } else {
      json["all_but_one"] = not_applied(found_.no_all_but_one());
    }
    if (one.every_vertex) {
      json["every_vertex"] = belief(*one.every_vertex, {});
      json["every_vertex"]["standard_error"] = one.standard_error;
    } else {
      json["every_vertex"] = not_applied(found_.no_every_vertex);
    }
    return json;
  }

  /// What the promise bounds the loss of a reader by; null where it bounds nothing.
  Json bound_of_one_label() const {
    return found_.has_promise() ? Json(found_.guarantee.epsilon().to_double()) : Json();
  }
  Json bound_of_all_but_one() const {
    // The missing step and each of its alternatives differ in two labels.
    if (!found_.has_promise() || found_.shown.form != path::PathForm::two_sided) return {};
    return 2 * found_.shown.epsilon_edges.to_double();
  }

  static Json belief(const path::Belief& told, const Json& bound) {
    const double loss = told.loss();
    return {{"applies", true},
            {"prior", told.prior},
            {"posterior", told.posterior},
            {"loss", std::isfinite(loss) ? Json(loss) : Json()},
            {"certain", told.became_certain()},
            {"bound", bound}};
  }

  static Json not_applied(const std::string& because) { return {{"applies", false}, {"because", because}}; }

  static std::vector<double> posteriors(const std::vector<path::Belief>& beliefs) {
    std::vector<double> after;
    for (const path::Belief& told : beliefs) after.push_back(told.posterior);
    return after;
  }

  const AttackedPath& found_;
};

/// For people.
class AttackedPathText {
 public:
  explicit AttackedPathText(const AttackedPath& found) : found_(found) {}

  void add_to(Findings& findings) const {
    findings.add(fmt::format("PRIVATE: {}", attacked_path_warning));
    findings.add(rows());
    findings.add(found_.one_pair ? pair_table(found_.attacked.front()) : step_table());
    if (found_.shown.form == path::PathForm::published) findings.add(of_layers());
    findings.add(found_.one_pair
                     ? "before and after: belief that the pair is a step, without the publication and with "
                       "it; loss: ln of the odds after over the odds before"
                     : "mean and most: of the beliefs after reading; certain: steps that the reader was not "
                       "certain of before, and is now");
    findings.add(found_.bounds());
  }

 private:
  using Row = std::vector<std::string>;

  Findings::Rows rows() const {
    const path::PublicPath& shown = found_.shown;
    Findings::Rows rows{
        {"release", fmt::format("{}, epsilon {}, {} vertices, {} stops", to_string(shown.form),
                                shown.epsilon_edges.to_string(), grouped(shown.stops.vertex_count()),
                                grouped(shown.stops.size()))},
        {"promise", to_string(found_.guarantee) +
                        (found_.has_statement ? "" : " (no statement beside it: as the file says)")}};
    if (found_.one_pair) {
      const AttackedPair& one = found_.attacked.front();
      rows.emplace_back("pair",
                        fmt::format("{} - {}, {}", shown.names[one.pair.first], shown.names[one.pair.second],
                                    !found_.read.complete ? "of a route that is not wholly known"
                                    : one.is_step         ? "a step of the route"
                                                          : "no step of the route"));
    }
    return rows;
  }

  static Findings::Table table(const Row& titles) {
    return {{{titles[0], 34, Findings::Align::left},
             {titles[1], 8},
             {titles[2], 8},
             {titles[3], 11},
             {"", 0, Findings::Align::left}},
            {}};
  }

  static Row row(std::string who, std::string first, std::string second, std::string third,
                 const std::string& more) {
    return {std::move(who), std::move(first), std::move(second), std::move(third),
            more.empty() ? "" : "  " + more};
  }
  static Row no_row(std::string who, const std::string& because) {
    return row(std::move(who), "-", "-", "-", "not computed: " + because);
  }

  Findings::Table pair_table(const AttackedPair& one) const {
    Findings::Table result = table({"the pair is a step, says", "before", "after", "loss"});
    result.rows.push_back(line("one label", one.one_label.belief, 0,
                               fmt::format("{} of {} labels candidate", grouped(one.one_label.candidates),
                                           grouped(one.one_label.labels))));
    result.rows.push_back(one.all_but_one
                              ? line("all but one step", one.all_but_one->belief, 0,
                                     fmt::format("{} of {} ways left", grouped(one.all_but_one->left),
                                                 grouped(one.all_but_one->options)))
                              : no_row("all but one step", found_.no_all_but_one()));
    result.rows.push_back(of_every_vertex(one));
    if (found_.leak) result.rows.push_back(line("and the layers", found_.leak->beliefs.front(), 0, ""));
    return result;
  }

  Row of_every_vertex(const AttackedPair& one) const {
    if (!one.every_vertex) return no_row("every vertex is visited", found_.no_every_vertex);
    std::string more = of_paths();
    const double error = error_of(one.standard_error);
    if (error > 0) more = fmt::format("+- {:.{}f}, {}", error, decimals(error), more);
    return line("every vertex is visited", *one.every_vertex, error, more);
  }

  Findings::Table step_table() const {
    std::vector<path::Belief> one_label, all_but_one, every_vertex;
    double error = 0;
    for (const AttackedPair& one : found_.attacked) {
      one_label.push_back(one.one_label.belief);
      if (one.all_but_one) all_but_one.push_back(one.all_but_one->belief);
      if (!one.every_vertex) continue;
      every_vertex.push_back(*one.every_vertex);
      error = std::max(error, error_of(one.standard_error));
    }
    Findings::Table result = table({"belief in each step of the route", "mean", "most", "certain"});
    result.rows.push_back(summary("one label", one_label, 0, ""));
    result.rows.push_back(all_but_one.empty() ? no_row("all but one step", found_.no_all_but_one())
                                              : summary("all but one step", all_but_one, 0, ""));
    result.rows.push_back(found_.every_vertex
                              ? summary("every vertex is visited", every_vertex, error, of_paths())
                              : no_row("every vertex is visited", found_.no_every_vertex));
    if (found_.leak) result.rows.push_back(summary("and the layers", found_.leak->beliefs, 0, ""));
    return result;
  }

  static Row line(const std::string& who, const path::Belief& told, double error, const std::string& more) {
    return row(who, fmt::format("{:.4f}", told.prior),
               fmt::format("{:.{}f}", told.posterior, decimals(error)), loss_text(told, error), more);
  }

  /// One row over all steps.
  static Row summary(const std::string& who, const std::vector<path::Belief>& beliefs, double error,
                     const std::string& more) {
    if (beliefs.empty()) return row(who, "-", "-", "-", more);
    double sum = 0, largest = 0;
    std::size_t certain = 0;
    for (const path::Belief& told : beliefs) {
      sum += told.posterior;
      largest = std::max(largest, told.posterior);
      certain += told.became_certain() ? 1U : 0U;
    }
    const int digits = decimals(error);
    return row(who, fmt::format("{:.{}f}", sum / static_cast<double>(beliefs.size()), digits),
               fmt::format("{:.{}f}", largest, digits), error > 0 ? "unknown" : grouped(certain), more);
  }

  static std::string loss_text(const path::Belief& told, double error) {
    const double loss = told.loss();
    if (!std::isfinite(loss)) return error > 0 ? "unknown" : loss > 0 ? "certain" : "ruled out";
    const double spread = told.posterior * (1 - told.posterior);
    return fmt::format("{:.{}f}", loss, decimals(spread > 0 ? error / spread : 0));
  }

  /// How many decimals of a number mean something; at most 4, as many as exact ones are given.
  static int decimals(double error) {
    if (error <= 0) return 4;
    return std::clamp(static_cast<int>(std::ceil(-std::log10(error))), 0, 4);
  }

  /// Of a posterior that walks found; where all walks agree, they could still be wrong by about one path.
  double error_of(double standard_error) const {
    if (found_.every_vertex->exact) return 0;
    return std::max(standard_error, 1 / std::max(1.0, found_.every_vertex->effective_samples));
  }

  std::string of_paths() const {
    const path::EveryVertex& paths = *found_.every_vertex;
    if (!paths.exact)
      return fmt::format("{} paths sampled, worth {}", grouped(paths.samples),
                         count_text(paths.effective_samples));
    if (found_.shown.form == path::PathForm::two_sided) return "all orders of the vertices, by their fit";
    return fmt::format("{} path{} left", count_text(paths.paths), paths.paths == 1 ? "" : "s");
  }

  /// A count that may be beyond what is counted exactly.
  static std::string count_text(double count) {
    return count < 0x1p53 ? grouped(static_cast<std::uint64_t>(std::llround(count)))
                          : fmt::format("{:.4g}", count);
  }

  /// What the layers of the published form give away.
  std::string of_layers() const {
    if (!found_.leak) return fmt::format("how many routes remain: not computed, {}", found_.no_leak);
    std::string text =
        fmt::format("how many routes remain: {} of the {} that the labels leave, both directions counted",
                    grouped(found_.leak->left), grouped(found_.leak->paths));
    if (found_.leak->direction)
      text += *found_.leak->direction == 1 ? "; the layers tell the direction of the route"
                                           : "; the layers do not tell the direction of the route";
    return text;
  }

  const AttackedPath& found_;
};

}  // namespace

std::string AttackedPath::bounds() const {
  if (!has_promise()) return "there is no promise, and nothing is bounded";
  if (shown.form == path::PathForm::one_sided)
    return "the promise bounds the loss of the reader of one label, towards a step; it bounds neither of "
           "the other readers";
  return "the promise bounds the loss of the reader of one label, and twice it that of the reader who "
         "lacks one step; for the reader of all labels it adds up over the labels in which two routes "
         "differ";
}

std::string AttackedPath::no_all_but_one() const {
  return read.complete ? "the pair is no step of the route" : "the network does not hold the whole route";
}

Findings AttackedPath::findings() const {
  Findings findings(AttackedPathJson(*this).all());
  AttackedPathText(*this).add_to(findings);
  return findings;
}

}  // namespace fogline::release
