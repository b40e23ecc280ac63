// SPDX-License-Identifier: Apache-2.0
#include "weights/mechanisms/catalogue.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::weights::catalogue_test {
namespace {

MechanismChoice choice(ProtectedUnit unit, std::uint64_t most, const privacy::Epsilon& epsilon) {
  return {.epsilon = epsilon,
          .grid = WeightGrid::parse("1:40", "1"),
          .protection = {.unit = unit, .most = Rational(most)}};
}

TEST(Catalogue, MakesEveryMechanismItNames) {
  for (const std::string_view name : mechanism_names()) {
    MechanismChoice wanted = choice(ProtectedUnit::edge, 1, privacy::Epsilon{1, 1});
    wanted.name = name;
    EXPECT_EQ(make_mechanism(wanted)->name(), name);
    EXPECT_EQ(make_mechanism(wanted)->guarantee().epsilon(), Rational(1));
  }
}

TEST(Catalogue, DefaultIsTheBestForTheUnit) {
  const auto chosen = [](ProtectedUnit unit, std::uint64_t most, const privacy::Epsilon& epsilon) {
    return std::string(make_mechanism(choice(unit, most, epsilon))->name());
  };
  EXPECT_EQ(chosen(ProtectedUnit::edge, 1, privacy::Epsilon{1, 1}), "blocks");
  EXPECT_EQ(chosen(ProtectedUnit::trip, 10, privacy::Epsilon{5, 1}), "geometric");
  EXPECT_EQ(chosen(ProtectedUnit::change, 1, privacy::Epsilon{5, 1}), "geometric");
  EXPECT_EQ(chosen(ProtectedUnit::change, 10, privacy::Epsilon{5, 1}), "staircase");
}

TEST(Catalogue, RefusesWhatDoesNotProtectTheUnit) {
  MechanismChoice blocks = choice(ProtectedUnit::change, 1, privacy::Epsilon{1, 1});
  blocks.name = "blocks";
  EXPECT_THROW(make_mechanism(blocks), InvalidOption);
  MechanismChoice staircase = choice(ProtectedUnit::trip, 3, privacy::Epsilon{1, 1});
  staircase.name = "staircase";
  EXPECT_THROW(make_mechanism(staircase), InvalidOption);
  MechanismChoice unknown = choice(ProtectedUnit::edge, 1, privacy::Epsilon{1, 1});
  unknown.name = "laplace";
  EXPECT_THROW(make_mechanism(unknown), InvalidOption);
}

}  // namespace
}  // namespace fogline::weights::catalogue_test
