// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/stream_audit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "base/error.hpp"
#include "stream/inference/simulate.hpp"
#include "stream/steps/grouped.hpp"
#include "stream/steps/k_norm.hpp"
#include "stream/steps/laplace.hpp"
#include "stream/steps/optimal.hpp"
#include "stream/steps/table_step.hpp"

namespace fogline::audit {
namespace {

using geometry::LatticeBody;
using stream::Answer;
using stream::Situation;
using stream::StepMechanism;

using StatePair = std::pair<std::uint32_t, std::uint32_t>;

constexpr std::size_t kept_situations = 4;       // for fit and falsifier
constexpr std::size_t most_worst_pairs = 8;      // of a situation
constexpr std::size_t most_directions = 16;      // of a hull
constexpr double most_looks = 2e7;               // at weights, per step
constexpr std::size_t most_pairs_of_group = 40;  // members of a group whose pairs are all looked at
constexpr double rounding_of_logs = 1e-9;

void check(const StreamAuditOptions& options) {
  if (options.walks < 1 || options.walks > 1000) throw InvalidOption("walks", "must lie between 1 and 1,000");
  if (options.steps < 1 || options.steps > 10'000)
    throw InvalidOption("steps", "must lie between 1 and 10,000");
  if (options.samples < 1000 || options.samples > 100'000'000)
    throw InvalidOption("samples", "must lie between 1,000 and 10^8");
  if (!(options.false_alarm >= 1e-12 && options.false_alarm <= 1e-6))
    throw InvalidOption("false alarm", "must lie between 10^-12 and 10^-6");
}

/// The same mechanism for another situation.
StepMaker maker_like(const StepMechanism& mechanism, const stream::StreamSetting& setting) {
  const std::string name(mechanism.name());
  return [name, groups = setting.groups](const Situation& situation,
                                         const Rational& epsilon) -> std::unique_ptr<StepMechanism> {
    if (name == "laplace") return stream::make_laplace(situation, epsilon);
    if (name == "optimal") return stream::make_optimal(situation, epsilon);
    if (name == "grouped") return stream::make_grouped(situation, epsilon, {.groups = groups});
    return stream::make_k_norm(situation, epsilon);
  };
}

/// Joined pairs that make corners of the hull: nobody lies farther apart. At most one for each two opposite corners.
std::vector<StatePair> worst_pairs(const Situation& situation, const LatticeBody& body) {
  std::map<std::vector<std::int64_t>, bool> corners;  // found yet
  for (std::size_t i = 0; i < body.vertices().size(); ++i)
    corners.emplace(std::vector<std::int64_t>(body.vertices()[i].begin(), body.vertices()[i].end()), false);
  std::vector<StatePair> found;
  std::vector<std::int64_t> difference(body.dimension()), opposite(body.dimension());
  const auto offer = [&](std::uint32_t a, std::uint32_t b) {
    for (std::size_t j = 0; j < difference.size(); ++j) {
      difference[j] = situation.points[a][j] - situation.points[b][j];
      opposite[j] = -difference[j];
    }
    const auto corner = corners.find(difference);
    if (corner == corners.end() || corner->second) return;
    corner->second = true;
    corners[opposite] = true;
    found.emplace_back(a, b);
  };
  for (const auto& [a, b] : situation.policy.pairs) {
    if (found.size() < most_worst_pairs) offer(a, b);
  }
  for (const auto group : situation.policy.groups) {
    const auto members = group.first(std::min(group.size(), most_pairs_of_group));
    for (std::size_t i = 0; i < members.size() && found.size() < most_worst_pairs; ++i) {
      for (std::size_t j = i + 1; j < members.size(); ++j) offer(members[i], members[j]);
    }
  }
  return found;
}

/// The largest difference of log-weights between joined states.
double largest_ratio(const stream::LocalPolicy& policy, std::span<const double> weights) {
  double largest = 0;
  const auto compare = [&](double high, double low) {
    if (std::isinf(high)) return;  // neither can give the answer
    largest = std::max(largest, std::isinf(low) ? std::numeric_limits<double>::infinity() : high - low);
  };
  for (const auto group : policy.groups) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const std::uint32_t member : group) {
      low = std::min(low, weights[member]);
      high = std::max(high, weights[member]);
    }
    compare(high, low);
  }
  for (const auto& [a, b] : policy.pairs)
    compare(std::max(weights[a], weights[b]), std::min(weights[a], weights[b]));
  return largest;
}

/// Directions in which ratios are largest: corners of the hull, and sums of the corners of its facets.
std::vector<std::vector<std::int64_t>> directions_of(const LatticeBody& body) {
  std::vector<std::vector<std::int64_t>> all;
  const std::size_t stride = body.cones().size() / most_directions + 1;
  for (std::size_t cone = 0; cone < body.cones().size(); cone += stride) {
    const auto& corner = body.cones()[cone].corner;
    std::vector<std::int64_t> sum(body.dimension());
    for (std::size_t i = 0; i < body.rank(); ++i) {
      for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += body.vertices()[corner[i]][j];
    }
    const auto first = body.vertices()[corner[0]];
    all.emplace_back(first.begin(), first.end());
    all.push_back(std::move(sum));
  }
  return all;
}

/// Answers at which to compare: all of a table; of noise those beyond the states of worst pairs.
std::vector<Answer> worst_answers(const StepMechanism& mechanism, const Situation& situation,
                                  const LatticeBody& body, std::span<const StatePair> pairs) {
  std::vector<Answer> answers;
  if (const auto* table = dynamic_cast<const stream::TableStep*>(&mechanism)) {
    for (std::size_t output = 0; output < table->outputs(); ++output)
      answers.push_back({static_cast<std::int64_t>(output)});
    return answers;
  }
  const auto most = static_cast<std::size_t>(most_looks / static_cast<double>(situation.states.size()));
  const auto directions = directions_of(body);
  for (const auto& [a, b] : pairs) {
    for (const std::uint32_t state : {a, b}) {
      const auto point = situation.points[state];
      answers.emplace_back(point.begin(), point.end());
      for (const auto& direction : directions) {
        for (const std::int64_t times : {1, 4}) {
          answers.emplace_back(point.begin(), point.end());
          for (std::size_t j = 0; j < direction.size(); ++j) answers.back()[j] += times * direction[j];
        }
      }
    }
  }
  if (answers.size() > most) answers.resize(std::max<std::size_t>(most, 1));
  return answers;
}

/// Drawn with the same randomness, do answers differ by the states' points?
bool draws_same_noise(const StepMechanism& mechanism, const Situation& situation, const random::Key& key) {
  if (dynamic_cast<const stream::TableStep*>(&mechanism) != nullptr) return true;
  random::Stream choice = key.stream("states of the same noise");
  for (std::uint64_t round = 0; round < 8; ++round) {
    const auto one = static_cast<std::uint32_t>(choice.below(situation.states.size()));
    const auto other = static_cast<std::uint32_t>(choice.below(situation.states.size()));
    random::Stream noise = key.stream("same noise", round), again = key.stream("same noise", round);
    const Answer first = mechanism.draw(one, noise), second = mechanism.draw(other, again);
    for (std::size_t j = 0; j < first.size(); ++j) {
      if (first[j] - situation.points[one][j] != second[j] - situation.points[other][j]) return false;
    }
  }
  return true;
}

/// A situation that was met, with its mechanism and the states to look at.
struct Kept {
  std::uint64_t walk = 0, step = 0;
  Situation situation;
  LatticeBody body;
  std::vector<StatePair> pairs;
  StepMaker make;
  std::shared_ptr<const StepMechanism> mechanism = {};
};

class Auditor {
 public:
  Auditor(const stream::PublicStream& stream, const StreamAuditOptions& options)
      : stream_(stream),
        options_(options),
        epsilon_(stream.setting().epsilon),
        key_(StreamAuditOptions::public_seed),
        meter_(options.progress, "walking", options.walks * options.steps) {
    const std::size_t all = options.walks * options.steps;
    const std::size_t keep = std::min(kept_situations, all);
    for (std::size_t i = 0; i < keep; ++i) keep_at_.push_back(i * all / keep + (all / keep) / 2);
  }

