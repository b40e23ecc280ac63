// SPDX-License-Identifier: Apache-2.0
#include "release/analyses/written_file.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "privacy/test_folder.hpp"

namespace fogline::release::written_file_test {
namespace {

TEST(WrittenFile, EndsAsItShouldOrIsStandardOutput) {
  EXPECT_NO_THROW((WrittenFile{.output = "map.svg"}.require_ending(".svg")));
  EXPECT_NO_THROW((WrittenFile{.output = "-"}.require_ending(".svg")));
  EXPECT_THROW((WrittenFile{.output = "map.png"}.require_ending(".svg")), InvalidOption);
}

TEST(WrittenFile, ReplacesAFileOnlyIfAsked) {
  const privacy::TestFolder folder;
  std::ofstream(folder.path("range.csv")) << "before\n";
  EXPECT_THROW((WrittenFile{.output = folder.path("range.csv")}.open()), FileError);
  io::OutputFile out = WrittenFile{.output = folder.path("range.csv"), .overwrite = true}.open();
  out.write("after\n");
  out.commit();
  std::string line;
  std::getline(std::ifstream(folder.path("range.csv")) >> std::ws, line);
  EXPECT_EQ(line, "after");
}

TEST(WrittenFile, NeverReplacesWhatIsRead) {
  const privacy::TestFolder folder;
  std::ofstream(folder.path("net.csv")) << "source,target\n";
  std::filesystem::create_symlink("net.csv", folder.path("link.csv"));
  EXPECT_THROW(require_other_file(folder.path("link.csv"), {folder.path("net.csv")}), InvalidOption);
  EXPECT_NO_THROW(require_other_file("-", {"-"}));
  EXPECT_NO_THROW(require_other_file(folder.path("new.csv"), {folder.path("net.csv")}));
}

TEST(WrittenFile, IsAFieldWithTheRoleOfAnOutput) {
  WrittenFile file;
  FieldTable table;
  file.declare(table, "the model");
  ASSERT_NE(table.find("output"), nullptr);
  EXPECT_EQ(table.find("output")->role, FieldRole::output);
  EXPECT_TRUE(table.find("output")->required);
  FieldTable other;
  file.declare_optional(other, "the route");
  EXPECT_FALSE(other.find("output")->required);
}

}  // namespace
}  // namespace fogline::release::written_file_test
