// SPDX-License-Identifier: Apache-2.0
#include "audit/engine/fit.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>

#include <fmt/format.h>

#include "audit/engine/clopper_pearson.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"

namespace fogline::audit {
namespace {

constexpr double least_expected = 10;  // of an output that is counted on its own
constexpr int prefixes = 16;
constexpr std::uint64_t draws_per_stream = 4096;  // fixed, so that the draws do not depend on the threads

/// A set of outputs, its probability by the table, and how often it was drawn.
struct FitEvent {
  std::string words;
  double probability = 0;
  std::uint64_t count = 0;
};

double share(Uint128 weight, Uint128 total) {
  return static_cast<double>(static_cast<long double>(weight) / static_cast<long double>(total));
}

std::vector<double> probabilities(const kernel::WeightRow& row) {
  std::vector<double> result;
  result.reserve(row.weights.size());
  for (const Uint128 weight : row.weights) result.push_back(share(weight, row.total));
  return result;
}

std::uint64_t samples_of(const DrawnCounts& drawn) {
  return std::accumulate(drawn.counts.begin(), drawn.counts.end(), drawn.outside);
}

/// Each common output, and all others together.
void add_single_outputs(const DrawnCounts& drawn, std::uint64_t samples, std::vector<FitEvent>& events) {
  Uint128 rare_weight = 0;
  std::uint64_t rare_count = 0, rare = 0;
  for (std::size_t o = 0; o < drawn.counts.size(); ++o) {
    const double probability = share(drawn.row.weights[o], drawn.row.total);
    if (probability * static_cast<double>(samples) >= least_expected) {
      events.push_back({fmt::format("{} {}", drawn.each, o), probability, drawn.counts[o]});
    } else {
      rare_weight += drawn.row.weights[o];
      rare_count += drawn.counts[o];
      ++rare;
    }
  }
  if (rare_weight == 0) return;
  events.push_back({fmt::format("the {} rarest {}s together", rare, drawn.each),
                    share(rare_weight, drawn.row.total), rare_count});
}

/// The likeliest outputs together, up to each sixteenth of the probability.
void add_likeliest_outputs(const DrawnCounts& drawn, std::vector<FitEvent>& events) {
  const auto& weights = drawn.row.weights;
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  Uint128 sum = 0;
  std::uint64_t count = 0;
  int next = 1;
  for (std::size_t i = 0; i < order.size() && next < prefixes; ++i) {
    sum += weights[order[i]];
    count += drawn.counts[order[i]];
    const double reached = share(sum, drawn.row.total) * prefixes;
    if (reached < next || sum == drawn.row.total) continue;
    while (next <= reached) ++next;
    // One output alone is an event already.
    if (i > 0)
      events.push_back({fmt::format("the {} likeliest {}s together", i + 1, drawn.each),
                        share(sum, drawn.row.total), count});
  }
}

std::vector<FitEvent> events_of(const DrawnCounts& drawn) {
  std::vector<FitEvent> events;
  add_single_outputs(drawn, samples_of(drawn), events);
  add_likeliest_outputs(drawn, events);
  return events;
}

/// Outside the bounds that a right sampler passes with probability alpha on each side. The bounds are moved outwards by far more than
/// the rounding of the probability, and enclose the observed share, so only the side it lies on needs computing.
bool fails(const FitEvent& event, std::uint64_t samples, double alpha) {
  const double expected = event.probability * static_cast<double>(samples);
  return static_cast<double>(event.count) > expected
             ? probability_at_least(event.count, samples, alpha) > event.probability
             : probability_at_most(event.count, samples, alpha) < event.probability;
}

std::string words_of(const FitEvent& event, std::uint64_t samples) {
  return fmt::format("{} drawn {} times of {}, where the table expects {:.6g}", event.words, event.count,
                     samples, event.probability * static_cast<double>(samples));
}

std::uint64_t impossible_draws(const DrawnCounts& drawn) {
  std::uint64_t impossible = drawn.outside;
  for (std::size_t o = 0; o < drawn.counts.size(); ++o) {
    if (drawn.row.weights[o] == 0) impossible += drawn.counts[o];
  }
  return impossible;
}

InputFit fit_of(const DrawnCounts& drawn, std::span<const FitEvent> events, double alpha) {
  InputFit fit{.input = drawn.input,
               .samples = samples_of(drawn),
               .impossible = impossible_draws(drawn),
               .events = events.size(),
               .chi_square = random::chi_square(drawn.counts, probabilities(drawn.row), samples_of(drawn))};
  if (fit.impossible > 0)
    fit.first_failure = fmt::format("{}s of weight 0 drawn {} times", drawn.each, fit.impossible);
  for (const FitEvent& event : events) {
    if (!fails(event, fit.samples, alpha)) continue;
    ++fit.failures;
    if (fit.first_failure.empty()) fit.first_failure = words_of(event, fit.samples);
  }
  return fit;
}

void require_valid(const DrawnCounts& drawn) {
  require_distribution(drawn.row, drawn.input);
  if (drawn.counts.size() != drawn.row.weights.size()) {
    throw InvalidOption("counts", fmt::format("are {} for the {} outputs of input {}", drawn.counts.size(),
                                              drawn.row.weights.size(), drawn.input));
  }
  if (samples_of(drawn) == 0) {
    throw InvalidOption("counts", fmt::format("are all 0 for input {}: nothing was drawn", drawn.input));
  }
}

void require_false_alarm(double false_alarm) {
  if (!(false_alarm >= 1e-12 && false_alarm <= 1e-6)) {
    throw InvalidOption("false_alarm", "must lie between 1e-12 and 1e-6");
  }
}

void require_valid(const ExactCase& subject, std::span<const kernel::InputId> inputs,
                   const FitOptions& options) {
  require_false_alarm(options.false_alarm);
  if (options.samples < 1000 || options.samples > 10'000'000'000) {
    throw InvalidOption("samples", "must lie between 1,000 and 10,000,000,000");
  }
  if (!subject.draw) throw InvalidOption("draw", "is missing: without a sampler there is nothing to fit");
  if (inputs.empty()) throw InvalidOption("inputs", "must be at least one");
  for (const kernel::InputId input : inputs) {
    if (input < subject.relation.inputs()) continue;
    throw InvalidOption(
        "inputs", fmt::format("{} is none; they are numbered 0 to {}", input, subject.relation.inputs() - 1));
  }
}

/// Draws from one input. Each piece of the draws has a stream of its own, so that the threads make no difference.
DrawnCounts draw_from(const ExactCase& subject, kernel::InputId input, std::uint64_t slot,
                      const random::Key& key, const FitOptions& options, ProgressMeter& meter) {
  DrawnCounts drawn{.input = input, .row = subject.row(input)};
  const std::size_t outputs = drawn.row.weights.size();
  drawn.counts.resize(outputs);
  const std::uint64_t pieces = (options.samples + draws_per_stream - 1) / draws_per_stream;
  std::mutex merging;
  parallel_for(pieces, {.threads = options.threads}, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint64_t> counts(outputs + 1);  // the last for draws outside the table
    for (std::uint64_t piece = begin; piece < end; ++piece) {
      random::Stream noise = key.stream("audit fit", slot * pieces + piece);
      const std::uint64_t draws = std::min(draws_per_stream, options.samples - piece * draws_per_stream);
      for (std::uint64_t i = 0; i < draws; ++i) ++counts[std::min(subject.draw(input, noise), outputs)];
      meter.advance(draws);
    }
    const std::lock_guard lock(merging);
    for (std::size_t o = 0; o < outputs; ++o) drawn.counts[o] += counts[o];
    drawn.outside += counts[outputs];
  });
  return drawn;
}

std::string sentence_of(std::string_view name, const FitVerdict& verdict) {
  if (verdict.fits) {
    return fmt::format(
        "The draws of {} fit its table: {} draws from {} input{}, none of the events counted outside the "
        "bounds that a right "
        "sampler leaves in at most {:.2g} of all runs.",
        name, verdict.samples(), verdict.inputs.size(), verdict.inputs.size() == 1 ? "" : "s",
        verdict.false_alarm);
  }
  std::size_t failing = 0;
  const InputFit* first = nullptr;
  for (const InputFit& fit : verdict.inputs) {
    if (fit.first_failure.empty()) continue;
    if (first == nullptr) first = &fit;
    ++failing;
  }
  return fmt::format("The draws of {} do not fit its table: from input {}, {}; {} of {} inputs fail.", name,
                     first->input, first->first_failure, failing, verdict.inputs.size());
}

}  // namespace

