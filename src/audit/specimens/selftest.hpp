// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "audit/specimens/specimen.hpp"
#include "base/progress.hpp"

namespace fogline::audit {

/// The auditor audited: every specimen goes through every part of the engine that can take hold of it. Each part must catch every bug it is not known to be
/// blind to, and no part may accuse a right mechanism.
///
///     SelfTest test = self_test(specimens(), {.folder = empty_folder});
///     if (!test.passed()) ...
struct SelfTestOptions {
  std::string folder;      ///< exists and is empty; ledgers are made in it
  std::uint64_t seed = 1;  ///< of all draws: an audit is repeatable
  std::uint64_t most_samples =
      8'000;  ///< of each input, for the falsifier (four times as many for what should be broken) and the fit: 1,000 to 10^9
  bool thorough = false;  ///< falsify on when a claim is broken, for the highest bound that the samples give
  std::uint64_t replays = 50;            ///< at least 1
  int threads = 0;                       ///< 0 (all cores) to 1,024
  Progress progress = {};                ///< told of specimens
  std::function<double()> clock_s = {};  ///< for Trial::seconds
};

/// One specimen under one part of the engine.
struct Trial {
  Origin origin = Origin::planted;
  std::string name, words;
  bool broken = true;  ///< the specimen is a planted bug
  Engine engine = Engine::falsifier;
  bool blind = false;  ///< this part is known not to see this bug
  bool accused = false;
  double claimed_loss = 0;   ///< for certificate, falsifier and replay
  double loss_at_least = 0;  ///< shown; may be infinite
  std::string evidence;      ///< in words
  std::uint64_t samples = 0;
  double seconds = 0;
};

struct SelfTest {
  std::vector<Trial> trials;
  std::vector<std::string>
      missed;  ///< broken mechanisms, and a part that should have caught them and did not: "name: words (part)"
  std::vector<std::string> wronged;  ///< right mechanisms, and the part that accused them
  bool passed() const { return missed.empty() && wronged.empty(); }
};

SelfTest self_test(std::span<const Specimen> specimens, const SelfTestOptions& options);

}  // namespace fogline::audit
