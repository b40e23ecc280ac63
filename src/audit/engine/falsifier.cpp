// SPDX-License-Identifier: Apache-2.0
#include "audit/engine/falsifier.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "audit/engine/boosted_trees.hpp"
#include "audit/engine/clopper_pearson.hpp"
#include "audit/engine/event.hpp"
#include "audit/engine/features.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"

namespace fogline::audit {
namespace {

constexpr std::size_t most_finalists = 6;        // events that are counted on the unseen half, at each look
constexpr std::size_t most_per_feature = 2;      // of them
constexpr std::uint64_t growth = 4;              // of the samples, from look to look
constexpr std::uint64_t least_to_learn = 2'000;  // samples of each input from which on a score is learned
constexpr std::size_t least_to_fit = 4'000,
                      most_to_fit = 20'000;    // samples of each input that the trees are fitted on
constexpr std::size_t most_to_cut = 60'000;    // samples that decide where bins begin
constexpr std::size_t most_for_shape = 1'000;  // samples that decide what features there are
constexpr std::uint64_t screening_samples = 2'000;

using Samples = std::array<std::vector<Sample>, 2>;  // of the first and of the second input

void require_valid(std::span<const Pair> pairs, const FalsifierOptions& options) {
  if (pairs.empty()) throw InvalidOption("pairs", "must hold at least one pair of inputs");
  for (const Pair& pair : pairs) {
    if (!pair.first || !pair.second)
      throw InvalidOption("pairs", "must say how to run the mechanism on both inputs");
    if (!(pair.claimed_loss >= 0 && std::isfinite(pair.claimed_loss)))
      throw InvalidOption("claimed_loss", "must be a finite number from 0 on");
  }
  if (options.most_samples < 1'000 || options.most_samples > 1'000'000'000)
    throw InvalidOption("most_samples", "must lie between 1,000 and 1,000,000,000");
  if (options.first_samples < 200) throw InvalidOption("first_samples", "must be at least 200");
  // Far below, the inverse of the incomplete beta function is not computed well.
  if (!(options.false_alarm >= 1e-30 && options.false_alarm < 1))
    throw InvalidOption("false_alarm", "must lie between 1e-30 and 1");
}

Sample sample_of(const Run& run, random::Stream& noise) {
  try {
    return {run(noise), false};
  } catch (const Cancelled&) {
    throw;
  } catch (const std::exception& error) {
    return {{}, true, error.what()};
  }
}

void draw(const Pair& pair, const random::Key& key, std::string_view name, std::uint64_t up_to, int threads,
          ProgressMeter& meter, Samples& samples) {
  const std::size_t have = samples[0].size();
  for (auto& side : samples) side.resize(up_to);
  const random::StreamFamily streams = key.streams(name);
  parallel_for(2 * (up_to - have), {.threads = threads, .grain = 64},
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t k = begin; k < end; ++k) {
                   const std::size_t side = k % 2, i = have + k / 2;
                   random::Stream noise = streams.stream(2 * i + side);
                   samples[side][i] = sample_of(side == 0 ? pair.first : pair.second, noise);
                 }
                 meter.advance(end - begin);
               });
}

/// The samples for searching: every second one. The others are not looked at before the verdict.
std::vector<const Sample*> for_search(const std::vector<Sample>& side) {
  std::vector<const Sample*> chosen;
  for (std::size_t i = 0; i < side.size(); i += 2) chosen.push_back(&side[i]);
  return chosen;
}

/// A feature with its bins and what was counted in the search.
struct Searched {
  Feature feature;
  std::optional<Bins> bins = {};
  std::array<std::vector<std::uint16_t>, 2> columns = {};  // bins of the search samples
  BinCounts fit = {}, judge = {};                          // counts of the even and of the odd search samples
};

using Search = std::array<std::vector<const Sample*>, 2>;
using Values = std::array<std::vector<double>, 2>;

Values values_of(const Feature& feature, const Search& search, std::size_t begin, std::size_t step) {
  Values values;
  for (std::size_t side = 0; side < 2; ++side)
    for (std::size_t i = begin; i < search[side].size(); i += step)
      values[side].push_back(feature.value(*search[side][i]));
  return values;
}

Bins cut(const Values& values, bool ordered) {
  std::vector<double> some;
  const std::size_t step = 2 * values[0].size() / most_to_cut + 1;
  for (const auto& side : values)
    for (std::size_t i = 0; i < side.size(); i += step) some.push_back(side[i]);
  return {std::move(some), ordered};
}

BinCounts no_counts(const Bins& bins) {
  return {std::vector<std::uint64_t>(bins.count()), std::vector<std::uint64_t>(bins.count())};
}

/// Counts a feature on all search samples: the even ones to fit, the odd ones to judge.
void count(Searched& searched, const Search& search) {
  const Values values = values_of(searched.feature, search, 0, 1);
  searched.bins.emplace(cut(values, searched.feature.ordered));
  searched.fit = searched.judge = no_counts(*searched.bins);
  for (std::size_t side = 0; side < 2; ++side) {
    auto& column = searched.columns[side];
    column.resize(values[side].size());
    for (std::size_t i = 0; i < column.size(); ++i) {
      column[i] = searched.bins->of(values[side][i]);
      BinCounts& counts = i % 2 == 0 ? searched.fit : searched.judge;
      ++(side == 0 ? counts.first : counts.second)[column[i]];
    }
  }
}

