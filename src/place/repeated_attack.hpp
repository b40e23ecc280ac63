// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/progress.hpp"
#include "kernel/best_guess.hpp"
#include "place/mechanism.hpp"

namespace fogline::place {

struct RepeatedOptions {
  std::vector<std::uint64_t> reports = {1, 2, 5, 10, 20, 50};  ///< ascending, 1 to 100,000
  std::uint64_t samples = 1000;  ///< people drawn from the prior, 10 to 10,000,000
  std::uint64_t seed = 1;        ///< public: nothing private is drawn
  int threads = 0;               ///< 0 (all cores) to 1,024
  Progress progress = {};
};

/// What is known after k reports, on average; the error and tp of the optimal and of the most likely guess.
struct AfterReports {
  std::uint64_t reports = 0;
  std::uint64_t people = 0;  ///< that were drawn, or of whom so many answers are known
  double epsilon_per_m = 0;  ///< k times that of one report
  double error_m = 0, error_standard_error_m = 0;
  double tp = 0, tp_standard_error = 0;
  double entropy_bits = 0;  ///< of the posterior; log2(n) says that nothing is known, 0 that all is
};

/// The same person reports again and again from the same vertex, and an attacker who knows that adds up what the reports say.
///
///     for (const AfterReports& row : repeated_attack(*mechanism, prior, likelihood, metres, {.samples = 2000}))
///       print(row.reports, row.epsilon_per_m, row.error_m, row.tp, row.entropy_bits);
///
/// Draws people from the prior and reports from the mechanism, updates the exact posterior, and takes the posterior's own expected error and
/// hit rate, which average to those of the guesses. Reports come from a fixed public seed and do not depend on the number of threads.
/// Throws InvalidOption for a bad option. Cost: samples times reports draws, and for each number of reports 2 n^2 floating-point
/// operations a person; one more table of logarithms.
std::vector<AfterReports> repeated_attack(const VertexMechanism& mechanism, std::span<const double> prior,
                                          const kernel::Table& likelihood, const kernel::Table& metres,
                                          const RepeatedOptions& options = {});

/// The same of answers that were recorded, each person's in their order, as outputs of the mechanism: what they tell somebody who takes each person to have stayed at one vertex. Who
/// did not stay is not where he is thought to be then; nothing of the truth is needed. After k reports those count of whom k answers are known. Of the options, samples and seed are
/// not used. Throws InvalidOption for an answer outside the range.
std::vector<AfterReports> recorded_attack(const VertexMechanism& mechanism, std::span<const double> prior,
                                          const kernel::Table& likelihood, const kernel::Table& metres,
                                          std::span<const std::vector<graph::VertexId>> answers,
                                          const RepeatedOptions& options = {});

}  // namespace fogline::place
