// SPDX-License-Identifier: Apache-2.0
#include "fogline/column_set.hpp"

#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "io/csv.hpp"
#include "io/graph_file.hpp"
#include "io/path_file.hpp"
#include "io/points.hpp"
#include "io/test_text.hpp"

namespace fogline::io::column_set_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

ColumnSet positions() {
  ColumnSet columns;
  columns.hold("lon", std::vector<double>{13.377, -0.1});
  columns.hold("lat", std::vector<double>{52.516, 51.5});
  columns.hold("user_id", std::vector<std::int64_t>{7, 8});
  columns.hold("t", std::vector<std::string>{"2026-11-15T08:00:00Z", "1794729601"});
  return columns;
}

std::string message_of(const std::function<void()>& act) try {
  act();
  return "nothing was thrown";
} catch (const Error& error) {
  return error.what();
}

TEST(ColumnSet, GivesBackWhatItHolds) {
  const ColumnSet columns = positions();
  EXPECT_EQ(columns.records(), 2U);
  EXPECT_THAT(columns.numbers("lon"), ElementsAre(13.377, -0.1));
  EXPECT_THAT(columns.integers("user_id"), ElementsAre(7, 8));
  EXPECT_THAT(columns.texts("t"), ElementsAre("2026-11-15T08:00:00Z", "1794729601"));
  EXPECT_THROW(columns.numbers("user_id"), InvalidOption);
  EXPECT_THROW(columns.texts("name"), InvalidOption);
}

TEST(ColumnSet, ACopyOutlivesTheSet) {
  ColumnSet copy;
  {
    const ColumnSet columns = positions();
    copy = columns;
  }
  EXPECT_THAT(copy.numbers("lat"), ElementsAre(52.516, 51.5));
}

TEST(ColumnSet, RefusesWhatIsNoTable) {
  ColumnSet columns = positions();
  EXPECT_THROW(columns.hold("lon", std::vector<double>{1, 2}), InvalidOption);
  EXPECT_THROW(columns.hold("", std::vector<double>{1, 2}), InvalidOption);
  EXPECT_THROW(columns.hold("weight", std::vector<double>{1}), InvalidOption);
  EXPECT_THROW(columns.hold("name", std::vector<std::string>{"a", std::string("b\0c", 3)}), InvalidOption);
  EXPECT_EQ(columns.columns().size(), 4U);
}

/// Every reader of records with a header takes columns, by the same names and with the same checks.
TEST(ColumnSet, IsReadLikeAFile) {
  TextSource source = TextSource::from_columns(positions());
  const PointTable points = read_points(source, {});
  EXPECT_THAT(points.lon, ElementsAre(13.377, -0.1));
  EXPECT_THAT(points.lat, ElementsAre(52.516, 51.5));
  EXPECT_THAT(points.t, ElementsAre(1794729600, 1794729601));
  EXPECT_EQ(points.user_names.name(points.user[1]), "8");

  ColumnSet edges;
  edges.hold("from_node", std::vector<std::int64_t>{1, 2});
  edges.hold("to_node", std::vector<std::int64_t>{2, 3});
  edges.hold("weight", std::vector<double>{0.1, 1e-17});
  TextSource graph_source = TextSource::from_columns(edges);
  const GraphTable graph =
      read_graph(graph_source, {.columns = ColumnMap::parse("source=from_node,target=to_node")});
  EXPECT_THAT(graph.weight, ElementsAre(0.1, 1e-17));
  EXPECT_EQ(graph.vertex_count(), 3U);

  TextSource route = TextSource::from_columns(ColumnSet().hold("stop", std::vector<std::int64_t>{4, 5}));
  EXPECT_THAT(read_path(route).vertex, ElementsAre("4", "5"));
}

/// Columns that nobody named, as data frames have them, are no first record.
TEST(ColumnSet, TakesNoNameForARecord) {
  ColumnSet edges;
  for (const char* name : {"0", "1", "2"}) edges.hold(name, std::vector<std::int64_t>{1, 2});
  TextSource source = TextSource::from_columns(edges);
  EXPECT_THROW(read_graph(source, {}), DataError);
}

TEST(ColumnSet, NamesTheRecordThatIsWrong) {
  ColumnSet columns;
  columns.hold("lon", std::vector<double>{1, 2, missing});
  columns.hold("lat", std::vector<double>{1, 2, 3});
  TextSource source = TextSource::from_columns(columns);
  EXPECT_THAT(message_of([&] { read_points(source, {}); }),
              HasSubstr("columns in memory, record 3: column \"lon\" is empty"));

  ColumnSet far;
  far.hold("lon", std::vector<double>{1, 200});
  far.hold("lat", std::vector<double>{1, 2});
  TextSource far_source = TextSource::from_columns(far);
  EXPECT_THAT(message_of([&] { read_points(far_source, {}); }), HasSubstr("columns in memory, record 2"));
}

TEST(ColumnSet, RefusesAFormatOfFiles) {
  TextSource source = TextSource::from_columns(positions());
  EXPECT_THROW(read_points(source, {.format = PointFormat::geojson}), InvalidOption);
  TextSource graph = TextSource::from_columns(positions());
  EXPECT_THROW(read_graph(graph, {.format = GraphFormat::tntp}), InvalidOption);
  EXPECT_THROW(graph.peek(1), InvalidOption);
}

TEST(ColumnSet, RefusesNoColumnsAndNoRecords) {
  TextSource none = TextSource::from_columns({});
  EXPECT_THROW(read_points(none, {}), DataError);
  ColumnSet empty;
  empty.hold("lon", std::vector<double>{}).hold("lat", std::vector<double>{});
  TextSource source = TextSource::from_columns(empty);
  EXPECT_THROW(read_points(source, {}), DataError);
}

/// Bytes are asked for when they are needed, and no sooner: a live reader answers between two of them.
TEST(ColumnSet, ReadsBytesAsTheyCome) {
  int asked = 0;
  TextSource source = TextSource::from_function("test", [&]() -> std::string {
    ++asked;
    return asked == 1 ? "state\n" : asked < 4 ? "hall\n" : "";
  });
  CsvReader csv(source, {});
  EXPECT_LE(asked, 1);
  EXPECT_TRUE(csv.next());
  EXPECT_LE(asked, 2);
  EXPECT_TRUE(csv.next());
  EXPECT_EQ(csv.field(0), "hall");
  EXPECT_FALSE(csv.next());
}

}  // namespace
}  // namespace fogline::io::column_set_test
