// SPDX-License-Identifier: Apache-2.0
#include "io/csv.hpp"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "io/test_text.hpp"

namespace fogline::io::csv_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing_text::message_of;

using Records = std::vector<std::vector<std::string>>;

Records records_of(const std::string& text, const CsvReader::Options& options = {}) {
  auto source = TextSource::from_memory("t.csv", text);
  CsvReader csv(source, options);
  Records records;
  while (csv.next()) {
    records.emplace_back();
    for (std::size_t i = 0; i < csv.field_count(); ++i) records.back().emplace_back(csv.field(i));
  }
  return records;
}

std::string refusal(const std::string& text) {
  return message_of([&] { records_of(text); });
}

TEST(Csv, FindsTheDelimiterInTheHeader) {
  for (const std::string delimiter : {",", ";", "\t"}) {
    const std::string text = "a" + delimiter + "b\n1" + delimiter + "2\n";
    EXPECT_THAT(records_of(text), ElementsAre(ElementsAre("1", "2"))) << delimiter;
  }
  EXPECT_THAT(records_of("a;\"x,y,z\";c\n1;2;3\n"), ElementsAre(ElementsAre("1", "2", "3")));
}

TEST(Csv, ReadsQuotedFields) {
  EXPECT_THAT(records_of("a,b\n\"x,y\",\"say \"\"hi\"\"\"\n\"two\r\nlines\",\"\"\n"),
              ElementsAre(ElementsAre("x,y", "say \"hi\""), ElementsAre("two\nlines", "")));
}

TEST(Csv, ReadsBackWhatItWrites) {
  EXPECT_TRUE(rc::check([] {
    const auto letter = rc::gen::elementOf(std::string("ab \t,;\"\n"));
    const auto fields =
        *rc::gen::container<std::vector<std::string>>(3, rc::gen::container<std::string>(letter));
    std::string line;
    for (const auto& field : fields) {
      if (&field != &fields.front()) line += ',';
      append_csv_field(line, field);
    }
    RC_ASSERT(records_of("x,y,z\n" + line + "\n") == Records{fields});
  }));
}

TEST(Csv, SkipsEmptyLinesAndCountsThem) {
  auto source = TextSource::from_memory("t.csv", "a,b\n\n\"1\n\",2\n\n3,4\n");
  CsvReader csv(source, {});
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.line(), 3U);
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.line(), 6U);
  EXPECT_FALSE(csv.next());
}

TEST(Csv, BadRecordsAreRefusedWithTheirLine) {
  EXPECT_THAT(refusal(""), HasSubstr("t.csv: the file is empty"));
  EXPECT_THAT(refusal("a,b\n1,2\n3\n"), HasSubstr("t.csv, line 3: has 1 fields where the header has 2"));
  EXPECT_THAT(refusal("a,b\n1,2,3\n"), HasSubstr("line 2: has 3 fields where the header has 2"));
  EXPECT_THAT(refusal("a,b\n\"1,2\n3,4\n"), HasSubstr("line 2: a quote is never closed"));
  EXPECT_THAT(refusal("a,b\n1,x\"y\n"), HasSubstr("line 2: has a stray quote"));
  EXPECT_THAT(refusal("a,b\n1,\"x\"y\n"), HasSubstr("line 2: has a stray quote"));
  EXPECT_THAT(refusal(std::string(5000, ',') + "\n"), HasSubstr("more than 4,096 columns"));
}

TEST(Csv, ColumnsGoByTheirAliases) {
  constexpr std::array<std::string_view, 2> names = {"lon", "point_lon"};
  auto source = TextSource::from_memory("t.csv", "id, Point-Lon ,z\n1,2.5,x\n");
  CsvReader csv(source, {});
  EXPECT_EQ(csv.require_column("longitude", names, "lon"), 1U);
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.number(1), 2.5);
  EXPECT_THAT(message_of([&] { csv.number(2); }), HasSubstr("line 2: column \"z\" is not a finite number"));

  auto twice = TextSource::from_memory("t.csv", "lon,LON\n");
  EXPECT_THAT(message_of([&] { CsvReader(twice, {}).find_column(names); }), HasSubstr("columns 1 and 2"));
}

TEST(Csv, AMissingHeaderIsSaidSoWithoutShowingTheData) {
  constexpr std::array<std::string_view, 1> names = {"lon"};
  auto source = TextSource::from_memory("t.csv", "116.51,39.92\n");
  const std::string message =
      message_of([&] { CsvReader(source, {}).require_column("longitude", names, "lon,lat"); });
  EXPECT_THAT(message, HasSubstr("has no header; let the first line be a header such as lon,lat"));
  EXPECT_THAT(message, Not(HasSubstr("116")));
}

TEST(Csv, TakesAHeaderFromOutside) {
  EXPECT_THAT(records_of("1\t2\n3\t4\n", {.header = "a,b"}),
              ElementsAre(ElementsAre("1", "2"), ElementsAre("3", "4")));
  EXPECT_THROW(records_of("1,2\n", {.header = "a,b,c"}), DataError);
  EXPECT_THROW(records_of("1,2\n", {.delimiter = '|'}), InvalidOption);
}

}  // namespace
}  // namespace fogline::io::csv_test
