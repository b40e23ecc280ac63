// SPDX-License-Identifier: Apache-2.0
#include "fogline/request.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "fogline/verify.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/test_folder.hpp"

namespace fogline::request_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class Requests : public testing::Test {
 protected:
  Requests() : ledger_(folder_.path("ledger")) {
    for (const char* dataset : {"riders", "default"}) ledger_.add_uncapped_dataset(dataset, 1);
  }

  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path(name)) << text;
    return folder_.path(name);
  }
  std::string text_of(const std::string& name) const {
    std::ifstream text(folder_.path(name));
    return {std::istreambuf_iterator<char>(text), {}};
  }

  static ColumnSet positions() {
    return ColumnSet()
        .hold("user_id", std::vector<std::string>{"a", "b"})
        .hold("lon", std::vector<double>{0.0017966, 0.0008983})
        .hold("lat", std::vector<double>{0.0009044, -0.0009044});
  }
  static Request place() {
    Request request("place");
    request.set("network", "lattice:5x5:400").set("epsilon", "0.01").set("dataset", "riders");
    return request;
  }
  /// Of which nine are made.
  static Request forty_trips() {
    std::vector<std::int64_t> trip;
    std::vector<double> lon, lat;
    for (int i = 0; i < 40; ++i) {
      for (int k = 0; k < 6; ++k) {
        trip.push_back(i);
        lon.push_back(0.001 * (i % 7 + k));
        lat.push_back(0.001 * (i % 5 + k));
      }
    }
    Request request("traces");
    request.set("area", "0,0,0.02,0.02").set("epsilon", 5).set("trips-to-make", 9);
    request.input(
        ColumnSet().hold("traj_id", std::move(trip)).hold("lon", std::move(lon)).hold("lat", std::move(lat)));
    return request;
  }
  std::string house() {
    return file("house.csv", "from,to,probability\nhall,hall,0.5\nhall,lab,0.5\nlab,hall,0.5\nlab,lab,0.5\n");
  }
  std::string field_refused(Request request) {
    try {
      request.run(ledger_, listener_);
    } catch (const InvalidOption& error) {
      return error.option();
    }
    return "none";
  }
  std::string spent() const { return ledger_.budget("riders", Measure::per_metre).spent; }

  privacy::TestFolder folder_;
  Ledger ledger_;
  Listener listener_;
};

TEST_F(Requests, ReleasePlacesFromMemoryIntoMemory) {
  const Released safe = place().input(positions()).run(ledger_, listener_);
  EXPECT_EQ(safe.records, 2U);
  EXPECT_EQ(safe.entry, 3U);
  EXPECT_EQ(safe.columns().numbers("lon").size(), 2U);
  EXPECT_EQ(safe.columns().texts("vertex").size(), 2U);
  EXPECT_THAT(safe.columns().integers("record"), ElementsAre(1, 2));
  EXPECT_THAT(safe.guarantee, HasSubstr("metric DP, epsilon 0.01 per metre"));
  EXPECT_EQ(spent(), "0.01");
  for (const auto& entry : fs::directory_iterator(fs::path(folder_.path("ledger")).parent_path()))
    EXPECT_THAT(entry.path().filename().string(), testing::StartsWith("ledger"));
  const auto json = nlohmann::json::parse(safe.json), told = nlohmann::json::parse(safe.told);
  EXPECT_EQ(json["output"], "-");
  EXPECT_EQ(json["statement"], nullptr);
  EXPECT_EQ(json["records"], 2);
  EXPECT_EQ(json["dataset"], "riders");
  EXPECT_EQ(json["spent_per_metre"], "0.01");
  for (const auto& item : told.items()) EXPECT_EQ(json[item.key()], item.value()) << item.key();
}

/// The same request and seed give the same rows, whether records and output are files or in memory.
TEST_F(Requests, DrawTheSameFromMemoryAsFromAFile) {
  const std::string input =
      file("points.csv", "user_id,lon,lat\na,0.0017966,0.0009044\nb,0.0008983,-0.0009044\n");
  Request from_file = place();
  from_file.set("seed", "7").set("input", input).set("output", folder_.path("safe.csv"));
  const Released written = from_file.run(ledger_, listener_);
  const Released held = place().set("seed", "7").input(positions()).run(ledger_, listener_);
  EXPECT_EQ(text_of("safe.csv"), held.text);
  EXPECT_EQ(text_of("safe.csv.statement.json"), written.statement);
  auto one = nlohmann::json::parse(written.statement), other = nlohmann::json::parse(held.statement);
  EXPECT_EQ(one["outputs"][0]["sha256"], other["outputs"][0]["sha256"]);
  EXPECT_EQ(other["outputs"][0]["name"], "-");
  for (auto* statement : {&one, &other}) {
    statement->erase("ledger");
    (*statement)["outputs"][0].erase("name");
  }
  EXPECT_EQ(one, other);
}

