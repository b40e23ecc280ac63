// SPDX-License-Identifier: Apache-2.0
// What is on the disk when: the calls that make a charge and a release last, in the order in which they are made.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "privacy/ledger.hpp"
#include "privacy/release_files.hpp"
#include "privacy/statement_log.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"
#include "privacy/test_statement.hpp"

/// Not nameless: the functions below, which are the C library's in name, call it.
namespace fogline::privacy::disk {

static std::vector<std::string>* journal = nullptr;  // of the test that is running

/// Temporary names of outputs end in a dot and six letters drawn at random.
static bool is_temporary(const std::filesystem::path& path) {
  const std::filesystem::path before_letters = path.stem();
  const bool is_output = before_letters.extension() == ".csv" || before_letters.extension() == ".json";
  return is_output && path.extension().string().size() == 7;
}

static void log_call(const std::string& call, const std::filesystem::path& path) {
  if (journal == nullptr) return;
  const std::filesystem::path name = is_temporary(path) ? path.stem() : path.filename();
  journal->push_back(call + " " + (std::filesystem::is_directory(path) ? "folder" : name.string()));
}

static std::filesystem::path path_of(int file) {
  std::error_code unknown;
  return std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file), unknown);
}

static bool is_temporary(int file) {
  return is_temporary(path_of(file));
}

static void log_call(const std::string& call, int file) {
  log_call(call, path_of(file));
}

