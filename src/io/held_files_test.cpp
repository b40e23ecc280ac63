// SPDX-License-Identifier: Apache-2.0
#include "io/held_files.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "io/input_file.hpp"

namespace fogline::io::held_files_test {
namespace {

namespace fs = std::filesystem;

class HeldFilesTest : public testing::Test {
 protected:
  HeldFilesTest() {
    write("map.csv", "first");
    write("other.csv", "second");
  }
  ~HeldFilesTest() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string content_of(const std::string& file) {
    return TextSource::from_file(file, {}).read_all();
  }

  static fs::path new_folder() {
    std::string name = testing::TempDir() + "held_filesXXXXXX";
    return mkdtemp(name.data());
  }
  fs::path folder_ = new_folder();
};

TEST_F(HeldFilesTest, AreReadThroughTheHandleWhateverTheirNameLeadsTo) {
  std::optional<HeldFiles> held(std::in_place,
                                std::vector{path("map.csv"), path("missing.csv"), std::string("-")});
  held->require_unchanged();
  EXPECT_EQ(content_of(path("map.csv")), "first");
  EXPECT_EQ(content_of(path("map.csv")), "first") << "from the beginning each time";
  fs::rename(path("other.csv"), path("map.csv"));
  EXPECT_EQ(content_of(path("map.csv")), "first");
  EXPECT_THROW(held->require_unchanged(), DataError);
  std::thread([&] { EXPECT_EQ(content_of(path("map.csv")), "second") << "of another thread"; }).join();
  held.reset();
  EXPECT_EQ(content_of(path("map.csv")), "second");
}

TEST_F(HeldFilesTest, ToldWhenSomebodyWritesToThem) {
  const HeldFiles held({path("map.csv")});
  {
    const HeldFiles again({path("map.csv")});
    again.require_unchanged();
  }
  held.require_unchanged();
  std::ofstream(path("map.csv"), std::ios::app) << " and more";
  EXPECT_THROW(held.require_unchanged(), DataError);
}

TEST_F(HeldFilesTest, DoNotWaitForAPipe) {
  const HeldFiles held({folder_.string()});
  EXPECT_EQ(place_of_file(folder_.string()), folder_.string()) << "a folder is no file";
  EXPECT_EQ(place_of_file("nobody"), "nobody");
}

}  // namespace
}  // namespace fogline::io::held_files_test
