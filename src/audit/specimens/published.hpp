// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "audit/engine/pair.hpp"

namespace fogline::audit {

/// A published mechanism with neighbouring inputs that show what its claim is worth; or its right twin, which differs in the one
/// thing that matters, and keeps the same claim.
///
///     for (const PublishedCase& published : published_cases()) {
///       const Finding finding = falsify(published.pairs, {.key = random::SeededKey(1)});
///       assert(finding.broken == (published.form == PublishedCase::Form::broken));
///     }
///
/// All inputs are invented. Runs take microseconds and may be called from several threads. What is wrong is told apart by two instruments: the
/// falsifier needs only outputs; record-and-replay needs the texts, and sees what passes by the noise and what the noise does not pay for, but not
/// a sampler that draws something else than it declares (the K-norm forms).
struct PublishedCase {
  enum class Form { broken, right_twin };
  using Text = std::function<std::string(random::Stream&)>;

  std::string kind;       ///< "weights", "stream", "traces"
  std::string mechanism;  ///< unique: "mb-ci"
  std::string paper;
  std::string claim;   ///< in words
  std::string reason;  ///< one sentence: why the claim does not hold; of a twin, why it does
  Form form = Form::broken;
  std::vector<Pair> pairs;  ///< with the claim as claimed_loss
  Text first_text,
      second_text;  ///< the mechanism on the inputs of the first pair, its whole output as exact_text
};

std::vector<PublishedCase> published_cases();

}  // namespace fogline::audit
