// SPDX-License-Identifier: Apache-2.0
#include "place/given_table.hpp"

#include <cmath>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "io/npz.hpp"
#include "place/gem.hpp"
#include "place/matrix_file.hpp"
#include "privacy/test_folder.hpp"
#include "random/key.hpp"
#include "roads/read_network.hpp"

namespace fogline::place::given_table_test {
namespace {

constexpr const char* network = "line:5:400";  // five places, 100 m apart

class GivenTables : public ::testing::Test {
 protected:
  /// P(o|v) proportional to exp(-rate d) in metres.
  std::vector<double> exponential(double rate) const {
    std::vector<double> table;
    for (int v = 0; v < 5; ++v) {
      double total = 0;
      for (int o = 0; o < 5; ++o) total += std::exp(-rate * 100 * std::abs(v - o));
      for (int o = 0; o < 5; ++o) table.push_back(std::exp(-rate * 100 * std::abs(v - o)) / total);
    }
    return table;
  }
  std::string written(const std::vector<double>& table, const std::string& name = "theirs.npz") {
    io::NpzWriter file;
    file.add("probability", {5, 5}, std::span<const double>(table));
    file.write(folder_.path(name), {.overwrite = true});
    return folder_.path(name);
  }
  std::string csv(const std::string& text) {
    std::ofstream(folder_.path("theirs.csv")) << text;
    return folder_.path("theirs.csv");
  }
  GivenTable read(const std::string& file, bool must_hold = true) {
    return GivenTable(map_, {.epsilon = {1, 100}, .file = file, .must_hold = must_hold});
  }

