// SPDX-License-Identifier: Apache-2.0
#include "privacy/release.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"
#include "privacy/test_statement.hpp"

namespace fogline::privacy::release_test {
namespace {

namespace fs = std::filesystem;

/// Keeps what it is told.
struct Noted : ReleaseWatch {
  void charging() override { stages += "charging "; }
  void charged(const Receipt& receipt) override {
    const LedgerReference& paid = receipt.reference();
    entry = paid;
    stages += "charged ";
  }
  void writing() override { stages += "writing "; }
  void unsettled(std::string_view why) override { stages += "unsettled: " + std::string(why); }
  std::optional<LedgerReference> entry;
  std::string stages;
};

class ReleaseTest : public testing::Test {
 protected:
  ReleasePlan plan() const {
    ReleasePlan result{
        .draft = sample_statement(), .dataset = "riders", .ledger = folder_.path("ledger"), .output = out_};
    result.draft.outputs.clear();
    return result;
  }
  ReleaseTest() { declare(folder_.path("ledger")); }
  /// Releases and caps; the declaration is not counted, and what was settled is asked for by itself.
  std::uint64_t entries() const {
    if (!fs::exists(folder_.path("ledger"))) return 0;
    Ledger ledger(folder_.path("ledger"), {.access = Ledger::Access::existing});
    return ledger.head().entries - 1 - ledger.books().dataset("riders").settled;
  }
  std::optional<Settlement> settled(std::uint64_t entry) const {
    return Ledger(folder_.path("ledger"), {.access = Ledger::Access::existing}).settlement_of(entry);
  }
  static Drawn seven(const random::Key&) { return {"7\n", 1}; }

