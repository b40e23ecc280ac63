// SPDX-License-Identifier: Apache-2.0
#include "privacy/anchor.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "privacy/ledger_check.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"

namespace fogline::privacy::anchor_test {
namespace {

namespace fs = std::filesystem;

class AnchorTest : public testing::Test {
 protected:
  Ledger::Options anchored(const std::string& where) const {
    return {.anchor = [where](const std::string&) { return make_anchor(where); }};
  }
  std::string older_copy() const {
    const std::string older = folder_.path("older");
    fs::copy_file(path_, older, fs::copy_options::overwrite_existing);
    return older;
  }
  void put_back(const std::string& copy) const {
    fs::copy_file(copy, path_, fs::copy_options::overwrite_existing);
  }

  /// An older copy, a cut tail and a rewritten history are refused; the newest copy is not.
  void expect_a_memory(const std::string& where) const {
    {
      Ledger ledger(path_, anchored(where));
      ledger.add_anchor(1);
      declare_in(ledger);
      ledger.charge(report_request());
    }
    const std::string older = older_copy();
    Ledger(path_, anchored(where)).charge(report_request());
    const std::string newest = folder_.path("newest");
    fs::copy_file(path_, newest);

    put_back(older);
    EXPECT_THROW(Ledger(path_, anchored(where)).charge(report_request()), DataError) << where;
    EXPECT_THROW(Ledger(path_, anchored(where)).books(), DataError) << "what is left would be told too high";
    EXPECT_THROW(Ledger(path_, anchored(where)).entry(1), DataError) << "a statement would pass";
    EXPECT_THROW(Ledger(path_, {}).charge(report_request()), DataError) << "an anchor that is not known here";

    // As long as before, with another history.
    fs::remove(path_);
    fs::copy_file(older, path_);
    tamper(path_, "DROP TRIGGER entries_no_DELETE; DROP TRIGGER head_moves_on");
    put_back(older);
    {
      Ledger elsewhere(path_, anchored(folder_.path("another.log")));
      elsewhere.accept("to get round the anchor", 2);
    }
    EXPECT_THROW(Ledger(path_, anchored(where)).charge(report_request()), DataError);

    put_back(newest);
    EXPECT_NO_THROW(Ledger(path_, anchored(where)).charge(report_request()));

    put_back(older);
    {
      Ledger accepted(path_, anchored(where));
      EXPECT_THROW(accepted.accept("", 3), InvalidOption);
      accepted.accept("the newest copy is lost", 3);
      EXPECT_NO_THROW(accepted.charge(report_request()));
    }
    EXPECT_EQ(Ledger(path_, anchored(where)).entry(4)->accepted_because, "the newest copy is lost");
    put_back(older);
    EXPECT_THROW(Ledger(path_, anchored(where)).charge(report_request()), DataError) << "accepted once";
  }

