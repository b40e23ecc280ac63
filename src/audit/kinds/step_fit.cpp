// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/step_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "stream/policy/sensitivity.hpp"
#include "stream/steps/cone_sampler.hpp"
#include "stream/steps/table_step.hpp"

namespace fogline::audit {
namespace {

using geometry::LatticeBody;
using geometry::LatticePoints;
using stream::Answer;
using stream::Situation;
using stream::StepMechanism;

constexpr double most_listed = 300'000;
constexpr double same_norm = 1e-9;  // norms are fractions of small denominators
constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

/// Probabilities as whole numbers of 2^-60; what is possible stays possible.
kernel::WeightRow row_of(const std::vector<double>& probability) {
  kernel::WeightRow row;
  for (const double p : probability) {
    row.weights.push_back(static_cast<Uint128>(std::ceil(std::clamp(p, 0.0, 1.0) * 0x1p60)));
    row.total += row.weights.back();
  }
  return row;
}

DrawnCounts count_table(const stream::TableStep& table, std::size_t states, std::uint32_t state,
                        std::uint64_t samples, random::Stream& noise) {
  std::vector<double> probability, of_state(states);
  for (std::size_t output = 0; output < table.outputs(); ++output) {
    table.log_weights({static_cast<std::int64_t>(output)}, of_state);
    probability.push_back(std::exp(of_state[state]));
  }
  DrawnCounts drawn{
      .input = state, .row = row_of(probability), .counts = std::vector<std::uint64_t>(table.outputs())};
  for (std::uint64_t i = 0; i < samples; ++i) {
    const auto output = static_cast<std::size_t>(table.draw(state, noise).front());
    ++(output < drawn.counts.size() ? drawn.counts[output] : drawn.outside);
  }
  return drawn;
}

/// The unit ball of a mechanism's noise, and in which of its cones points lie.
class Ball {
 public:
  explicit Ball(LatticeBody body) : body_(std::move(body)), reach_(body_.dimension()) {
    for (std::size_t i = 0; i < body_.vertices().size(); ++i) {
      for (std::size_t j = 0; j < reach_.size(); ++j)
        reach_[j] = std::max(reach_[j], std::abs(body_.vertices()[i][j]));
    }
    for (const LatticeBody::Cone& cone : body_.cones()) {
      LatticePoints corners{.dimension = body_.rank()};
      for (std::size_t i = 0; i < body_.rank(); ++i) corners.add(body_.own_vertices()[cone.corner[i]]);
      inverse_.push_back(stream::cone_inverse(corners));
    }
  }

  std::size_t rank() const { return body_.rank(); }
  std::size_t cones() const { return inverse_.size(); }
  const std::vector<std::int64_t>& reach() const { return reach_; }  ///< along each column

  /// The first cone that holds the point, which lies in the slice.
  std::size_t cone_of(std::span<const std::int64_t> point) const {
    std::array<std::int64_t, geometry::most_dimensions> own{};
    body_.own_coordinates(point, std::span(own).first(rank()));
    const auto holds = [&](const stream::ConeMatrix& inverse) {
      for (std::size_t i = 0; i < rank(); ++i) {
        Int128 coefficient = 0;
        for (std::size_t j = 0; j < rank(); ++j) coefficient += inverse[i][j] * own[j];
        if (coefficient < 0) return false;
      }
      return true;
    };
    return static_cast<std::size_t>(std::ranges::find_if(inverse_, holds) - inverse_.begin());
  }

 private:
  LatticeBody body_;
  std::vector<std::int64_t> reach_;
  std::vector<stream::ConeMatrix> inverse_ = {};
};

Ball ball_of(const StepMechanism& mechanism, const Situation& situation) {
  const LatticePoints joined = stream::extreme_differences(situation.policy, situation.points);
  if (mechanism.name() != "laplace") return Ball(LatticeBody::hull(joined));
  std::int64_t largest = 0;
  for (std::size_t i = 0; i < joined.size(); ++i) {
    std::int64_t sum = 0;
    for (const std::int64_t x : joined[i]) sum += std::abs(x);
    largest = std::max(largest, sum);
  }
  LatticePoints corners{.dimension = joined.dimension};
  for (std::size_t j = 0; j < joined.dimension; ++j) {
    std::vector<std::int64_t> corner(joined.dimension);
    corner[j] = largest;
    corners.add(corner);
  }
  return Ball(LatticeBody::hull(corners));
}

/// All integer points of a box around a state's point, numbered.
class Box {
 public:
  Box(std::span<const std::int64_t> centre, std::vector<std::int64_t> reach)
      : centre_(centre.begin(), centre.end()), reach_(std::move(reach)) {}

