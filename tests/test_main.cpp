// SPDX-License-Identifier: Apache-2.0
// main() of every test program: each run has a folder of its own for what its tests write, so that tests that run at once, of one
// suite or of two, never meet in a file of the same name.
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include <gmock/gmock.h>

namespace {

// A new folder in `parent`. Its random part has no digit and no small letter: tests look for private values in messages, and messages name
// files.
std::string make_folder(const std::filesystem::path& parent) {
  constexpr std::string_view letters = "JKQVWXYZ";
  constexpr int length = 16;
  std::random_device bits;
  std::string name = "fogline-test-";
  for (int i = 0; i < length; ++i) name += letters[bits() % letters.size()];
  const std::filesystem::path folder = parent / name;
  if (!std::filesystem::create_directory(folder))
    throw std::runtime_error("it is there already: " + folder.string());
  return folder.string();
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  std::string folder;
  try {
    folder = make_folder(std::filesystem::temp_directory_path());
  } catch (const std::exception& error) {
    std::cerr << "no folder for tests can be made: " << error.what() << "\n";
    return 1;
  }
  // Tests that become another user look into it too.
  std::filesystem::permissions(folder, std::filesystem::perms(0755));
  setenv("TMPDIR", folder.c_str(), 1);               // std::filesystem::temp_directory_path()
  setenv("TEST_TMPDIR", (folder + "/").c_str(), 1);  // testing::TempDir()
  const int result = RUN_ALL_TESTS();
  std::error_code left;  // what cannot be removed does not decide a test
  std::filesystem::remove_all(folder, left);
  return result;
}
