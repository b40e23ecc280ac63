// SPDX-License-Identifier: Apache-2.0
// Limits of reading (io/limits.hpp), as requests carry them to readers of every room.
#include <fstream>
#include <functional>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/graph_file.hpp"
#include "io/test_limits.hpp"
#include "mobility/model_file.hpp"
#include "mobility/sequences.hpp"
#include "place/released_file.hpp"
#include "privacy/signing_key.hpp"
#include "privacy/statement.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"
#include "privacy/test_statement.hpp"
#include "release/kinds.hpp"
#include "release/person_fields.hpp"
#include "release/test_caller.hpp"
#include "roads/read_dimacs.hpp"
#include "roads/read_network_csv.hpp"
#include "roads/read_osm.hpp"
#include "stream/policy/policy_text.hpp"
#include "traces/released_file.hpp"
#include "weights/estimates/groups.hpp"
#include "weights/estimates/order.hpp"
#include "weights/estimates/prior_file.hpp"

namespace fogline::release::limits_test {
namespace {

using Json = nlohmann::ordered_json;
using io::testing_limits::Form;
using testing::HasSubstr;
using testing::IsEmpty;

io::TextSource text(const std::string& name, const std::string& bytes) {
  return io::TextSource::from_memory(name, bytes);
}

const io::GraphTable& triangle() {
  static const io::GraphTable graph = [] {
    io::TextSource source = text("g.csv", "source,target,weight\na,b,1\nb,c,2\nc,a,3\n");
    return io::read_graph(source, {});
  }();
  return graph;
}

const mobility::StateModel& rooms() {
  static const mobility::StateModel model = [] {
    io::TextSource source = text("m.csv", "from,to,probability\na,b,1\nb,c,1\nc,a,1\n");
    return mobility::read_model_csv(source);
  }();
  return model;
}

/// A file of three records or more, and its reader.
struct Reader {
  std::string name;
  Form form;
  std::string bytes;
  std::function<void(io::TextSource&)> read;
};

std::vector<Reader> readers() {
  const std::string edges = "u,v\n1,2\n2,3\n3,1\n", places = "p aux sp co 3\nv 1 1 1\nv 2 2 1\nv 3 3 1\n";
  return {
      {"nodes.csv", Form::table, "id,lon,lat\n1,1,1\n2,2,1\n3,3,1\n",
       [edges](io::TextSource& nodes) {
         io::TextSource source = text("edges.csv", edges);
         roads::read_network_csv(nodes, source);
       }},
      {"x.gr", Form::lines, "p sp 3 4\na 1 2 1\na 2 1 1\na 2 3 1\na 3 2 1\n",
       [places](io::TextSource& arcs) {
         io::TextSource source = text("x.co", places);
         roads::read_dimacs(arcs, source);
       }},
      {"m.csv", Form::table, "from,to,probability\na,b,1\nb,c,1\nc,a,1\n",
       [](io::TextSource& source) { mobility::read_model_csv(source); }},
      {"m.json", Form::tree, mobility::to_json(rooms()),
       [](io::TextSource& source) { mobility::read_model_json(source); }},
      {"s.csv", Form::table, "state\na\nb\nc\n",
       [](io::TextSource& source) { mobility::read_sequences(source, rooms().space); }},
      {"categories.csv", Form::table, "state,category\na,x\nb,x\nc,y\n",
       [](io::TextSource& source) { stream::read_categories(source, rooms().space); }},
      {"groups.csv", Form::table, "source,target,group\na,b,1\nb,c,2\nc,a,2\n",
       [](io::TextSource& source) { weights::read_groups(source, triangle()); }},
      {"ranks.csv", Form::table, "source,target,rank\na,b,1\nb,c,2\nc,a,2\n",
       [](io::TextSource& source) { weights::read_ranks(source, triangle()); }},
      {"prior.csv", Form::table, "weight,probability\n0,0.5\n1,0.25\n2,0.25\n",
       [](io::TextSource& source) { weights::read_prior(source, weights::WeightGrid::parse("0:2", "1")); }},
      {"safe.csv", Form::table, "record,vertex,lon,lat\n1,4,1,1\n2,5,1,1\n3,6,1,1\n",
       [](io::TextSource& source) { place::read_released(source, place::ReleasedFormat::csv); }},
      {"trips.csv", Form::lines, "traj_id,x_m,y_m\n0,1.0,1.0\n0,2.0,2.0\n0,3.0,3.0\n",
       [](io::TextSource& source) {
         traces::check_released(source, traces::Frame::parse("0,0,9,9", traces::Frame::Unit::metres),
                                traces::TripFormat::csv, traces::ReleasedTimes::not_told);
       }}};
}

std::string code_of(const io::ReadLimits& limits, const std::function<void()>& read) try {
  const io::LimitScope scope(limits);
  read();
  return "";
} catch (const Error& error) {
  return error.problem().code == "over-limit" ? "over-limit" : error.what();
}

TEST(Limits, HoldForReadersOfEveryRoom) {
  triangle(), rooms();  // read with the usual limits
  for (const Reader& reader : readers()) {
    const auto read = [&](const std::vector<std::string>& files) {
      io::TextSource source = text(reader.name, files[0]);
      reader.read(source);
      return std::uint64_t{3};
    };
    // As much as its file holds is enough.
    EXPECT_EQ(code_of({.bytes = reader.bytes.size(), .records = 20}, [&] { read({reader.bytes}); }), "")
        << reader.name;
    const io::testing_limits::Input input{.form = reader.form, .files = {reader.bytes}};
    EXPECT_THAT(io::testing_limits::ignored_limits(input, read), IsEmpty()) << reader.name;
  }
}

/// Whose bytes are read by another library.
TEST(Limits, HoldForOsm) {
  const std::string bytes =
      "<osm version='0.6'><node id='1' lon='1' lat='1'/><node id='2' lon='1' lat='1.1'/><node id='3' lon='1' "
      "lat='1.2'/><way id='1'><nd ref='1'/><nd ref='2'/><nd ref='3'/><tag k='highway' "
      "v='primary'/></way></osm>";
  const auto read = [&] { roads::read_osm_memory(bytes, "osm", "x.osm"); };
  EXPECT_EQ(code_of({.bytes = bytes.size(), .records = 3}, read), "");
  EXPECT_EQ(code_of({.records = 2}, read), "over-limit");
  EXPECT_EQ(code_of({.bytes = bytes.size() - 1}, read), "over-limit");
  double seconds = 0;
  EXPECT_EQ(code_of({.seconds = 1, .clock = [&] { return seconds += 2; }}, read), "over-limit");
}

/// Small files, held whole; and persons, a name a line.
TEST(Limits, HoldForFilesOfTheirOwn) {
  const privacy::TestFolder folder;
  const auto ignored = [&](const std::string& name, Form form, const std::string& bytes,
                           const auto& read_file) {
    const io::testing_limits::Input input{.form = form, .files = {bytes}, .unpacks = form == Form::lines};
    return io::testing_limits::ignored_limits(input, [&](const std::vector<std::string>& files) {
      const std::string path = folder.path(name);
      std::ofstream(path, std::ios::binary) << files[0];
      read_file(path);
    });
  };
  const std::string statement = to_json(privacy::sample_statement());
  const std::string key = to_json(privacy::SigningKey::make("office").public_key());
  const std::string persons =
      std::string(40, 'a') + "\n" + std::string(40, 'b') + "\n" + std::string(40, 'c') + "\n";
  EXPECT_THAT(ignored("x.statement.json", Form::tree, statement,
                      [](const auto& path) { privacy::read_statement(path); }),
              IsEmpty());
  EXPECT_THAT(ignored("x.pub", Form::tree, key, [](const auto& path) { privacy::read_public_key(path); }),
              IsEmpty());
  EXPECT_THAT(ignored("persons.txt", Form::lines, persons, [](const auto& path) { read_persons(path); }),
              IsEmpty());
}

TEST(Limits, HoldForStatementsAndKeys) {
  const privacy::TestFolder folder;
  const std::string file = folder.path("x.statement.json"), json = to_json(privacy::sample_statement());
  std::ofstream(file) << json;
  EXPECT_EQ(code_of({.bytes = json.size(), .memory = json.size(), .depth = 4},
                    [&] { privacy::read_statement(file); }),
            "");
  const std::string key = folder.path("x.pub");
  std::ofstream(key) << std::string(io::format_limit::key_bytes.most + 1, ' ');
  EXPECT_EQ(code_of({}, [&] { privacy::read_public_key(key); }), "over-limit");
}

class LimitedRequests : public testing::Test {
 protected:
  LimitedRequests() {
    privacy::declare(folder_.path("ledger"), "default");
    file("points.csv", "user_id,lon,lat\n1,0.001,0.001\n2,0.002,0.001\n3,0.001,0.002\n");
  }