  static double size(const Ball& ball, std::int64_t norm) {
    double size = 1;
    for (const std::int64_t reach : ball.reach()) size *= static_cast<double>(2 * norm * reach + 1);
    return size;
  }
  std::optional<std::size_t> number(const Answer& point) const {
    std::int64_t number = 0;
    for (std::size_t j = point.size(); j-- > 0;) {
      const std::int64_t along = point[j] - centre_[j];
      if (along < -reach_[j] || along > reach_[j]) return std::nullopt;
      number = number * (2 * reach_[j] + 1) + along + reach_[j];
    }
    return static_cast<std::size_t>(number);
  }
  template <class Visit>
  void each(const Visit& visit) const {
    Answer point;
    for (std::size_t j = 0; j < centre_.size(); ++j) point.push_back(centre_[j] - reach_[j]);
    while (true) {
      visit(point);
      std::size_t j = 0;
      while (j < point.size() && point[j] == centre_[j] + reach_[j]) {
        point[j] = centre_[j] - reach_[j];
        ++j;
      }
      if (j == point.size()) return;
      ++point[j];
    }
  }

 private:
  Answer centre_;
  std::vector<std::int64_t> reach_;
};

/// The sum of exp(-epsilon norm) over all points, from those of norm at most the rank.
double sum_of_weights(const std::vector<double>& norms, std::size_t rank, double epsilon) {
  double sum = 0, sign = 1, choices = 1;
  for (std::size_t j = 0; j <= rank; ++j) {
    double part = 0;
    for (const double norm : norms) {
      if (norm <= static_cast<double>(rank - j) + same_norm)
        part += std::exp(-epsilon * (norm + static_cast<double>(j)));
    }
    sum += sign * choices * part;
    sign = -sign;
    choices = choices * static_cast<double>(rank - j) / static_cast<double>(j + 1);
  }
  return sum / std::pow(1 - std::exp(-epsilon), static_cast<double>(rank));
}

/// Norms of all points of the box by their number, as the mechanism's own weights tell them; infinite for what cannot be drawn.
std::vector<double> listed_norms(const StepMechanism& mechanism, const Situation& situation, double epsilon,
                                 std::uint32_t state, const Box& box) {
  std::vector<double> norms, weights(situation.states.size());
  box.each([&](const Answer& answer) {
    try {
      mechanism.log_weights(answer, weights);
      norms.push_back(-weights[state] / epsilon);
    } catch (const InvalidOption&) {  // nobody could give it
      norms.push_back(std::numeric_limits<double>::infinity());
    }
  });
  return norms;
}

/// Draws of noise, by answer and by cone and whole norm.
class NoiseCounts {
 public:
  NoiseCounts(const Ball& ball, const Box& box, const std::vector<double>& norms, double largest,
              double epsilon)
      : ball_(ball), box_(box), norms_(norms), probability_(norms.size() + 1) {
    const double total = sum_of_weights(norms, ball.rank(), epsilon);
    double listed = 0;
    for (std::size_t i = 0; i < norms.size(); ++i) {
      if (norms[i] <= largest + same_norm) listed += probability_[i] = std::exp(-epsilon * norms[i]) / total;
    }
    probability_.back() = std::max(0.0, 1 - listed);
  }

  std::vector<DrawnCounts> drawn(const StepMechanism& mechanism, const Situation& situation,
                                 std::uint32_t state, std::uint64_t samples, random::Stream& noise) const {
    const std::vector<std::size_t> class_of_answer = classes_of(situation.points[state]);
    std::vector<double> of_class(ball_.cones() * norms_apart + 1);
    for (std::size_t i = 0; i < probability_.size(); ++i) of_class[class_of_answer[i]] += probability_[i];
    DrawnCounts answers{.input = state,
                        .row = row_of(probability_),
                        .counts = std::vector<std::uint64_t>(probability_.size()),
                        .each = "answer"};
    DrawnCounts cones{.input = state,
                      .row = row_of(of_class),
                      .counts = std::vector<std::uint64_t>(of_class.size()),
                      .each = "class"};
    for (std::uint64_t i = 0; i < samples; ++i) {
      const std::size_t answer = listed(mechanism.draw(state, noise));
      ++answers.counts[answer];
      ++cones.counts[class_of_answer[answer]];
    }
    return {std::move(answers), std::move(cones)};
  }

