// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/rational.hpp"
#include "mobility/state_space.hpp"
#include "stream/policy/policy.hpp"
#include "stream/policy/repair.hpp"
#include "stream/policy/sensitivity.hpp"
#include "stream/steps/step_mechanism.hpp"

namespace fogline::stream {

enum class MechanismKind {
  automatic,  ///< optimal, on groups of states where there are many, up to `table_states` states; k_norm above
  optimal,    ///< the table of least expected error, where it takes about a second at most; grouped beyond
  grouped,    ///< the same on groups of states
  k_norm,
  laplace
};

/// Everything public that decides how a stream is released.
struct StreamSetting {
  Rational epsilon = {};  ///< per step
  MechanismKind mechanism = MechanismKind::automatic;
  Repair repair = Repair::least_area;
  std::vector<StateId> partner = {};  ///< per state, itself for none; empty unless repair is `partners`
  double delta = 0;  ///< 0: all states that are not impossible; else the fewest that hold 1 - delta, below 1
  double lattice_step = 0;         ///< 0: as LatticeQuery chooses
  std::size_t table_states = 100;  ///< of the constraint set, for `automatic`; 2 to 100,000
  std::size_t groups =
      0;  ///< of states, for `automatic` and `grouped`; 0: as many as take milliseconds; else 2 to 1,000
};

/// What everybody knows of a stream: follows its released answers and says, before each step, which states are possible, how likely they
/// are, and by which mechanism the next answer is drawn. Releases, measures, attacks and audits all walk with it.
///
///     Tracker tracker(model, policy, {.epsilon = {1, 1}});
///     for (StateId truth : states) {
///       tracker.prepare();                                             // public
///       Answer z = tracker.draw(truth, noise);                         // private, after the charge
///       tracker.observe(z);                                            // public again
///       tracker.estimate();                                            // the answer of least expected error
///     }
///
/// model and policy must outlive it. Cost of a step: a pass over the model's transitions, the hull, and the mechanism's.
class Tracker {
 public:
  /// `hulls`, if given, are of this policy and the setting's lattice: trackers of many sequences share them.
  Tracker(const mobility::StateModel& model, const PolicyGraph& policy, const StreamSetting& setting,
          std::shared_ptr<const SensitivityHulls> hulls = nullptr);
  ~Tracker();
  Tracker(Tracker&&) noexcept;

  /// Goes on to the next step: its situation, and the mechanism for it. Throws InvalidOption if called twice without observe(), and
  /// Cancelled, if `progress` says so: the step is then not prepared, and may be asked for again.
  const StepMechanism& prepare(const Progress& progress = {});
  const Situation& situation() const;          ///< of the step prepared last
  const StepMechanism& mechanism() const;      ///< of the step prepared last
  const StepCertificate& certificate() const;  ///< of its mechanism: kept, or prepare() would have thrown
  std::uint64_t step() const;                  ///< the one prepared last, from 1; 0 before the first

  /// The place of a true state in situation().states; of its surrogate, the nearest possible state, if it is not there.
  std::uint32_t place_of(StateId state) const;
  bool is_drift(StateId state) const;  ///< not in the constraint set

  /// Draws the answer of the step prepared last for the true state: the one door through which a state leaves. A tape hears it (random/tape.hpp).
  Answer draw(StateId truth, random::Stream& noise) const;

  /// Takes the step's answer. Throws InvalidOption if it could not have been given.
  void observe(const Answer& answer);
  std::span<const double> posterior() const;  ///< over situation().states, after observe()

  /// The point of least expected distance under the posterior, in the units of the space. Never worse than `free_estimate` on average.
  std::vector<double> estimate() const;
  std::vector<double> free_estimate() const;  ///< under the step's prior alone: what costs no privacy
  std::vector<double> raw() const;            ///< the answer as the paper releases it
  /// The expected distance of the true state from a point, by the posterior; and by the step's prior alone.
  double expected_distance(std::span<const double> from) const;
  double free_distance(std::span<const double> from) const;

  /// How many possible states, itself counted, the sensitivity hull hides a state among: the paper's degree of protection.
  std::uint32_t degree_of_protection(std::uint32_t place) const;
  const geometry::LatticeBody& hull() const;  ///< of the step's policy, after repair

  const LatticeQuery& query() const;
  const mobility::StateModel& model() const;
  const PolicyGraph& policy() const;
  const StreamSetting& setting() const;

  /// The public state to go on from, and a tracker that does. Between steps only: after observe(), or before the first prepare().
  struct Saved {
    std::uint64_t step = 0;
    std::vector<StateId> states = {};
    std::vector<double> probability = {};  ///< of these, after the last answer
  };
  Saved save() const;
  void restore(const Saved& saved);  ///< throws InvalidOption if it does not fit the model

 private:
  struct Inner;
  std::unique_ptr<Inner> inner_;
};

}  // namespace fogline::stream
