// SPDX-License-Identifier: Apache-2.0
#include "stream/tracker.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/error.hpp"
#include "random/tape.hpp"
#include "stream/inference/median.hpp"
#include "stream/policy/protection.hpp"
#include "stream/policy/repair.hpp"
#include "stream/steps/grouped.hpp"
#include "stream/steps/k_norm.hpp"
#include "stream/steps/laplace.hpp"
#include "stream/steps/optimal.hpp"

namespace fogline::stream {
namespace {

// What is possible stays possible: a probability that rounding would take to 0 is kept here. Nobody learns anything from it, and the state keeps
// its place among those that must look alike.
constexpr double least_possible = 1e-250;

// The largest constraint sets that have a table of their own.
constexpr std::size_t largest_alike = 400, largest_other = 60;

enum class Phase { between, prepared };

void require_valid(const StreamSetting& setting, const PolicyGraph& policy,
                   const mobility::StateModel& model) {
  if (setting.epsilon.is_zero()) throw InvalidOption("epsilon", "must be above 0");
  if (!(setting.delta >= 0 && setting.delta < 1))
    throw InvalidOption("delta", "must be 0 or more, and below 1");
  if (setting.table_states < 2 || setting.table_states > 100'000)
    throw InvalidOption("table-states", "must lie between 2 and 100,000");
  if (setting.groups == 1 || setting.groups > 1000)
    throw InvalidOption("groups", "must lie between 2 and 1,000, or be 0");
  if (model.space.states() != model.chain.states())
    throw InvalidOption("model", "has another number of states than of names");
  if (policy.states() != model.chain.states())
    throw InvalidOption("policy", "is over another number of states than the model");
  if (setting.repair == Repair::partners && setting.partner.size() != policy.states())
    throw InvalidOption("partners", "must name one for each state");
}

/// The fewest states that hold 1 - delta, the likely ones first and the lower number among equals.
std::vector<StateId> likely_states(std::vector<StateId> states, std::span<const double> probability,
                                   double delta) {
  std::ranges::sort(states, [&](StateId a, StateId b) {
    return probability[a] != probability[b] ? probability[a] > probability[b] : a < b;
  });
  double held = 0;
  std::size_t count = 0;
  while (count < states.size() && held < 1 - delta) held += probability[states[count++]];
  states.resize(count);
  std::ranges::sort(states);
  return states;
}

}  // namespace

struct Tracker::Inner {
  Inner(const mobility::StateModel& model_, const PolicyGraph& policy_, StreamSetting setting_,
        std::shared_ptr<const SensitivityHulls> hulls_)
      : model(model_),
        policy(policy_),
        setting(std::move(setting_)),
        query(model_.space, setting.lattice_step),
        hulls(std::move(hulls_)) {
    require_valid(setting, policy, model);
    if (hulls == nullptr) hulls = std::make_shared<const SensitivityHulls>(policy, query);
    for (StateId s = 0; s < model.chain.states(); ++s) {
      for (const auto& transition : model.chain.row(s))
        least_transition = std::min(least_transition, transition.probability);
    }
    ahead.assign(model.chain.states(), 0.0);
    now.assign(model.chain.states(), 0.0);
  }

  const mobility::StateModel& model;
  const PolicyGraph& policy;
  StreamSetting setting;
  LatticeQuery query;
  std::shared_ptr<const SensitivityHulls> hulls;
  double least_transition = 1;  // of the model
  std::uint64_t step = 0;
  Phase phase = Phase::between;
  bool observed = false;

  Situation situation;
  std::shared_ptr<const geometry::LatticeBody> body;  // of situation.policy, once asked for
  std::optional<Protection> protection;               // the same
  std::shared_ptr<const LatticeKNorm> noise;          // of the body it was made for last
  std::unique_ptr<StepMechanism> mechanism;
  StepCertificate certificate;
  std::vector<double> posterior;  // over situation.states
  Answer answer;
  std::vector<double> now, ahead;  // over all states; scratch
  std::vector<StateId> before;     // the states of the posterior
  std::vector<double> places;      // of situation.states, in the units of the space
  std::optional<std::vector<double>> estimate, free_estimate;  // of this step, once asked for

