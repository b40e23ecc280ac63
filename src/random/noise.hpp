// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/rational.hpp"
#include "random/samplers.hpp"
#include "random/stream.hpp"
#include "random/tape.hpp"

namespace fogline::random {

/// What a mechanism declares where it adds noise: a change of the private numbers by `sensitivity`, summed over all of them, costs
/// `epsilon`.
struct NoiseLabel {
  std::string_view name;  ///< what the numbers are, in the words of the mechanism's page: "visits"
  double epsilon = 0;
  double sensitivity = 0;
};

/// answers[i] = values[i] + noise, one draw each: the door through which private numbers leave, watched by the stream's tape if it
/// has one. `sampler(stream)` gives one draw; T is std::int64_t, or double in published forms that promise nothing. An auditor takes the noise
/// for Laplace noise of that epsilon and sensitivity, or for staircase noise if the sampler is DiscreteStaircase.
template <class T, class Sampler>
  requires std::same_as<T, std::int64_t> || std::same_as<T, double>
void add_noise(const NoiseLabel& label, std::span<const T> values, const Sampler& sampler, Stream& stream,
               std::span<T> answers) {
  if (values.size() != answers.size())
    throw InvalidOption("answers", "must have room for one answer per value");
  const auto draw = [&] {
    for (std::size_t i = 0; i < values.size(); ++i) answers[i] = values[i] + static_cast<T>(sampler(stream));
  };
  if (stream.tape() == nullptr) return draw();
  Meeting meeting;
  meeting.name = label.name;
  meeting.epsilon = label.epsilon;
  meeting.sensitivity = label.sensitivity;
  if constexpr (std::same_as<Sampler, DiscreteStaircase>) meeting.law = Meeting::Law::staircase;
  meeting.values.assign(values.begin(), values.end());
  const auto heard = stream.tape()->meet(std::move(meeting), stream, [&] {
    draw();
    return std::vector<long double>(answers.begin(), answers.end());
  });
  for (std::size_t i = 0; i < answers.size(); ++i) answers[i] = static_cast<T>(heard[i]);
}

template <class T, class Sampler>
T add_noise(const NoiseLabel& label, T value, const Sampler& sampler, Stream& stream) {
  T answer{};
  add_noise<T>(label, std::span<const T>(&value, 1), sampler, stream, std::span<T>(&answer, 1));
  return answer;
}

/// Counts with exact Laplace noise: the usual case of add_noise, where label and sampler cannot disagree.
///
///     NoisyCounts starts({.name = "starts", .epsilon = {1, 4}, .sensitivity = 1});
///     starts.answer(counts, stream, answers);                // epsilon 1/4 for all of them together
///
/// Guarantee  if one unit of protection changes all counts by at most `sensitivity` in sum, the answers are epsilon-DP; exact.
class NoisyCounts {
 public:
  struct Options {
    std::string_view name = {};     ///< a literal
    Rational epsilon = {};          ///< above 0, numerator and denominator at most 2^40
    std::uint64_t sensitivity = 1;  ///< 1 to 2^40
  };
  explicit NoisyCounts(const Options& options);  ///< throws InvalidOption

  void answer(std::span<const std::int64_t> values, Stream& stream, std::span<std::int64_t> answers) const {
    add_noise<std::int64_t>(label_, values, laplace_, stream, answers);
  }
  std::int64_t answer(std::int64_t value, Stream& stream) const {
    return add_noise(label_, value, laplace_, stream);
  }

 private:
  NoiseLabel label_;
  DiscreteLaplace laplace_;
};

/// An answer's weight and the sum of all weights, for one private input.
struct Odds {
  Uint128 weight = 0, total = 0;
};

/// Chooses an answer by weights that depend on private data: `draw()` draws it, `odds(answer)` says how likely it was and is asked
/// only when a tape listens.
template <class Draw, class OddsOf>
std::uint64_t choose(std::string_view name, Stream& stream, const Draw& draw, const OddsOf& odds) {
  if (stream.tape() == nullptr) return static_cast<std::uint64_t>(draw());
  Meeting meeting;
  meeting.name = name;
  meeting.manner = Meeting::Manner::chosen;
  const auto heard = stream.tape()->meet(
      std::move(meeting), stream, [&] { return std::vector<long double>{static_cast<long double>(draw())}; },
      [&](Meeting& met) {
        const Odds found = odds(static_cast<std::uint64_t>(met.answers.front()));
        met.weight = found.weight;
        met.total = found.total;
      });
  return static_cast<std::uint64_t>(heard.front());
}

}  // namespace fogline::random