/// Counts a learned score. The trees have seen the even samples: those may not judge.
void count_learned(Searched& learned, const Search& search) {
  const Values values = values_of(learned.feature, search, 1, 2);
  learned.bins.emplace(cut(values, true));
  learned.fit = learned.judge = no_counts(*learned.bins);
  for (std::size_t side = 0; side < 2; ++side)
    for (const double value : values[side])
      ++(side == 0 ? learned.judge.first : learned.judge.second)[learned.bins->of(value)];
}

/// A score over all ordered features, fitted on the even search samples.
Feature learn(const std::vector<Searched>& all) {
  struct Model {
    std::vector<Feature> features;
    std::vector<Bins> bins;
    std::unique_ptr<BoostedTrees> trees;
    std::vector<std::size_t> used;
  };
  auto model = std::make_shared<Model>();
  BinnedColumns columns;
  std::vector<std::uint8_t> from_first;
  for (const Searched& searched : all) {
    if (!searched.feature.ordered) continue;
    model->features.push_back(searched.feature);
    model->bins.push_back(*searched.bins);
    auto& column = columns.emplace_back();
    const std::size_t even = searched.columns[0].size() / 2,
                      wanted = std::clamp(even / 4, least_to_fit, most_to_fit);
    const std::size_t step = 2 * std::max<std::size_t>(1, even / wanted);
    from_first.clear();
    for (std::size_t side = 0; side < 2; ++side) {
      for (std::size_t i = 0; i < searched.columns[side].size(); i += step) {
        column.push_back(searched.columns[side][i]);
        from_first.push_back(side == 0 ? 1 : 0);
      }
    }
  }
  model->trees = std::make_unique<BoostedTrees>(columns, from_first, BoostedTrees::Options{});
  model->used = model->trees->features_by_gain();
  std::string words = fmt::format("a score learned from {} features", model->features.size());
  for (std::size_t k = 0; k < std::min<std::size_t>(2, model->used.size()); ++k)
    words += (k == 0 ? ", mostly " : " and ") + model->features[model->used[k]].words;
  return {words + ",", [model](const Sample& sample) {
            std::vector<std::uint16_t> bins(model->features.size(), 0);
            for (const std::size_t f : model->used)
              bins[f] = model->bins[f].of(model->features[f].value(sample));
            return model->trees->score(bins);
          }};
}

std::vector<Searched> search_features(const Pair& pair, const Search& search, int threads) {
  std::array<std::vector<Sample>, 2> shape;
  for (std::size_t side = 0; side < 2; ++side)
    for (std::size_t i = 0; i < std::min(search[side].size(), most_for_shape); ++i)
      shape[side].push_back(*search[side][i]);
  std::vector<Searched> all;
  for (Feature& feature : features_of(shape[0], shape[1], pair.hints))
    all.push_back({.feature = std::move(feature)});
  parallel_for(all.size(), {.threads = threads}, [&](std::size_t begin, std::size_t end) {
    for (std::size_t f = begin; f < end; ++f) count(all[f], search);
  });
  if (search[0].size() * 2 >= least_to_learn) {
    Searched learned{.feature = learn(all)};
    count_learned(learned, search);
    all.push_back(std::move(learned));
  }
  return all;
}

/// Which directions count: ln P(E|first) - ln P(E|second), and the reverse unless the claim is one-sided.
std::vector<Event> best_events(const std::vector<Searched>& all, bool likelier_first,
                               const SearchFrame& frame, std::uint64_t& searched,
                               std::vector<Event> events = {}) {
  for (std::size_t f = 0; f < all.size(); ++f) {
    Event event = most_telling(*all[f].bins, all[f].feature.words, all[f].fit, all[f].judge, likelier_first,
                               frame, searched);
    event.feature = f;
    if (event.promise > 0) events.push_back(std::move(event));
  }
  return events;
}

std::vector<Event> finalists_of(std::vector<Event> events, std::size_t most) {
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.promise > b.promise; });
  std::vector<Event> chosen;
  for (Event& event : events) {
    const auto same = std::count_if(chosen.begin(), chosen.end(),
                                    [&](const Event& other) { return other.feature == event.feature; });
    if (static_cast<std::size_t>(same) < most_per_feature && chosen.size() < most)
      chosen.push_back(std::move(event));
  }
  return chosen;
}

struct Verdict {
  double loss_at_least = 0;
  std::string words;
};