  privacy::TestFolder folder_;
  roads::RoadNetwork map_ = roads::read_network(network);
};

TEST_F(GivenTables, AreTakenIfTheyKeepThePromise) {
  const GivenTable theirs = read(written(exponential(0.005)));
  EXPECT_TRUE(theirs.certify_rule().holds);
  const Gem gem(map_.graph, {.epsilon = {1, 100}});
  EXPECT_NEAR(theirs.expected_error().q_loss_m, gem.expected_error().q_loss_m, 1e-6);
  std::vector<graph::VertexId> truth(20'000, 2);
  const auto drawn =
      std::get<std::vector<graph::VertexId>>(theirs.release_all(truth, random::SeededKey(1), {}));
  const auto stayed = static_cast<double>(std::ranges::count(drawn, 2U)) / 20'000;
  EXPECT_NEAR(stayed, exponential(0.005)[12], 0.02);  // six deviations
}

TEST_F(GivenTables, ThatLeakAreMeasuredAndNeverReleased) {
  const std::string file = written(exponential(0.02));
  EXPECT_THROW(read(file), InvalidOption);
  const GivenTable theirs = read(file, false);
  const RuleCertificate certificate = theirs.certify_rule();
  EXPECT_FALSE(certificate.holds);
  EXPECT_GT(certificate.loss_high_per_metre, 0.02);
  EXPECT_GT(theirs.expected_error().q_loss_m, 0);
}

TEST_F(GivenTables, WithAZeroLoseEverything) {
  std::vector<double> table = exponential(0.001);
  table[0] += table[4];
  table[4] = 0;
  const GivenTable theirs = read(written(table), false);
  EXPECT_FALSE(theirs.certify_rule().holds);
  EXPECT_TRUE(std::isinf(theirs.certify_rule().loss_high_per_metre));
}

TEST_F(GivenTables, ComeAsCsvToo) {
  std::ostringstream text;
  text << "input,output,probability\n";
  text.precision(17);
  const std::vector<double> table = exponential(0.005);
  for (int v = 0; v < 5; ++v)
    for (int o = 0; o < 5; ++o)
      text << roads::name_of(map_, static_cast<graph::VertexId>(v)) << ','
           << roads::name_of(map_, static_cast<graph::VertexId>(o)) << ','
           << table[static_cast<std::size_t>(5 * v + o)] << '\n';
  EXPECT_NEAR(read(csv(text.str())).expected_error().q_loss_m, read(written(table)).expected_error().q_loss_m,
              1e-9);
}

TEST_F(GivenTables, RefuseWhatIsNoTable) {
  std::vector<double> table = exponential(0.005);
  table[3] = -0.1;
  EXPECT_THROW(read(written(table)), DataError);
  table[3] = std::nan("");
  EXPECT_THROW(read(written(table)), DataError);
  table = exponential(0.005);
  table[3] += 0.1;
  EXPECT_THROW(read(written(table)), DataError);  // a row that sums to more
  EXPECT_THROW(read(csv("input,output,probability\n0,0,1\n0,0,1\n")), DataError);
  EXPECT_THROW(read(csv("input,output,probability\n0,99,1\n")), DataError);
  EXPECT_THROW(read(csv("input,output,probability\n0,0,1\n")), DataError);  // rows that are missing
  EXPECT_THROW(read(folder_.path("nothing.npz")), FileError);
  io::NpzWriter small;
  const std::vector<double> four{1, 0, 0, 1};
  small.add("probability", {2, 2}, std::span<const double>(four));
  small.write(folder_.path("small.npz"), {});
  EXPECT_THROW(read(folder_.path("small.npz")), DataError);
}

TEST_F(GivenTables, OfOtherVerticesAreToldWhereTheseComeFrom) {
  const auto why = [&](const std::string& file, const std::string& vertices) -> std::string {
    try {
      GivenTable(map_, {.epsilon = {1, 100}, .file = file, .vertices = vertices});
    } catch (const DataError& error) {
      return error.what();
    }
    return "nothing";
  };
  io::NpzWriter small;
  const std::vector<double> four{1, 0, 0, 1};
  small.add("probability", {2, 2}, std::span<const double>(four));
  small.write(folder_.path("small.npz"), {});
  for (const std::string& file :
       {folder_.path("small.npz"), csv("input,output,probability\n1-2@50.000,0,1\n")}) {
    EXPECT_THAT(why(file, "put along roads, 75 m apart at most"),
                testing::HasSubstr("vertices put along roads, 75 m"));
    EXPECT_THAT(why(file, ""), testing::HasSubstr("vertices as the map has them"));
    EXPECT_THAT(why(file, ""), testing::HasSubstr("`spacing` METRES"));
  }
}

/// Far outputs, which a sparse table of ours does not list one by one, are as likely as it says they are.
TEST_F(GivenTables, OfOursHaveTheOutputsThatAreNotListed) {
  const roads::RoadNetwork line = roads::read_network("line:400:80000");
  const Gem gem(line.graph, {.epsilon = {1, 100}});
  write_matrix(folder_.path("far.npz"), gem, line, {});
  ASSERT_LT(io::NpzFile(folder_.path("far.npz")).shape("data")[0], 400U * 400U) << "all are listed";
  EXPECT_NO_THROW(GivenTable(line, {.epsilon = {1, 100}, .file = folder_.path("far.npz")}));
}

TEST_F(GivenTables, AreWhatWriteMatrixWrites) {
  const Gem gem(map_.graph, {.epsilon = {1, 100}});
  for (const bool dense : {false, true}) {
    for (const char* name : {"m.npz", "m.csv"}) {
      write_matrix(folder_.path(name), gem, map_, {.dense = dense, .overwrite = true});
      const GivenTable back = read(folder_.path(name));
      EXPECT_NEAR(back.expected_error().q_loss_m, gem.expected_error().q_loss_m, 1e-6) << name << dense;
    }
  }
  EXPECT_THROW(write_matrix(folder_.path("m.txt"), gem, map_, {}), InvalidOption);
}

/// A column of a dense table is an output of the range, in its order.
TEST_F(GivenTables, OfARangeComeBackInEveryForm) {
  for (const std::vector<graph::VertexId>& range : {std::vector<graph::VertexId>{3, 1}, {4, 3, 2, 1, 0}}) {
    const Gem gem(map_.graph, {.epsilon = {1, 100}, .range = range});
    std::vector<graph::VertexId> increasing = range;
    std::ranges::sort(increasing);
    for (const int form : {0, 1, 2, 3, 4, 5, 6, 7}) {
      const MatrixOptions options{.dense = (form & 1) != 0, .weights = (form & 2) != 0, .overwrite = true};
      const std::string file = folder_.path((form & 4) != 0 ? "m.npz" : "m.csv");
      write_matrix(file, gem, map_, options);
      const GivenTable back = read(file);
      ASSERT_THAT(back.range(), testing::ElementsAreArray(increasing)) << form;
      for (graph::VertexId v = 0; v < 5; ++v) {
        const kernel::WeightRow ours = gem.row(v), theirs = back.row(v);
        for (std::size_t o = 0; o < range.size(); ++o) {
          const auto at =
              static_cast<std::size_t>(std::ranges::find(increasing, range[o]) - increasing.begin());
          const auto part = [&](const kernel::WeightRow& row, std::size_t column) {
            return static_cast<double>(row.weights[column]) / static_cast<double>(row.total);
          };
          EXPECT_NEAR(part(theirs, at), part(ours, o), 1e-15) << form;
          EXPECT_TRUE(!options.weights || theirs.weights[at] == ours.weights[o]) << form;
        }
        EXPECT_TRUE(!options.weights || theirs.total == ours.total) << form;
      }
    }
  }
}

/// What was rounded to doubles is another table; integers are the same, and so is what is drawn from them.
TEST_F(GivenTables, OfIntegersAreExact) {
  const roads::RoadNetwork line = roads::read_network("line:400:80000");
  const Gem gem(line.graph, {.epsilon = {1, 100}});
  write_matrix(folder_.path("w.npz"), gem, line, {.weights = true});
  ASSERT_LT(io::NpzFile(folder_.path("w.npz")).shape("indices")[0], 400U * 400U) << "all are listed";
  const GivenTable back(line, {.epsilon = {1, 100}, .file = folder_.path("w.npz")});
  for (graph::VertexId v = 0; v < 400; v += 57) EXPECT_EQ(back.row(v).weights, gem.row(v).weights);
  write_matrix(folder_.path("again.npz"), back, line, {.weights = true});
  const io::NpzFile first(folder_.path("w.npz")), second(folder_.path("again.npz"));
  EXPECT_EQ(first.unsigned_integers("weight_low"), second.unsigned_integers("weight_low"));
}

TEST_F(GivenTables, ThatSayTwoThingsOrHalfOfOneAreRefused) {
  const Gem gem(map_.graph, {.epsilon = {1, 100}});
  write_matrix(folder_.path("w.npz"), gem, map_, {.dense = true, .weights = true});
  const io::NpzFile whole(folder_.path("w.npz"));
  const auto high = whole.unsigned_integers("weight_high"), low = whole.unsigned_integers("weight_low");
  const std::vector<double> probability = exponential(0.005);
  const auto written_with = [&](bool has_low, bool has_probability) {
    io::NpzWriter file;
    file.add("weight_high", {5, 5}, std::span<const std::uint64_t>(high));
    if (has_low) file.add("weight_low", {5, 5}, std::span<const std::uint64_t>(low));
    if (has_probability) file.add("probability", {5, 5}, std::span<const double>(probability));
    file.write(folder_.path("odd.npz"), {.overwrite = true});
    return folder_.path("odd.npz");
  };
  EXPECT_TRUE(read(written_with(true, false)).certify_rule().holds);
  EXPECT_THROW(read(written_with(false, false)), DataError);
  EXPECT_THROW(read(written_with(true, true)), DataError);
}

TEST_F(GivenTables, OfSomebodysIntegersAreThoseIntegers) {
  std::vector<std::int64_t> counts;
  for (int v = 0; v < 5; ++v)
    for (int o = 0; o < 5; ++o) counts.push_back(v == o ? 5 : 3);
  io::NpzWriter file;
  file.add("table", {5, 5}, std::span<const std::int64_t>(counts));
  file.write(folder_.path("counts.npz"), {});
  const GivenTable theirs = read(folder_.path("counts.npz"));
  EXPECT_EQ(theirs.row(2).total, Uint128{17});
  EXPECT_EQ(theirs.row(2).weights[2], Uint128{5});
  EXPECT_TRUE(theirs.certify_rule().holds);  // ln(5/3) over 100 m
}

TEST_F(GivenTables, RefuseIntegersThatAreNone) {
  const auto row = [](const std::string& number) { return "input,output,weight\n0,0," + number + "\n"; };
  for (const char* number : {"0.5", "-1", "", "1e3", "85070591730234615865843651857942052865",
                             "999999999999999999999999999999999999999999"})
    EXPECT_THROW(read(csv(row(number))), DataError) << number;
  EXPECT_THROW(read(csv(row("1"))), DataError);  // rows that are missing
  const Gem gem(map_.graph, {.epsilon = {1, 100}});
  const auto refused = [&](const std::string& array, const std::vector<std::uint64_t>& numbers) {
    write_matrix(folder_.path("w.npz"), gem, map_, {.dense = true, .weights = true, .overwrite = true});
    const io::NpzFile whole(folder_.path("w.npz"));
    std::vector<std::vector<std::uint64_t>> kept;
    io::NpzWriter forged;
    for (const char* name : {"weight_high", "weight_low", "total_high", "total_low", "range"}) {
      kept.push_back(name == array ? numbers : whole.unsigned_integers(name));
      const bool is_same_size = kept.back().size() == whole.array(name).count();
      const auto shape = is_same_size ? whole.shape(name) : std::vector<std::uint64_t>{kept.back().size()};
      forged.add(name, shape, std::span<const std::uint64_t>(kept.back()));
    }
    forged.write(folder_.path("forged.npz"), {.overwrite = true});
    read(folder_.path("forged.npz"));
  };
  EXPECT_NO_THROW(refused("none", {}));
  EXPECT_THROW(refused("total_low", {1, 2, 3, 4, 5}), DataError);
  EXPECT_THROW(refused("total_low", {1}), DataError);
  EXPECT_THROW(refused("weight_high", std::vector<std::uint64_t>(24, 1)), DataError);
  EXPECT_THROW(refused("weight_high", std::vector<std::uint64_t>(25, std::uint64_t{1} << 63)), DataError);
  EXPECT_THROW(refused("range", {0, 1, 2}), DataError);
  EXPECT_THROW(refused("range", {0, 1, 2, 3, 5}), DataError);
  EXPECT_THROW(refused("range", {0, 1, 2, 3, 3}), DataError);
}

}  // namespace
}  // namespace fogline::place::given_table_test