  void predict();
  std::vector<StateId> possible() const;
  void situate(std::vector<StateId> states, const Progress& progress);
  void settle(std::vector<StateId> states, const Progress& progress);
  MechanismKind kind() const;
  bool depends_on_prior() const;
  bool is_small_program() const;
  std::unique_ptr<StepMechanism> make(const Progress& progress);
  const std::shared_ptr<const geometry::LatticeBody>& hull(const Progress& progress = {});
};

void Tracker::Inner::predict() {
  if (step == 0) {
    std::ranges::copy(model.chain.initial(), ahead.begin());
    return;
  }
  std::ranges::fill(now, 0.0);
  for (std::size_t i = 0; i < before.size(); ++i) now[before[i]] = posterior[i];
  model.chain.forward(now, ahead);
  // A product of two small probabilities may be lost to rounding; the state is possible all the same.
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (posterior[i] == 0 || posterior[i] * least_transition > 1e-290) continue;
    for (const auto& transition : model.chain.row(before[i]))
      ahead[transition.to] = std::max(ahead[transition.to], least_possible);
  }
}

std::vector<StateId> Tracker::Inner::possible() const {
  std::vector<StateId> states;
  for (StateId s = 0; s < ahead.size(); ++s) {
    if (ahead[s] > 0) states.push_back(s);
  }
  return setting.delta == 0 ? states : likely_states(std::move(states), ahead, setting.delta);
}

/// All of a situation but its prior. Nothing of it is kept unless all is: a policy that was cut short must never be taken
/// for the states' own.
void Tracker::Inner::situate(std::vector<StateId> states, const Progress& progress) {
  Situation next{.states = std::move(states)};
  next.policy = constrained(policy, next.states, progress);
  next.points.dimension = query.dimension();
  std::vector<double> next_places;
  for (const StateId s : next.states) {
    next.points.add(query.at(s));
    const auto place = query.point(query.at(s));
    next_places.insert(next_places.end(), place.begin(), place.end());
  }
  auto next_body = repair(next, setting.repair, setting.partner, hulls.get(), progress);
  mechanism.reset();  // it may refer to the situation
  protection.reset();
  situation = std::move(next);
  places = std::move(next_places);
  body = std::move(next_body);
}

/// Makes the situation. What does not depend on the prior is kept while the same states stay possible.
void Tracker::Inner::settle(std::vector<StateId> states, const Progress& progress) {
  const bool same = states == situation.states;
  if (!same) situate(std::move(states), progress);
  situation.prior.clear();
  for (const StateId s : situation.states) situation.prior.push_back(ahead[s]);
  const double held = std::accumulate(situation.prior.begin(), situation.prior.end(), 0.0);
  for (double& probability : situation.prior) probability = std::max(probability / held, least_possible);
  if (!same || mechanism == nullptr || depends_on_prior()) {
    // Kept only once it is certified: whoever asks again after the refusal is refused again.
    mechanism.reset();
    std::unique_ptr<StepMechanism> made = make(progress);
    certificate = made->certify();
    if (!certificate.kept)
      throw Error(fmt::format("step {}: the table of {} does not keep its promise; nothing was drawn from it",
                              step + 1, made->name()));
    mechanism = std::move(made);
  }
}

MechanismKind Tracker::Inner::kind() const {
  if (setting.mechanism != MechanismKind::automatic) return setting.mechanism;
  return situation.states.size() <= setting.table_states ? MechanismKind::grouped : MechanismKind::k_norm;
}

/// About a second a step at most: docs/mechanisms/stream-optimal.md has the measurements.
bool Tracker::Inner::is_small_program() const {
  const std::size_t states = situation.states.size();
  const auto& groups = situation.policy.groups;
  bool all_alike = false;
  for (const auto group : groups) all_alike = all_alike || group.size() == states;
  return states <= (all_alike ? largest_alike : largest_other);
}

bool Tracker::Inner::depends_on_prior() const {
  return kind() == MechanismKind::optimal || kind() == MechanismKind::grouped;
}

const std::shared_ptr<const geometry::LatticeBody>& Tracker::Inner::hull(const Progress& progress) {
  if (body == nullptr) body = hulls->hull(situation, progress);
  return body;
}

std::unique_ptr<StepMechanism> Tracker::Inner::make(const Progress& progress) {
  switch (kind()) {
    case MechanismKind::laplace:
      return make_laplace(situation, setting.epsilon);
    case MechanismKind::optimal:
      if (is_small_program()) return make_optimal(situation, setting.epsilon, {.progress = progress});
      return make_grouped(situation, setting.epsilon, {.groups = setting.groups, .progress = progress});
    case MechanismKind::grouped:
      return make_grouped(situation, setting.epsilon, {.groups = setting.groups, .progress = progress});
    case MechanismKind::k_norm:
    case MechanismKind::automatic:
      break;
  }
  if (noise == nullptr || noise->shared_body() != hull(progress))
    noise = std::make_shared<const LatticeKNorm>(hull(progress), setting.epsilon);
  return make_k_norm(situation, noise, setting.epsilon);
}

Tracker::Tracker(const mobility::StateModel& model, const PolicyGraph& policy, const StreamSetting& setting,
                 std::shared_ptr<const SensitivityHulls> hulls)
    : inner_(std::make_unique<Inner>(model, policy, setting, std::move(hulls))) {}
Tracker::~Tracker() = default;
Tracker::Tracker(Tracker&&) noexcept = default;

const StepMechanism& Tracker::prepare(const Progress& progress) {
  Inner& in = *inner_;
  if (in.phase == Phase::prepared)
    throw InvalidOption("step", "was prepared already; its answer comes first");
  in.predict();
  in.settle(in.possible(), progress);
  in.phase = Phase::prepared;
  in.observed = false;
  in.estimate.reset();
  in.free_estimate.reset();
  ++in.step;
  return *in.mechanism;
}

const Situation& Tracker::situation() const {
  return inner_->situation;
}
const StepMechanism& Tracker::mechanism() const {
  return *inner_->mechanism;
}
const StepCertificate& Tracker::certificate() const {
  return inner_->certificate;
}
std::uint64_t Tracker::step() const {
  return inner_->step;
}

bool Tracker::is_drift(StateId state) const {
  return !std::ranges::binary_search(inner_->situation.states, state);
}

Answer Tracker::draw(StateId truth, random::Stream& noise) const {
  const std::uint32_t place = place_of(truth);
  if (noise.tape() == nullptr) return mechanism().draw(place, noise);
  random::Meeting meeting;
  meeting.name = "step";
  meeting.manner = random::Meeting::Manner::chosen;
  const auto heard = noise.tape()->meet(
      std::move(meeting), noise,
      [&] {
        const Answer answer = mechanism().draw(place, noise);
        return std::vector<long double>(answer.begin(), answer.end());
      },
      [&](random::Meeting& met) {
        std::vector<double> log_weight(situation().states.size());
        mechanism().log_weights({met.answers.begin(), met.answers.end()}, log_weight);
        met.log_share = log_weight[place];
      });
  return {heard.begin(), heard.end()};
}

std::uint32_t Tracker::place_of(StateId state) const {
  const auto& states = inner_->situation.states;
  const auto found = std::ranges::lower_bound(states, state);
  if (found != states.end() && *found == state) return static_cast<std::uint32_t>(found - states.begin());
  const auto nearest =
      std::ranges::min_element(states, {}, [&](StateId s) { return inner_->query.distance(s, state); });
  return static_cast<std::uint32_t>(nearest - states.begin());
}

void Tracker::observe(const Answer& answer) {
  Inner& in = *inner_;
  if (in.phase != Phase::prepared) throw InvalidOption("answer", "belongs to no step");
  std::vector<double> weights(in.situation.states.size());
  in.mechanism->log_weights(answer, weights);
  const double largest = *std::ranges::max_element(weights);
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (std::isinf(weights[i])) {
      weights[i] = 0;
      continue;
    }
    weights[i] = std::max(in.situation.prior[i] * std::exp(weights[i] - largest), least_possible);
    sum += weights[i];
  }
  for (double& weight : weights) weight /= sum;
  in.posterior = std::move(weights);
  in.before = in.situation.states;
  in.answer = answer;
  in.phase = Phase::between;
  in.observed = true;
}

