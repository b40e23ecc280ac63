// SPDX-License-Identifier: Apache-2.0
#include "stream/measures/attacks.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "stream/inference/median.hpp"

namespace fogline::stream {
namespace {

/// 1, 2, 5, 10, 20, 50, ... up to the length, and the length itself.
std::vector<std::size_t> lengths_up_to(std::size_t length) {
  std::vector<std::size_t> lengths;
  for (std::size_t decade = 1; decade <= length; decade *= 10)
    for (const std::size_t factor : {1U, 2U, 5U})
      if (decade * factor <= length) lengths.push_back(decade * factor);
  if (!lengths.empty() && lengths.back() != length) lengths.push_back(length);
  return lengths;
}

class Attacker {
 public:
  explicit Attacker(const LatticeQuery& query) : query_(query) {}

  void attack(const Inference& inference, std::span<const StateId> truth) {
    ++found_.sequences;
    found_.steps += inference.steps();
    truth_ = truth;
    const auto smoothed = inference.smoothed(inference.steps());
    const auto path = inference.most_likely_path();
    for (std::size_t t = 0; t < inference.steps(); ++t) {
      const Inference::Step& step = inference.step(t);
      set_places(step.states);
      guess(found_.filter, step.states, step.filtered, t);
      guess(found_.smoother, step.states, smoothed[t], t);
      guess_path(step, smoothed[t], path[t], t);
      count_parts(step);
    }
    guess_without(inference);
    add_leaks(inference);
    add_bounds(inference);
  }

  StreamAttacks finish() && {
    const auto steps = static_cast<double>(std::max<std::uint64_t>(1, found_.steps));
    for (GuessingAttack* attack : {&found_.without, &found_.filter, &found_.smoother, &found_.viterbi}) {
      attack->expected.error /= steps;
      attack->expected.hits /= steps;
      if (!attack->actual) continue;
      attack->actual->error /= steps;
      attack->actual->hits /= steps;
    }
    for (TemporalLeak& leak : found_.leaks) {
      const std::uint64_t finite = leak.steps - leak.infinite_steps;
      if (finite > 0) leak.mean /= static_cast<double>(finite);
    }
    return std::move(found_);
  }

 private:
  void set_places(const std::vector<StateId>& states) {
    places_.clear();
    for (const StateId s : states) {
      const auto place = query_.point(query_.at(s));
      places_.insert(places_.end(), place.begin(), place.end());
    }
  }

  void add_actual(GuessingAttack& attack, std::span<const double> point, StateId guess, std::size_t t) {
    if (truth_.empty()) return;
    if (!attack.actual) attack.actual.emplace();
    const auto answer = query_.point(query_.at(truth_[t]));
    double squares = 0;
    for (std::size_t i = 0; i < answer.size(); ++i)
      squares += (answer[i] - point[i]) * (answer[i] - point[i]);
    attack.actual->error += std::sqrt(squares);
    attack.actual->hits += guess == truth_[t] ? 1 : 0;
  }

  void guess(GuessingAttack& attack, const std::vector<StateId>& states, const std::vector<double>& belief,
             std::size_t t) {
    const auto point = geometric_median(places_, query_.dimension(), belief);
    const auto likeliest = std::ranges::max_element(belief);
    attack.expected.error += mean_distance(places_, query_.dimension(), belief, point);
    attack.expected.hits += *likeliest;
    add_actual(attack, point, states[static_cast<std::size_t>(likeliest - belief.begin())], t);
  }

  void guess_path(const Inference::Step& step, const std::vector<double>& belief, StateId guess,
                  std::size_t t) {
    const auto place =
        static_cast<std::size_t>(std::ranges::lower_bound(step.states, guess) - step.states.begin());
    const auto point = query_.point(query_.at(guess));
    found_.viterbi.expected.error += mean_distance(places_, query_.dimension(), belief, point);
    found_.viterbi.expected.hits += belief[place];
    add_actual(found_.viterbi, point, guess, t);
  }

  /// Who has no answers knows only how likely each state is by the model.
  void guess_without(const Inference& inference) {
    std::vector<double> now(inference.start().begin(), inference.start().end()), next(now.size());
    for (std::size_t t = 0; t < inference.steps(); ++t) {
      std::vector<StateId> states;
      std::vector<double> belief;
      for (StateId s = 0; s < now.size(); ++s) {
        if (now[s] == 0) continue;
        states.push_back(s);
        belief.push_back(now[s]);
      }
      set_places(states);
      guess(found_.without, states, belief, t);
      inference.chain().forward(now, next);
      now.swap(next);
    }
  }

  void count_parts(const Inference::Step& step) {
    found_.steps_in_parts += step.has_components ? 1U : 0U;
    found_.parts_told += step.tells_component ? 1U : 0U;
  }

  void add_leaks(const Inference& inference) {
    for (const std::size_t length : lengths_up_to(inference.steps())) {
      TemporalLeak& leak = leak_of(length);
      const auto smoothed = inference.smoothed(length);
      for (std::size_t t = 0; t < length; ++t) {
        const double one = inference.leak(t, smoothed[t]);
        ++leak.steps;
        if (std::isinf(one)) {
          ++leak.infinite_steps;
          continue;
        }
        leak.mean += one;
        leak.largest = std::max(leak.largest, one);
      }
    }
  }

  TemporalLeak& leak_of(std::uint64_t answers) {
    const auto found = std::ranges::lower_bound(found_.leaks, answers, {}, &TemporalLeak::answers);
    if (found != found_.leaks.end() && found->answers == answers) return *found;
    return *found_.leaks.insert(found, {.answers = answers});
  }

  void add_bounds(const Inference& inference) {
    double joined = 0, any_two = 0;
    for (std::size_t t = 0; t < inference.steps(); ++t) {
      const StepCertificate& certificate = inference.step(t).certificate;
      joined += certificate.joined_loss;
      found_.largest_joined_loss = std::max(found_.largest_joined_loss, certificate.joined_loss);
      if (std::isinf(certificate.any_two_loss)) {
        ++found_.separated_steps;
      } else {
        any_two += certificate.any_two_loss;
      }
    }
    found_.joined_sum = std::max(found_.joined_sum, joined);
    found_.any_two_sum = std::max(found_.any_two_sum, any_two);
  }

  const LatticeQuery& query_;
  std::span<const StateId> truth_ = {};
  std::vector<double> places_ = {};
  StreamAttacks found_ = {};
};

}  // namespace

StreamAttacks attack(const std::function<Tracker()>& begin, std::span<const AttackedSequence> sequences,
                     const Progress& progress) {
  const Tracker first = begin();
  Attacker attacker(first.query());
  std::uint64_t steps = 0;
  for (const AttackedSequence& sequence : sequences) steps += sequence.answers.size();
  ProgressMeter meter(progress, "attacking", steps);
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const AttackedSequence& sequence = sequences[i];
    if (!sequence.truth.empty() && sequence.truth.size() != sequence.answers.size())
      throw InvalidOption("states", fmt::format("sequence {} must have one for each answer", i + 1));
    try {
      attacker.attack(Inference(begin(), sequence.answers), sequence.truth);
    } catch (const InvalidOption& error) {
      throw DataError({"released file"}, fmt::format("sequence {}: {}", i + 1, error.what()),
                      "give the release of this stream");
    }
    meter.advance(sequence.answers.size());
  }
  meter.finish();
  return std::move(attacker).finish();
}

}  // namespace fogline::stream
