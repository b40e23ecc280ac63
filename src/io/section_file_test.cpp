// SPDX-License-Identifier: Apache-2.0
#include "io/section_file.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.hpp"

namespace fogline::io::section_file_test {
namespace {

class SectionFiles : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  std::string path_ = (std::filesystem::temp_directory_path() /
                       ("section_file_test_" + std::to_string(::getpid()) + "_" +
                        ::testing::UnitTest::GetInstance()->current_test_info()->name()))
                          .string();
  const std::vector<std::uint32_t> lengths_{5, 6, 7};
  const std::vector<double> weights_{0.5, -1};

  void write() const {
    SectionWriter writer("test 1");
    writer.add("weight", std::span<const double>(weights_));
    writer.add("length", lengths_);
    writer.add("nothing", std::vector<std::uint64_t>{});
    writer.add_text("about", "words");
    writer.write(path_, {.overwrite = true});
  }
  std::string bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }
};

TEST_F(SectionFiles, GivesBackWhatWasWritten) {
  write();
  const SectionFile file(path_, "test 1");
  file.require_whole();
  const auto lengths = file.numbers<std::uint32_t>("length");
  EXPECT_EQ(std::vector(lengths.begin(), lengths.end()), lengths_);
  EXPECT_EQ(file.numbers<double>("weight")[1], -1);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(file.numbers<double>("weight").data()) % 64, 0U);
  EXPECT_TRUE(file.numbers<std::uint64_t>("nothing").empty());
  EXPECT_EQ(file.text("about"), "words");
  EXPECT_FALSE(file.has("else"));
  EXPECT_EQ(file.size(), bytes().size());
}

TEST_F(SectionFiles, RefusesOtherFormsNamesAndNumbers) {
  write();
  EXPECT_THROW(SectionFile(path_, "test 2"), DataError);
  EXPECT_THROW(SectionFile(path_ + ".not", "test 1"), FileError);
  EXPECT_THROW(SectionFile("/dev/null", "test 1"), FileError);
  const SectionFile file(path_, "test 1");
  EXPECT_THROW(file.numbers<std::uint32_t>("else"), DataError);
  EXPECT_THROW(file.numbers<std::uint32_t>("weight"), DataError);
  EXPECT_THROW(file.text("length"), DataError);
}

TEST_F(SectionFiles, NoticesEveryChangedByteAndEveryLength) {
  write();
  const std::string whole = bytes();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    put(damaged);
    EXPECT_THROW(SectionFile(path_, "test 1").require_whole(), DataError) << at;
  }
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    put(whole.substr(0, size));
    EXPECT_THROW(SectionFile(path_, "test 1"), DataError) << size;
  }
  put(whole + "x");
  EXPECT_THROW(SectionFile(path_, "test 1"), DataError);
}

TEST_F(SectionFiles, KeepsItsNumbersWhileTheMappingIsHeld) {
  write();
  std::span<const double> weights;
  std::shared_ptr<const void> held;
  {
    const SectionFile file(path_, "test 1");
    weights = file.numbers<double>("weight");
    held = file.mapping();
  }
  EXPECT_EQ(weights[0], 0.5);
}

TEST_F(SectionFiles, TakesEachNameOnce) {
  SectionWriter writer("test 1");
  writer.add("length", lengths_);
  EXPECT_THROW(writer.add("length", lengths_), InvalidOption);
  EXPECT_THROW(writer.add(std::string(41, 'x'), lengths_), InvalidOption);
  EXPECT_THROW(SectionWriter(std::string(33, 'x')), InvalidOption);
}

}  // namespace
}  // namespace fogline::io::section_file_test