std::span<const double> Tracker::posterior() const {
  return inner_->posterior;
}

std::vector<double> Tracker::estimate() const {
  Inner& in = *inner_;
  if (!in.observed) throw InvalidOption("estimate", "comes after the step's answer");
  if (!in.estimate) in.estimate = geometric_median(in.places, in.query.dimension(), in.posterior);
  return *in.estimate;
}

std::vector<double> Tracker::free_estimate() const {
  Inner& in = *inner_;
  if (!in.free_estimate)
    in.free_estimate = geometric_median(in.places, in.query.dimension(), in.situation.prior);
  return *in.free_estimate;
}

std::vector<double> Tracker::raw() const {
  if (!inner_->observed) throw InvalidOption("answer", "comes after the step's draw");
  std::vector<double> point = inner_->mechanism->raw_point(inner_->answer);
  for (double& coordinate : point) coordinate *= inner_->query.step();
  return point;
}

const geometry::LatticeBody& Tracker::hull() const {
  return *inner_->hull();
}

std::uint32_t Tracker::degree_of_protection(std::uint32_t place) const {
  Inner& in = *inner_;
  if (!in.protection) in.protection.emplace(in.situation.points);
  return in.protection->degree(place, *in.hull());
}

double Tracker::expected_distance(std::span<const double> from) const {
  return mean_distance(inner_->places, inner_->query.dimension(), inner_->posterior, from);
}