template <class Function>
Function* next_of(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace fogline::privacy::disk

// These stand before the C library's, for this program and the libraries that it is linked with.
extern "C" {
int fsync(int file) {
  fogline::privacy::disk::log_call("sync", file);
  return fogline::privacy::disk::next_of<int(int)>("fsync")(file);
}
int fdatasync(int file) {
  fogline::privacy::disk::log_call("sync", file);
  return fogline::privacy::disk::next_of<int(int)>("fdatasync")(file);
}
int unlink(const char* path) noexcept {
  fogline::privacy::disk::log_call("remove", std::filesystem::path(path));
  return fogline::privacy::disk::next_of<int(const char*)>("unlink")(path);
}
int rename(const char* from, const char* to) noexcept {
  fogline::privacy::disk::log_call("place", std::filesystem::path(to));
  return fogline::privacy::disk::next_of<int(const char*, const char*)>("rename")(from, to);
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
  fogline::privacy::disk::log_call("place", std::filesystem::path(to));
  return fogline::privacy::disk::next_of<int(int, const char*, int, const char*, unsigned)>("renameat2")(
      from_folder, from, to_folder, to, flags);
}
int fchmod(int file, mode_t mode) noexcept {
  fogline::privacy::disk::log_call(fogline::privacy::disk::is_temporary(file) ? "permit temporary" : "permit",
                                   file);
  return fogline::privacy::disk::next_of<int(int, mode_t)>("fchmod")(file, mode);
}
}

namespace fogline::privacy::durability_test {
namespace {

using testing::ElementsAre;

class Durability : public testing::Test {
 protected:
  void TearDown() override { disk::journal = nullptr; }
  std::vector<std::string> calls_of(const std::function<void()>& action) {
    calls_.clear();
    disk::journal = &calls_;
    action();
    disk::journal = nullptr;
    return calls_;
  }

  TestFolder folder_;
  Statement statement_ = sample_statement();
  std::vector<std::string> calls_;
};

TEST_F(Durability, TheStatementIsOnTheDiskBeforeItsOutputAppears) {
  ReleaseFiles release({folder_.path("safe.csv"), folder_.path("links.csv")}, {});
  release.write_record(0, "17\n");
  EXPECT_THAT(calls_of([&] { release.commit(statement_); }),
              ElementsAre("sync safe.csv", "sync links.csv", "sync safe.csv.statement.json",  //
                          "sync safe.csv.statement.json", "place safe.csv.statement.json",
                          "permit safe.csv.statement.json", "sync folder",  //
                          "sync safe.csv", "place safe.csv", "permit safe.csv", "sync links.csv",
                          "place links.csv", "permit links.csv",  //
                          "sync folder", "sync folder", "sync folder"));
}

TEST_F(Durability, AnOldOutputIsGoneBeforeANewStatementAppears) {
  std::ofstream(folder_.path("safe.csv")) << "old";
  std::ofstream(folder_.path("safe.csv.statement.json")) << "old";
  ReleaseFiles release({folder_.path("safe.csv")}, {.overwrite = true, .statement = ""});
  EXPECT_THAT(
      calls_of([&] { release.commit(statement_); }),
      ElementsAre("sync safe.csv", "sync safe.csv.statement.json", "remove safe.csv", "sync folder",  //
                  "sync safe.csv.statement.json", "place safe.csv.statement.json",
                  "permit safe.csv.statement.json", "sync folder",  //
                  "sync safe.csv", "place safe.csv", "permit safe.csv", "sync folder", "sync folder"));
}

TEST_F(Durability, ACompanionIsThereBeforeTheOutputAndAfterTheStatement) {
  ReleaseFiles release({folder_.path("safe.csv")}, {.companions = {folder_.path("state.json")}});
  release.write_companion(0, "{}");
  const auto calls = calls_of([&] { release.commit(statement_); });
  const auto place_of = [&](const std::string& file) { return std::ranges::find(calls, "place " + file); };
  EXPECT_LT(place_of("safe.csv.statement.json"), place_of("state.json"));
  EXPECT_LT(place_of("state.json"), place_of("safe.csv"));
  EXPECT_NE(place_of("safe.csv"), calls.end());
}

TEST_F(Durability, AnOutputThatCannotBePutInPlaceTakesTheOthersAndTheStatementWithIt) {
  ReleaseFiles release({folder_.path("safe.csv"), folder_.path("links.csv")},
                       {.companions = {folder_.path("state.json")}});
  release.write_companion(0, "{}");
  std::filesystem::create_directory(folder_.path("links.csv"));  // after it was found to be free
  EXPECT_THROW(release.commit(statement_), FileError);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("state.json")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("safe.csv")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("safe.csv.statement.json")));
}

/// The ledger is told of a statement once it lasts; and nobody else may read it before there is anything to read.
TEST_F(Durability, ALineOfStatementsLastsWhenItWasAdded) {
  StatementLog log(folder_.path("safe.statements.jsonl"), {});
  EXPECT_THAT(calls_of([&] { log.add(statement_); }),
              ElementsAre("permit safe.statements.jsonl", "sync folder", "sync safe.statements.jsonl"));
  EXPECT_THAT(calls_of([&] { log.add(statement_); }), ElementsAre("sync safe.statements.jsonl"));
}

TEST_F(Durability, AChargeIsOnTheDiskBeforeThereIsAReceipt) {
  const ReleaseRequest request{"riders",   "place", "gem", sample_statement().guarantee,
                               "safe.csv", "0.1.0", 1};
  declare(folder_.path("ledger"));
  Ledger ledger(folder_.path("ledger"), {});
  for (int charge = 0; charge < 2; ++charge) {
    const auto calls = calls_of([&] { ledger.charge(request); });
    // What it takes to go back, then the entry, then the end of the way back: the entry cannot be lost any more.
    EXPECT_THAT(calls, ElementsAre("sync ledger-journal", "sync folder", "sync ledger-journal", "sync ledger",
                                   "remove ledger-journal", "sync folder"));
  }
}

/// One sync more than without an anchor, and before there is a receipt.
TEST_F(Durability, AnAnchorKeepsTheHeadBeforeThereIsAReceipt) {
  const ReleaseRequest request{"riders",   "place", "gem", sample_statement().guarantee,
                               "safe.csv", "0.1.0", 1};
  const auto anchor = make_anchor(folder_.path("anchor.log"));
  Ledger ledger(folder_.path("ledger"), {.anchor = [&](const std::string&) { return anchor; }});
  ledger.add_anchor(1);
  declare_in(ledger);
  const auto calls = calls_of([&] { ledger.charge(request); });
  EXPECT_THAT(calls, ElementsAre("sync ledger-journal", "sync folder", "sync ledger-journal", "sync ledger",
                                 "remove ledger-journal", "sync folder", "sync anchor.log"));
}

TEST_F(Durability, ANewLedgerIsOnTheDiskBeforeItHasItsName) {
  const auto calls = calls_of([&] { Ledger(folder_.path("ledger"), {}); });
  const auto placed = std::ranges::find(calls, "place ledger");
  ASSERT_NE(placed, calls.end());
  const auto is_sync = [](const std::string& call) { return call.starts_with("sync ledger."); };
  EXPECT_GE(std::ranges::count_if(calls.begin(), placed, is_sync), 2) << "the way back, and the ledger";
  ASSERT_NE(placed + 1, calls.end());
  EXPECT_EQ(placed[1], "sync folder");
}

}  // namespace
}  // namespace fogline::privacy::durability_test
