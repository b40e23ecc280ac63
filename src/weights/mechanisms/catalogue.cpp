// SPDX-License-Identifier: Apache-2.0
#include "weights/mechanisms/catalogue.hpp"

#include "base/error.hpp"
#include "weights/mechanisms/blocks.hpp"
#include "weights/mechanisms/noise.hpp"

namespace fogline::weights {
namespace {

Noise::Options noise_options(const MechanismChoice& choice, NoiseLaw law) {
  return {.law = law,
          .grid = choice.grid,
          .epsilon = choice.epsilon,
          .protection = choice.protection,
          .rounding = choice.rounding,
          .positive = choice.positive};
}

std::unique_ptr<EdgeMechanism> make_blocks(const MechanismChoice& choice) {
  if (choice.protection.unit != ProtectedUnit::edge)
    throw InvalidOption("mechanism", "blocks protects an edge's whole weight: take geometric or staircase");
  return std::make_unique<Blocks>(Blocks::Options{
      .grid = choice.grid, .epsilon = choice.epsilon, .prior = choice.prior, .positive = choice.positive});
}

}  // namespace

std::vector<std::string_view> mechanism_names() {
  return {"blocks", "geometric", "staircase"};
}

std::string default_mechanism(const MechanismChoice& choice) {
  if (choice.protection.unit == ProtectedUnit::edge) return "blocks";
  if (choice.protection.unit == ProtectedUnit::trip) return "geometric";
  const double geometric = Noise(noise_options(choice, NoiseLaw::geometric)).expected_noise();
  const double staircase = Noise(noise_options(choice, NoiseLaw::staircase)).expected_noise();
  // For a change of one step they are the same noise: the simpler name.
  constexpr double rounding = 1e-12;
  return geometric <= staircase * (1 + rounding) ? "geometric" : "staircase";
}

std::unique_ptr<EdgeMechanism> make_mechanism(const MechanismChoice& choice) {
  const std::string name = choice.name.empty() ? default_mechanism(choice) : choice.name;
  if (name == "blocks") return make_blocks(choice);
  if (name == "geometric") return std::make_unique<Noise>(noise_options(choice, NoiseLaw::geometric));
  if (name == "staircase") return std::make_unique<Noise>(noise_options(choice, NoiseLaw::staircase));
  throw InvalidOption("mechanism", "is blocks, geometric or staircase");
}

}  // namespace fogline::weights