double Tracker::free_distance(std::span<const double> from) const {
  return mean_distance(inner_->places, inner_->query.dimension(), inner_->situation.prior, from);
}

const LatticeQuery& Tracker::query() const {
  return inner_->query;
}
const mobility::StateModel& Tracker::model() const {
  return inner_->model;
}
const PolicyGraph& Tracker::policy() const {
  return inner_->policy;
}
const StreamSetting& Tracker::setting() const {
  return inner_->setting;
}

Tracker::Saved Tracker::save() const {
  const Inner& in = *inner_;
  if (in.phase == Phase::prepared) throw InvalidOption("state", "can be saved between steps only");
  Saved saved{.step = in.step, .states = in.before, .probability = in.posterior};
  // What an answer ruled out is not possible any more.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < saved.states.size(); ++i) {
    if (saved.probability[i] == 0) continue;
    saved.states[kept] = saved.states[i];
    saved.probability[kept++] = saved.probability[i];
  }
  saved.states.resize(kept);
  saved.probability.resize(kept);
  return saved;
}

void Tracker::restore(const Saved& saved) {
  Inner& in = *inner_;
  if (in.phase == Phase::prepared) throw InvalidOption("state", "can be restored between steps only");
  const bool fits =
      saved.states.size() == saved.probability.size() && saved.states.empty() == (saved.step == 0) &&
      std::ranges::adjacent_find(saved.states, std::ranges::greater_equal{}) == saved.states.end() &&
      (saved.states.empty() || saved.states.back() < in.model.chain.states()) &&
      std::ranges::all_of(saved.probability, [](double p) { return p > 0 && p <= 1 + 1e-9; });
  const double sum = std::accumulate(saved.probability.begin(), saved.probability.end(), 0.0);
  if (!fits || (!saved.states.empty() && std::abs(sum - 1) > 1e-6))
    throw InvalidOption("state", "does not fit the model");
  in.step = saved.step;
  in.before = saved.states;
  in.posterior = saved.probability;
  in.observed = false;
}

}  // namespace fogline::stream
