// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "audit/engine/falsifier.hpp"
#include "audit/engine/fit.hpp"
#include "audit/kinds/step_fit.hpp"
#include "base/progress.hpp"
#include "stream/public_stream.hpp"

namespace fogline::audit {

struct StreamAuditOptions {
  std::size_t walks = 2;           ///< of the model, 1 to 1,000
  std::size_t steps = 10;          ///< of each walk, 1 to 10,000
  std::uint64_t samples = 20'000;  ///< draws of each fit and of each input of the falsifier, 1,000 to 10^8
  double false_alarm = 1e-7;       ///< of fit and falsifier each, per audit; 1e-12 to 1e-6
  int threads = 0;                 ///< 0 (all cores) to 1,024
  Progress progress = {};          ///< told of steps and samples; may cancel
  StepMaker make = {};  ///< in place of the stream's own mechanism: to test the audit with planted faults

  static constexpr std::uint64_t public_seed = 1;
};

/// Audits the mechanism of a stream on the situations that walks of its own model lead into.
///
///     StreamAudit audit = audit_stream(stream);
///     if (!audit.passed) std::cerr << audit.sentence;
///
/// Certificate  of every step, from the integers it draws with: all joined states, all answers.
/// Ratios       of every step: the weights that the mechanism states for the Bayes update, compared between all joined states, at all answers of a table;
///              of noise at answers beyond states that lie farthest apart, along the corners and facets of the hull, where the ratio is largest.
/// Same noise   of noise: drawn with the same randomness, the answers of two states differ by their points.
/// Fit          at some of the steps, draws against the weights: of tables as they are, of noise for some of the states on a lattice coarse enough
///              to list its answers, made by the same code.
/// Falsifier    at the same steps, on joined states that lie farthest apart.
///
/// The certificate and a fit do not prove the code of a sampler; docs/mechanisms/k-norm.md argues it. Reads no private record; everything is drawn
/// from SeededKey(public_seed). Cost: walks * steps steps of a tracker, four fits, and the falsifier.
struct StreamAudit {
  bool passed = false;     ///< nothing below speaks against it
  bool certified = false;  ///< at every step
  std::uint64_t steps = 0;
  std::uint64_t pairs = 0;  ///< joined pairs certified, over all steps
  double joined_loss = 0;   ///< the largest, by the certificates
  double share_of_epsilon = 0;
  std::uint64_t exposed_steps = 0;  ///< at which the policy as given left a state exposed
  std::uint64_t separated_steps =
      0;                      ///< at which an answer can tell states apart for certain that are not joined
  std::uint64_t answers = 0;  ///< at which ratios were looked at
  double ratio_loss = 0;      ///< the largest there
  bool ratios_hold = false;
  bool same_noise = false;      ///< or no noise
  std::uint64_t fit_draws = 0;  ///< each counted by answer, and for noise by class too
  FitVerdict fit = {};
  std::vector<std::string> fitted = {};  ///< what the draws of each input of `fit` are from
  Finding finding = {};
  std::string sentence = {};
};

/// Throws InvalidOption for an option out of range; Cancelled.
StreamAudit audit_stream(const stream::PublicStream& stream, const StreamAuditOptions& options = {});

}  // namespace fogline::audit