  TestFolder folder_;
  std::string out_ = folder_.path("safe.csv");
};

TEST_F(ReleaseTest, ChargesDrawsOnceAndPutsBothFilesInPlace) {
  int draws = 0;
  Noted charged;
  const Released done = release(
      plan(),
      [&](const random::Key& key) {
        ++draws;
        EXPECT_EQ(key.source(), random::Source::operating_system);
        EXPECT_EQ(entries(), 1U) << "drawn before the charge";
        EXPECT_FALSE(fs::exists(out_));
        return Drawn{"7\n", 1};
      },
      &charged);
  EXPECT_EQ(draws, 1);
  EXPECT_EQ(charged.entry, std::get<LedgerReference>(done.statement.ledger));
  EXPECT_EQ(charged.stages, "charging charged writing ");
  const Statement read = read_statement(out_ + ".statement.json");
  EXPECT_EQ(read.outputs.at(0).sha256, sha256_of_text("7\n"));
  EXPECT_EQ(read.outputs.at(0).sha256, sha256_of_file(out_));
  EXPECT_EQ(settled(2), (Settlement{2, sha256_of_file(out_), sha256_of_file(out_ + ".statement.json")}));
}

TEST_F(ReleaseTest, WhatTheLedgerCannotBeToldStandsAllTheSame) {
  Noted told;
  release(
      plan(),
      [&](const random::Key&) {
        fs::rename(folder_.path("ledger"), folder_.path("elsewhere"));
        fs::create_directory(folder_.path("ledger"));
        return Drawn{"7\n", 1};
      },
      &told);
  EXPECT_EQ(told.stages.substr(0, 36), "charging charged writing unsettled: ");
  EXPECT_EQ(sha256_of_file(out_), sha256_of_text("7\n"));
  EXPECT_EQ(Ledger(folder_.path("elsewhere"), {}).settlement_of(2), std::nullopt);
}

TEST_F(ReleaseTest, SeveralOutputsAreSettledByTheHashOfTheirHashes) {
  Statement written = sample_statement();
  Ledger ledger(folder_.path("ledger"), {});
  ReleaseRequest request{.dataset = "riders",
                         .kind = "place",
                         .mechanism = "gem",
                         .guarantee = written.guarantee,
                         .output = "-",
                         .version = "0.1.0"};
  EXPECT_THROW(settle(written, ledger, 1), Error) << "charged to another ledger";
  written.ledger = ledger.charge(request).reference();
  written.outputs.push_back({"more.csv", sha256_of_text("more"), 1});
  settle(written, ledger, 1);
  EXPECT_EQ(settled(2)->output_sha256,
            sha256_of_text(written.outputs[0].sha256 + "\n" + written.outputs[1].sha256 + "\n"));
  EXPECT_EQ(settled(2)->statement_sha256, sha256_of_text(to_json(written)));
}

TEST_F(ReleaseTest, FurtherOutputsAppearWithTheFirstAndAreNamedByTheStatement) {
  const auto draw = [](const random::Key&, const WriteOutput& write) {
    write("7\n");
    return DrawnInPieces(1, {}, {}, {{.text = "[7]", .records = 3}});
  };
  ReleasePlan with_counts = plan();
  with_counts.more_outputs = {out_ + ".counts.json"};
  const Released done = release_in_pieces(with_counts, draw);
  EXPECT_EQ(done.more_outputs, std::vector<std::string>{"[7]"});
  EXPECT_EQ(done.statement.outputs.at(1),
            (ReleasedFile{fs::path(out_).filename().string() + ".counts.json", sha256_of_text("[7]"), 3}));
  EXPECT_EQ(sha256_of_file(out_ + ".counts.json"), sha256_of_text("[7]"));
  EXPECT_EQ(read_statement(done.statement_file), done.statement);
  EXPECT_EQ(settled(2), settlement_of(done.statement));
  EXPECT_THROW(release_in_pieces(with_counts, draw), FileError) << "it is there already";
  with_counts.overwrite = true;
  for (const std::string& taken : {out_, folder_.path("ledger"), out_ + ".statement.json"}) {
    with_counts.more_outputs = {taken};
    EXPECT_THROW(require_releasable(with_counts), InvalidOption) << taken;
  }
  EXPECT_EQ(entries(), 1U);
}

TEST_F(ReleaseTest, FurtherOutputsOfAReleaseIntoMemoryAreGivenBackAndNoFiles) {
  std::string received;
  ReleasePlan into_memory = plan();
  into_memory.output = "-";
  into_memory.receive = [&](std::string_view piece) { received += piece; };
  into_memory.more_outputs = {"release.counts.json"};
  const Released done = release_in_pieces(into_memory, [](const random::Key&, const WriteOutput& write) {
    write("7\n");
    return DrawnInPieces(1, {}, {}, {{.text = "[7]", .records = 3}});
  });
  EXPECT_EQ(received, "7\n");
  EXPECT_EQ(done.more_outputs, std::vector<std::string>{"[7]"});
  EXPECT_EQ(done.statement.outputs.at(1), (ReleasedFile{"release.counts.json", sha256_of_text("[7]"), 3}));
  EXPECT_FALSE(fs::exists("release.counts.json"));
}

TEST_F(ReleaseTest, NeverReplacesTheLedgerAnInputOrItsOwnStatement) {
  Ledger(folder_.path("ledger"), {}).set_cap({"riders", {EpsilonMeasure::per_metre, Rational(1)}, 1});
  std::ofstream(folder_.path("private.csv")) << "lon,lat\n";
  fs::create_symlink(folder_.path("ledger"), folder_.path("link"));
  for (const auto& [output, statement] :
       std::vector<std::pair<std::string, std::string>>{{"ledger", ""},
                                                        {"link", ""},
                                                        {"./ledger", ""},
                                                        {"ledger-journal", ""},
                                                        {"private.csv", ""},
                                                        {"ok.csv", "ledger"},
                                                        {"ok.csv", "private.csv"},
                                                        {"ok.csv", "ok.csv"},
                                                        {"ok.csv", "./ok.csv"}}) {
    ReleasePlan bad = plan();
    bad.output = folder_.path(output);
    if (!statement.empty()) bad.statement = folder_.path(statement);
    bad.inputs = {folder_.path("private.csv")};
    bad.overwrite = true;
    EXPECT_THROW(release(bad, seven), InvalidOption) << output << " " << statement;
  }
  EXPECT_EQ(entries(), 1U);
  EXPECT_EQ(content_of(folder_.path("private.csv")), "lon,lat\n");
}

TEST_F(ReleaseTest, AStatementThatCannotBeWrittenIsFoundBeforeTheCharge) {
  for (const auto& spoil : std::vector<std::function<void(ReleasePlan&)>>{
           [](ReleasePlan& bad) { bad.draft.promise.clear(); },
           [](ReleasePlan& bad) {
             bad.draft.public_inputs = {{"bad\nname", std::string(64, 'a'), ""}};
           },
           [](ReleasePlan& bad) { bad.dataset = "riders "; },
           [](ReleasePlan& bad) { bad.dataset = "ri\u200Bders"; },
           [this](ReleasePlan& bad) { bad.output = folder_.path("\xff.csv"); },
           [](ReleasePlan& bad) { bad.output = "-"; }}) {
    ReleasePlan bad = plan();
    spoil(bad);
    EXPECT_THROW(release(bad, seven), Error);
    EXPECT_EQ(entries(), 0U);
  }
}

TEST_F(ReleaseTest, AFailureAfterTheChargeLeavesTheEntryAndNothingElse) {
  Noted charged;
  EXPECT_THROW(release(
                   plan(), [](const random::Key&) -> Drawn { throw Cancelled(); }, &charged),
               Cancelled);
  EXPECT_TRUE(charged.entry.has_value());
  EXPECT_EQ(entries(), 1U);
  EXPECT_FALSE(fs::exists(out_));
  EXPECT_FALSE(fs::exists(out_ + ".statement.json"));
  EXPECT_EQ(settled(2), std::nullopt);
}

TEST_F(ReleaseTest, WhatCanBeWrongIsFoundBeforeAnythingIsPrepared) {
  require_releasable(plan());
  EXPECT_EQ(entries(), 0U);
  EXPECT_FALSE(fs::exists(out_)) << "looking makes no file";
  ReleasePlan elsewhere = plan();
  elsewhere.ledger = folder_.path("another");
  EXPECT_THROW(require_releasable(elsewhere), BudgetError) << "a ledger that is not there declares nothing";
  EXPECT_FALSE(fs::exists(elsewhere.ledger)) << "nor any ledger";

  std::ofstream(out_) << "old\n";
  EXPECT_THROW(require_releasable(plan()), FileError);
  ReleasePlan over = plan();
  over.overwrite = true;
  require_releasable(over);
  EXPECT_EQ(content_of(out_), "old\n");

  ReleasePlan bad = over;
  bad.output = folder_.path("nowhere/safe.csv");
  EXPECT_THROW(require_releasable(bad), FileError);
  bad = over;
  bad.ledger = folder_.path("nowhere/ledger");
  EXPECT_THROW(require_releasable(bad), FileError);
  bad = over;
  bad.inputs = {out_};
  EXPECT_THROW(require_releasable(bad), InvalidOption);
}

TEST_F(ReleaseTest, AChargeThatWouldBeRefusedIsFoundBeforeAnythingIsPrepared) {
  Ledger(folder_.path("ledger"), {}).set_cap({"riders", {EpsilonMeasure::per_metre, Rational(0)}, 1});
  EXPECT_THROW(require_releasable(plan()), BudgetError);
  ReleasePlan other = plan();
  other.dataset = "walkers";
  EXPECT_THROW(require_releasable(other), BudgetError) << "not declared";
  declare(folder_.path("ledger"), "walkers");
  require_releasable(other);
  ReleasePlan seeded_plan = plan();
  seeded_plan.seed = 5;
  EXPECT_THROW(require_releasable(seeded_plan), BudgetError);
  EXPECT_EQ(entries(), 2U) << "the cap and the other dataset, and nothing else";
}

TEST_F(ReleaseTest, OverTheCapNothingIsDrawn) {
  Ledger(folder_.path("ledger"), {}).set_cap({"riders", {EpsilonMeasure::per_metre, Rational(0)}, 1});
  Noted charged;
  EXPECT_THROW(release(
                   plan(),
                   [](const random::Key&) -> Drawn {
                     ADD_FAILURE() << "drawn";
                     return {};
                   },
                   &charged),
               BudgetError);
  EXPECT_FALSE(charged.entry.has_value());
  EXPECT_TRUE(!fs::exists(out_) && !fs::exists(out_ + ".statement.json"));
}

TEST_F(ReleaseTest, ASeededRunPromisesNothingAndIsRepeatable) {
  ReleasePlan seeded_plan = plan();
  seeded_plan.seed = 5;
  const Released done = release(seeded_plan, [](const random::Key& key) {
    EXPECT_EQ(key.stream("x").next64(), random::SeededKey(5).stream("x").next64());
    return Drawn{"7\n", 1};
  });
  EXPECT_EQ(done.statement.guarantee.notion(), Notion::none);
  EXPECT_EQ(read_statement(done.statement_file).randomness, random::Source::seeded);
  EXPECT_EQ(Ledger(folder_.path("ledger"), {}).head().entries, 2U) << "the hash of what promises nothing";
}

TEST_F(ReleaseTest, ALiveReleaseHasItsStatementBeforeItsFirstPiece) {
  ReleasePlan live = plan();
  live.output = "-";
  live.statement = folder_.path("live.statement.json");
  testing::internal::CaptureStdout();
  const Released done = release_live(live, [&](const random::Key&, const WriteOutput& write) {
    EXPECT_EQ(entries(), 1U);
    EXPECT_EQ(read_statement(live.statement).outputs.at(0).records, 0U);
    write("7\n");
    write("8\n");
    return DrawnInPieces{2, nlohmann::ordered_json{{"steps", 2}}};
  });
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "7\n8\n");
  const Statement read = read_statement(live.statement);
  EXPECT_EQ(read, done.statement);
  EXPECT_EQ(read.outputs.at(0).sha256, sha256_of_text("7\n8\n"));
  EXPECT_EQ(read.outputs.at(0).records, 2U);
  EXPECT_EQ(read.outcome.json()["steps"], 2);
  EXPECT_EQ(settled(2), (Settlement{2, sha256_of_text("7\n8\n"), sha256_of_file(live.statement)}));
  live.output = out_;
  EXPECT_THROW(release_live(live, [](const random::Key&, const WriteOutput&) { return DrawnInPieces{0}; }),
               InvalidOption);
  EXPECT_EQ(entries(), 1U);
}

/// A refused charge leaves nothing drawn; an accepted one is on the disk when the first number is asked for.
TEST_F(ReleaseTest, ALiveReleaseIsChargedBeforeItDraws) {
  ReleasePlan live = plan();
  live.output = "-";
  std::string received;
  live.receive = [&](std::string_view piece) { received += piece; };
  std::vector<std::uint64_t> charged_at_draw;
  const auto draw = [&](const random::Key&, const WriteOutput& write) {
    charged_at_draw.push_back(entries());
    write("7\n");
    return DrawnInPieces{1};
  };
  release_live(live, draw);
  EXPECT_EQ(charged_at_draw, std::vector<std::uint64_t>{1});
  EXPECT_EQ(received, "7\n");
  live.dataset = "undeclared";
  EXPECT_ANY_THROW(release_live(live, draw));
  EXPECT_EQ(charged_at_draw.size(), 1U) << "drawn, though the ledger refused";
  EXPECT_EQ(received, "7\n");
}

TEST_F(ReleaseTest, ALiveReleaseThatFailsTellsOfWhatWentOut) {
  ReleasePlan live = plan();
  live.output = "-";
  live.statement = folder_.path("stranger.statement.json");
  testing::internal::CaptureStdout();
  EXPECT_THROW(release_live(live,
                            [&](const random::Key&, const WriteOutput& write) -> DrawnInPieces {
                              write("number\n7\n");
                              throw std::length_error("of nobody's hierarchy");
                            }),
               std::length_error);
  EXPECT_EQ(read_statement(live.statement).outputs.at(0).sha256,
            sha256_of_text(testing::internal::GetCapturedStdout()));
  live.statement = folder_.path("live.statement.json");
  testing::internal::CaptureStdout();
  EXPECT_THROW(release_live(live,
                            [&](const random::Key&, const WriteOutput& write) -> DrawnInPieces {
                              write("number\n");
                              write("7\n");
                              throw DataError({"input"}, "ends here");
                            }),
               DataError);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "number\n7\n");
  const Statement read = read_statement(live.statement);
  EXPECT_EQ(read.outputs.at(0).sha256, sha256_of_text("number\n7\n"));
  EXPECT_EQ(read.outputs.at(0).records, 1U);
  EXPECT_EQ(settled(4), (Settlement{4, sha256_of_text("number\n7\n"), sha256_of_file(live.statement)}));
}

