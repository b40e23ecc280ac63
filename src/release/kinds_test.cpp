// SPDX-License-Identifier: Apache-2.0
#include "release/kinds.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/test_folder.hpp"
#include "release/test_caller.hpp"

namespace fogline::release::kinds_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using testing::HasSubstr;

/// Releases of every kind through the library, from JSON requests, as a service would make them.
class Kinds : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path(name)) << text;
    return folder_.path(name);
  }

  Outcome make(std::unique_ptr<Release> request, Json fields) {
    fields["ledger"] = folder_.path("ledger");
    FieldTable table;
    request->declare(table);
    set_fields(table, fields);
    return release(*request, caller_);
  }

  /// A charged release, and what its statement says of the file.
  void expect_released(std::unique_ptr<Release> request, Json fields, const std::string& output,
                       std::uint64_t records) {
    const std::string kind = request->kind();
    fields["output"] = folder_.path(output);
    const Outcome done = make(std::move(request), fields);
    const privacy::Statement& statement = done.released.statement;
    EXPECT_EQ(statement.kind, kind);
    ASSERT_EQ(statement.outputs.size(), 1U);
    EXPECT_EQ(statement.outputs.front().records, records) << kind;
    EXPECT_EQ(statement.outputs.front().sha256, privacy::sha256_of_file(folder_.path(output))) << kind;
    EXPECT_EQ(privacy::read_statement(done.released.statement_file).guarantee, statement.guarantee) << kind;
    EXPECT_GT(done.entry, 0U);
  }

  std::string points() {
    return file("points.csv", "user_id,lon,lat\n1,0.0017966,0.0009044\n2,0.0008983,-0.0009044\n");
  }
  Json place() { return {{"input", points()}, {"network", "lattice:5x5:400"}, {"epsilon", "0.01"}}; }
  std::string graph() { return file("graph.csv", "source,target,weight\na,b,3\nb,c,7\nc,a,9\n"); }

  privacy::TestFolder folder_;
  TestCaller caller_;
};

TEST_F(Kinds, ReleasePlaces) {
  expect_released(place_release(), place(), "safe.csv", 2);
}

TEST_F(Kinds, ReleaseWeightsAndDistances) {
  expect_released(weights_release(), {{"input", graph()}, {"range", "0:10"}, {"epsilon", 4}}, "weights.csv",
                  3);
  // Words that are no files must not be looked for.
  expect_released(
      weights_release(),
      {{"input", graph()}, {"range", "0:10"}, {"epsilon", 4}, {"estimate", "mean"}, {"groups", "none"}},
      "estimates.csv", 3);
  expect_released(weights_distances(),
                  {{"input", graph()}, {"range", "0:10"}, {"epsilon", 1}, {"from", {"a"}}}, "distances.csv",
                  2);
}

TEST_F(Kinds, ReleasePaths) {
  const std::string net = file("net.csv", "source,target\na,b\nb,c\nc,d\na,d\n");
  const std::string route = file("route.csv", "vertex\na\nb\nc\n");
  expect_released(path_release(), {{"network", net}, {"input", route}, {"epsilon-edges", 1}}, "public.json",
                  4);
}

TEST_F(Kinds, ReleaseStreams) {
  const std::string model =
      file("house.csv", "from,to,probability\nhall,hall,0.5\nhall,lab,0.5\nlab,hall,0.5\nlab,lab,0.5\n");
  const std::string states = file("states.csv", "state\nhall\nlab\nhall\n");
  Json fields{{"input", states}, {"model", model}, {"policy", "complete"}, {"epsilon", 1}, {"anyway", true}};
  expect_released(stream_release(), fields, "states.out.csv", 3);
}

TEST_F(Kinds, ReleaseTraces) {
  std::string text = "traj_id,lon,lat\n";
  for (int trip = 0; trip < 40; ++trip)
    for (int point = 0; point < 6; ++point)
      text += std::to_string(trip) + "," + std::to_string(0.001 * (trip % 7 + point)) + "," +
              std::to_string(0.001 * (trip % 5 + point)) + "\n";
  Json fields{
      {"input", file("trips.csv", text)}, {"area", "0,0,0.02,0.02"}, {"epsilon", 5}, {"trips-to-make", 9}};
  expect_released(traces_release(), fields, "synthetic.csv", 9);
}

/// Refused at, below and above its range with the name of its field, whoever asks; nothing is charged.
TEST_F(Kinds, NameTheFieldThatIsWrong) {
  const auto refused = [&](const Json& changes) {
    Json fields = place();
    fields["output"] = folder_.path("safe.csv");
    fields.update(changes);
    try {
      make(place_release(), fields);
    } catch (const InvalidOption& error) {
      return error.option();
    }
    return std::string("none");
  };
  EXPECT_EQ(refused({{"epsilon", "0.000009"}}), "epsilon");
  EXPECT_EQ(refused({{"epsilon", "1001"}}), "epsilon");
  EXPECT_EQ(refused({{"epsilon", "nan"}}), "epsilon");
  EXPECT_EQ(refused({{"max-snap", 0}}), "max-snap");
  EXPECT_EQ(refused({{"max-snap", 10'000'001}}), "max-snap");
  EXPECT_EQ(refused({{"reports-per-person", 0}}), "reports-per-person");
  EXPECT_EQ(refused({{"reports-per-person", 1'000'001}}), "reports-per-person");
  EXPECT_EQ(refused({{"keep", "name"}}), "keep");
  EXPECT_EQ(refused({{"too-far", "drop"}}), "too-far");
  EXPECT_EQ(refused({{"mechanism", "magic"}}), "mechanism");
  EXPECT_EQ(refused({{"seed", "-1"}}), "seed");
  EXPECT_EQ(refused({{"output", folder_.path("safe.txt")}}), "output");
  EXPECT_EQ(refused({{"range", folder_.path("points.csv")}}), "range");
  EXPECT_EQ(refused({{"length-unit", 0}}), "length-unit");
  EXPECT_FALSE(fs::exists(folder_.path("ledger")));
  EXPECT_FALSE(fs::exists(folder_.path("safe.csv")));
  EXPECT_EQ(refused({{"max-snap", 10'000'000},
                     {"reports-per-person", 1'000'000},
                     {"anyway", true},
                     {"epsilon", "0.00001"}}),
            "none");
}

/// With one seed and one request the noise is the same whoever draws it.
TEST_F(Kinds, DrawTheSameFromTheSameSeed) {
  const auto drawn = [&](const std::string& output) {
    Json fields = place();
    fields.update({{"output", folder_.path(output)}, {"seed", "7"}});
    make(place_release(), fields);
    std::ifstream text(folder_.path(output));
    return std::string(std::istreambuf_iterator<char>(text), {});
  };
  EXPECT_EQ(drawn("one.csv"), drawn("two.csv"));
}

}  // namespace
}  // namespace fogline::release::kinds_test
