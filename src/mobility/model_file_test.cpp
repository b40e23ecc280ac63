// SPDX-License-Identifier: Apache-2.0
#include "mobility/model_file.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "io/output_file.hpp"
#include "io/test_text.hpp"

namespace fogline::mobility::model_file_test {
namespace {

using io::testing_text::message_of;
using testing::ElementsAre;
using testing::HasSubstr;

StateModel from_json(const std::string& text) {
  auto source = io::TextSource::from_memory("model.json", text);
  return read_model_json(source);
}

StateModel from_csv(const std::string& text) {
  auto source = io::TextSource::from_memory("walk.csv", text);
  return read_model_csv(source);
}

std::string json_refusal(const std::string& text) {
  return message_of([&] { from_json(text); });
}

std::string csv_refusal(const std::string& text) {
  return message_of([&] { from_csv(text); });
}

const std::string walk_csv = "from,to,probability\nhome,home,0.5\nhome,work,0.5\nwork,home,1\n";

void set_query(StateModel& model, const std::string& text) {
  auto source = io::TextSource::from_memory("query.csv", text);
  read_query(source, model);
}

std::string query_refusal(const std::string& text) {
  StateModel model = from_csv(walk_csv);
  return message_of([&] { set_query(model, text); });
}

std::string initial_refusal(const std::string& text) {
  StateModel model = from_csv(walk_csv);
  auto source = io::TextSource::from_memory("initial.csv", text);
  return message_of([&] { read_initial(source, model); });
}

void expect_same(const StateModel& a, const StateModel& b) {
  EXPECT_EQ(a.space.names.names(), b.space.names.names());
  EXPECT_EQ(a.space.columns, b.space.columns);
  EXPECT_EQ(a.space.values, b.space.values);
  EXPECT_EQ(a.space.centre, b.space.centre);
  EXPECT_EQ(a.space.grid, b.space.grid);
  ASSERT_EQ(a.chain.states(), b.chain.states());
  for (StateId s = 0; s < a.chain.states(); ++s) {
    EXPECT_NEAR(a.chain.initial()[s], b.chain.initial()[s], 1e-15);
    ASSERT_EQ(a.chain.row(s).size(), b.chain.row(s).size());
    for (std::size_t i = 0; i < a.chain.row(s).size(); ++i) {
      EXPECT_EQ(a.chain.row(s)[i].to, b.chain.row(s)[i].to);
      EXPECT_NEAR(a.chain.row(s)[i].probability, b.chain.row(s)[i].probability, 1e-15);
    }
  }
}

TEST(ModelCsv, ReadsAWalkWrittenByHand) {
  const StateModel model = from_csv(walk_csv + "home,inn,0\ninn,home,1\n");
  EXPECT_THAT(model.space.names.names(), ElementsAre("home", "work", "inn"));
  EXPECT_THAT(model.space.columns, ElementsAre("number"));
  EXPECT_EQ(model.chain.probability(0, 1), 0.5);
  EXPECT_EQ(model.chain.row(0).size(), 2U) << "probability 0 is no transition";
  EXPECT_NEAR(model.chain.initial()[0], 1.0 / 3, 1e-15);
}

TEST(ModelCsv, TakesThirdsWrittenToSixDigits) {
  const StateModel model = from_csv("from,to,p\na,a,0.333333\na,b,0.333333\na,c,0.333333\nb,b,1\nc,c,1\n");
  EXPECT_NEAR(model.chain.probability(0, 2), 1.0 / 3, 1e-15);
}

TEST(ModelCsv, NamesTheLineOrTheState) {
  EXPECT_THAT(csv_refusal(""), HasSubstr("empty"));
  EXPECT_THAT(csv_refusal("from,to,probability\n"), HasSubstr("no transitions"));
  EXPECT_THAT(csv_refusal("a,b\n1,2\n"), HasSubstr("from,to,probability"));
  EXPECT_THAT(csv_refusal(walk_csv + "work,work,0.5\n"), HasSubstr("state \"work\" sum to 1.5, not to 1"));
  EXPECT_THAT(csv_refusal("from,to,probability\na,a,0.9999\n"), HasSubstr("\"a\" sum to 0.9999"));
  EXPECT_THAT(csv_refusal(walk_csv + "home,work,0.1\n"),
              HasSubstr("walk.csv, line 5: the transition from \"home\" to \"work\" is given twice"));
  EXPECT_THAT(csv_refusal(walk_csv + "inn,home,1.5\n"), HasSubstr("line 5"));
  EXPECT_THAT(csv_refusal(walk_csv + "inn,home,-0.5\n"), HasSubstr("outside 0 to 1"));
  EXPECT_THAT(csv_refusal(walk_csv + "inn,home,nan\n"), HasSubstr("line 5: column \"probability\""));
  EXPECT_THAT(csv_refusal(walk_csv + ",home,1\n"), HasSubstr("line 5: column \"from\" is empty"));
  EXPECT_THAT(csv_refusal("from,to,probability\na,b,1\n"), HasSubstr("state \"b\" has no transition"));
}

TEST(ModelQuery, MeasuresStatesByTheTable) {
  StateModel model = from_csv(walk_csv);
  set_query(model, "warmth,state,noise\n2,work,7\n1,home,0.5\n");
  EXPECT_THAT(model.space.columns, ElementsAre("warmth", "noise"));
  EXPECT_THAT(model.space.value(0), ElementsAre(1, 0.5));
  EXPECT_THAT(model.space.value(1), ElementsAre(2, 7));
  EXPECT_FALSE(model.space.is_places());
}

TEST(ModelQuery, MakesPlacesOfDegrees) {
  StateModel model = from_csv(walk_csv);
  set_query(model, "state,lat,lon\nhome,52.5,13.3\nwork,52.5,13.5\n");
  EXPECT_THAT(model.space.columns, ElementsAre("x_m", "y_m"));
  ASSERT_TRUE(model.space.centre);
  EXPECT_NEAR(model.space.centre->lon, 13.4, 1e-9);
  EXPECT_NEAR(model.space.value(1)[0] - model.space.value(0)[0], 13'580, 20);
  EXPECT_EQ(StateLocator(model.space).at(geometry::LonLat{13.49, 52.51}), 1U);
  set_query(model, "state,x,y\nhome,0,0\nwork,1,1\n");
  EXPECT_FALSE(model.space.is_places()) << "a table of other things makes no places";
}

TEST(ModelQuery, NamesTheLineOrTheState) {
  EXPECT_THAT(query_refusal(""), HasSubstr("empty"));
  EXPECT_THAT(query_refusal("state,x\nhome,1\n"), HasSubstr("state \"work\" has no measurement"));
  EXPECT_THAT(query_refusal("state,x\nhome,1\ninn,2\n"), HasSubstr("query.csv, line 3"));
  EXPECT_THAT(query_refusal("state,x\nhome,1\nhome,2\n"), HasSubstr("second time"));
  EXPECT_THAT(query_refusal("state,x\nhome,inf\n"), HasSubstr("line 2: column \"x\" is not a finite number"));
  EXPECT_THAT(query_refusal("state,x\nhome,1e13\n"), HasSubstr("beyond 10^12"));
  EXPECT_THAT(query_refusal("state\nhome\nwork\n"), HasSubstr("has 0 columns of measurements"));
  EXPECT_THAT(query_refusal("state,a,b,c,d,e,f,g,h,i\n"),
              HasSubstr("has 9 columns of measurements, not 1 to 8"));
  EXPECT_THAT(query_refusal("x,y\n1,2\n"), HasSubstr("no column for the state"));
  EXPECT_THAT(query_refusal("state,lon,lat\nhome,200,0\nwork,0,0\n"), HasSubstr("query.csv"));
}

TEST(ModelInitial, NamesTheLineOrTheState) {
  EXPECT_THAT(initial_refusal("state,probability\nhome,0.5\n"), HasSubstr("sum to 0.5"));
  EXPECT_THAT(initial_refusal("state,probability\nhome,0.5\ninn,0.5\n"), HasSubstr("line 3"));
  EXPECT_THAT(initial_refusal("state,probability\nhome,2\n"), HasSubstr("outside 0 to 1"));
  EXPECT_THAT(initial_refusal("state,probability\nhome,0.5\nhome,0.5\n"), HasSubstr("second time"));
}

TEST(ModelJson, ReadsWhatItWrites) {
  StateModel named = from_csv(walk_csv);
  set_query(named, "state,x,y\nhome,0.1,-3e-7\nwork,1e11,7\n");
  expect_same(from_json(to_json(named)), named);

  StateModel placed = from_csv(walk_csv);
  set_query(placed, "state,lon,lat\nhome,13.3,52.5\nwork,13.4,52.6\n");
  auto initial = io::TextSource::from_memory("initial.csv", "state,probability\nwork,1\n");
  read_initial(initial, placed);
  expect_same(from_json(to_json(placed)), placed);

  const CellGrid two_cells = {.cell_m = 340, .west_m = -12.5, .south_m = 0.1, .columns = 2, .rows = 1};
  StateModel cells{grid_space(two_cells, geometry::LonLat{7.4, 43.7}), named.chain};
  expect_same(from_json(to_json(cells)), cells);
  EXPECT_THAT(to_json(cells), testing::Not(HasSubstr("values")));
  set_query(cells, "state,height\nc0r0,12\nc1r0,15\n");
  expect_same(from_json(to_json(cells)), cells);
  EXPECT_TRUE(cells.space.is_places()) << "a cell stays one, whatever is measured of it";
}

TEST(ModelJson, RoundTripsAnyChain) {
  EXPECT_TRUE(rc::check("to_json and back", [] {
    const auto weights = *rc::gen::container<std::vector<int>>(9, rc::gen::inRange(1, 1000));
    std::string text = "from,to,probability\n";
    for (std::size_t s = 0; s < 3; ++s) {
      const double sum = weights[3 * s] + weights[3 * s + 1] + weights[3 * s + 2];
      for (std::size_t to = 0; to < 3; ++to)
        text += std::to_string(s) + "," + std::to_string(to) + "," +
                std::to_string(weights[3 * s + to] / sum) + "\n";
    }
    StateModel model = [&] {
      try {
        return from_csv(text);
      } catch (const DataError&) {  // three roundings to six digits may exceed the tolerance
        return from_csv(walk_csv);
      }
    }();
    expect_same(from_json(to_json(model)), model);
  }));
}

const std::string good_json = R"({"format": "fogline-model-1", "states": ["a", "b"],
"transitions": {"successors": [2, 1], "to": [0, 1, 0], "probability": [0.5, 0.5, 1]}})";

std::string with(const std::string& old_text, const std::string& new_text) {
  std::string text = good_json;
  text.replace(text.find(old_text), old_text.size(), new_text);
  return text;
}

TEST(ModelJson, ReadsTheLeast) {
  const StateModel model = from_json(good_json);
  EXPECT_EQ(model.space.columns[0], "number");
  EXPECT_EQ(model.chain.initial()[1], 0.5);
}

TEST(ModelJson, NamesTheFieldOrTheState) {
  EXPECT_THAT(json_refusal(""), HasSubstr("not valid JSON"));
  EXPECT_THAT(json_refusal("{}"), HasSubstr("\"format\" is missing"));
  EXPECT_THAT(json_refusal(with("model-1", "model-2")), HasSubstr("is not \"fogline-model-1\""));
  EXPECT_THAT(json_refusal(with("\"b\"", "\"a\"")), HasSubstr("state \"a\" is given twice"));
  EXPECT_THAT(json_refusal(with("\"b\"", "\"\"")), HasSubstr("name of state 2"));
  EXPECT_THAT(json_refusal(with("[2, 1]", "[2]")), HasSubstr("one number for each state"));
  EXPECT_THAT(json_refusal(with("[2, 1]", "[2, 2]")), HasSubstr("does not add up"));
  EXPECT_THAT(json_refusal(with("[2, 1]", "[1, 1]")), HasSubstr("does not add up"));
  EXPECT_THAT(json_refusal(with("[2, 1]", "[1.5, 1.5]")), HasSubstr("does not add up"));
  EXPECT_THAT(json_refusal(with("[0, 1, 0]", "[0, 2, 0]")), HasSubstr("does not exist, at entry 2"));
  EXPECT_THAT(json_refusal(with("[0, 1, 0]", "[0, -1, 0]")), HasSubstr("does not exist"));
  EXPECT_THAT(json_refusal(with("[0, 1, 0]", "[0, 0, 0]")), HasSubstr("from \"a\" to \"a\" is given twice"));
  EXPECT_THAT(json_refusal(with("[0, 1, 0]", "[0, 1]")), HasSubstr("as long as"));
  EXPECT_THAT(json_refusal(with("0.5, 0.5", "0.5, 0.6")), HasSubstr("state \"a\" sum to 1.1"));
  EXPECT_THAT(json_refusal(with("0.5, 0.5", "-0.5, 1.5")), HasSubstr("outside 0 to 1"));
  EXPECT_THAT(json_refusal(with("\"states\"", "\"intial\": [1], \"states\"")),
              HasSubstr("\"intial\" is not known"));
  EXPECT_THAT(json_refusal(with("\"states\"", "\"initial\": [1], \"states\"")), HasSubstr("for each state"));
  EXPECT_THAT(json_refusal(with("\"states\"", "\"initial\": [1, 1], \"states\"")), HasSubstr("sum to 2"));
  EXPECT_THAT(json_refusal(with("\"states\"", "\"initial\": \"even\", \"states\"")),
              HasSubstr("\"initial\""));
  EXPECT_THAT(json_refusal(with("\"states\"", "\"columns\": [\"x\"], \"states\"")),
              HasSubstr("\"values\" is missing"));
  EXPECT_THAT(json_refusal(with("\"states\"", "\"columns\": [\"x\"], \"values\": [1], \"states\"")),
              HasSubstr("measurement of each state"));
  const std::string huge =
      "\"grid\": {\"cell_m\": 1, \"west_m\": 0, \"south_m\": 0, \"columns\": 4000, \"rows\": 4000},";
  EXPECT_THAT(json_refusal(with("\"states\"", huge + " \"states\"")), HasSubstr("each cell of the grid"));
}

TEST(ModelFiles, ChoosesBySuffixAndStart) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "fogline_model_files";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const auto write = [&](const std::string& name, const std::string& text) {
    io::OutputFile out((folder / name).string(), {});
    out.write(text);
    out.commit();
    return (folder / name).string();
  };
  const std::string csv = write("walk.csv", walk_csv);
  const std::string packed = write("walk.json.gz", io::testing_text::gzip(to_json(from_csv(walk_csv))));
  const std::string query = write("query.csv", "state,x\nhome,3\nwork,4\n");
  const std::string initial = write("initial.csv", "state,probability\nwork,1\n");
  expect_same(read_model({.model = csv}), read_model({.model = packed}));
  const StateModel model = read_model({.model = packed, .query = query, .initial = initial});
  EXPECT_EQ(model.space.values[1], 4);
  EXPECT_THAT(model.chain.initial(), ElementsAre(0, 1));
  EXPECT_NEAR(read_model({.model = csv, .start = Start::stationary}).chain.initial()[0], 2.0 / 3, 1e-8);
  EXPECT_THAT(message_of<InvalidOption>([&] { read_model({.model = "walk.txt"}); }), HasSubstr(".json"));
  EXPECT_THAT(message_of<InvalidOption>(
                  [&] { read_model({.model = csv, .initial = initial, .start = Start::uniform}); }),
              HasSubstr("not both"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace fogline::mobility::model_file_test