std::uint64_t FitVerdict::samples() const {
  return std::accumulate(inputs.begin(), inputs.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const InputFit& fit) { return sum + fit.samples; });
}

double FitVerdict::largest_deviations() const {
  double largest = -std::numeric_limits<double>::infinity();
  for (const InputFit& fit : inputs) largest = std::max(largest, fit.chi_square.deviations);
  return largest;
}

FitVerdict judge_fit(std::string_view name, std::span<const DrawnCounts> drawn, double false_alarm) {
  require_false_alarm(false_alarm);
  if (drawn.empty()) throw InvalidOption("inputs", "must be at least one");
  std::vector<std::vector<FitEvent>> events;
  std::size_t event_count = 0;
  for (const DrawnCounts& one : drawn) {
    require_valid(one);
    events.push_back(events_of(one));
    event_count += events.back().size();
  }
  FitVerdict verdict{.fits = true, .false_alarm = false_alarm};
  const double alpha = false_alarm / (2 * static_cast<double>(event_count));
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    verdict.inputs.push_back(fit_of(drawn[i], events[i], alpha));
    verdict.fits = verdict.fits && verdict.inputs.back().first_failure.empty();
  }
  verdict.sentence = sentence_of(name, verdict);
  return verdict;
}

FitVerdict audit_fit(const ExactCase& subject, std::span<const kernel::InputId> inputs,
                     const random::Key& key, const FitOptions& options) {
  require_valid(subject, inputs, options);
  ProgressMeter meter(options.progress, "drawing", inputs.size() * options.samples);
  std::vector<DrawnCounts> drawn;
  for (const kernel::InputId input : inputs) {
    drawn.push_back(draw_from(subject, input, drawn.size(), key, options, meter));
  }
  meter.finish();
  return judge_fit(subject.name, drawn, options.false_alarm);
}

}  // namespace fogline::audit
