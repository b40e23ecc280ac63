// SPDX-License-Identifier: Apache-2.0
#include "audit/claims.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace fogline::audit {
namespace {

using privacy::Exactness;
using privacy::Form;
using privacy::Notion;

const std::string published_page = "docs/mechanisms/published.md";

/// A mechanism of a paper whose claim does not hold.
Claim broken(std::string kind, std::string mechanism, std::string unit, std::string claimed,
             std::string must_be_public, std::string why_not) {
  return {.kind = std::move(kind),
          .mechanism = std::move(mechanism),
          .form = Form::published,
          .released = false,
          .unit = std::move(unit),
          .epsilon_means = std::move(claimed),
          .must_be_public = std::move(must_be_public),
          .page = published_page,
          .why_not = std::move(why_not)};
}

nlohmann::json record() {
  try {
    return nlohmann::json::parse(audit_record());
  } catch (const nlohmann::json::exception&) {
    throw DataError({"audit record"}, "is not valid JSON", "make it again with tools/results_audit");
  }
}

double loss_of(const nlohmann::json& loss) {
  return loss.is_string() ? std::numeric_limits<double>::infinity() : loss.get<double>();
}

void add_trial(const nlohmann::json& trial, RecordedAudit& audit) {
  const bool accused = trial.at("accused").get<bool>();
  audit.passed = audit.passed && !accused;
  const std::string engine = trial.at("engine").get<std::string>();
  std::vector<std::string>& engines = accused ? audit.accused_by : audit.engines;
  if (std::ranges::find(engines, engine) == engines.end()) engines.push_back(engine);
  // Bounds on a loss come from certificates and from the falsifier; a replay tells what noise was paid for.
  if (!accused || (engine != "certificate" && engine != "falsifier")) return;
  const double loss = loss_of(trial.at("loss_at_least"));
  if (audit.loss_at_least && *audit.loss_at_least >= loss) return;
  audit.loss_at_least = loss;
  audit.claimed_loss = trial.at("claimed_loss").get<double>();
  audit.evidence = trial.at("evidence").get<std::string>();
}

std::string checked_by(const Claim& claim) {
  const auto audit = recorded_audit(claim);
  if (!audit) return "no audit recorded";
  if (!audit->accused_by.empty() && !claim.why_not.empty())
    return fmt::format("{}: caught by {}", audit->date, fmt::join(audit->accused_by, ", "));
  if (!audit->passed)
    return fmt::format("{}: ACCUSED by {}", audit->date, fmt::join(audit->accused_by, ", "));
  return fmt::format("{}: passed {}", audit->date, fmt::join(audit->engines, ", "));
}

std::string bound_of(const Claim& claim) {
  const auto audit = recorded_audit(claim);
  if (!audit || !audit->loss_at_least) return "not measured";
  return fmt::format(
      "{} where {:.3g} is claimed",
      std::isinf(*audit->loss_at_least) ? "unbounded" : fmt::format("at least {:.2f}", *audit->loss_at_least),
      *audit->claimed_loss);
}

std::string recorded_on() {
  const auto all = record();
  return fmt::format("{} with version {}", all.at("date").get<std::string>(),
                     all.at("version").get<std::string>());
}

std::string notion_and_epsilon(const Claim& claim) {
  return fmt::format("{}: {}", to_string(claim.notion), claim.epsilon_means);
}

/// A place mechanism that is released with: all promise the same.
Claim place(std::string mechanism, std::string must_be_public, std::string page) {
  return {.kind = "place",
          .mechanism = std::move(mechanism),
          .form = Form::sound,
          .released = true,
          .notion = Notion::metric_dp,
          .exactness = Exactness::exact,
          .unit = "one report; with `persons`, all reports of a person",
          .epsilon_means =
              "per metre of road: an answer is at most exp(epsilon * d) times as likely from one "
              "vertex as from another d metres away",
          .must_be_public = std::move(must_be_public),
          .page = std::move(page),
          .why_not = ""};
}

/// A mechanism for a step of a stream that is released with: all promise the same.
Claim sound_stream(std::string mechanism, std::string page) {
  return {.kind = "stream",
          .mechanism = std::move(mechanism),
          .form = Form::sound,
          .released = true,
          .notion = Notion::policy_dp,
          .exactness = Exactness::exact,
          .unit = "one state of a sequence; with `protect` sequence, all of them",
          .epsilon_means =
              "at each step: an answer is at most exp(epsilon) times as likely from one as from "
              "another possible state that the policy joins it with",
          .must_be_public =
              "the model, what is measured of each state, the first state's distribution, the policy",
          .page = std::move(page),
          .why_not = ""};
}

/// A form in which a route is published.
Claim sound_path(std::string mechanism, Notion notion, std::string unit, std::string epsilon_means) {
  return {.kind = "path",
          .mechanism = std::move(mechanism),
          .form = Form::sound,
          .released = true,
          .notion = notion,
          .exactness = Exactness::exact,
          .unit = std::move(unit),
          .epsilon_means = std::move(epsilon_means),
          .must_be_public =
              "the vertices, how often the route visits one at most, the corridor, and what else is declared",
          .page = "docs/mechanisms/path.md",
          .why_not = ""};
}

/// A mechanism for edge weights that is released with.
Claim sound_weights(std::string mechanism, std::string unit, std::string must_be_public, std::string page) {
  return {.kind = "weights",
          .mechanism = std::move(mechanism),
          .form = Form::sound,
          .released = true,
          .notion = Notion::pure_dp,
          .exactness = Exactness::exact,
          .unit = std::move(unit),
          .epsilon_means =
              "an answer is at most exp(epsilon) times as likely with one as with the other of two "
              "sets of weights that differ in one unit of protection",
          .must_be_public = std::move(must_be_public),
          .page = std::move(page),
          .why_not = ""};
}

/// A form of the paper on edge weights: a release of weights offers it with `published`.
Claim published_weights(std::string mechanism, std::string why_not) {
  Claim claim = broken("weights", std::move(mechanism), "one edge's whole weight", "pure DP at epsilon",
                       "the graph and the range of weights", std::move(why_not));
  claim.released = true;
  return claim;
}

/// Invented trips, for either unit.
Claim sound_traces() {
  return {
      .kind = "traces",
      .mechanism = "synthesis",
      .form = Form::sound,
      .released = true,
      .notion = Notion::pure_dp,
      .exactness = Exactness::exact,
      .unit = "one trip, or one user with all trips",
      .epsilon_means =
          "a release is at most exp(epsilon) times as likely with a trip, or with all trips of a user, as "
          "without",
      .must_be_public =
          "the area, how long a trip can be and take, whether trips have times; the number of trips if "
          "declared; constraints and road network",
      .page = "docs/mechanisms/traces.md",
      .why_not = ""};
}

/// The paper's form as a release of traces offers it with `published`.
Claim published_traces() {
  Claim claim = broken("traces", "dpe", "one trajectory",
                       "pure DP at epsilon for one trip more or less, hence twice epsilon for one replaced",
                       "the area's diameter, the time span, the number of trips",
                       "the output starts from the private trips, and every trip changes every noisy sum");
  claim.released = true;
  return claim;
}

Claim published_path() {
  Claim claim = broken(
      "path", "layered", "one edge of the route", "pure DP at epsilon_v + epsilon_e + ln 2", "the vertices",
      "a pair that is ruled out is certainly no step, and the layers follow the order of the route");
  claim.released = true;
  return claim;
}

std::string offer_of(const Claim& claim) {
  if (!claim.released) return ", not offered for release";
  return claim.form == Form::published ? ", with `published` only" : "";
}

}  // namespace

