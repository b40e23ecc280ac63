// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/engine/exact.hpp"
#include "base/progress.hpp"
#include "kernel/relation.hpp"
#include "kernel/weight_row.hpp"
#include "random/chi_square.hpp"
#include "random/key.hpp"

namespace fogline::audit {

/// Does a sampler follow its table? A certificate is about the table; this ties the two together.
///
///     FitVerdict fit = audit_fit(subject, std::vector<kernel::InputId>{0, 7}, random::SeededKey(1));
///     if (!fit.fits) std::cerr << fit.sentence;
///
/// How  The mechanism's own sampler draws `samples` outputs from each input. Counted are, by a choice that looks at the table only:
///      each output expected at least 10 times; the others together; and the likeliest outputs together, up to each sixteenth of
///      the probability, which shows a wrong rate long before any single output does.
/// Law  A right sampler fails with probability at most `false_alarm` per run, whatever the table: the count of each event is binomial, and
///      fails if the table's probability lies outside the bounds of Clopper and Pearson at false_alarm / (2 * events of all inputs), so that
///      the chances of all events and both sides add up to false_alarm. An output of weight 0 that is ever drawn fails at once.
/// A sampler that is not caught may still be wrong by less than the samples show: the chance of an event p by about
/// 6 sqrt(p / samples). The chi-square figure beside is Pearson's, for comparison; it decides nothing.
struct FitOptions {
  std::uint64_t samples = 100'000;  ///< of each input, 1,000 to 10^10
  double false_alarm = 1e-7;        ///< per run, 1e-12 to 1e-6
  int threads = 0;                  ///< 0 (all cores) to 1,024; the result does not depend on it
  Progress progress = {};           ///< told of the draws; may cancel
};

/// How one input fared.
struct InputFit {
  kernel::InputId input = 0;
  std::uint64_t samples = 0;
  std::uint64_t impossible = 0;    ///< draws of outputs of weight 0, or of none in the table
  std::size_t events = 0;          ///< counted
  std::size_t failures = 0;        ///< of them outside their bounds
  std::string first_failure = {};  ///< in words; empty without one
  random::ChiSquare chi_square = {};
};

struct FitVerdict {
  bool fits = false;
  double false_alarm = 0;  ///< chance of `fits == false` for a right sampler
  std::vector<InputFit> inputs = {};
  std::string sentence = {};

  std::uint64_t samples() const;      ///< in all
  double largest_deviations() const;  ///< of the chi-square figures
};

/// Draws and judges. Throws InvalidOption if there is no input or one outside the relation, no sampler, an option outside its range
/// or a row that is no distribution. The draws come from key.stream("audit fit", ...): use a SeededKey, nothing private is read.
FitVerdict audit_fit(const ExactCase& subject, std::span<const kernel::InputId> inputs,
                     const random::Key& key, const FitOptions& options = {});

/// What was drawn from one input, however it was drawn: how often each output of the table.
struct DrawnCounts {
  kernel::InputId input = 0;
  kernel::WeightRow row = {};
  std::vector<std::uint64_t> counts = {};  ///< one per weight
  std::uint64_t outside = 0;               ///< draws that no entry of the table stands for
  std::string_view each = "output";        ///< what an entry is called in words
};

/// Judges counts. `name` begins the sentence. Throws InvalidOption for counts that do not match their row, and as audit_fit.
FitVerdict judge_fit(std::string_view name, std::span<const DrawnCounts> drawn, double false_alarm);

}  // namespace fogline::audit