  std::string file(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_.path(name)) << bytes;
    return folder_.path(name);
  }

  Problem refused(const Json& changes) const {
    TestCaller caller;
    return refused(changes, caller);
  }

  Problem refused(const Json& changes, Caller& caller) const try {
    Json fields = {{"input", folder_.path("points.csv")},
                   {"network", "lattice:5x5:400"},
                   {"epsilon", "0.01"},
                   {"output", folder_.path("safe.csv")},
                   {"overwrite", true},
                   {"ledger", folder_.path("ledger")}};
    fields.update(changes);
    const auto request = place_release();
    FieldTable table;
    declare_all(*request, table);
    set_fields(table, fields);
    release(*request, caller);
    return {.code = "none"};
  } catch (const Error& error) {
    return error.problem();
  }

  privacy::DatasetBook book() const {
    return privacy::Ledger(folder_.path("ledger"), {}).books().dataset("default");
  }

  privacy::TestFolder folder_;
};

TEST_F(LimitedRequests, RefuseAPrivateFileBeyondThemAndRecordThat) {
  const Problem problem = refused({{"limits", "records=2"}});
  EXPECT_EQ(problem.code, "over-limit");
  EXPECT_EQ(problem.place.line, 4U);
  EXPECT_THAT(problem.to_try, HasSubstr("`limits` records=N"));
  EXPECT_EQ(book().refusals, 1U);
  EXPECT_EQ(book().releases(), 0U);
  EXPECT_EQ(refused({{"limits", "records=3"}}).code, "none");
  EXPECT_EQ(io::current_limits().records, io::ReadLimits{}.records) << "a request leaves nothing behind";
}

TEST_F(LimitedRequests, RefuseAPublicFileBeyondThemBeforeAnythingPrivateIsRead) {
  file("nodes.csv", "id,lon,lat\n1,0,0\n2,0.001,0\n3,0.002,0.001\n4,0.003,0.001\n");
  file("edges.csv", "u,v\n1,2\n2,3\n3,4\n");
  const Problem problem = refused({{"network", folder_.path("nodes.csv")}, {"limits", "records=3"}});
  EXPECT_EQ(problem.code, "over-limit");
  EXPECT_THAT(problem.place.file, HasSubstr("nodes.csv"));
  EXPECT_EQ(book().refusals, 0U);
}

TEST_F(LimitedRequests, KeepTimeByTheClockOfWhoeverAsks) {
  struct Slow : TestCaller {
    double seconds() const override { return now_s += 5; }
    mutable double now_s = 0;
  };
  Slow slow;
  EXPECT_EQ(refused({{"limits", "seconds=3"}}, slow).code, "over-limit");
  EXPECT_EQ(refused({{"limits", "seconds=1000"}}, slow).code, "none");
  EXPECT_EQ(refused({{"limits", "seconds=3"}}).code, "none") << "nobody keeps time";
}

TEST_F(LimitedRequests, NameWhatIsAllowed) {
  for (const char* wrong : {"rows=1", "records=0", "depth=10001", "records"}) {
    const Problem problem = refused({{"limits", wrong}});
    EXPECT_EQ(problem.code, "invalid-option") << wrong;
    EXPECT_EQ(problem.field, "limits") << wrong;
  }
  EXPECT_EQ(book().refusals, 0U) << "no record was read";
}

TEST_F(LimitedRequests, BesideEachOtherKeepTheirOwn) {
  std::vector<std::string> codes(8);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < codes.size(); ++i)
    threads.emplace_back([&, i] {
      codes[i] = refused({{"limits", i % 2 == 0 ? "records=2" : "records=3"},
                          {"output", folder_.path(std::to_string(i) + ".csv")}})
                     .code;
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < codes.size(); ++i) EXPECT_EQ(codes[i], i % 2 == 0 ? "over-limit" : "none") << i;
}

}  // namespace
}  // namespace fogline::release::limits_test
