// SPDX-License-Identifier: Apache-2.0
// How long the falsifier takes to show a Laplace mechanism run at 1.2 times its claimed epsilon of 1 (the bar: a minute on two cores), and to let the
// right one go.
#include <vector>

#include <benchmark/benchmark.h>

#include "audit/engine/falsifier.hpp"
#include "random/samplers.hpp"

namespace fogline::audit {
namespace {

/// A number of sensitivity 1,000, moved by all of it.
Pair laplace(const Rational& epsilon) {
  const random::DiscreteLaplace noise(epsilon / 1000);
  const auto run = [noise](std::int64_t truth) {
    return [noise, truth](random::Stream& stream) {
      return Numbers{static_cast<double>(truth + noise(stream))};
    };
  };
  return {
      .words = "a number moved by its sensitivity", .first = run(0), .second = run(1000), .claimed_loss = 1};
}

void falsify_laplace(benchmark::State& state, const Rational& epsilon, bool expected) {
  const std::vector pairs{laplace(epsilon)};
  std::uint64_t seed = 0, samples = 0;
  for (auto _ : state) {
    const Finding finding = falsify(pairs, {.key = random::SeededKey(++seed), .most_samples = 100'000});
    if (finding.broken != expected) state.SkipWithError("the verdict is wrong");
    samples += finding.samples;
  }
  state.counters["runs"] = static_cast<double>(samples) / static_cast<double>(state.iterations());
}

void laplace_at_1_2(benchmark::State& state) {
  falsify_laplace(state, {12, 10}, true);
}
void laplace_at_1_0(benchmark::State& state) {
  falsify_laplace(state, {1, 1}, false);
}

BENCHMARK(laplace_at_1_2)
    ->Name("falsifier/laplace_at_1.2_of_its_claim")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(laplace_at_1_0)
    ->Name("falsifier/laplace_at_its_claim_100000_samples")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace fogline::audit
