// SPDX-License-Identifier: Apache-2.0
#include "fogline/ledger.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "fogline/error.hpp"
#include "fogline/request.hpp"
#include "privacy/test_folder.hpp"

namespace fogline::ledger_test {
namespace {

namespace fs = std::filesystem;

class Ledgers : public testing::Test {
 protected:
  static void release(Ledger& ledger) {
    Listener listener;
    Request request("place");
    request.set("network", "lattice:5x5:400")
        .set("epsilon", "0.01")
        .set("dataset", "riders")
        .set("anyway", true);
    request.input(
        ColumnSet().hold("lon", std::vector<double>{0.001}).hold("lat", std::vector<double>{0.001}));
    request.run(ledger, listener);
  }

  privacy::TestFolder folder_;
};

TEST_F(Ledgers, TakeCapsAsTexts) {
  Ledger ledger(folder_.path("ledger"));
  ledger.add_dataset("riders", {"epsilon 1 per metre"}, 1);
  ledger.set_cap("riders", "epsilon 1/2 per metre", 1);
  ledger.set_cap("riders", "epsilon 2 per person", 1);
  EXPECT_EQ(ledger.budget("riders", Measure::per_metre).cap, "0.5");
  EXPECT_EQ(ledger.person_loss("riders", Measure::plain).most.cap, "2");
  EXPECT_THROW(ledger.set_cap("riders", "2"), InvalidOption) << "of what?";
  EXPECT_THROW(ledger.set_cap("riders", "epsilon -1"), InvalidOption);
}

TEST_F(Ledgers, BoundRefusalsOfDeclaredDatasets) {
  Ledger ledger(folder_.path("ledger"));
  ledger.add_uncapped_dataset("riders", 1);
  const std::size_t before = ledger.lines().size();
  ledger.set_refusals("riders", 3, 1);
  EXPECT_EQ(ledger.lines().size(), before + 1);
  EXPECT_THROW(ledger.set_refusals("walkers", 3), InvalidOption);
}

TEST_F(Ledgers, AreAcceptedAlthoughTheirAnchorKnowsMore) {
  const std::string path = folder_.path("ledger"), anchor = folder_.path("anchor.log");
  Ledger(path, anchor).add_uncapped_dataset("riders", 1);
  fs::copy_file(path, folder_.path("backup"));
  {
    Ledger ledger(path, anchor);
    release(ledger);
  }
  fs::copy_file(folder_.path("backup"), path, fs::copy_options::overwrite_existing);
  {
    Ledger older(path, anchor);
    EXPECT_THROW(release(older), DataError);
  }
  Ledger accepted = Ledger::accept(path, anchor, "restored from the backup of Monday");
  EXPECT_EQ(accepted.lines().back().event, "accepted");
  EXPECT_EQ(accepted.lines().back().guarantee, "restored from the backup of Monday");
  release(accepted);
  Ledger again(path, anchor);
  release(again);
}

TEST_F(Ledgers, AreAcceptedOnlyIfTheyAreThereAndForAReason) {
  const std::string path = folder_.path("ledger"), anchor = folder_.path("anchor.log");
  EXPECT_THROW(Ledger::accept(path, anchor, "lost"), FileError);
  EXPECT_FALSE(fs::exists(path));
  Ledger(path, anchor).add_uncapped_dataset("riders", 1);
  EXPECT_THROW(Ledger::accept(path, "", "lost"), InvalidOption);
  EXPECT_THROW(Ledger::accept(path, anchor, ""), InvalidOption);
}

/// From a copy of the time before it had an anchor, to another place.
TEST_F(Ledgers, GetAnotherAnchorWhenTheyAreAccepted) {
  const std::string path = folder_.path("ledger"), anchor = folder_.path("other.log");
  Ledger(path).add_uncapped_dataset("riders", 1);
  Ledger accepted = Ledger::accept(path, anchor, "moved");
  release(accepted);
  Ledger unanchored(path);
  EXPECT_THROW(release(unanchored), DataError) << "its anchor is not known";
}

}  // namespace
}  // namespace fogline::ledger_test