/// Each line is a release of its own; what is given back tells of all of them.
TEST_F(Requests, CountLivePositions) {
  int given = 0;
  Request live = place();
  live.set("live", true).set("anyway", true).set("statement", folder_.path("live.jsonl"));
  live.input([&]() -> std::string {
    ++given;
    return given == 1 ? "lon,lat\n" : given <= 4 ? "0.0017966,0.0009044\n" : "";
  });
  live.receive([](std::string_view) {});
  const Released safe = live.run(ledger_, listener_);
  EXPECT_EQ(safe.records, 3U);
  EXPECT_EQ(nlohmann::json::parse(safe.json)["records"], 3);
  EXPECT_EQ(nlohmann::json::parse(safe.json)["statement"], folder_.path("live.jsonl"));
  EXPECT_EQ(spent(), "0.03");
}

TEST_F(Requests, ReleaseWeightsAndDistances) {
  ColumnSet edges;
  edges.hold("source", std::vector<std::string>{"a", "b", "c"});
  edges.hold("target", std::vector<std::string>{"b", "c", "a"});
  edges.hold("weight", std::vector<double>{3, 7, 9});
  const Released weights =
      Request("weights").set("epsilon", 4).set("range", "0:10").input(edges).run(ledger_, listener_);
  EXPECT_THAT(weights.columns().texts("source"), ElementsAre("a", "b", "c"));
  EXPECT_EQ(weights.columns().numbers("weight").size(), 3U);
  const Released distances = Request("weights", "distances")
                                 .set("epsilon", 1)
                                 .set("range", "0:10")
                                 .set("from", std::vector<std::string>{"a"})
                                 .input(edges)
                                 .run(ledger_, listener_);
  EXPECT_EQ(distances.columns().numbers("distance").size(), 2U);
}

TEST_F(Requests, ReleaseAPathAsADocument) {
  Request request("path");
  request.set("network", file("net.csv", "source,target\na,b\nb,c\nc,d\na,d\n")).set("epsilon-edges", 1);
  request.input(ColumnSet().hold("vertex", std::vector<std::string>{"a", "b", "c"}));
  const Released shown = request.run(ledger_, listener_);
  EXPECT_TRUE(nlohmann::json::parse(shown.text).is_object());
  EXPECT_THROW(shown.columns(), InvalidOption);
}

TEST_F(Requests, ReleaseTraces) {
  const Released made = forty_trips().run(ledger_, listener_);
  EXPECT_EQ(made.records, 9U);
  EXPECT_GE(made.columns().numbers("lat").size(), 18U);
}

TEST_F(Requests, AnswerALiveStreamBeforeTheNextState) {
  int given = 0, answered = 0;
  Request request("stream");
  request.set("model", house()).set("policy", "complete").set("epsilon", 1).set("anyway", true);
  request.input([&]() -> std::string {
    EXPECT_EQ(answered, given);  // a header for the header, and a row for each state
    if (given == 4) return "";
    return given++ == 0 ? "state\n" : "lab\n";
  });
  request.receive([&](std::string_view) { ++answered; });
  const Released done = request.run(ledger_, listener_);
  EXPECT_EQ(done.records, 3U);
  EXPECT_EQ(done.text, "");
  EXPECT_THROW(done.columns(), InvalidOption);
}

TEST_F(Requests, GiveTheSamePieceByPiece) {
  std::string received;
  const Released held = place().set("seed", "7").input(positions()).run(ledger_, listener_);
  Request request = place();
  request.set("seed", "7").input(positions()).receive([&](std::string_view piece) { received += piece; });
  EXPECT_EQ(request.run(ledger_, listener_).text, "");
  EXPECT_EQ(received, held.text);
}

/// Whatever whoever receives throws: the entry stays, and the next request finds a ledger that is in order.
TEST_F(Requests, ReceiverMayThrow) {
  Request request = place();
  request.input(positions()).receive([](std::string_view) { throw std::logic_error("no room"); });
  EXPECT_THROW(request.run(ledger_, listener_), std::logic_error);
  EXPECT_EQ(spent(), "0.01");
  EXPECT_NO_THROW(place().input(positions()).run(ledger_, listener_));
  EXPECT_EQ(spent(), "0.02");
}