 private:
  static constexpr std::size_t norms_apart = 4;  // whole norms 0, 1, 2, and more

  /// The number of an answer; the last for what is not listed.
  std::size_t listed(const Answer& answer) const {
    const auto number = box_.number(answer);
    const bool beyond = !number || (std::isfinite(norms_[*number]) && probability_[*number] == 0);
    return beyond ? norms_.size() : *number;
  }

  std::vector<std::size_t> classes_of(std::span<const std::int64_t> centre) const {
    std::vector<std::size_t> class_of_answer;
    std::vector<std::int64_t> difference(centre.size());
    box_.each([&](const Answer& answer) {
      const std::size_t i = class_of_answer.size();
      class_of_answer.push_back(ball_.cones() * norms_apart);
      if (probability_[i] == 0) return;
      for (std::size_t j = 0; j < difference.size(); ++j) difference[j] = answer[j] - centre[j];
      const auto whole = static_cast<std::size_t>(norms_[i] + same_norm);
      class_of_answer.back() = ball_.cone_of(difference) * norms_apart + std::min(whole, norms_apart - 1);
    });
    class_of_answer.push_back(ball_.cones() * norms_apart);
    return class_of_answer;
  }

  const Ball& ball_;
  const Box& box_;
  const std::vector<double>& norms_;
  std::vector<double> probability_;
};

}  // namespace

Situation coarse_copy(const Situation& situation, std::span<const std::uint32_t> states, std::int64_t reach) {
  Situation copy{.policy = {.states = states.size()}, .points = {.dimension = situation.points.dimension}};
  std::vector<std::uint32_t> place(situation.states.size(), nowhere);
  for (std::uint32_t i = 0; i < states.size(); ++i) {
    place[states[i]] = i;
    copy.states.push_back(situation.states[states[i]]);
    copy.prior.push_back(1.0 / static_cast<double>(states.size()));
    copy.points.add(situation.points[states[i]]);
  }
  for (const auto group : situation.policy.groups) {
    std::vector<std::uint32_t> members;
    for (const std::uint32_t member : group) {
      if (place[member] != nowhere) members.push_back(place[member]);
    }
    if (members.size() > 1) copy.policy.groups.add(members);
  }
  for (const auto& [a, b] : situation.policy.pairs) {
    if (place[a] != nowhere && place[b] != nowhere)
      copy.policy.pairs.emplace_back(std::min(place[a], place[b]), std::max(place[a], place[b]));
  }
  const LatticePoints joined = stream::extreme_differences(copy.policy, copy.points);
  std::int64_t largest = 0;
  for (const std::int64_t x : joined.coordinates) largest = std::max(largest, std::abs(x));
  const std::int64_t step = std::max<std::int64_t>(1, (largest + reach - 1) / reach);
  for (std::int64_t& x : copy.points.coordinates) x = (x >= 0 ? x + step / 2 : x - step / 2) / step;
  return copy;
}

std::int64_t listed_reach(std::size_t dimension) {
  constexpr std::array<std::int64_t, 6> reach = {0, 200, 9, 3, 1, 1};
  return dimension < reach.size() ? reach[dimension] : 0;
}

std::vector<DrawnCounts> count_step_draws(const StepMechanism& mechanism, const Situation& situation,
                                          const Rational& epsilon, std::uint32_t state, std::uint64_t samples,
                                          random::Stream& noise) {
  if (const auto* table = dynamic_cast<const stream::TableStep*>(&mechanism))
    return {count_table(*table, situation.states.size(), state, samples, noise)};
  const Ball ball = ball_of(mechanism, situation);
  auto norm = static_cast<std::int64_t>(ball.rank());
  if (norm == 0 || Box::size(ball, norm) > most_listed) return {};
  const double enough = static_cast<double>(norm) + 25 / epsilon.to_double();
  while (static_cast<double>(norm) < enough && Box::size(ball, norm + 1) <= most_listed) ++norm;
  std::vector<std::int64_t> reach;
  for (const std::int64_t unit : ball.reach()) reach.push_back(norm * unit);
  const Box box(situation.points[state], std::move(reach));
  const std::vector<double> norms = listed_norms(mechanism, situation, epsilon.to_double(), state, box);
  return NoiseCounts(ball, box, norms, static_cast<double>(norm), epsilon.to_double())
      .drawn(mechanism, situation, state, samples, noise);
}

}  // namespace fogline::audit
