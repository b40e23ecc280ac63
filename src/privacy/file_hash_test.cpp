// SPDX-License-Identifier: Apache-2.0
#include "privacy/file_hash.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/error.hpp"
#include "privacy/test_folder.hpp"

namespace fogline::privacy::file_hash_test {
namespace {

// The two examples of FIPS 180-2.
constexpr auto abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr auto empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

TEST(FileHash, KnownAnswers) {
  EXPECT_EQ(sha256_of_text("abc"), abc);
  EXPECT_EQ(sha256_of_text(""), empty);
  Sha256 pieces;
  pieces.add("a");
  pieces.add("");
  pieces.add("bc");
  EXPECT_EQ(pieces.hex(), abc);
}

TEST(FileHash, AFileHasTheHashOfItsBytes) {
  const TestFolder folder;
  const std::string bytes(700'001, 'x');
  std::ofstream(folder.path("large")) << bytes;
  EXPECT_EQ(sha256_of_file(folder.path("large")), sha256_of_text(bytes));
  std::ofstream(folder.path("empty")) << "";
  EXPECT_EQ(sha256_of_file(folder.path("empty")), empty);
}

TEST(FileHash, WhatCannotBeReadIsAnError) {
  const TestFolder folder;
  EXPECT_THROW(sha256_of_file(folder.path("missing")), FileError);
  EXPECT_THROW(sha256_of_file(folder.path("")), FileError);
}

TEST(FileHash, PipesAndDevicesAreRefusedAtOnce) {
  const TestFolder folder;
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", folder.path("zeros"));
  for (const char* name : {"pipe", "zeros"}) {
    try {
      sha256_of_file(folder.path(name));
      ADD_FAILURE() << name;
    } catch (const FileError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("is not a regular file"));
    }
  }
}

TEST(FileHash, HexIsLowerCaseAndComplete) {
  EXPECT_TRUE(is_sha256_hex(abc));
  EXPECT_FALSE(is_sha256_hex("BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"));
  EXPECT_FALSE(is_sha256_hex(""));
  EXPECT_FALSE(is_sha256_hex(std::string(abc) + "0"));
}

}  // namespace
}  // namespace fogline::privacy::file_hash_test