  TestFolder folder_;
  std::string path_ = folder_.path("project.ledger");
};

TEST_F(AnchorTest, AFileRemembers) {
  expect_a_memory(folder_.path("anchor.log"));
}

TEST_F(AnchorTest, AFolderRemembers) {
  fs::create_directory(folder_.path("anchors"));
  expect_a_memory(folder_.path("anchors"));
  EXPECT_TRUE(fs::exists(folder_.path("anchors/" + Ledger(path_, {}).id() + ".anchor")));
}

/// A program that keeps the last line it was told, as a database would.
TEST_F(AnchorTest, ACommandRemembers) {
  const std::string program = folder_.path("keeper");
  std::ofstream(program) << fmt::format(
      "#!/bin/sh\nfile={}/kept-$2\ncase $1 in\nkept) [ ! -e $file ] || cat $file;;\nkeep|accept) echo $3 $4 "
      "> $file;;\n"
      "*) exit 1;;\nesac\n",
      folder_.name());
  fs::permissions(program, fs::perms(0700));
  expect_a_memory("command:" + program);
}

TEST_F(AnchorTest, APlaceThatCannotBeReachedStopsTheCharge) {
  EXPECT_THROW(Ledger(path_, anchored("command:false")).add_anchor(1), FileError);
  EXPECT_THROW(Ledger(path_, anchored(folder_.path("none/anchor.log"))).add_anchor(1), FileError);
  EXPECT_EQ(Ledger(path_, {}).head().entries, 0U) << "a ledger that nobody could charge";
  EXPECT_THROW(make_anchor(""), InvalidOption);
  EXPECT_THROW(make_anchor("command:"), InvalidOption);
  std::ofstream(folder_.path("notes.txt")) << "dear diary\n";
  EXPECT_THROW(Ledger(folder_.path("other"), anchored(folder_.path("notes.txt"))).add_anchor(1), DataError);
}

/// Its id becomes part of file names and commands.
TEST_F(AnchorTest, ALedgerOfAStrangerRunsNothing) {
  { const Ledger made(path_, {}); }
  tamper(path_,
         "DROP TRIGGER ledger_no_UPDATE; UPDATE ledger SET id = 'x; touch " + folder_.path("run") + " #'");
  EXPECT_THROW(Ledger(path_, anchored("command:true")).add_anchor(1), Error);
  EXPECT_FALSE(fs::exists(folder_.path("run")));
  EXPECT_FALSE(verify_ledger(path_).sound());
}

TEST_F(AnchorTest, AnAnchorThatForgotIsNotBelieved) {
  const std::string where = folder_.path("anchor.log");
  Ledger(path_, anchored(where)).add_anchor(1);
  fs::remove(where);
  EXPECT_THROW(Ledger(path_, anchored(where)).set_cap(report_cap(Rational(1))), DataError);
}

TEST_F(AnchorTest, ALineThatACrashCutOffStopsNobody) {
  const std::string where = folder_.path("anchor.log");
  {
    Ledger ledger(path_, anchored(where));
    ledger.add_anchor(1);
    declare_in(ledger);
  }
  std::ofstream(where, std::ios::app) << "kept 0123";
  EXPECT_NO_THROW(Ledger(path_, anchored(where)).charge(report_request()));
  EXPECT_NO_THROW(Ledger(path_, anchored(where)).charge(report_request()));
  const auto kept = make_anchor(where)->kept(Ledger(path_, {}).id());
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->entries, 4U);
}

/// Two processes may write in another order than they charged in.
TEST_F(AnchorTest, TheLongestHeadCounts) {
  const auto anchor = make_anchor(folder_.path("anchor.log"));
  const std::string id(32, 'a'), hash(64, 'b');
  EXPECT_EQ(anchor->kept(id), std::nullopt);
  anchor->keep({id, 7, hash}, 1);
  anchor->keep({id, 6, hash}, 1);
  anchor->keep({std::string(32, 'c'), 9, hash}, 1);
  EXPECT_EQ(anchor->kept(id)->entries, 7U);
  anchor->accept({id, 2, hash}, 1);
  EXPECT_EQ(anchor->kept(id)->entries, 2U);
  anchor->keep({id, 3, hash}, 1);
  EXPECT_EQ(anchor->kept(id)->entries, 3U);
  // Others may have written much since.
  for (std::uint64_t i = 1; i < 1500; ++i) anchor->keep({std::string(32, 'd'), i, hash}, 1);
  EXPECT_EQ(anchor->kept(id)->entries, 3U);
  // The end of a long log is enough.
  for (std::uint64_t i = 4; i < 1000; ++i) anchor->keep({id, i, hash}, 1);
  EXPECT_EQ(anchor->kept(id)->entries, 999U);
}

TEST_F(AnchorTest, AUsersAnchorsAreRememberedInAFileOfHisOwn) {
  const AnchorList list(folder_.path("data/fogline/anchors.json"));
  const std::string id(32, 'a');
  EXPECT_EQ(list.find(id), "");
  EXPECT_EQ(list.finder()(id), nullptr);
  list.set(id, "/somewhere/anchor.log");
  list.set(std::string(32, 'b'), "command:keep");
  EXPECT_EQ(list.find(id), "/somewhere/anchor.log");
  EXPECT_EQ(list.finder()(id)->where(), "/somewhere/anchor.log");
  std::ofstream(folder_.path("data/fogline/anchors.json")) << "[]";
  EXPECT_THROW(list.find(id), DataError);
  EXPECT_THROW(list.set(id, "x"), DataError);
}

}  // namespace
}  // namespace fogline::privacy::anchor_test
