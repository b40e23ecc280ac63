// SPDX-License-Identifier: Apache-2.0
#include "privacy/publication.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "privacy/test_folder.hpp"

namespace fogline::privacy {
namespace {

namespace fs = std::filesystem;

Statement some_statement() {
  return {.kind = "place",
          .mechanism = "gem",
          .form = Form::sound,
          .guarantee = Guarantee::metric(EpsilonPerMetre{1, 100}, "one report", Exactness::exact),
          .parameters = nlohmann::ordered_json::object(),
          .public_inputs = {{.name = "network", .sha256 = {}, .specification = "line:3:100"}},
          .outputs = {},
          .ledger = NoLedgerEntry{"a test"},
          .version = "0",
          .randomness = random::Source::operating_system,
          .expected_error = {},
          .not_protected = {"the number of records"},
          .promise = {"something"}};
}

TEST(Publication, PutsOutputAndStatementInPlaceTogether) {
  const TestFolder folder;
  const std::string out = folder.path("safe.csv");
  Publication publication({.output = out});
  publication.write("vertex\n");
  publication.write("7\n");
  EXPECT_FALSE(fs::exists(out));
  EXPECT_FALSE(fs::exists(out + ".statement.json"));
  publication.publish(some_statement(), 1);
  const Statement read = read_statement(out + ".statement.json");
  ASSERT_EQ(read.outputs.size(), 1U);
  EXPECT_EQ(read.outputs[0].name, "safe.csv");
  EXPECT_EQ(read.outputs[0].sha256, sha256_of_text("vertex\n7\n"));
  EXPECT_EQ(read.outputs[0].records, 1U);
  EXPECT_EQ(sha256_of_file(out), read.outputs[0].sha256);
}

TEST(Publication, LeavesNothingWhenItIsNotPublished) {
  const TestFolder folder;
  { Publication({.output = folder.path("safe.csv")}).write("half"); }
  EXPECT_TRUE(fs::is_empty(folder.name()));
}

TEST(Publication, RefusesExistingFilesBeforeAnythingIsCharged) {
  const TestFolder folder;
  std::ofstream(folder.path("a.csv")) << "old";
  EXPECT_THROW(Publication({.output = folder.path("a.csv")}), FileError);
  std::ofstream(folder.path("b.csv.statement.json")) << "old";
  EXPECT_THROW(Publication({.output = folder.path("b.csv")}), FileError);
  EXPECT_FALSE(fs::exists(folder.path("b.csv")));
  EXPECT_THROW(Publication({.output = "-"}), InvalidOption);
}

TEST(Publication, AnInvalidStatementLeavesNothing) {
  const TestFolder folder;
  {
    Publication publication({.output = folder.path("safe.csv")});
    publication.write("7\n");
    Statement empty_promise = some_statement();
    empty_promise.promise.clear();
    EXPECT_THROW(publication.publish(empty_promise, 1), InvalidOption);
  }
  EXPECT_FALSE(fs::exists(folder.path("safe.csv")));
  EXPECT_FALSE(fs::exists(folder.path("safe.csv.statement.json")));
}

}  // namespace
}  // namespace fogline::privacy