std::vector<Claim> place_claims() {
  return {
      place("gem", "the road network, the range of allowed outputs, how many reports a person has at most",
            "docs/mechanisms/gem.md"),
      place("tight",
            "the road network, the range of allowed outputs, the prior it is calibrated for, how "
            "many reports a person has at most",
            "docs/mechanisms/tight.md"),
      place("optimal",
            "the road network, the range of allowed outputs, the prior it is solved for, how many reports a "
            "person has at most",
            "docs/mechanisms/optimal.md"),
      place("plmg",
            "the road network with its positions, the range of allowed outputs, how many reports a "
            "person has at most",
            "docs/mechanisms/plm.md"),
      place("plm", "the road network with its positions, how many reports a person has at most",
            "docs/mechanisms/plm.md")};
}

std::vector<Claim> stream_claims() {
  return {sound_stream("optimal", "docs/mechanisms/stream-optimal.md"),
          sound_stream("grouped", "docs/mechanisms/stream-optimal.md"),
          sound_stream("k-norm", "docs/mechanisms/k-norm.md"),
          sound_stream("laplace", "docs/mechanisms/k-norm.md"),
          broken("stream", "k-norm, boundary by length", "one state against another joined in the policy",
                 "policy DP at epsilon, for noise of the right density",
                 "the policy graph and the prior of the step",
                 "directions are drawn by the boundary's length instead of the area of its cones"),
          broken("stream", "k-norm, radius one short", "one state against another joined in the policy",
                 "policy DP at epsilon, for noise of the right density",
                 "the policy graph and the prior of the step",
                 "the radius follows Gamma(d) instead of Gamma(d + 1), which peaks at the truth")};
}

std::vector<Claim> path_claims() {
  return {
      sound_path("one-sided", Notion::one_sided_dp, "one road that the route takes, against no road there",
                 "a publication is at most exp(epsilon) times as likely with that road as without; the other "
                 "way nothing is "
                 "bounded. Not differential privacy"),
      sound_path(
          "two-sided", Notion::pure_dp, "whether one pair of stops is a step of the route",
          "a publication is at most exp(epsilon) times as likely with one label of a pair as with the other"),
      published_path()};
}

