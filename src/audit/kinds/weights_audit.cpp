// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/weights_audit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "audit/kinds/edge_cells.hpp"
#include "audit/kinds/neighbour_steps.hpp"
#include "base/error.hpp"

namespace fogline::audit {
namespace {

using weights::EdgeMechanism;

constexpr std::uint64_t most_shifts = 4096;
constexpr std::uint64_t most_weight_looks = std::uint64_t{1} << 22;  // at pairs of log-probabilities
constexpr std::uint64_t least_looks_per_shift = 1024;
constexpr int points_of_law = 64;
constexpr double rounding_of_log_weights =
    1e-9;  // log_weight is a double; the exact comparison is that of the steps

double epsilon_of(const EdgeMechanism& mechanism) {
  return mechanism.guarantee().epsilon().to_double();
}

void certify_table(const EdgeMechanism& mechanism, const WeightsAuditOptions& options, WeightsAudit& audit) {
  if (!mechanism.grid().is_finite()) throw InvalidOption("range", "must have both ends for a table");
  audit.table = audit_exactly(
      {.name = std::string(mechanism.name()),
       .claim = mechanism.guarantee(),
       .relation = kernel::Relation::complete(static_cast<std::size_t>(mechanism.grid().points())),
       .row = [&](kernel::InputId point) { return mechanism.row(static_cast<std::int64_t>(point)); }},
      {.threads = options.threads, .progress = options.progress});
  audit.loss_low = audit.table->loss_low;
  audit.loss_high = audit.table->loss_high;
}

// Noise.

double difference(double one, double other) {
  if (one == other) return 0;
  if (!std::isfinite(one) || !std::isfinite(other)) return std::numeric_limits<double>::infinity();
  return std::abs(one - other);
}

/// The largest loss between point 0 and one `shift` steps away, at all outputs that the noise reaches, or about `looks` of them.
double loss_at_shift(const EdgeMechanism& mechanism, std::int64_t shift, std::uint64_t looks) {
  const std::int64_t reach = reach_of_noise(mechanism);
  const auto stride = static_cast<std::int64_t>(1 + static_cast<std::uint64_t>(2 * reach + shift) /
                                                        std::max(looks, std::uint64_t{1}));
  double largest = 0;
  // Where outputs are left out, each shift leaves out others.
  for (std::int64_t output = -reach + shift % stride; output <= reach + shift; output += stride)
    largest =
        std::max(largest, difference(mechanism.log_weight(output, 0), mechanism.log_weight(output, shift)));
  return largest;
}

/// How much the law differs between point 0 and others: nothing, if it is noise.
double change_of_law(const EdgeMechanism& mechanism) {
  random::Stream choice = random::SeededKey(WeightsAuditOptions::public_seed).stream("points of the law");
  const std::int64_t reach = reach_of_noise(mechanism);
  const std::int64_t stride = 1 + reach / 512;
  double largest = 0;
  for (int i = 0; i < points_of_law; ++i) {
    const std::int64_t point = random_point(mechanism.grid(), choice);
    for (std::int64_t noise = -reach + i % stride; noise <= reach; noise += stride)
      largest = std::max(
          largest, difference(mechanism.log_weight(noise, 0), mechanism.log_weight(point + noise, point)));
  }
  return largest;
}

/// Fills in what the law loses between points at distances 1 to the largest that one edge of two neighbours may have.
void look_at_law(const EdgeMechanism& mechanism, NoiseRule& rule) {
  rule.shifts = std::min(rule.largest_shift, most_shifts);
  const std::uint64_t looks = std::max(most_weight_looks / rule.shifts, least_looks_per_shift);
  double largest = loss_at_shift(mechanism, static_cast<std::int64_t>(rule.largest_shift), most_weight_looks);
  for (std::uint64_t i = 1; i < rule.shifts; ++i) {
    // From 1 upwards, evenly: each one where they are few.
    const std::uint64_t shift =
        1 + (i - 1) * (rule.largest_shift - 1) / std::max<std::uint64_t>(rule.shifts - 1, 1);
    largest = std::max(largest, loss_at_shift(mechanism, static_cast<std::int64_t>(shift), looks));
  }
  rule.law_loss = largest + 2 * change_of_law(mechanism);
}

void certify_noise(const EdgeMechanism& mechanism, const WeightsAuditOptions& options, WeightsAudit& audit) {
  const NeighbourSteps apart = neighbour_steps(mechanism.grid(), mechanism.protection(), options.rounding);
  NoiseRule rule{.declared_steps = declared_steps(mechanism),
                 .steps = apart.all_edges(),
                 .largest_shift = apart.one_edge};
  look_at_law(mechanism, rule);
  rule.law_loss *= static_cast<double>(apart.edges);
  const double epsilon = epsilon_of(mechanism);
  rule.loss = rule.steps == rule.declared_steps
                  ? epsilon
                  : epsilon * static_cast<double>(rule.steps) / static_cast<double>(rule.declared_steps);
  rule.holds = rule.steps <= rule.declared_steps && rule.law_loss <= epsilon * (1 + rounding_of_log_weights);
  audit.loss_low = std::min(rule.law_loss, rule.loss);
  audit.loss_high = std::max(rule.loss, rule.holds ? 0 : rule.law_loss);
  audit.edges_that_differ = apart.edges;
  audit.rule = rule;
}

// Words.

std::string scope_of(const WeightsAudit& audit) {
  const std::string neighbours =
      audit.edges_that_differ == 1
          ? "Neighbours differ in one edge"
          : fmt::format("Neighbours differ in at most {} edges, whose losses are added up here",
                        audit.edges_that_differ);
  return fmt::format(
      "{}: what holds for an edge holds for the graph, if each edge is drawn independently from its own "
      "weight. That was not contradicted by {} pairs of edges.",
      neighbours, audit.draws.pairs_of_edges);
}

std::string shifts_of(const NoiseRule& rule) {
  if (rule.shifts == rule.largest_shift)
    return rule.shifts == 1 ? "between points 1 step apart"
                            : fmt::format("between points 1 to {} steps apart", rule.shifts);
  return fmt::format("between points at {} distances up to {} steps", rule.shifts, rule.largest_shift);
}

std::string rule_sentence(const EdgeMechanism& mechanism, const NoiseRule& rule) {
  return fmt::format(
      "{} {}: its noise is made for {} step{} of the grid, and two neighbours are {} apart; the law it "
      "states "
      "loses at most {:.6g} {}, where {} is claimed.",
      mechanism.name(), rule.holds ? "keeps its promise" : "breaks its promise", rule.declared_steps,
      rule.declared_steps == 1 ? "" : "s", rule.steps, rule.law_loss, shifts_of(rule),
      mechanism.guarantee().epsilon().to_string());
}

std::string sentence_of(const EdgeMechanism& mechanism, const WeightsAudit& audit) {
  const bool holds = audit.table ? audit.table->holds : audit.rule->holds;
  const std::string loss = audit.table ? audit.table->sentence : rule_sentence(mechanism, *audit.rule);
  if (!holds) return loss;
  if (!audit.draws.fit.fits) return audit.draws.fit.sentence;
  if (!audit.draws.pairs.fits) return audit.draws.pairs.sentence;
  return fmt::format(
      "Certified: {} {} {} draws, from weights all over the range, did not depart from the {}.", loss,
      scope_of(audit), audit.draws.draws, audit.table ? "table" : "law");
}

std::string published_sentence(std::string_view mechanism, const PublishedWeightsAudit& audit) {
  if (!audit.broken) {
    return fmt::format(
        "{} was not caught: its loss is at least {:.3g}, where {:.6g} is claimed. It promises nothing all "
        "the same, "
        "since its noise is drawn in floating point.",
        mechanism, audit.finding.loss_at_least, audit.finding.claimed_loss);
  }
  const std::string found =
      audit.finding.broken
          ? fmt::format("its loss is at least {:.3g}, where {:.6g} is claimed", audit.finding.loss_at_least,
                        audit.finding.claimed_loss)
          : fmt::format(
                "the samples show a loss of at least {:.3g} only, where {:.6g} is claimed, but a replay "
                "shows "
                "that {}",
                audit.finding.loss_at_least, audit.finding.claimed_loss, audit.replayed.reason);
  return fmt::format("{} does not keep its paper's claim: {}. {}", mechanism, found, audit.reason);
}

TextRun text_with_key(const PublishedCase::Text& text) {
  return [text](const random::Key& key) {
    random::Stream noise = key.stream("published");
    return text(noise);
  };
}

}  // namespace

WeightsAudit audit_weights(const EdgeMechanism& mechanism, const WeightsAuditOptions& options) {
  WeightsAudit audit{.draws = audit_edge_draws(mechanism, {.samples = options.samples,
                                                           .false_alarm = options.false_alarm,
                                                           .threads = options.threads,
                                                           .progress = options.progress})};
  const bool has_table = mechanism.outputs() > 0;
  has_table ? certify_table(mechanism, options, audit) : certify_noise(mechanism, options, audit);
  audit.share_of_epsilon = audit.loss_high / epsilon_of(mechanism);
  audit.passed =
      audit.draws.fit.fits && audit.draws.pairs.fits && (has_table ? audit.table->holds : audit.rule->holds);
  audit.certified = audit.passed;
  audit.sentence = sentence_of(mechanism, audit);
  return audit;
}

PublishedWeightsAudit audit_published_weights(std::string_view mechanism,
                                              const PublishedWeightsSettings& settings,
                                              const PublishedWeightsAuditOptions& options) {
  const PublishedCase published = published_weights_case(mechanism, settings);
  const random::SeededKey key(PublishedWeightsAuditOptions::public_seed);
  PublishedWeightsAudit audit{.finding = falsify(published.pairs, {.key = key,
                                                                   .most_samples = options.most_samples,
                                                                   .false_alarm = options.false_alarm,
                                                                   .stop_when_broken = false,
                                                                   .threads = options.threads,
                                                                   .progress = options.progress}),
                              .replayed = replay({.words = published.pairs.front().words,
                                                  .first = text_with_key(published.first_text),
                                                  .second = text_with_key(published.second_text),
                                                  .claimed_loss = settings.epsilon},
                                                 {.key = key}),
                              .claim = published.claim,
                              .reason = published.reason};
  audit.broken = audit.finding.broken || audit.replayed.broken;
  audit.sentence = published_sentence(mechanism, audit);
  return audit;
}

}  // namespace fogline::audit
