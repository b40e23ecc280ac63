// SPDX-License-Identifier: Apache-2.0
#include "io/test_limits.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/edge_batches.hpp"
#include "io/graph_file.hpp"
#include "io/input_file.hpp"
#include "io/json_columns.hpp"
#include "io/path_file.hpp"
#include "io/points.hpp"
#include "io/prior.hpp"

namespace fogline::io::test_limits_test {
namespace {

using testing::IsEmpty;
using testing_limits::Form;

/// A text of three records, and who reads it.
struct Sample {
  std::string name;
  Form form;
  std::string text;
  std::function<void(TextSource&)> read;

  /// With empty lines at its end, by which packing makes it smaller.
  testing_limits::Input input() const { return {.form = form, .files = {text + std::string(200, '\n')}}; }
  auto reader() const {
    return [this](const std::vector<std::string>& files) {
      TextSource source = TextSource::from_memory(name, files[0]);
      read(source);
      return std::uint64_t{3};
    };
  }
};

std::vector<Sample> samples() {
  const auto points = [](TextSource& source) { read_points(source, {}); };
  const auto graph = [](TextSource& source) { read_graph(source, {}); };
  return {{"p.csv", Form::table, "lon,lat\n1,1\n2,2\n3,3\n", points},
          {"l.csv", Form::table, "trip,polyline\na,\"[[1,1],[2,2],[3,3]]\"\n", points},
          {"p.geojson", Form::tree, R"({"type":"LineString","coordinates":[[1,1],[2,2],[3,3]]})", points},
          {"p.gpx", Form::tags,
           "<gpx><wpt lon='1' lat='1'/><wpt lon='2' lat='1'/><wpt lon='3' lat='1'/></gpx>", points},
          {"p.dat", Form::lines, "#0:\n>0:1,1;2,2;3,3\n", points},
          {"g.csv", Form::table, "source,target,weight\na,b,1\nb,c,1\nc,a,1\n", graph},
          {"g.txt", Form::lines, "a b 1\nb c 1\nc a 1\n", graph},
          {"g.tntp", Form::lines, "<NUMBER OF NODES> 3\n1 2 1 1 1;\n2 3 1 1 1;\n3 1 1 1 1;\n", graph},
          {"b.csv", Form::table, "source,target,weight\na,b,1\n\"b\",c,1\nc,a,1\n",
           [](TextSource& source) {
             EdgeBatches batches(source, {.edges_per_batch = 2});
             EdgeScratch scratch;
             for (EdgeBatch batch; batches.next(batch);)
               for (std::size_t i = 0; i < batch.size(); ++i) batches.edge(batch, i, scratch);
           }},
          {"prior.csv", Form::table, "vertex,probability\n0,0.5\n1,0.25\n2,0.25\n",
           [](TextSource& source) { read_prior(source, numbered_vertices(3)); }},
          {"route.txt", Form::lines, "vertex\n0\n1\n2\n", [](TextSource& source) { read_path(source); }},
          {"c.json", Form::tree, R"({"a": [1, 2, 3]})",
           [](TextSource& source) { JsonColumns(source.read_all(), source.name()); }}};
}

bool is_read(const ReadLimits& limits, const std::function<void()>& read) try {
  const LimitScope scope(limits);
  read();
  return true;
} catch (const DataError&) {
  return false;
}

TEST(EveryReader, KeepsItsLimits) {
  for (const Sample& sample : samples()) {
    EXPECT_THAT(testing_limits::ignored_limits(sample.input(), sample.reader()), IsEmpty()) << sample.name;
    const auto read = [&] { sample.reader()({sample.text}); };
    const std::uint64_t size = sample.text.size();
    EXPECT_TRUE(is_read({.bytes = size, .memory = size, .records = 3}, read)) << sample.name;
    double seconds = 0;
    const auto clock = [&] { return seconds += 1; };
    EXPECT_TRUE(is_read({.seconds = 100, .clock = clock}, read)) << sample.name;
  }
}

/// What concerns a reader of this form.
bool concerns(Form form, std::string_view limit) {
  const bool is_text = form == Form::lines || form == Form::table;
  if (limit == "memory") return form == Form::tree;
  if (limit == "line") return is_text || form == Form::tags;
  if (limit == "columns") return form == Form::table;
  if (limit == "depth") return form == Form::tree || form == Form::tags;
  return true;
}

/// The same questions, asked of readers that ignore a limit.
TEST(EveryReader, IsNoticedIfItIgnoresALimit) {
  for (const Sample& sample : samples()) {
    for (const LimitInfo& limit : all_limits()) {
      std::vector<std::string_view> expected;
      if (concerns(sample.form, limit.name)) expected.push_back(limit.name);
      EXPECT_EQ(
          testing_limits::ignored_limits(sample.input(), testing_limits::ignoring(limit, sample.reader())),
          expected)
          << sample.name << " " << limit.name;
    }
  }
}

TEST(EveryReader, NeedsWhatItsInputHolds) {
  const auto needed = [](Form form, const std::string& text) {
    return testing_limits::needed_by({.form = form, .files = {text}}, 0);
  };
  const ReadLimits lines = needed(Form::lines, "\xEF\xBB\xBFlonger\r\nno\n");
  EXPECT_EQ(lines.bytes, 14U);
  EXPECT_EQ(lines.line, 7U) << "with all but the end, and without the mark";
  EXPECT_EQ(lines.memory + lines.columns + lines.depth + lines.records, 0U) << "do not concern it";
  const ReadLimits table = needed(Form::table, "\na,b,c\n1,2,3\n\n4,5,6");
  EXPECT_EQ(table.columns, 3U);
  EXPECT_EQ(table.records, 2U);
  const ReadLimits tree = needed(Form::tree, R"({"a]":[[1,"]\"["],[2]],"b":3})");
  EXPECT_EQ(tree.depth, 3U);
  EXPECT_EQ(tree.records, 2U);
  EXPECT_EQ(tree.memory, tree.bytes);
  const ReadLimits tags = needed(Form::tags, "<a><b c='>/>'/></a>");
  EXPECT_EQ(tags.depth, 2U);
  EXPECT_EQ(tags.line, 12U);
  EXPECT_EQ(needed(Form::tags, "<a><!-- <b><c> --></a>").depth, 0U) << "nobody knows";
}

}  // namespace
}  // namespace fogline::io::test_limits_test