  StreamAudit run() {
    audit_.certified = audit_.ratios_hold = audit_.same_noise = true;
    for (std::size_t walk = 0; walk < options_.walks; ++walk) walk_through(walk);
    meter_.finish();
    look_at_draws();
    judge();
    return std::move(audit_);
  }

 private:
  void walk_through(std::size_t walk) {
    random::Stream chance = key_.stream("walk", walk), noise = key_.stream("answers", walk);
    stream::Tracker tracker = stream_.tracker();
    for (const stream::StateId truth : stream::walk(stream_.model().chain, options_.steps, chance)) {
      const StepMechanism& own = tracker.prepare();
      const StepMaker make = options_.make ? options_.make : maker_like(own, stream_.setting());
      const auto planted = options_.make ? make(tracker.situation(), epsilon_) : nullptr;
      const StepMechanism& mechanism = planted ? *planted : own;
      look_at_step(mechanism, tracker);
      if (std::ranges::find(keep_at_, audit_.steps) != keep_at_.end()) {
        kept_.push_back(
            std::make_unique<Kept>(Kept{walk + 1, tracker.step(), tracker.situation(), tracker.hull(),
                                        worst_pairs(tracker.situation(), tracker.hull()), make}));
      }
      tracker.observe(tracker.draw(truth, noise));
      ++audit_.steps;
      meter_.advance();
    }
  }