TEST_F(Requests, RefuseBeforeAnythingIsCharged) {
  EXPECT_EQ(field_refused(place()), "input");
  EXPECT_EQ(field_refused(std::move(place().input(positions()).set("input", "points.csv"))), "input");
  EXPECT_EQ(field_refused(std::move(place().input(positions()).set("epsilon", 0))), "epsilon");
  EXPECT_EQ(field_refused(std::move(place().input(positions()).set("epsilom", 1))), "epsilom");
  EXPECT_EQ(field_refused(std::move(place().input(positions()).set("ledger", "other"))), "ledger");
  EXPECT_EQ(field_refused(std::move(place().input(positions()).set("format", "geojson"))), "format");
  Request both = place();
  both.input(positions()).set("output", folder_.path("safe.csv")).receive([](std::string_view) {});
  EXPECT_EQ(field_refused(std::move(both)), "output");
  EXPECT_THROW(place().set_json("[1]"), InvalidOption);
  EXPECT_THROW(Request("places"), InvalidOption);
  EXPECT_THROW(Request("place", "distances"), InvalidOption);
  EXPECT_EQ(spent(), "0");
  for (const LedgerLine& line : ledger_.lines())
    EXPECT_THAT(line.event, testing::AnyOf("refused", "dataset"));
}

/// What is no number is nobody's name: people without one must not be protected as if they were one.
TEST_F(Requests, TakeNoMissingNumberForAPerson) {
  for (const double missing : {std::nan(""), -std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    ColumnSet people;
    people.hold("user_id", std::vector<double>{missing, 7})
        .hold("lon", std::vector<double>{0.0017966, 0.0008983})
        .hold("lat", std::vector<double>{0.0009044, -0.0009044});
    EXPECT_THROW(place().set("reports-per-person", 2).input(people).run(ledger_, listener_), DataError)
        << missing;
    ColumnSet trips;
    trips.hold("traj_id", std::vector<double>{1, 1, missing, missing})
        .hold("user_id", std::vector<double>{missing, missing, 2, 2})
        .hold("lon", std::vector<double>{0.001, 0.002, 0.003, 0.004})
        .hold("lat", std::vector<double>{0.001, 0.002, 0.003, 0.004});
    EXPECT_THROW(Request("traces")
                     .set("area", "0,0,0.02,0.02")
                     .set("epsilon", 5)
                     .set("unit", "user")
                     .set("trips-per-user", 2)
                     .input(trips)
                     .run(ledger_, listener_),
                 DataError)
        << missing;
    ColumnSet states;
    states.hold("state", std::vector<std::string>{"hall", "lab"})
        .hold("sequence", std::vector<double>{missing, missing});
    EXPECT_THROW(Request("stream")
                     .set("model", house())
                     .set("policy", "complete")
                     .set("epsilon", 1)
                     .set("anyway", true)
                     .input(states)
                     .run(ledger_, listener_),
                 DataError)
        << missing;
    ColumnSet edges;
    edges.hold("source", std::vector<double>{missing, 1})
        .hold("target", std::vector<double>{1, 2})
        .hold("weight", std::vector<double>{3, 4});
    EXPECT_THROW(
        Request("weights").set("epsilon", 4).set("range", "0:10").input(edges).run(ledger_, listener_),
        DataError)
        << missing;
  }
  for (const LedgerLine& line : ledger_.lines())
    EXPECT_THAT(line.event, testing::AnyOf("refused", "dataset"));
}

/// A field that was refused may be set again; the text goes where it belongs.
TEST_F(Requests, MayBeRunAgainWithAnotherField) {
  Request request = place();
  request.input(positions()).set("epsilon", "0");
  EXPECT_THROW(request.set("epsilom", 1).run(ledger_, listener_), InvalidOption);
  Request other("place");
  other.set("network", "lattice:5x5:400").set("dataset", "riders").input(positions());
  EXPECT_THROW(other.run(ledger_, listener_), InvalidOption);
  Request moved = std::move(other);
  const Released safe = moved.set("epsilon", "0.01").run(ledger_, listener_);
  EXPECT_EQ(safe.columns().records(), 2U);
  EXPECT_THROW(moved.run(ledger_, listener_), Error);
  // NOLINTNEXTLINE(bugprone-use-after-move): that it says so is the test
  EXPECT_THROW(other.run(ledger_, listener_), Error);
}

TEST_F(Requests, RefuseStandardOutputAndLedgersThatAreNone) {
  EXPECT_EQ(field_refused(std::move(place().input(positions()).set("output", "-"))), "output");
  EXPECT_EQ(field_refused(std::move(place().input(positions()).set("dataset", " me"))), "dataset");
  EXPECT_THROW(Ledger(""), InvalidOption);
  Ledger moved = std::move(ledger_);
  EXPECT_THROW(ledger_.head(), Error);  // NOLINT(bugprone-use-after-move): that it says so is the test
  ledger_ = std::move(moved);
}

/// Whoever throws has the piece, and the statement tells of it.
TEST_F(Requests, TellOfAnAnswerThatTheReceiverThrewAt) {
  int given = 0;
  std::string kept;
  Request live("stream");
  live.set("model", house()).set("policy", "complete").set("epsilon", 1).set("anyway", true);
  live.set("statement", folder_.path("live.json"));
  live.input([&]() -> std::string { return given++ == 0 ? "state\n" : "lab\n"; });
  live.receive([&](std::string_view piece) {
    kept += piece;
    if (std::ranges::count(kept, '\n') == 4) throw std::logic_error("no room");
  });
  EXPECT_THROW(live.run(ledger_, listener_), std::logic_error);
  const auto statement = nlohmann::json::parse(text_of("live.json"));
  EXPECT_EQ(statement["outputs"][0]["records"], 3);
  EXPECT_EQ(statement["outputs"][0]["sha256"], privacy::sha256_of_text(kept));
}

/// The end of an input is asked for once, and what comes after it is not read.
TEST_F(Requests, EndWithTheInput) {
  std::vector<std::string> chunks{"source,target,weight\n", "a,b,3\n", "b,c", ",4\n", "", "c,a,5\n"};
  std::size_t next = 0;
  const Released safe = Request("weights")
                            .set("epsilon", 4)
                            .set("range", "0:10")
                            .input([&] { return chunks.at(next++); })
                            .run(ledger_, listener_);
  EXPECT_EQ(safe.records, 2U);
  EXPECT_EQ(next, 5U);
  Request distances("weights", "distances");
  next = 0;
  distances.set("epsilon", 4).set("range", "0:10").input([&] { return chunks.at(next++); });
  EXPECT_EQ(distances.run(ledger_, listener_).columns().texts("source").size(), 3U);
}

TEST_F(Requests, KeepToTheCap) {
  ledger_.set_cap("riders", "0.01", Measure::per_metre, 1);
  place().input(positions()).run(ledger_, listener_);
  try {
    place().input(positions()).run(ledger_, listener_);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.problem().code, "over-budget");
  }
  EXPECT_EQ(ledger_.budget("riders", Measure::per_metre).remaining, "0");
  ASSERT_EQ(ledger_.lines().size(), 5U);
  EXPECT_EQ(ledger_.lines()[3].event, "charge");
  EXPECT_EQ(ledger_.lines()[4].event, "settled");
  EXPECT_EQ(ledger_.lines()[4].settles, 4U);
  EXPECT_EQ(ledger_.lines()[4].output_sha256.size(), 64U);
  EXPECT_EQ(ledger_.lines()[4].hash, ledger_.head());
  EXPECT_THAT(ledger_.datasets(), ElementsAre("default", "riders"));
}

