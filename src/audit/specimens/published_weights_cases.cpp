// SPDX-License-Identifier: Apache-2.0
#include "audit/specimens/published_weights_cases.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline::audit {
namespace {

using weights::consistent_along;
using weights::PublishedWeights;
using weights::WeightRange;
using weights::WeightsStrategy;
using CaseForm = PublishedCase::Form;
using Settings = PublishedWeightsSettings;

constexpr auto paper =
    "Li, Yang, Sun, Zhang: Differential Privacy for Edge Weights in Social Networks (2017)";
constexpr std::size_t merged = 8;  // edges in the group that one leaves
constexpr auto order_reason =
    "The output is sorted by the true order of the private weights, so it tells which of two edges is the "
    "heavier.";

void require_valid(const Settings& settings) {
  if (!(settings.epsilon > 0 && settings.epsilon <= 1000))
    throw InvalidOption("epsilon", "must be above 0 and at most 1,000");
  if (settings.k < 1 || settings.k > 1000) throw InvalidOption("k", "must lie between 1 and 1,000");
  if (!(settings.range.lowest < settings.range.highest && std::isfinite(settings.range.highest)))
    throw InvalidOption("range", "must have two ends, the lowest weight below the highest");
}

PublishedCase make_case(std::string mechanism, std::string reason, CaseForm form, const Settings& settings,
                        Pair pair) {
  const auto text = [](const Run& run) {
    return [run](random::Stream& stream) { return exact_text(run(stream)); };
  };
  pair.claimed_loss = settings.epsilon;
  PublishedCase made{
      .kind = "weights",
      .mechanism = std::move(mechanism),
      .paper = paper,
      .claim = fmt::format("epsilon-DP at epsilon {:g} for one edge's weight", settings.epsilon),
      .reason = std::move(reason),
      .form = form,
      .pairs = {},
      .first_text = text(pair.first),
      .second_text = text(pair.second)};
  made.pairs.push_back(std::move(pair));
  return made;
}

Run run_of(WeightsStrategy strategy, const Settings& settings, const std::optional<WeightRange>& range,
           Numbers weights) {
  // Theorem 6 speaks of the noisy weights themselves; the others end with line 11.
  const auto positive = strategy == WeightsStrategy::lap ? weights::Positive::no : weights::Positive::shift;
  return
      [mechanism = PublishedWeights({.strategy = strategy,
                                     .epsilon = settings.epsilon,
                                     .range = range,
                                     .k = settings.k,
                                     .positive = positive}),
       weights = std::move(weights)](random::Stream& stream) { return mechanism.release(weights, stream); };
}

Pair pair_of(WeightsStrategy strategy, const Settings& settings, std::string words, const Numbers& first,
             const Numbers& second) {
  return {.words = std::move(words),
          .first = run_of(strategy, settings, settings.range, first),
          .second = run_of(strategy, settings, settings.range, second)};
}

/// The weight that lies this share of the way up the range.
double at(const Settings& settings, double share) {
  return settings.range.lowest + share * (settings.range.highest - settings.range.lowest);
}

Numbers all_at(const Settings& settings, const std::vector<double>& shares) {
  Numbers weights;
  for (const double share : shares) weights.push_back(at(settings, share));
  return weights;
}

PublishedCase lap(const Settings& settings) {
  return make_case("lap", "The noise of each edge is made for the whole public range.", CaseForm::right_twin,
                   settings,
                   pair_of(WeightsStrategy::lap, settings,
                           fmt::format("one of three weights moved from {:g} to {:g}", settings.range.lowest,
                                       settings.range.highest),
                           all_at(settings, {0, 0.3, 0.6}), all_at(settings, {1, 0.3, 0.6})));
}

/// Edge 1 stands in a group of 8 at the lowest weight, or makes a group of 7 at the highest one of 8: the sizes of the groups are the same. So
/// that groups of 8 are merged for any k, there are k of them.
Numbers two_groups(const Settings& settings, bool moved) {
  Numbers weights(2 * merged - 1, settings.range.highest);
  std::fill_n(weights.begin(), merged, settings.range.lowest);
  if (moved) weights.front() = settings.range.highest;
  for (int other = 1; other < settings.k; ++other)
    weights.insert(weights.end(), merged, at(settings, static_cast<double>(other) / settings.k));
  return weights;
}

double above_the_others(const Numbers& weights) {
  Numbers others(weights.begin() + 1, weights.begin() + merged);
  std::nth_element(others.begin(), others.begin() + merged / 2, others.end());
  return weights.front() - others[merged / 2];
}

PublishedCase mb(const Settings& settings) {
  Pair pair = pair_of(WeightsStrategy::mb, settings,
                      fmt::format("one edge moved from a group of 8 at {:g} to one of 7 at {:g}",
                                  settings.range.lowest, settings.range.highest),
                      two_groups(settings, false), two_groups(settings, true));
  pair.hints = {{"how far edge 1 lies above the middle of the group it may have left", above_the_others}};
  return make_case("mb",
                   "Each of C merged edges gets noise for a C-th of the range, but one edge can still move "
                   "by all of it.",
                   CaseForm::broken, settings, std::move(pair));
}

const std::vector<double> rising = {0.1, 0.4, 0.402, 0.9}, swapped = {0.1, 0.404, 0.402, 0.9};

std::string order_words(const Settings& settings) {
  return fmt::format("one of four weights moved from {:g} to {:g}, past another at {:g}", at(settings, 0.4),
                     at(settings, 0.404), at(settings, 0.402));
}

PublishedCase sorted_case(std::string mechanism, WeightsStrategy strategy, const Settings& settings) {
  return make_case(std::move(mechanism), order_reason, CaseForm::broken, settings,
                   pair_of(strategy, settings, order_words(settings), all_at(settings, rising),
                           all_at(settings, swapped)));
}

PublishedCase lap_own_range(const Settings& settings) {
  return make_case(
      "lap, range of the data",
      "The scale of the noise is the spread of the private weights, so the size of the noise tells it.",
      CaseForm::broken, settings,
      {.words = "the greatest of four weights moved from 103 to 600",
       .first = run_of(WeightsStrategy::lap, settings, {}, {100, 101, 102, 103}),
       .second = run_of(WeightsStrategy::lap, settings, {}, {100, 101, 102, 600})});
}

PublishedCase lap_ci_public_order(const Settings& settings) {
  const auto run = [&](const std::vector<double>& shares) -> Run {
    return [noisy = run_of(WeightsStrategy::lap, settings, settings.range, all_at(settings, shares)),
            order = std::vector<std::size_t>{0, 1, 2, 3}](random::Stream& stream) {
      return consistent_along(order, noisy(stream));
    };
  };
  PublishedCase made = make_case(
      "lap-ci, public order",
      "An order that does not come from the weights makes consistency a work on noisy numbers only.",
      CaseForm::right_twin, settings,
      {.words = "the first of four weights moved from 100 to 600",
       .first = run({0, 0.3, 0.6, 0.9}),
       .second = run({1, 0.3, 0.6, 0.9})});
  made.pairs.push_back({.words = order_words(settings),
                        .first = run(rising),
                        .second = run(swapped),
                        .claimed_loss = settings.epsilon});
  return made;
}

}  // namespace

PublishedCase published_weights_case(std::string_view mechanism, const PublishedWeightsSettings& settings) {
  require_valid(settings);
  const WeightsStrategy strategy = weights::strategy_from(mechanism);
  if (strategy == WeightsStrategy::lap) return lap(settings);
  if (strategy == WeightsStrategy::mb) return mb(settings);
  return sorted_case(std::string(mechanism), strategy, settings);
}

std::vector<PublishedCase> published_weights_cases() {
  const Settings paper_settings;
  return {published_weights_case("lap"),   lap_own_range(paper_settings),
          published_weights_case("mb"),    published_weights_case("lap-ci"),
          published_weights_case("mb-ci"), lap_ci_public_order(paper_settings)};
}

}  // namespace fogline::audit