  void look_at_step(const StepMechanism& mechanism, const stream::Tracker& tracker) {
    const Situation& situation = tracker.situation();
    const stream::StepCertificate certificate = mechanism.certify();
    audit_.certified = audit_.certified && certificate.kept;
    audit_.joined_loss = std::max(audit_.joined_loss, certificate.joined_loss);
    audit_.pairs += certificate.pairs;
    audit_.exposed_steps += situation.exposed.empty() ? 0U : 1U;
    audit_.separated_steps += std::isinf(certificate.any_two_loss) ? 1U : 0U;
    std::vector<double> weights(situation.states.size());
    const auto pairs = worst_pairs(situation, tracker.hull());
    for (const Answer& answer : worst_answers(mechanism, situation, tracker.hull(), pairs)) {
      mechanism.log_weights(answer, weights);
      audit_.ratio_loss = std::max(audit_.ratio_loss, largest_ratio(situation.policy, weights));
      ++audit_.answers;
    }
    audit_.same_noise = audit_.same_noise && draws_same_noise(mechanism, situation, key_);
  }

  void look_at_draws() {
    std::vector<DrawnCounts> drawn;
    std::vector<Pair> pairs;
    for (auto& kept : kept_) {
      kept->mechanism = kept->make(kept->situation, epsilon_);
      add_fit(*kept, drawn);
      for (std::size_t i = 0; i < kept->pairs.size() && i < 3; ++i)
        pairs.push_back(pair_of(*kept, kept->pairs[i]));
    }
    audit_.fit.fits = true;
    if (!drawn.empty()) audit_.fit = judge_fit(kept_.front()->mechanism->name(), drawn, options_.false_alarm);
    if (!pairs.empty())
      audit_.finding = falsify(pairs, {.key = key_,
                                       .most_samples = options_.samples,
                                       .false_alarm = options_.false_alarm,
                                       .threads = options_.threads,
                                       .progress = options_.progress});
  }

  /// Of a table as it is, of noise on a coarser lattice with the states of the worst pairs.
  void add_fit(const Kept& kept, std::vector<DrawnCounts>& drawn) {
    random::Stream noise = key_.stream("fit", drawn.size());
    const auto take = [&](const StepMechanism& mechanism, const Situation& situation) {
      const auto state = static_cast<std::uint32_t>(noise.below(situation.states.size()));
      std::vector<DrawnCounts> all =
          count_step_draws(mechanism, situation, epsilon_, state, options_.samples, noise);
      audit_.fit_draws += all.empty() ? 0 : options_.samples;
      for (DrawnCounts& counted : all) {
        counted.input = static_cast<kernel::InputId>(drawn.size());
        audit_.fitted.push_back(fmt::format("walk {}, step {}, by {}", kept.walk, kept.step, counted.each));
        drawn.push_back(std::move(counted));
      }
    };
    if (dynamic_cast<const stream::TableStep*>(kept.mechanism.get()) != nullptr) {
      take(*kept.mechanism, kept.situation);
      return;
    }
    std::vector<std::uint32_t> states;
    for (const auto& [a, b] : kept.pairs) states.insert(states.end(), {a, b});
    std::ranges::sort(states);
    const auto repeated = std::ranges::unique(states);
    states.erase(repeated.begin(), repeated.end());
    const std::int64_t reach = listed_reach(kept.situation.points.dimension);
    if (states.empty() || reach == 0) return;
    const Situation copy = coarse_copy(kept.situation, states, reach);
    const auto mechanism = kept.make(copy, epsilon_);
    take(*mechanism, copy);
  }