std::vector<Claim> weights_claims() {
  return {sound_weights(
              "blocks", "one edge's whole weight in a public range",
              "the graph without its weights, the range of weights and its step, the prior it is cut for",
              "docs/mechanisms/blocks.md"),
          sound_weights("geometric", "one edge's whole weight, a change of one edge, or a trip",
                        "the graph without its weights, the range of weights and its step",
                        "docs/mechanisms/geometric.md"),
          sound_weights("staircase", "one edge's whole weight, or a change of one edge",
                        "the graph without its weights, the range of weights and its step",
                        "docs/mechanisms/geometric.md"),
          sound_weights(
              "distances", "one edge's whole weight, a change of one edge, or a trip",
              "the graph without its weights, the range of weights and its step, which pairs are asked for",
              "docs/mechanisms/distances.md"),
          broken("weights", "lap, range of the data", "one edge's whole weight", "pure DP at epsilon",
                 "the graph without its weights", "the noise is scaled by the private weights' own spread"),
          published_weights(
              "lap", "its noise is floating point, with gaps and an end; but for that its proof holds"),
          published_weights(
              "mb", "each of C merged edges gets noise for a C-th of the range, but may move by all of it"),
          published_weights("lap-ci", "the output is sorted by the true order of the private weights"),
          published_weights("mb-ci", "the output is sorted by the true order of the private weights")};
}

std::vector<Claim> traces_claims() {
  return {sound_traces(), published_traces(),
          broken("traces", "dpe, public start", "one trajectory",
                 "pure DP at epsilon for one trip more or less, hence twice epsilon for one replaced",
                 "the area's diameter, the time span, the number of trips",
                 "one trajectory changes every one of the m sums, and the noise pays for one")};
}

std::optional<RecordedAudit> recorded_audit(const Claim& claim) {
  const auto all = record();
  try {
    RecordedAudit audit{.date = all.at("date").get<std::string>(),
                        .version = all.at("version").get<std::string>(),
                        .passed = true};
    for (const auto& trial : all.at("trials")) {
      if (trial.at("name").get<std::string>() == claim.kind + " " + claim.mechanism) add_trial(trial, audit);
    }
    if (audit.engines.empty() && audit.accused_by.empty()) return std::nullopt;
    return audit;
  } catch (const nlohmann::json::exception&) {
    throw DataError({"audit record"}, "lacks a field, or has one of the wrong type",
                    "make it again with tools/results_audit");
  }
}

std::string claims_text(const std::vector<Claim>& claims) {
  std::string text;
  for (const Claim& claim : claims) {
    const bool holds = claim.why_not.empty();
    text +=
        fmt::format("{} {}  ({}{})\n", claim.kind, claim.mechanism, to_string(claim.form), offer_of(claim));
    text += fmt::format("  promises     {}\n", holds ? notion_and_epsilon(claim)
                                                     : "nothing. The paper claims " + claim.epsilon_means);
    if (!holds)
      text += fmt::format("  why not      {}\n  measured     a loss of {}\n", claim.why_not, bound_of(claim));
    text += fmt::format(
        "  unit         {}\n  public       {}\n  exactness    {}\n  page         {}\n  audit        {}\n\n",
        claim.unit, claim.must_be_public, to_string(claim.exactness), claim.page, checked_by(claim));
  }
  return text + fmt::format("Audits as recorded on {} (the self-test repeats them).\n", recorded_on());
}

std::string claims_markdown(const std::vector<Claim>& claims) {
  std::string text = fmt::format(
      "# Claims\n\nWhat every mechanism promises, and who checks it. Generated from "
      "src/audit/claims.cpp; audits as recorded on {} "
      "(the self-test repeats them, [results/audit.md](results/audit.md) has the figures).\n\n## "
      "Mechanisms that keep a promise\n\n"
      "| mechanism | form | notion, and what epsilon means | unit of protection | must be public | exactness "
      "| proof | last audit |\n"
      "|---|---|---|---|---|---|---|---|\n",
      recorded_on());
  const auto link = [](const std::string& page) { return fmt::format("[{0}]({0})", page.substr(5)); };
  for (const Claim& claim : claims) {
    if (!claim.why_not.empty()) continue;
    text += fmt::format("| {} {} | {} | {} | {} | {} | {} | {} | {} |\n", claim.kind, claim.mechanism,
                        to_string(claim.form), notion_and_epsilon(claim), claim.unit, claim.must_be_public,
                        to_string(claim.exactness), link(claim.page), checked_by(claim));
  }
  text +=
      "\n## Published mechanisms that do not\n\nThey promise nothing (`guarantee: none`) and are built for "
      "comparison. The loss is a lower bound, with a "
      "confidence of 99.9999 %, for one pair of inputs that the paper calls neighbours.\n\n"
      "| mechanism | the paper claims | unit of protection | must be public | why it does not hold | "
      "measured loss | page | last audit |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const Claim& claim : claims) {
    if (claim.why_not.empty()) continue;
    text += fmt::format("| {} {} | {} | {} | {} | {} | {} | {} | {} |\n", claim.kind, claim.mechanism,
                        claim.epsilon_means, claim.unit, claim.must_be_public, claim.why_not, bound_of(claim),
                        link(claim.page), checked_by(claim));
  }
  return text;
}

}  // namespace fogline::audit
