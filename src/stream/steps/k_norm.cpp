// SPDX-License-Identifier: Apache-2.0
#include "stream/steps/k_norm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "stream/policy/sensitivity.hpp"

namespace fogline::stream {
namespace {

using geometry::LatticeBody;
using geometry::LatticePoints;

/// The largest norm of some differences; 0 for none.
double largest_norm(const LatticeBody& body, const LatticePoints& differences) {
  std::vector<double> norms(differences.size());
  body.distances(std::vector<std::int64_t>(body.dimension()), differences, norms);
  return norms.empty() ? 0 : *std::ranges::max_element(norms);
}

class KNorm : public StepMechanism {
 public:
  KNorm(const Situation& situation, std::shared_ptr<const LatticeKNorm> noise, const Rational& epsilon)
      : situation_(situation), noise_(std::move(noise)), epsilon_(epsilon) {}

  std::string_view name() const override { return "k-norm"; }

  Answer draw(std::uint32_t state, random::Stream& noise) const override {
    Answer answer = noise_->draw(noise);
    const auto point = situation_.points[state];
    for (std::size_t j = 0; j < answer.size(); ++j) answer[j] += point[j];
    return answer;
  }

  void log_weights(const Answer& answer, std::span<double> out) const override {
    if (answer.size() != situation_.points.dimension)
      throw InvalidOption("answer", "has another number of columns than the measurement");
    noise_->body().distances(answer, situation_.points, out);
    bool possible = false;
    for (double& value : out) {
      possible = possible || std::isfinite(value);
      value *= -epsilon_.to_double();
    }
    if (!possible) throw InvalidOption("answer", "could not have been given for any possible state");
  }

  std::vector<double> raw_point(const Answer& answer) const override {
    return {answer.begin(), answer.end()};
  }

  StepCertificate certify() const override {
    StepCertificate certificate;
    const LatticePoints joined = extreme_differences(situation_.policy, situation_.points);
    certificate.kept = true;
    for (std::size_t i = 0; i < joined.size(); ++i)
      certificate.kept = certificate.kept && noise_->body().contains(joined[i]);
    const double norm = largest_norm(noise_->body(), joined);
    certificate.joined_loss = epsilon_.to_double() * (certificate.kept ? std::min(norm, 1.0) : norm);
    const LatticeBody any = LatticeBody::difference_body(situation_.points);
    certificate.any_two_loss = epsilon_.to_double() * largest_norm(noise_->body(), any.vertices());
    certificate.pairs = joined_pairs(situation_.policy);
    return certificate;
  }

 private:
  const Situation& situation_;
  std::shared_ptr<const LatticeKNorm> noise_;
  Rational epsilon_;
};

}  // namespace

std::unique_ptr<StepMechanism> make_k_norm(const Situation& situation, const Rational& epsilon) {
  auto body = std::make_shared<const LatticeBody>(sensitivity_hull(situation.policy, situation.points));
  return make_k_norm(situation, std::make_shared<const LatticeKNorm>(std::move(body), epsilon), epsilon);
}

std::unique_ptr<StepMechanism> make_k_norm(const Situation& situation,
                                           std::shared_ptr<const LatticeKNorm> noise,
                                           const Rational& epsilon) {
  return std::make_unique<KNorm>(situation, std::move(noise), epsilon);
}

}  // namespace fogline::stream
