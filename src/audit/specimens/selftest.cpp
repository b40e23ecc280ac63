// SPDX-License-Identifier: Apache-2.0
#include "audit/specimens/selftest.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "audit/engine/fit.hpp"
#include "base/error.hpp"

namespace fogline::audit {
namespace {

bool is_blind(const Specimen& specimen, Engine engine) {
  return std::find(specimen.blind.begin(), specimen.blind.end(), engine) != specimen.blind.end();
}

Trial trial_of(const Specimen& specimen, Engine engine) {
  return {.origin = specimen.origin,
          .name = specimen.name,
          .words = specimen.words,
          .broken = specimen.broken,
          .engine = engine,
          .blind = is_blind(specimen, engine),
          .evidence = {}};
}

Trial certify_specimen(const Specimen& specimen, const SelfTestOptions& options) {
  Trial trial = trial_of(specimen, Engine::certificate);
  const ExactVerdict verdict = audit_exactly(*specimen.exact_case, {.threads = options.threads});
  trial.accused = !verdict.holds;
  trial.claimed_loss = specimen.exact_case->claim.epsilon().to_double();
  trial.loss_at_least = verdict.loss_low;
  trial.evidence = verdict.sentence;
  return trial;
}

Trial fit_specimen(const Specimen& specimen, const SelfTestOptions& options) {
  Trial trial = trial_of(specimen, Engine::fit);
  std::vector<kernel::InputId> inputs{0};
  if (specimen.exact_case->relation.inputs() > 1)
    inputs.push_back(static_cast<kernel::InputId>(specimen.exact_case->relation.inputs() - 1));
  const FitVerdict verdict = audit_fit(*specimen.exact_case, inputs, random::SeededKey(options.seed),
                                       {.samples = options.most_samples, .threads = options.threads});
  trial.accused = !verdict.fits;
  trial.evidence = verdict.sentence;
  trial.samples = verdict.samples();
  return trial;
}

Trial falsify_specimen(const Specimen& specimen, const SelfTestOptions& options) {
  Trial trial = trial_of(specimen, Engine::falsifier);
  // Of what is broken a usual run needs only as many samples as it takes; a thorough one goes on, and needs no more for what is hard to break.
  const double effort =
      options.thorough ? std::min(specimen.effort, 1.0) : specimen.effort * (specimen.broken ? 4 : 1);
  const auto most = std::max(static_cast<std::uint64_t>(static_cast<double>(options.most_samples) * effort),
                             std::min<std::uint64_t>(options.most_samples, 4'000));
  const Finding finding = falsify(specimen.pairs, {.key = random::SeededKey(options.seed),
                                                   .most_samples = most,
                                                   .first_samples = std::min<std::uint64_t>(most, 2'000),
                                                   .stop_when_broken = !options.thorough,
                                                   .threads = options.threads});
  trial.accused = finding.broken;
  trial.claimed_loss = finding.claimed_loss;
  trial.loss_at_least = finding.loss_at_least;
  trial.evidence = finding.event.empty() ? "no event told the inputs apart" : finding.event;
  trial.samples = finding.samples;
  return trial;
}

Trial replay_specimen(const Specimen& specimen, const SelfTestOptions& options) {
  Trial trial = trial_of(specimen, Engine::replay);
  const ReplayFinding finding =
      replay(*specimen.replay_case, {.key = random::SeededKey(options.seed), .runs = options.replays});
  trial.accused = finding.broken;
  trial.claimed_loss = finding.claimed_loss;
  trial.loss_at_least = finding.largest_loss;
  trial.evidence =
      finding.broken ? finding.reason : fmt::format("nothing differed in {} replays", finding.runs);
  trial.samples = 4 * finding.runs;  // a record and a replay, both ways
  if (!finding.broken && finding.meetings == 0 && specimen.origin == Origin::released) {
    trial.accused = true;  // a release that is refused both times shows nothing
    trial.evidence = "nothing was drawn";
  }
  return trial;
}

Trial walk_specimen(const Specimen& specimen, const SelfTestOptions& options) {
  Trial trial = trial_of(specimen, Engine::charge_order);
  const auto folder = std::filesystem::path(options.folder) / "walk";
  std::filesystem::create_directory(folder);
  const ChargeOrderFinding finding = check_charge_order(specimen.walk, folder.string());
  std::filesystem::remove_all(folder);
  trial.accused = finding.broken;
  trial.evidence = finding.broken ? finding.reason : "it pays, then draws once, then writes";
  return trial;
}

using Face = Trial (*)(const Specimen&, const SelfTestOptions&);

std::vector<Face> faces_of(const Specimen& specimen) {
  std::vector<Face> faces;
  if (specimen.exact_case) faces.push_back(certify_specimen);
  if (specimen.exact_case && specimen.exact_case->draw) faces.push_back(fit_specimen);
  if (!specimen.pairs.empty()) faces.push_back(falsify_specimen);
  if (specimen.replay_case) faces.push_back(replay_specimen);
  if (specimen.walk) faces.push_back(walk_specimen);
  return faces;
}

void judge(const Specimen& specimen, const Trial& trial, SelfTest& test) {
  if (trial.accused == specimen.broken) return;
  if (specimen.broken && trial.blind) return;
  (specimen.broken ? test.missed : test.wronged)
      .push_back(fmt::format("{}: {} ({})", specimen.name, specimen.words, to_string(trial.engine)));
}

/// A bug to which every part is blind would go unnoticed by this test.
void require_a_seer(const Specimen& specimen, const std::vector<Trial>& trials, SelfTest& test) {
  const bool seen =
      std::any_of(trials.begin(), trials.end(), [](const Trial& trial) { return !trial.blind; });
  if (!seen)
    test.missed.push_back(fmt::format("{}: {} (no part looks at it)", specimen.name, specimen.words));
}

}  // namespace

SelfTest self_test(std::span<const Specimen> specimens, const SelfTestOptions& options) {
  if (!std::filesystem::is_directory(options.folder) || !std::filesystem::is_empty(options.folder))
    throw InvalidOption("folder", "must exist and be empty");
  ProgressMeter meter(options.progress, "testing the auditor", specimens.size());
  SelfTest test;
  for (const Specimen& specimen : specimens) {
    std::vector<Trial> trials;
    for (const Face face : faces_of(specimen)) {
      const double begin = options.clock_s ? options.clock_s() : 0;
      trials.push_back(face(specimen, options));
      if (options.clock_s) trials.back().seconds = options.clock_s() - begin;
      judge(specimen, trials.back(), test);
    }
    require_a_seer(specimen, trials, test);
    std::move(trials.begin(), trials.end(), std::back_inserter(test.trials));
    meter.advance();
  }
  meter.finish();
  return test;
}

}  // namespace fogline::audit
