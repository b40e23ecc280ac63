// SPDX-License-Identifier: Apache-2.0
#include "stream/steps/laplace.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/error.hpp"
#include "random/noise.hpp"
#include "stream/policy/sensitivity.hpp"

namespace fogline::stream {
namespace {

using geometry::LatticePoints;

std::uint64_t size_of_all(std::span<const std::int64_t> difference) {
  std::uint64_t sum = 0;
  for (const std::int64_t x : difference) sum += static_cast<std::uint64_t>(std::abs(x));
  return sum;
}

std::uint64_t largest_sum(const LatticePoints& differences) {
  std::uint64_t largest = 0;
  for (std::size_t i = 0; i < differences.size(); ++i)
    largest = std::max(largest, size_of_all(differences[i]));
  return largest;
}

class Laplace : public StepMechanism {
 public:
  Laplace(const Situation& situation, const Rational& epsilon)
      : situation_(situation),
        epsilon_(epsilon),
        sensitivity_(largest_sum(extreme_differences(situation.policy, situation.points))) {
    if (epsilon.is_zero()) throw InvalidOption("epsilon", "must be above 0");
    if (sensitivity_ > 0) noise_.emplace(epsilon / sensitivity_);
  }

  std::string_view name() const override { return "laplace"; }

  Answer draw(std::uint32_t state, random::Stream& noise) const override {
    const auto point = situation_.points[state];
    Answer answer(point.begin(), point.end());
    if (noise_)
      random::add_noise<std::int64_t>({.name = "measurement",
                                       .epsilon = epsilon_.to_double(),
                                       .sensitivity = static_cast<double>(sensitivity_)},
                                      point, *noise_, noise, answer);
    return answer;
  }

  void log_weights(const Answer& answer, std::span<double> out) const override {
    if (answer.size() != situation_.points.dimension)
      throw InvalidOption("answer", "has another number of columns than the measurement");
    bool possible = false;
    for (std::size_t i = 0; i < out.size(); ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < answer.size(); ++j)
        sum += std::abs(static_cast<double>(answer[j] - situation_.points[i][j]));
      out[i] = -loss(sum);
      possible = possible || std::isfinite(out[i]);
    }
    if (!possible) throw InvalidOption("answer", "could not have been given for any possible state");
  }

  std::vector<double> raw_point(const Answer& answer) const override {
    return {answer.begin(), answer.end()};
  }

  StepCertificate certify() const override {
    // The sensitivity is the largest sum over all joined states, in integers: there is nothing that it could miss.
    const auto any = geometry::LatticeBody::difference_body(situation_.points);
    return {.kept = true,
            .joined_loss = loss(static_cast<double>(sensitivity_)),
            .any_two_loss = loss(static_cast<double>(largest_sum(any.vertices()))),
            .pairs = joined_pairs(situation_.policy)};
  }

 private:
  /// Of two states whose points differ by this in sum.
  double loss(double sum) const {
    if (sum == 0) return 0;
    return sensitivity_ == 0 ? std::numeric_limits<double>::infinity()
                             : epsilon_.to_double() * sum / static_cast<double>(sensitivity_);
  }

  const Situation& situation_;
  Rational epsilon_;
  std::uint64_t sensitivity_;
  std::optional<random::DiscreteLaplace> noise_;
};

}  // namespace

std::unique_ptr<StepMechanism> make_laplace(const Situation& situation, const Rational& epsilon) {
  return std::make_unique<Laplace>(situation, epsilon);
}

}  // namespace fogline::stream
