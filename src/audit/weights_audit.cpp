// SPDX-License-Identifier: Apache-2.0
#include "audit/weights_audit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace fogline::audit {
namespace {

using weights::EdgeMechanism;
using weights::ProtectedUnit;

constexpr double largest_scale_steps = 100'000;
constexpr std::size_t fit_cells = 4096;
constexpr double tails = 20;  // scales of the noise that the law is looked at on each side
constexpr double rounding_of_logs =
    1e-9;  // log_weight is a double; the exact comparison is that of the steps

void require_valid(const WeightsAuditOptions& options) {
  if (options.samples < 1000 || options.samples > 100'000'000)
    throw InvalidOption("--samples", "must lie between 1,000 and 100,000,000");
}

double epsilon_of(const EdgeMechanism& mechanism) {
  return mechanism.guarantee().epsilon().to_double();
}

/// Both ends of the grid and its middle; of a grid without end, two points.
std::vector<std::int64_t> points_to_fit(const weights::WeightGrid& grid) {
  if (!grid.is_finite()) return {0, 1000};
  const auto last = static_cast<std::int64_t>(grid.points()) - 1;
  std::vector<std::int64_t> points{0, last / 2, last};
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

/// Draws of one point, made as a file's are.
std::vector<std::int64_t> draws_of(const EdgeMechanism& mechanism, std::int64_t point, std::size_t turn,
                                   const WeightsAuditOptions& options) {
  const std::vector<std::int64_t> points(options.samples, point);
  std::vector<std::int64_t> drawn(points.size());
  const std::uint64_t streams = (options.samples + weights::edges_per_stream - 1) / weights::edges_per_stream;
  draw_all(mechanism, points, random::SeededKey(WeightsAuditOptions::public_seed),
           {.first_edge = turn * streams * weights::edges_per_stream,
            .threads = options.threads,
            .progress = options.progress},
           drawn);
  return drawn;
}

// Tables.

DrawnCounts counts_of_table(const EdgeMechanism& mechanism, std::int64_t point,
                            const std::vector<std::int64_t>& drawn) {
  DrawnCounts counted{.input = static_cast<kernel::InputId>(point),
                      .row = mechanism.row(point),
                      .counts = std::vector<std::uint64_t>(mechanism.outputs())};
  for (const std::int64_t output : drawn) {
    const bool known = output >= 0 && static_cast<std::size_t>(output) < counted.counts.size();
    ++(known ? counted.counts[static_cast<std::size_t>(output)] : counted.outside);
  }
  return counted;
}

void certify_table(const EdgeMechanism& mechanism, const WeightsAuditOptions& options, WeightsAudit& audit) {
  if (!mechanism.grid().is_finite()) throw InvalidOption("--range", "must have both ends for a table");
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

std::uint64_t declared_steps(const EdgeMechanism& mechanism) {
  const auto parameters = mechanism.parameters();
  const auto found = parameters.find("sensitivity_steps");
  if (found == parameters.end() || !found->is_number_unsigned() || found->get<std::uint64_t>() == 0)
    throw InvalidOption("--mechanism", "has neither a table nor a sensitivity that its noise is made for");
  return found->get<std::uint64_t>();
}

/// Outputs around a point, in cells of equal width, within which nearly all of the law lies.
struct Window {
  std::int64_t lowest = 0;
  std::uint64_t width = 1;  // of a cell
  std::size_t cells = 0;

  std::int64_t end() const { return lowest + static_cast<std::int64_t>(cells * width); }
};

Window window_around(std::int64_t first, std::int64_t last, double scale_steps) {
  if (!(scale_steps <= largest_scale_steps)) {
    throw InvalidOption("--step",
                        "is too fine to audit: the noise is wider than 100,000 steps; take a coarser one");
  }
  const auto reach = static_cast<std::int64_t>(std::ceil(tails * scale_steps)) + 20;
  const auto outputs = static_cast<std::uint64_t>(last - first + 2 * reach + 1);
  const std::uint64_t width = (outputs + fit_cells - 1) / fit_cells;
  return {first - reach, width, static_cast<std::size_t>((outputs + width - 1) / width)};
}

double scale_steps_of(const EdgeMechanism& mechanism) {
  return static_cast<double>(declared_steps(mechanism)) / epsilon_of(mechanism);
}

/// The law in whole numbers of 2^-60: cells, then what lies below and above them. Fine enough for counts of 10^8 draws.
kernel::WeightRow law_in_cells(const EdgeMechanism& mechanism, std::int64_t point, const Window& window) {
  std::vector<double> chance(window.cells + 2);
  double within = 0;
  std::int64_t output = window.lowest;
  for (std::size_t cell = 0; cell < window.cells; ++cell) {
    for (std::uint64_t i = 0; i < window.width; ++i)
      chance[cell] += std::exp(mechanism.log_weight(output++, point));
    within += chance[cell];
  }
  chance[window.cells] = chance[window.cells + 1] = std::max(0.0, (1 - within) / 2);
  kernel::WeightRow row;
  for (const double share : chance) {
    row.weights.push_back(static_cast<Uint128>(std::ceil(std::min(share, 1.0) * 0x1p60)));
    row.total += row.weights.back();
  }
  return row;
}

DrawnCounts counts_of_noise(const EdgeMechanism& mechanism, std::int64_t point,
                            const std::vector<std::int64_t>& drawn) {
  const Window window = window_around(point, point, scale_steps_of(mechanism));
  DrawnCounts counted{.input = static_cast<kernel::InputId>(point),
                      .row = law_in_cells(mechanism, point, window),
                      .counts = std::vector<std::uint64_t>(window.cells + 2)};
  for (const std::int64_t output : drawn) {
    if (output < window.lowest) {
      ++counted.counts[window.cells];
    } else if (output >= window.end()) {
      ++counted.counts[window.cells + 1];
    } else {
      ++counted.counts[static_cast<std::size_t>(static_cast<std::uint64_t>(output - window.lowest) /
                                                window.width)];
    }
  }
  return counted;
}

/// The largest loss of the law between a point and one `shift` steps away, either way, at every output of the window, or at 4,096 of them.
double loss_of_law(const EdgeMechanism& mechanism, std::int64_t shift) {
  const Window window = window_around(0, shift, scale_steps_of(mechanism));
  double largest = 0;
  for (std::int64_t output = window.lowest; output < window.end();
       output += static_cast<std::int64_t>(window.width)) {
    const double one = mechanism.log_weight(output, 0), other = mechanism.log_weight(output, shift);
    if (one == other) continue;
    if (!std::isfinite(one) || !std::isfinite(other)) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, std::abs(one - other));
  }
  return largest;
}

/// How far one edge's point moves between neighbours, at most.
std::int64_t shift_of_one_edge(const EdgeMechanism& mechanism, std::uint64_t steps, std::uint64_t edges) {
  const std::uint64_t shift = steps / edges;
  const auto& grid = mechanism.grid();
  return static_cast<std::int64_t>(grid.is_finite() ? std::min(shift, grid.points() - 1) : shift);
}

void certify_noise(const EdgeMechanism& mechanism, const WeightsAuditOptions& options, WeightsAudit& audit) {
  NoiseRule rule{.declared_steps = declared_steps(mechanism),
                 .steps = mechanism.protection().sensitivity_steps(mechanism.grid(), options.rounding)};
  const double epsilon = epsilon_of(mechanism);
  rule.loss = rule.steps == rule.declared_steps
                  ? epsilon
                  : epsilon * static_cast<double>(rule.steps) / static_cast<double>(rule.declared_steps);
  const auto edges = static_cast<double>(audit.edges_that_differ);
  rule.law_loss =
      edges * loss_of_law(mechanism, shift_of_one_edge(mechanism, rule.steps, audit.edges_that_differ));
  rule.holds = rule.steps <= rule.declared_steps && rule.law_loss <= epsilon * (1 + rounding_of_logs);
  audit.loss_low = std::min(rule.law_loss, rule.loss);
  audit.loss_high = std::max(rule.loss, rule.holds ? 0 : rule.law_loss);
  audit.rule = rule;
}

// Words.

std::string scope_of(const WeightsAudit& audit) {
  if (audit.edges_that_differ == 1) {
    return "Edges are drawn independently, each from its own weight, and neighbours differ in one: what "
           "holds for "
           "an edge holds for the graph.";
  }
  return fmt::format(
      "Edges are drawn independently, each from its own weight; neighbours differ in at most {} edges, whose "
      "losses are added up here.",
      audit.edges_that_differ);
}

std::string rule_sentence(const EdgeMechanism& mechanism, const NoiseRule& rule) {
  return fmt::format(
      "{} {}: its noise is made for {} step{} of the grid, and two neighbours are {} apart; the law it "
      "states loses at most {:.6g} where {} is claimed.",
      mechanism.name(), rule.holds ? "keeps its promise" : "breaks its promise", rule.declared_steps,
      rule.declared_steps == 1 ? "" : "s", rule.steps, rule.law_loss,
      mechanism.guarantee().epsilon().to_string());
}

std::string sentence_of(const EdgeMechanism& mechanism, const WeightsAudit& audit) {
  const bool holds = audit.table ? audit.table->holds : audit.rule->holds;
  const std::string loss = audit.table ? audit.table->sentence : rule_sentence(mechanism, *audit.rule);
  if (!holds) return loss;
  if (!audit.fit.fits) return audit.fit.sentence;
  return fmt::format("Certified: {} {} {} draws did not depart from the {}.", loss, scope_of(audit),
                     audit.fit.samples(), audit.table ? "table" : "law");
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

TextRun with_key(const PublishedCase::Text& text) {
  return [text](const random::Key& key) {
    random::Stream noise = key.stream("published");
    return text(noise);
  };
}

}  // namespace

WeightsAudit audit_weights(const EdgeMechanism& mechanism, const WeightsAuditOptions& options) {
  require_valid(options);
  WeightsAudit audit;
  if (mechanism.protection().unit == ProtectedUnit::trip)
    audit.edges_that_differ = mechanism.protection().most.numerator();
  const bool has_table = mechanism.outputs() > 0;
  has_table ? certify_table(mechanism, options, audit) : certify_noise(mechanism, options, audit);
  audit.share_of_epsilon = audit.loss_high / epsilon_of(mechanism);

  std::vector<DrawnCounts> drawn;
  for (const std::int64_t point : points_to_fit(mechanism.grid())) {
    const auto draws = draws_of(mechanism, point, drawn.size(), options);
    drawn.push_back(has_table ? counts_of_table(mechanism, point, draws)
                              : counts_of_noise(mechanism, point, draws));
  }
  audit.fit = judge_fit(std::string(mechanism.name()), drawn, options.false_alarm);
  audit.passed = audit.fit.fits && (has_table ? audit.table->holds : audit.rule->holds);
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
                                                  .first = with_key(published.first_text),
                                                  .second = with_key(published.second_text),
                                                  .claimed_loss = settings.epsilon},
                                                 {.key = key}),
                              .claim = published.claim,
                              .reason = published.reason};
  audit.broken = audit.finding.broken || audit.replayed.broken;
  audit.sentence = published_sentence(mechanism, audit);
  return audit;
}

}  // namespace fogline::audit
