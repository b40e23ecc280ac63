// SPDX-License-Identifier: Apache-2.0
#include "io/unpacked_size.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/input_file.hpp"
#include "io/test_text.hpp"

namespace fogline::io::unpacked_size_test {
namespace {

using testing::HasSubstr;
using testing_text::gzip;
using testing_text::message_of;

TEST(UnpackedSize, IsBoundByThePackedOne) {
  EXPECT_NO_THROW(require_plausible_unpacking("t", 0, unpacked_for_free));
  EXPECT_NO_THROW(require_plausible_unpacking("t", 1000, unpacked_for_free + 200'000));
  EXPECT_THAT(message_of([] { require_plausible_unpacking("t", 1000, unpacked_for_free + 200'300); }),
              HasSubstr("t: unpacks to more than 200 times its size"));
  EXPECT_NO_THROW(require_plausible_unpacking("t", ~std::uint64_t{0}, ~std::uint64_t{0}));
}

/// How many bytes are given out before the source refuses to go on; all of them if it does not.
std::uint64_t read_until_refused(const std::string& bytes) {
  TextSource source = TextSource::from_memory("t", bytes);
  std::string room(std::size_t{1} << 18, '\0');
  std::uint64_t given = 0;
  try {
    while (const std::size_t got = source.read(room.data(), room.size())) given += got;
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), HasSubstr("unpack it and name the unpacked one"));
  }
  return given;
}

TEST(UnpackedSize, StopsAFileOfNothingEarlyWhateverItIsMadeOf) {
  for (const char* piece : {"\n", " ", "#\n", "c\n"}) {
    std::string block;
    while (block.size() < std::size_t{1} << 20) block += piece;
    std::string packed;
    const std::string member = gzip(block);
    for (int i = 0; i < 400; ++i) packed += member;
    const std::uint64_t given = read_until_refused(packed);
    EXPECT_GT(given, unpacked_for_free) << piece;
    EXPECT_LT(given, 2 * unpacked_for_free) << piece;
  }
}

TEST(UnpackedSize, LeavesPlainTextAndRepetitiveTablesAlone) {
  EXPECT_EQ(read_until_refused(std::string(100'000'000, '\n')), 100'000'000U);
  // A day of a hundred taxis that all stand still: nothing changes but the time.
  std::string table = "user_id,t,lon,lat\n";
  for (int taxi = 0; taxi < 100; ++taxi) {
    for (int second = 0; second < 86'400; second += 4)
      table +=
          std::to_string(taxi) + "," + std::to_string(1'794'729'600 + second) + ",13.3770000,52.5160000\n";
  }
  ASSERT_GT(table.size(), unpacked_for_free);
  EXPECT_LT(table.size() / gzip(table).size(), most_unpacked_per_byte / 4);
  EXPECT_EQ(read_until_refused(gzip(table)), table.size());
}

}  // namespace
}  // namespace fogline::io::unpacked_size_test