/// Counts an event on the samples that the search has not seen.
Verdict judge(const Event& event, const Searched& searched, const Samples& samples, double alpha) {
  std::array<std::uint64_t, 2> hits{};
  std::uint64_t trials = 0;
  for (std::size_t i = 1; i < samples[0].size(); i += 2, ++trials)
    for (std::size_t side = 0; side < 2; ++side)
      hits[side] += event.holds[searched.bins->of(searched.feature.value(samples[side][i]))] != 0 ? 1U : 0U;
  const auto likely = event.likelier_first ? hits[0] : hits[1],
             unlikely = event.likelier_first ? hits[1] : hits[0];
  const double low = probability_at_least(likely, trials, alpha);
  const double high = probability_at_most(unlikely, trials, alpha);
  return {low > 0 ? std::max(0.0, std::log(low / high)) : 0,
          fmt::format("{}: {} of {} times from the first input, {} of {} from the second", event.words,
                      hits[0], trials, hits[1], trials)};
}

std::vector<std::uint64_t> looks_of(const FalsifierOptions& options) {
  std::vector<std::uint64_t> looks;
  for (std::uint64_t n = options.first_samples; n < options.most_samples; n *= growth) looks.push_back(n);
  looks.push_back(options.most_samples);
  return looks;
}

double deviations_of(double alpha) {
  return std::sqrt(2 * std::log(1 / alpha));
}

void look(const Pair& pair, const Samples& samples, double alpha, int threads, Finding& finding) {
  const Search search{for_search(samples[0]), for_search(samples[1])};
  const auto all = search_features(pair, search, threads);
  // Two bounds for each finalist; one more finalist for the way that is not judged.
  const double each = alpha / static_cast<double>(2 * (most_finalists + 1));
  const SearchFrame frame{.trials = samples[0].size() / 2, .deviations = deviations_of(each)};
  auto forward = best_events(all, true, frame, finding.events_searched);
  std::vector<Event> events;
  if (pair.one_sided) {
    events = finalists_of(std::move(forward), most_finalists);
    for (const Event& event : finalists_of(best_events(all, false, frame, finding.events_searched), 1))
      finding.other_way_at_least =
          std::max(finding.other_way_at_least, judge(event, all[event.feature], samples, each).loss_at_least);
  } else {
    events = finalists_of(best_events(all, false, frame, finding.events_searched, std::move(forward)),
                          most_finalists);
  }
  for (const Event& event : events) {
    const Verdict verdict = judge(event, all[event.feature], samples, each);
    if (verdict.loss_at_least <= finding.loss_at_least) continue;
    finding.loss_at_least = verdict.loss_at_least;
    finding.event = verdict.words;
  }
  finding.broken = finding.loss_at_least > finding.claimed_loss;
}

/// How promising a pair looks on a few samples of its own.
double promise_of(const Pair& pair, const Samples& samples, int threads) {
  const Search search{for_search(samples[0]), for_search(samples[1])};
  const auto all = search_features(pair, search, threads);
  // As if many more samples had come out like this: a pair with a rare but telling event should not be passed over.
  const SearchFrame frame{.trials = 20 * screening_samples, .deviations = 2};
  std::uint64_t searched = 0;
  auto events = best_events(all, true, frame, searched);
  if (!pair.one_sided) events = best_events(all, false, frame, searched, std::move(events));
  double best = 0;
  for (const Event& event : events) best = std::max(best, event.promise);
  return best - pair.claimed_loss;
}

std::size_t most_promising(std::span<const Pair> pairs, const FalsifierOptions& options, ProgressMeter& meter,
                           Finding& finding) {
  if (pairs.size() == 1) return 0;
  std::size_t best = 0;
  double best_promise = -std::numeric_limits<double>::infinity();
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    Samples samples;
    draw(pairs[p], options.key, fmt::format("falsifier screening {}", p), screening_samples, options.threads,
         meter, samples);
    finding.samples += 2 * screening_samples;
    const double promise = promise_of(pairs[p], samples, options.threads);
    if (promise > best_promise) {
      best_promise = promise;
      best = p;
    }
  }
  return best;
}

}  // namespace

Finding falsify(std::span<const Pair> pairs, const FalsifierOptions& options) {
  require_valid(pairs, options);
  const double begin = options.clock_s ? options.clock_s() : 0;
  ProgressMeter meter(
      options.progress, "trying to falsify",
      2 * options.most_samples + (pairs.size() > 1 ? 2 * pairs.size() * screening_samples : 0));
  Finding finding{.confidence = 1 - options.false_alarm};
  finding.pair = most_promising(pairs, options, meter, finding);
  const Pair& pair = pairs[finding.pair];
  finding.pair_words = pair.words;
  finding.claimed_loss = pair.claimed_loss;
  const auto looks = looks_of(options);
  Samples samples;
  for (const std::uint64_t up_to : looks) {
    draw(pair, options.key, "falsifier", up_to, options.threads, meter, samples);
    look(pair, samples, options.false_alarm / static_cast<double>(looks.size()), options.threads, finding);
    if (finding.broken && options.stop_when_broken) break;
  }
  finding.samples += 2 * samples[0].size();
  if (options.clock_s) finding.seconds = options.clock_s() - begin;
  return finding;
}

Finding falsify(const std::function<Pair(std::size_t)>& pair_of, std::size_t count,
                const FalsifierOptions& options) {
  std::vector<Pair> pairs;
  pairs.reserve(count);
  for (std::size_t i = 0; i < count; ++i) pairs.push_back(pair_of(i));
  return falsify(pairs, options);
}

}  // namespace fogline::audit