TEST_F(Requests, ChargeOnlyWhatWasDeclared) {
  Request request = place();
  request.set("dataset", "walkers");
  try {
    request.input(positions()).run(ledger_, listener_);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.problem().code, "undeclared-dataset");
  }
  EXPECT_THROW(ledger_.add_dataset("Riders", {"epsilon 1"}), InvalidOption) << "it looks like riders";
  EXPECT_THROW(ledger_.add_dataset("walkers", {}), InvalidOption)
      << "no cap, and not said that there is none";
  EXPECT_THROW(ledger_.add_dataset("walkers", {"2"}), InvalidOption);
  ledger_.add_dataset("walkers", {"epsilon 0.01 per metre"});
  Request again = place();
  again.set("dataset", "walkers").input(positions()).run(ledger_, listener_);
  EXPECT_EQ(ledger_.budget("walkers", Measure::per_metre).remaining, "0");
}

TEST_F(Requests, AreAnchored) {
  const std::string path = folder_.path("anchored"), anchor = folder_.path("anchor.log");
  Ledger(path, anchor).add_dataset("riders", {"epsilon 1 per metre"});
  fs::copy_file(path, folder_.path("older"));
  {
    Ledger ledger(path, anchor);
    place().input(positions()).run(ledger, listener_);
  }
  fs::copy_file(folder_.path("older"), path, fs::copy_options::overwrite_existing);
  Ledger older(path, anchor);
  EXPECT_THROW(place().input(positions()).run(older, listener_), DataError);
  Ledger unanchored(path);
  EXPECT_THROW(place().input(positions()).run(unanchored, listener_), DataError);
}