TEST_F(ReleaseTest, WhatIsWrittenBesidesAppearsWithTheOutputOrNotAtAll) {
  ReleasePlan besides = plan();
  besides.also_written = {folder_.path("state.json")};
  const auto draw = [](const random::Key&) {
    return Drawn{.text = "number\n7\n", .records = 1, .also_written = {"{}"}};
  };
  std::filesystem::create_directory(folder_.path("state.json"));
  EXPECT_THROW(release(besides, draw), FileError);
  EXPECT_EQ(entries(), 0U);
  std::filesystem::remove(folder_.path("state.json"));
  EXPECT_THROW(release(besides,
                       [&](const random::Key& key) -> Drawn {
                         std::filesystem::create_directory(out_);
                         return draw(key);
                       }),
               FileError);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("state.json")));
  std::filesystem::remove(out_);
  release(besides, draw);
  EXPECT_EQ(content_of(folder_.path("state.json")), "{}");
}

TEST_F(ReleaseTest, WhatIsWrittenBesidesIsNoOtherFileOfTheRelease) {
  std::ofstream(folder_.path("private.csv")) << "lon,lat\n";
  for (const std::string& file :
       {std::string("ledger"), std::string("ledger-wal"), std::string("private.csv"), std::string("safe.csv"),
        std::string("safe.csv.statement.json")}) {
    ReleasePlan bad = plan();
    bad.inputs = {folder_.path("private.csv")};
    bad.also_written = {folder_.path(file)};
    EXPECT_THROW(release(bad, seven), InvalidOption) << file;
  }
  EXPECT_EQ(entries(), 0U);
}

}  // namespace
}  // namespace fogline::privacy::release_test
