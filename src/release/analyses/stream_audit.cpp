// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/stream_audit.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/fit_view.hpp"
#include "release/analyses/whole_releases.hpp"
#include "release/kinds.hpp"
#include "release/stream_fields.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

class StreamAudit : public Analysis {
 public:
  std::string kind() const override { return "stream"; }
  std::string verb() const override { return "audit"; }

  void declare(FieldTable& table) override {
    stream_.declare(table);
    table.group("Audit");
    table.value("walks", "N", options_.walks, "of the model (2)").range("1", "1000");
    table.value("steps", "N", options_.steps, "of each walk (10)").range("1", "10000");
    table.value("samples", "N", options_.samples, "draws of each fit, and of each falsified state (20000)")
        .range("1000", "100000000");
  }

  Findings run(Caller& caller) override {
    const stream::StreamTerms terms = stream_.terms();
    const stream::PublicStream stream(terms, stream_.named());
    options_.threads = caller.threads();
    options_.progress = caller.progress();
    const audit::StreamAudit audit = audit::audit_stream(stream, options_);
    const ReplayedReleases replayed = replayed_releases(stream, terms.epsilon.value().to_double(), caller);

    Findings found(as_json(terms, audit, replayed));
    found.add(rows(terms, audit, replayed));
    found.add(audit.sentence);
    if (replayed.broken()) found.add(replayed.accusation());
    found.passed = audit.passed && !replayed.broken();
    return found;
  }

 private:
  /// Two walks of the model each; the second begins with one of two joined states, and all else is the same. Whoever sees the answers must be as unsure
  /// after all steps as after the first: what follows may know the answers, and nothing of the state.
  ReplayedReleases replayed_releases(const stream::PublicStream& stream, double epsilon, Caller& caller) {
    stream::Tracker first_step = stream.tracker();
    first_step.prepare(caller.progress());
    const stream::Situation& at = first_step.situation();
    std::uint32_t one = 0, other = 0;
    if (!at.policy.groups.empty()) {
      one = at.policy.groups[0].front();
      other = at.policy.groups[0].back();
    } else if (!at.policy.pairs.empty()) {
      std::tie(one, other) = at.policy.pairs.front();
    } else {
      return {.why_not = "the policy joins no two states at the first step"};
    }
    random::Stream chance =
        random::SeededKey(audit::StreamAuditOptions::public_seed).stream("walks of replayed releases");
    const auto shared = stream::walk(stream.model().chain, options_.steps, chance);
    const auto rest = stream::walk(stream.model().chain, options_.steps, chance);
    const MakeRequest make = with_fields_of(*this, stream_release, [](const FieldTable& fields) {
      hold(fields, "steps",
           std::uint64_t{0});  // of walks here, and there of sequences that are protected as a whole
      hold(fields, "anyway", true);
    });
    const auto run = [&](std::uint32_t place) {
      auto second = rest;
      second.front() = at.states[place];
      return whole_release(make, columns_of({shared, second}, stream.model().space), caller);
    };
    return replay_releases(
        {.words = "two sequences, of which the second begins with one of two joined states",
         .first = run(one),
         .second = run(other),
         .claimed_loss = epsilon},
        shared.size() + rest.size());
  }

  static ColumnSet columns_of(const std::vector<std::vector<stream::StateId>>& sequences,
                              const mobility::StateSpace& space) {
    std::vector<std::int64_t> sequence;
    std::vector<std::string> state;
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      for (const stream::StateId at : sequences[i]) {
        sequence.push_back(static_cast<std::int64_t>(i));
        state.push_back(space.names.name(at));
      }
    }
    return ColumnSet().hold("sequence", std::move(sequence)).hold("state", std::move(state));
  }

  static Findings::Rows rows(const stream::StreamTerms& terms, const audit::StreamAudit& audit,
                             const ReplayedReleases& replayed) {
    return {{"mechanism", std::string(to_string(terms.mechanism))},
            {"claim", fmt::format("policy DP, epsilon {} at each step", terms.epsilon.value().to_string())},
            {"certificate",
             fmt::format("{} at {} steps, {} joined pairs; largest loss {:.6g}, {:.2f} % of epsilon",
                         audit.certified ? "kept" : "broken", grouped(audit.steps), grouped(audit.pairs),
                         audit.joined_loss, 100 * audit.share_of_epsilon)},
            {"ratios", fmt::format("largest {:.6g} at {} answers", audit.ratio_loss, grouped(audit.answers))},
            {"fit", fit_words(audit.fit, audit.fit_draws, audit::StreamAuditOptions::public_seed)},
            {"falsifier", fmt::format("a loss of at least {:.3g} shown by {} draws",
                                      audit.finding.loss_at_least, grouped(audit.finding.samples))},
            {"releases", replayed.row()},
            {"exposed steps",
             fmt::format("{}, at which the policy leaves a possible state alone", audit.exposed_steps)},
            {"separated steps",
             fmt::format("{}, at which an answer can tell states that are not joined apart for certain",
                         audit.separated_steps)}};
  }

  static Json as_json(const stream::StreamTerms& terms, const audit::StreamAudit& audit,
                      const ReplayedReleases& replayed) {
    return {{"kind", "stream"},
            {"mechanism", to_string(terms.mechanism)},
            {"policy", terms.policy},
            {"notion", "policy DP"},
            {"epsilon", terms.epsilon.value().to_string()},
            {"passed", audit.passed && !replayed.broken()},
            {"certified", audit.certified},
            {"steps", audit.steps},
            {"joined_pairs", audit.pairs},
            {"loss", audit.joined_loss},
            {"share_of_epsilon", audit.share_of_epsilon},
            {"ratio_loss", audit.ratio_loss},
            {"answers", audit.answers},
            {"same_noise", audit.same_noise},
            {"fit",
             {{"fits", audit.fit.fits},
              {"draws", audit.fit_draws},
              {"false_alarm", audit.fit.false_alarm},
              {"public_seed", audit::StreamAuditOptions::public_seed},
              {"inputs", fit_inputs(audit.fit, "of", audit.fitted)}}},
            {"falsifier",
             {{"broken", audit.finding.broken},
              {"loss_at_least", audit.finding.loss_at_least},
              {"pair", audit.finding.pair_words},
              {"samples", audit.finding.samples}}},
            {"releases", replayed.json()},
            {"exposed_steps", audit.exposed_steps},
            {"separated_steps", audit.separated_steps},
            {"verdict", audit.sentence}};
  }

  StreamFields stream_;
  audit::StreamAuditOptions options_;
};

}  // namespace

std::unique_ptr<Analysis> stream_audit() {
  return std::make_unique<StreamAudit>();
}

}  // namespace fogline::release
