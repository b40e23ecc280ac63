// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/rational.hpp"
#include "geometry/lattice_body.hpp"
#include "random/stream.hpp"
#include "stream/policy/policy.hpp"

namespace fogline::stream {

/// What is public at one step, before its answer is drawn: which states are possible, how likely each is, and which must look alike.
/// A function of the model, the policy, the options and the answers released before; never of a private state.
struct Situation {
  std::vector<StateId> states = {};  ///< the constraint set, increasing; never empty
  std::vector<double> prior = {};    ///< of these, above 0, in all 1
  LocalPolicy policy = {};           ///< after repair
  std::vector<std::uint32_t> exposed =
      {};  ///< states that the policy as given left exposed, by place in `states`
  std::vector<std::pair<std::uint32_t, std::uint32_t>> repairs =
      {};                               ///< the pairs added for them; also in `policy`
  geometry::LatticePoints points = {};  ///< the answer for each state, in steps
};

/// What is drawn and published: the lattice point of a numeric mechanism, the number of an output of a table.
using Answer = std::vector<std::int64_t>;

/// What a step loses, from the integers that it draws with.
struct StepCertificate {
  bool kept = false;  ///< every joined pair and every answer is within epsilon; decided in integers
  double joined_loss =
      0;  ///< the largest loss over all joined pairs and all answers, to the last digit or two
  /// The same over any two states of the constraint set (Theorem 5.3); infinite where an answer tells two apart for certain.
  double any_two_loss = 0;
  std::uint64_t pairs = 0;  ///< joined pairs covered
};

/// A mechanism for one step. Made from the public situation; draws an answer for the true state, in integers.
///
///     auto mechanism = make_k_norm(situation, epsilon);
///     Answer z = mechanism->draw(place_of_true_state, noise);      // after the ledger was charged
///     mechanism->log_weights(z, likelihood);                        // the Bayes update, an attack, an audit
///
/// Guarantee   for every two states joined by situation.policy and every answer: P(z|s) <= exp(epsilon) P(z|s').
class StepMechanism {
 public:
  virtual ~StepMechanism() = default;
  virtual std::string_view name() const = 0;
  virtual Answer draw(std::uint32_t state, random::Stream& noise) const = 0;
  /// ln P(answer|state) for each state of the situation, less one constant that is the same for all; minus infinity for what cannot happen.
  /// Throws InvalidOption if no state could give this answer.
  virtual void log_weights(const Answer& answer, std::span<double> out) const = 0;
  /// The answer as the paper releases it: a point of the measurement space, in steps.
  virtual std::vector<double> raw_point(const Answer& answer) const = 0;
  virtual StepCertificate certify() const = 0;
};

}  // namespace fogline::stream
