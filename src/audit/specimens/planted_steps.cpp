// SPDX-License-Identifier: Apache-2.0
#include "audit/specimens/planted_steps.hpp"

#include <cmath>

#include "audit/specimens/published_k_norm.hpp"
#include "base/error.hpp"
#include "random/published_noise.hpp"
#include "stream/policy/sensitivity.hpp"
#include "stream/steps/k_norm.hpp"

namespace fogline::audit {
namespace {

using stream::Answer;

ConvexBody plane_body(const geometry::LatticeBody& body) {
  if (body.dimension() != 2 || body.rank() != 2)
    throw InvalidOption("hull", "must be a polygon of the plane for a planted fault");
  std::vector<PlanePoint> corners;
  for (std::size_t i = 0; i < body.vertices().size(); ++i)
    corners.push_back(
        {static_cast<double>(body.vertices()[i][0]), static_cast<double>(body.vertices()[i][1])});
  return ConvexBody::from_corners(corners);
}

class PlantedStep : public stream::StepMechanism {
 public:
  PlantedStep(const stream::Situation& situation, const Rational& epsilon, StepFault fault)
      : situation_(situation),
        right_(stream::make_k_norm(situation, epsilon)),
        body_(plane_body(stream::sensitivity_hull(situation.policy, situation.points))),
        epsilon_(epsilon.to_double()),
        fault_(fault) {}

  std::string_view name() const override { return "k-norm"; }
  Answer draw(std::uint32_t state, random::Stream& noise) const override {
    const PlanePoint v = drawn(state, noise);
    const auto point = situation_.points[state];
    return {point[0] + std::llround(v.x), point[1] + std::llround(v.y)};
  }
  void log_weights(const Answer& answer, std::span<double> out) const override {
    right_->log_weights(answer, out);
  }
  std::vector<double> raw_point(const Answer& answer) const override { return right_->raw_point(answer); }
  stream::StepCertificate certify() const override { return right_->certify(); }

 private:
  PlanePoint drawn(std::uint32_t state, random::Stream& noise) const {
    const bool on_boundary = fault_ == StepFault::boundary_by_length;
    const PlanePoint point = on_boundary ? body_.draw_on_boundary(noise) : body_.draw_inside(noise);
    const int shape = on_boundary || fault_ == StepFault::radius_one_short ? 2 : 3;
    double radius = random::published::gamma(shape, 1 / epsilon_, noise);
    if (fault_ == StepFault::hull_too_small || (fault_ == StepFault::noise_by_state && state % 2 == 1))
      radius /= 2;
    return {radius * point.x, radius * point.y};
  }

  const stream::Situation& situation_;
  std::unique_ptr<stream::StepMechanism> right_;
  ConvexBody body_;
  double epsilon_;
  StepFault fault_;
};

}  // namespace

std::string_view to_string(StepFault fault) {
  switch (fault) {
    case StepFault::boundary_by_length:
      return "directions by the boundary's length";
    case StepFault::radius_one_short:
      return "radius one short";
    case StepFault::hull_too_small:
      return "hull of half the size";
    case StepFault::noise_by_state:
      return "noise that depends on the state";
  }
  return "";
}

std::unique_ptr<stream::StepMechanism> make_planted_step(const stream::Situation& situation,
                                                         const Rational& epsilon, StepFault fault) {
  return std::make_unique<PlantedStep>(situation, epsilon, fault);
}

}  // namespace fogline::audit