TEST_F(Requests, StopWhenTheListenerSaysSo) {
  struct Impatient : Listener {
    bool progress(std::string_view, std::uint64_t, std::uint64_t) override { return false; }
  } impatient;
  EXPECT_THROW(place().set("mechanism", "tight").input(positions()).run(ledger_, impatient), Cancelled);
  EXPECT_EQ(spent(), "0");
}

TEST_F(Requests, AreNotChargedIfTheListenerDoesNotWantIt) {
  struct Asked : Listener {
    bool charging() override { return ++times > 1; }
    int times = 0;
  } asked;
  EXPECT_THROW(place().input(positions()).run(ledger_, asked), Cancelled);
  EXPECT_EQ(spent(), "0");
  place().input(positions()).run(ledger_, asked);
  EXPECT_EQ(asked.times, 2);
  EXPECT_NE(spent(), "0");
}

/// Whoever must fetch the records first is told before that they cannot be released.
TEST_F(Requests, MayBeAskedForBeforeTheRecordsAreThere) {
  place().ask(ledger_, listener_);
  EXPECT_EQ(spent(), "0");
  ledger_.set_cap("riders", "1", Measure::per_metre);
  for (const auto& [field, value, code] : std::vector<std::array<std::string, 3>>{
           {"epsilon", "999", "over-budget"}, {"dataset", "nobody", "undeclared-dataset"}}) {
    try {
      place().set(field, value).ask(ledger_, listener_);
      FAIL() << field;
    } catch (const Error& error) {
      EXPECT_EQ(error.problem().code, code);
    }
  }
  EXPECT_THROW(place().set("network", "lattice:5x5").ask(ledger_, listener_), InvalidOption);
  auto asked = place();
  asked.ask(ledger_, listener_);
  EXPECT_THROW(asked.input(positions()).run(ledger_, listener_), Error);
  EXPECT_EQ(spent(), "0");
}

/// One ledger, opened once, for all threads of a process.
TEST_F(Requests, MayRunOnSeveralThreads) {
  constexpr int threads = 4, releases = 3;
  std::vector<std::thread> running;
  std::atomic<int> done = 0;
  running.reserve(threads);
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([&] {
      for (int k = 0; k < releases; ++k)
        if (place().input(positions()).run(ledger_, listener_).records == 2) ++done;
    });
  }
  for (std::thread& thread : running) thread.join();
  EXPECT_EQ(done, threads * releases);
  EXPECT_EQ(spent(), "0.12");
  EXPECT_EQ(ledger_.lines().size(), 26U) << "each is charged and settled";
}

/// How many threads this process has.
std::ptrdiff_t threads_of_this_process() {
  return std::distance(fs::directory_iterator("/proc/self/task"), fs::directory_iterator());
}

/// In a process of its own, which has no threads yet that others left: what parts of the library are not told, they must not take either.
TEST_F(Requests, TakeNoMoreThreadsThanTheListenerHas) {
  class Lonely : public Listener {
   public:
    int threads() const override { return 1; }
  } lonely;
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        const auto before = threads_of_this_process();
        forty_trips().run(ledger_, lonely);
        place().input(positions()).run(ledger_, lonely);
        std::_Exit(threads_of_this_process() == before ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(Requests, CanBeVerified) {
  const Released safe = place().input(positions()).run(ledger_, listener_);
  std::ofstream(folder_.path("kept.csv")) << safe.text;
  const auto checks =
      verify(safe.statement, &ledger_, {.files = {{"-", folder_.path("kept.csv")}}}, listener_);
  for (const VerifyCheck& check : checks)
    EXPECT_EQ(check.outcome,
              check.name == "signature" ? VerifyCheck::Outcome::not_checked : VerifyCheck::Outcome::passed)
        << check.name << ": " << check.sentence;
  EXPECT_GT(checks.size(), 5U);
  EXPECT_THROW(verify("{}", nullptr, {}, listener_), DataError);
}

TEST_F(Requests, TellTheirSchema) {
  const auto schema = nlohmann::json::parse(place().schema());
  EXPECT_EQ(schema["properties"]["input"]["x-role"], "private input");
  EXPECT_NE(schema["allOf"].dump().find("epsilon"), std::string::npos);  // or a kernel
  EXPECT_THAT(schema["required"], testing::Not(testing::Contains("input")));
  EXPECT_FALSE(schema["properties"].contains("ledger"));
}

}  // namespace
}  // namespace fogline::request_test