  Pair pair_of(const Kept& kept, const StatePair& states) const {
    const auto run = [mechanism = kept.mechanism](std::uint32_t state) -> Run {
      return [mechanism, state](random::Stream& noise) {
        const Answer answer = mechanism->draw(state, noise);
        return Numbers(answer.begin(), answer.end());
      };
    };
    Pair pair{.words = fmt::format("two joined states that lie farthest apart, walk {}, step {}", kept.walk,
                                   kept.step),
              .first = run(states.first),
              .second = run(states.second),
              .claimed_loss = epsilon_.to_double()};
    if (dynamic_cast<const stream::TableStep*>(kept.mechanism.get()) != nullptr) return pair;
    for (const auto& [state, whose] :
         {std::pair(states.first, "first"), std::pair(states.second, "second")}) {
      pair.hints.push_back({fmt::format("distance of the answer from the {} state, in hulls", whose),
                            [&kept, state = state](const Numbers& z) { return norm_from(kept, state, z); }});
    }
    return pair;
  }

  static double norm_from(const Kept& kept, std::uint32_t state, const Numbers& z) {
    Answer difference;
    for (std::size_t j = 0; j < z.size(); ++j)
      difference.push_back(static_cast<std::int64_t>(z[j]) - kept.situation.points[state][j]);
    return kept.body.norm(difference);
  }

  void judge() {
    const double epsilon = epsilon_.to_double();
    audit_.share_of_epsilon = audit_.joined_loss / epsilon;
    audit_.ratios_hold = audit_.ratio_loss <= epsilon * (1 + rounding_of_logs);
    audit_.passed = audit_.certified && audit_.ratios_hold && audit_.same_noise && audit_.fit.fits &&
                    !audit_.finding.broken;
    audit_.sentence = sentence();
  }

  std::string sentence() const {
    if (!audit_.certified)
      return fmt::format(
          "It breaks its promise: a step loses {:.6g} between joined states, where {} is claimed.",
          audit_.joined_loss, epsilon_.to_string());
    if (!audit_.ratios_hold)
      return fmt::format(
          "It breaks its promise: the weights it states differ by {:.6g} between joined states, where {} is "
          "claimed.",
          audit_.ratio_loss, epsilon_.to_string());
    if (!audit_.same_noise)
      return "Its noise depends on the state: with the same randomness, answers do not differ by the states' "
             "points.";
    if (!audit_.fit.fits) return audit_.fit.sentence;
    if (audit_.finding.broken)
      return fmt::format(
          "It breaks its promise: {} are told apart by at least {:.3g}, where {} is claimed ({}).",
          audit_.finding.pair_words, audit_.finding.loss_at_least, epsilon_.to_string(),
          audit_.finding.event);
    return fmt::format(
        "Certified at each of {} steps of walks of the model: over {} joined pairs and all answers the "
        "largest loss is {:.6g}, where {} is claimed. The weights it "
        "states hold at {} answers, and {} draws did not contradict them.",
        audit_.steps, audit_.pairs, audit_.joined_loss, epsilon_.to_string(), audit_.answers,
        audit_.fit_draws + audit_.finding.samples);
  }

  const stream::PublicStream& stream_;
  const StreamAuditOptions& options_;
  Rational epsilon_;
  random::SeededKey key_;
  ProgressMeter meter_;
  std::vector<std::size_t> keep_at_ = {};
  std::vector<std::unique_ptr<Kept>> kept_ = {};
  StreamAudit audit_ = {};
};

}  // namespace

StreamAudit audit_stream(const stream::PublicStream& stream, const StreamAuditOptions& options) {
  check(options);
  return Auditor(stream, options).run();
}

}  // namespace fogline::audit
