// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command.hpp"

namespace fogline::cli::plan_parity_test {
namespace {

/// The names of all options of `KIND VERB`, without its arguments, which are private inputs.
std::set<std::string> options_of(const std::string& kind, const std::string& verb) {
  for (const auto& command : commands()) {
    if (command->info().words != std::vector{kind, verb}) continue;
    OptionSet options;
    command->declare(options);
    std::set<std::string> names;
    for (const OptionInfo& option : options.options()) {
      if (!option.positional) names.insert(option.flags);
    }
    return names;
  }
  ADD_FAILURE() << "there is no " << kind << " " << verb;
  return {};
}

/// Options of a release that settle neither what is promised, what it costs, what public things it is made of, nor how
/// far it errs: where the outputs go, randomness that can be repeated, how private inputs are read, and the consent to
/// a charge.
const std::set<std::string> everywhere{"-o,--output", "--guarded",   "--overwrite",
                                       "--sign",      "--statement", "--seed"};

struct Kind {
  std::string name;
  std::set<std::string> of_release_alone;
};

class PlanParity : public testing::TestWithParam<Kind> {};

TEST_P(PlanParity, EveryPlanTakesTheOptionsOfItsRelease) {
  const Kind& kind = GetParam();
  std::set<std::string> excepted = everywhere;
  excepted.insert(kind.of_release_alone.begin(), kind.of_release_alone.end());
  const std::set<std::string> plan = options_of(kind.name, "plan"),
                              release = options_of(kind.name, "release");
  std::set<std::string> lacking;
  std::ranges::set_difference(release, plan, std::inserter(lacking, lacking.end()));
  EXPECT_EQ(lacking, excepted);  // an exception that is none any more is taken off the list
}

void PrintTo(const Kind& kind, std::ostream* out) {
  *out << kind.name;
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, PlanParity,
    testing::Values(
        Kind{"place", {"--anyway", "--columns", "--csv-header", "--live", "--time-format", "-f,--format"}},
        Kind{"stream", {"--anyway", "--save", "--columns", "--sort", "--time-format"}},
        Kind{"weights", {"--anyway", "--columns", "-f,--format"}}, Kind{"path", {}},
        Kind{"traces", {"--anyway", "--users", "--columns", "--sort", "--time-format", "-f,--format"}}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace fogline::cli::plan_parity_test
