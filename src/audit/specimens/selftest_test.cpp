// SPDX-License-Identifier: Apache-2.0
#include "audit/specimens/selftest.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "privacy/test_folder.hpp"

namespace fogline::audit::selftest_test {
namespace {

std::vector<Specimen> specimens() {
  std::vector<Specimen> all = general_specimens();
  for (const auto of_kind :
       {place_specimens, stream_specimens, path_specimens, weights_specimens, trace_specimens})
    for (Specimen& specimen : of_kind()) all.push_back(std::move(specimen));
  return all;
}

/// One run for several tests: it takes a while.
const SelfTest& whole() {
  static const SelfTest test = [] {
    const privacy::TestFolder folder;
    return self_test(specimens(), {.folder = folder.name()});
  }();
  return test;
}

TEST(SelfTest, CatchesEveryBrokenMechanismAndAccusesNoRightOne) {
  const SelfTest& test = whole();
  EXPECT_TRUE(test.missed.empty()) << test.missed.front();
  EXPECT_TRUE(test.wronged.empty()) << test.wronged.front();
  EXPECT_TRUE(test.passed());
}

/// Which parts caught a bug.
std::set<Engine> caught_by(const SelfTest& test, const std::string& name) {
  std::set<Engine> engines;
  for (const Trial& trial : test.trials)
    if (trial.name == name && trial.broken && trial.accused) engines.insert(trial.engine);
  return engines;
}

TEST(SelfTest, EachPartCatchesWhatItIsFor) {
  const SelfTest& test = whole();
  const std::set outputs_and_replay{Engine::falsifier, Engine::replay};
  for (const std::string name :
       {"noise scale", "sensitivity from data", "range from data", "clipping after use", "true order used",
        "budget split", "not a number", "retry with fresh noise", "same noise twice", "number of records",
        "refusal by the truth"}) {
    EXPECT_EQ(caught_by(test, name), outputs_and_replay) << name;
  }
  EXPECT_EQ(caught_by(test, "same stream twice"), std::set{Engine::replay});
  EXPECT_EQ(caught_by(test, "floating-point noise"), std::set{Engine::falsifier});
  EXPECT_EQ(caught_by(test, "sparse vector"), std::set{Engine::falsifier});
  EXPECT_EQ(caught_by(test, "floating-point table with zeros"), std::set{Engine::certificate});
  EXPECT_EQ(caught_by(test, "modulo bias"), std::set{Engine::fit});
  EXPECT_EQ(caught_by(test, "charge after release"), std::set{Engine::charge_order});
  for (const std::string name : {"support cut to a ball", "total forgotten", "one-sided taken for two-sided"})
    EXPECT_TRUE(caught_by(test, name).contains(Engine::certificate) &&
                caught_by(test, name).contains(Engine::falsifier))
        << name;
}

TEST(SelfTest, EveryRightMechanismHasABug) {
  std::set<std::string> bugs, all;
  for (const Specimen& specimen : specimens()) (specimen.broken ? bugs : all).insert(specimen.name);
  EXPECT_GE(bugs.size(), 20U);
  EXPECT_GE(all.size(), 18U);
}

TEST(SelfTest, WouldNoticeABugThatSlipsThroughAndAWrongAccusation) {
  const privacy::TestFolder folder;
  auto all = specimens();
  std::vector<Specimen> swapped(all.begin(), all.begin() + 2);
  for (Specimen& specimen : swapped) specimen.broken = !specimen.broken;
  const SelfTest test = self_test(swapped, {.folder = folder.name()});
  EXPECT_EQ(test.missed.size(), 2U) << "by the falsifier and by replay";
  EXPECT_EQ(test.wronged.size(), 2U);
}

TEST(SelfTest, WouldNoticeAPartThatIsDead) {
  // A replay case that runs nothing: the falsifier still catches the bug, but the test must not pass.
  const privacy::TestFolder folder;
  std::vector<Specimen> one{specimens().front()};
  one[0].replay_case->first = one[0].replay_case->second = [](const random::Key&) { return std::string(); };
  const SelfTest test = self_test(one, {.folder = folder.name()});
  ASSERT_EQ(test.missed.size(), 1U);
  EXPECT_TRUE(test.missed[0].ends_with("(replay)"));
}

TEST(SelfTest, NeedsAFolder) {
  EXPECT_THROW(self_test({}, {.folder = "/nowhere"}), InvalidOption);
}

}  // namespace
}  // namespace fogline::audit::selftest_test
