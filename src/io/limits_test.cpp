// SPDX-License-Identifier: Apache-2.0
#include "io/limits.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"
#include "io/csv.hpp"
#include "io/input_file.hpp"
#include "io/json.hpp"
#include "io/json_columns.hpp"
#include "io/points.hpp"
#include "io/test_text.hpp"

namespace fogline::io::limits_test {
namespace {

using testing::HasSubstr;
using testing_text::gzip;
using testing_text::message_of;

/// Is it refused, for this limit? Any other failure is one of the test.
bool is_over(const ReadLimits& limits, std::string_view name, const std::function<void()>& read) try {
  const LimitScope scope(limits);
  read();
  return false;
} catch (const DataError& error) {
  EXPECT_EQ(error.problem().code, "over-limit") << error.what();
  EXPECT_THAT(error.problem().to_try, HasSubstr(fmt::format("`limits` {}=N", name)));
  return true;
}

std::string refusal_of(std::string_view text) {
  return message_of<InvalidOption>([&] { parse_limits(text); });
}

TEST(Limits, AreReadFromAList) {
  const ReadLimits limits = parse_limits("records=7, bytes=4G,line=64K");
  EXPECT_EQ(limits.records, 7U);
  EXPECT_EQ(limits.bytes, std::uint64_t{4} << 30);
  EXPECT_EQ(limits.line, 65'536U);
  EXPECT_EQ(limits.depth, ReadLimits{}.depth);
  EXPECT_EQ(parse_limits("depth=9", limits).records, 7U) << "what is not named stays";
  EXPECT_EQ(parse_limits("").records, ReadLimits{}.records);
  for (const char* unknown : {"rows=1", "records", "=", "4", "records=1,,"})
    EXPECT_THAT(refusal_of(unknown), HasSubstr("limits: ")) << unknown;
  EXPECT_THAT(refusal_of("rows=1"),
              HasSubstr("there are bytes, memory, line, columns, depth, records, ratio, seconds"));
  EXPECT_THAT(refusal_of("depth=1,depth=2"), HasSubstr("gives depth twice"));
  for (const char* wrong :
       {"bytes=", "bytes=K", "bytes=-1", "bytes=1.5", "bytes=1e3", "bytes=99999999999T", "records=4K"})
    EXPECT_THAT(refusal_of(wrong), HasSubstr("must be a whole number from 1 to")) << wrong;
}

TEST(Limits, EachHasARangeAndItsDefaultLiesInIt) {
  for (const LimitInfo& limit : all_limits()) {
    const auto with = [&](std::uint64_t value) { return fmt::format("{}={}", limit.name, value); };
    EXPECT_EQ(parse_limits(with(limit.least)).*limit.value, limit.least);
    EXPECT_EQ(parse_limits(with(limit.most)).*limit.value, limit.most);
    EXPECT_NO_THROW(parse_limits(with(ReadLimits{}.*limit.value)));
    EXPECT_THAT(refusal_of(with(limit.most + 1)), HasSubstr(grouped(limit.most)));
    if (limit.least == 0) continue;
    EXPECT_THAT(refusal_of(with(limit.least - 1)), HasSubstr("from 1 to"));
  }
}

TEST(Limits, AreOfTheThreadThatOpensAScopeAndOfWhatItOpens) {
  const LimitScope outer({.records = 5});
  TextSource opened = TextSource::from_memory("t", "");
  {
    const LimitScope inner({.records = 3});
    EXPECT_EQ(current_limits().records, 3U);
    std::thread([&] { EXPECT_EQ(current_limits().records, ReadLimits{}.records); }).join();
  }
  EXPECT_EQ(current_limits().records, 5U);
  std::thread([&] { EXPECT_EQ(opened.limits().records, 5U); }).join();
}

TEST(Limits, OfColumnsInMemoryAreThoseOfFiles) {
  const auto read = [] {
    TextSource source = TextSource::from_columns(
        ColumnSet().hold("lon", std::vector<double>{1, 2}).hold("lat", std::vector<double>{1, 2}));
    read_points(source, {});
  };
  EXPECT_FALSE(is_over({.columns = 2, .records = 2}, "records", read));
  EXPECT_TRUE(is_over({.records = 1}, "records", read));
  EXPECT_TRUE(is_over({.columns = 1}, "columns", read));
}

TEST(Limits, OfWidthAndDepth) {
  const auto csv = [] {
    TextSource source = TextSource::from_memory("t.csv", "a,b,c\n1,2,3\n");
    for (CsvReader reader(source, {}); reader.next();) continue;
  };
  EXPECT_FALSE(is_over({.line = 5, .columns = 3}, "columns", csv));
  EXPECT_TRUE(is_over({.columns = 2}, "columns", csv));
  EXPECT_TRUE(is_over({.line = 4}, "line", csv));
  const auto json = [] { parse_json("[{\"a\":[1]}]", "t.json"); };
  const auto columns = [] { JsonColumns("{\"a\":{\"b\":{}}}", "t.json"); };
  const auto gpx = [] {
    TextSource source =
        TextSource::from_memory("t.gpx", "<gpx><trk><trkseg><trkpt lon='1' lat='1'/></trkseg></trk></gpx>");
    read_points(source, {});
  };
  EXPECT_FALSE(is_over({.depth = 3}, "depth", json));
  EXPECT_TRUE(is_over({.depth = 2}, "depth", json));
  EXPECT_FALSE(is_over({.depth = 3}, "depth", columns));
  EXPECT_TRUE(is_over({.depth = 2}, "depth", columns));
  EXPECT_FALSE(is_over({.depth = 4}, "depth", gpx));
  EXPECT_TRUE(is_over({.depth = 3}, "depth", gpx));
}

TEST(Limits, ATagOfGpxIsNoLongerThanALine) {
  const auto read = [] {
    TextSource source = TextSource::from_memory(
        "t.gpx", "<gpx creator='" + std::string(400'000, 'x') + "'><wpt lon='1' lat='1'/></gpx>");
    read_points(source, {});
  };
  EXPECT_FALSE(is_over({}, "line", read));
  EXPECT_TRUE(is_over({.line = 100'000}, "line", read));
  const auto read_short = [] {
    TextSource source =
        TextSource::from_memory("t.gpx", "<gpx creator='somebody'><wpt lon='1' lat='1'/></gpx>");
    read_points(source, {});
  };
  EXPECT_FALSE(is_over({.line = 24}, "line", read_short));
  EXPECT_TRUE(is_over({.line = 23}, "line", read_short));
}

TEST(Limits, AQuotedRecordIsNoLongerThanALine) {
  const auto read = [] {
    TextSource source = TextSource::from_memory("t.csv", "a\n\"x\nx\nx\nx\n\"\n");
    for (CsvReader reader(source, {}); reader.next();) continue;
  };
  EXPECT_FALSE(is_over({.line = 10}, "line", read));
  EXPECT_TRUE(is_over({.line = 4}, "line", read));
}

TEST(Limits, AMessageNamesPlaceLimitAndOptionAndNoValue) {
  const std::string message = message_of([] {
    const LimitScope scope({.records = 1});
    TextSource source = TextSource::from_memory("t.csv", "lon,lat\n1,1\n42,42\n");
    read_points(source, {});
  });
  EXPECT_EQ(message,
            "t.csv, line 3: holds more than 1 records; check that it is the right file; if it is, raise the "
            "limit: `limits` records=N");
}

/// The tables of docs/formats.md. With FOGLINE_WRITE_DOCS set, they are written instead.
TEST(Limits, StandInThePageOfFormats) {
  const char* tree = std::getenv("FOGLINE_SOURCE");
  if (tree == nullptr) GTEST_SKIP() << "the documentation is not at hand";
  std::string table = "| limit | default | may be | of what | why |\n|---|---|---|---|---|\n";
  for (const LimitInfo& limit : all_limits())
    table += fmt::format("| `{}` | {} | {} to {} | {} | {} |\n", limit.name,
                         limit.name == "seconds" ? "none" : grouped(ReadLimits{}.*limit.value), limit.least,
                         grouped(limit.most), limit.concerns, limit.reason);
  table += "\n| file | holds at most | why |\n|---|---|---|\n";
  for (const FormatLimit& limit : all_format_limits())
    table += fmt::format("| {} | {} {} | {} |\n", limit.file, grouped(limit.most), limit.what, limit.reason);
  const std::filesystem::path file = std::filesystem::path(tree) / "docs/formats.md";
  std::ifstream in(file);
  std::string page{std::istreambuf_iterator<char>(in), {}};
  const std::string head = "<!-- limits -->\n";
  const std::size_t begin = page.find(head) + head.size(), end = page.find("<!-- end -->", begin);
  ASSERT_NE(end, std::string::npos);
  if (std::getenv("FOGLINE_WRITE_DOCS") != nullptr)
    std::ofstream(file) << page.replace(begin, end - begin, table);
  else
    EXPECT_EQ(page.substr(begin, end - begin), table)
        << "write it anew: FOGLINE_WRITE_DOCS=1 FOGLINE_SOURCE=. build/release/src/io_tests";
}

TEST(UnpackedSize, IsBoundByThePackedOne) {
  EXPECT_NO_THROW(require_plausible_unpacking({}, "t", 0, unpacked_for_free));
  EXPECT_NO_THROW(require_plausible_unpacking({}, "t", 1000, unpacked_for_free + 200'000));
  EXPECT_NO_THROW(require_plausible_unpacking({.ratio = 1}, "t", 1000, 1000));
  EXPECT_THROW(require_plausible_unpacking({.ratio = 1}, "t", 1000, 1001), DataError)
      << "nothing packed is wanted";
  EXPECT_THAT(message_of([] { require_plausible_unpacking({}, "t", 1000, unpacked_for_free + 200'300); }),
              HasSubstr("t: unpacks to more than 200 times its size"));
  EXPECT_NO_THROW(require_plausible_unpacking({}, "t", ~std::uint64_t{0}, ~std::uint64_t{0}));
}

/// How many bytes are given out before the source refuses to go on; all of them if it does not.
std::uint64_t read_until_refused(const std::string& bytes) {
  TextSource source = TextSource::from_memory("t", bytes);
  std::string room(std::size_t{1} << 18, '\0');
  std::uint64_t given = 0;
  try {
    while (const std::size_t got = source.read(room.data(), room.size())) given += got;
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), HasSubstr("raise the limit: `limits` ratio=N"));
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
  EXPECT_LT(table.size() / gzip(table).size(), ReadLimits{}.ratio / 4);
  EXPECT_EQ(read_until_refused(gzip(table)), table.size());
}

}  // namespace
}  // namespace fogline::io::limits_test
