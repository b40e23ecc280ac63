// SPDX-License-Identifier: Apache-2.0
#include "release/kinds.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "audit/claims.hpp"
#include "audit/statements/recompute.hpp"
#include "base/error.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"
#include "privacy/test_statement.hpp"
#include "release/analyses/whole_releases.hpp"
#include "release/test_caller.hpp"

namespace fogline::release::kinds_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

/// Parameters that no field settles: they follow from those that one does and from public inputs, or are what a mechanism says of itself.
const std::set<std::string> follow_from_others{
    "cap_m",   "tail_weight_log2", "shares_of_10000", "form",       "weight_share", "certified_share",
    "stretch", "posterior_draws",  "free_vertices",   "solver_gap", "table",        "vertices",
    "edges"};

/// Parameters of the papers' forms, which have terms of their own.
const std::set<std::string> of_papers{"k"};

/// Releases of every kind through the library, from JSON requests, as a service would make them.
class Kinds : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path(name)) << text;
    return folder_.path(name);
  }

  Outcome make(std::unique_ptr<Release> request, Json fields) {
    fields["ledger"] = folder_.path("ledger");
    if (!fs::exists(folder_.path("ledger"))) privacy::declare(folder_.path("ledger"), "default");
    FieldTable table;
    request->declare(table);
    set_fields(table, fields);
    return release(*request, caller_);
  }

  /// A charged release, and what its statement says of the file.
  void expect_released(std::unique_ptr<Release> request, Json fields, const std::string& output,
                       std::uint64_t records) {
    const std::string kind = request->kind();
    std::set<std::string> stated = follow_from_others;
    FieldTable table;
    request->declare(table);
    for (const Field& field : table.fields()) stated.insert(field.stated.begin(), field.stated.end());
    fields["output"] = folder_.path(output);
    const Outcome done = make(std::move(request), fields);
    const privacy::Statement& statement = done.released.statement;
    for (const auto& parameter : statement.parameters.json().items())
      EXPECT_TRUE(stated.contains(parameter.key()))
          << kind << " states what no field settles: " << parameter.key();
    EXPECT_EQ(statement.kind, kind);
    ASSERT_EQ(statement.outputs.size(), kind == "traces" ? 2U : 1U) << "trips come with their counts";
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
  fs::copy_file(folder_.path("points.csv"), folder_.path("copy.csv"));
  EXPECT_EQ(refused({{"range", folder_.path("copy.csv")}}), "range");
  EXPECT_EQ(refused({{"length-unit", 0}}), "length-unit");
  EXPECT_EQ(privacy::Ledger(folder_.path("ledger"), {}).head().entries, 2U)
      << "the dataset, and that a copy of the private file was given as the range: the file itself is known "
         "by name";
  EXPECT_FALSE(fs::exists(folder_.path("safe.csv")));
  EXPECT_EQ(refused({{"max-snap", 10'000'000},
                     {"reports-per-person", 1'000'000},
                     {"anyway", true},
                     {"epsilon", "0.00001"}}),
            "none");
}

/// A mechanism is a table's file too, and no way to look into the records.
TEST_F(Kinds, TakeNoPrivateFileForAMechanism) {
  for (const bool is_guarded : {true, false}) {
    Json fields = place();
    fields["output"] = folder_.path("safe.csv");
    fields["mechanism"] = fields["input"];
    if (is_guarded) fields["guarded"] = true;
    try {
      make(place_release(), fields);
      ADD_FAILURE() << is_guarded;
    } catch (const InvalidOption& error) {
      EXPECT_EQ(error.option(), "mechanism");
      EXPECT_THAT(error.what(), HasSubstr("names the private file"));
    }
  }
  EXPECT_EQ(privacy::Ledger(folder_.path("ledger"), {}).head().entries, 1U)
      << "the dataset: by its name nothing is asked of the file";
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

TEST(Registry, FieldsStateWhatStatementsSay) {
  for (const auto& request : all_releases()) {
    const std::string name = request->kind() + " " + request->verb();
    FieldTable table;
    request->declare(table);
    std::set<std::string> listed, stated = follow_from_others;
    for (const auto& parameter : table.parameters()) listed.insert(parameter.name);
    EXPECT_FALSE(listed.empty()) << name;
    for (const Field& field : table.fields()) {
      for (const std::string& parameter : field.stated) {
        stated.insert(parameter);
        if (!of_papers.contains(parameter)) {
          EXPECT_TRUE(listed.contains(parameter)) << name << ": " << parameter;
        }
      }
    }
    for (const std::string& parameter : listed)
      EXPECT_TRUE(stated.contains(parameter)) << name << " states what no field settles: " << parameter;
  }
}

/// The table of docs/statement.md: every parameter, the fields that settle it, and what it means.
std::string table_of(Release& request) {
  FieldTable table;
  request.declare(table);
  std::string text = "| parameter | field | meaning |\n|---|---|---|\n";
  for (const auto& parameter : table.parameters()) {
    std::string fields;
    for (const Field& field : table.fields())
      if (std::ranges::find(field.stated, parameter.name) != field.stated.end())
        fields += (fields.empty() ? "`" : ", `") + field.name + "`";
    text += "| `" + parameter.name + "` | " + fields + " | " + parameter.meaning + " |\n";
  }
  return text;
}

/// With FOGLINE_WRITE_DOCS set, the page is written instead.
TEST(Registry, MakesTheTablesOfThePageOfStatements) {
  const char* tree = std::getenv("FOGLINE_SOURCE");
  if (tree == nullptr) GTEST_SKIP() << "the documentation is not at hand";
  const std::string file = (fs::path(tree) / "docs/statement.md").string();
  std::string page = privacy::content_of(file);
  for (const auto& request : all_releases()) {
    const std::string head = "<!-- parameters of " + request->kind() + " " + request->verb() + " -->\n";
    const std::size_t begin = page.find(head);
    ASSERT_NE(begin, std::string::npos) << head;
    const std::size_t table = begin + head.size(), end = page.find("<!-- end -->", table);
    ASSERT_NE(end, std::string::npos) << head;
    if (std::getenv("FOGLINE_WRITE_DOCS") != nullptr)
      page.replace(table, end - table, table_of(*request));
    else
      EXPECT_EQ(page.substr(table, end - table), table_of(*request))
          << "write it anew: FOGLINE_WRITE_DOCS=1 FOGLINE_SOURCE=. build/release/src/release_tests";
  }
  if (std::getenv("FOGLINE_WRITE_DOCS") != nullptr) std::ofstream(file) << page;
}

TEST(Registry, HasEveryVerbOfEveryKindOnce) {
  std::set<std::string> seen;
  for (const auto& request : all_releases())
    EXPECT_TRUE(seen.insert(request->kind() + " " + request->verb()).second);
  for (const auto& request : all_analyses())
    EXPECT_TRUE(seen.insert(request->kind() + " " + request->verb()).second);
  for (const Kind& kind : kinds()) {
    for (const char* verb : {"release", "plan", "measure", "attack", "audit"})
      EXPECT_TRUE(seen.contains(kind.name + " " + verb)) << kind.name << " " << verb;
    for (const MakeVerb& verb : kind.verbs)
      EXPECT_EQ(std::visit([](const auto make) { return make()->kind(); }, verb), kind.name);
    EXPECT_FALSE(kind.figures().empty()) << kind.name;
  }
  EXPECT_EQ(make_release("weights", "distances")->verb(), "distances");
  EXPECT_EQ(make_analysis("ledger", "show")->verb(), "show");
  EXPECT_THROW(make_release("place", "plan"), InvalidOption);
  EXPECT_THROW(make_analysis("place", "release"), InvalidOption);
  EXPECT_THROW(make_analysis("ship", "plan"), InvalidOption);
}

TEST(Registry, KnowsTheKindsThatAreClaimedAndEachOfThemIsRecomputed) {
  std::set<std::string> names, claimed;
  for (const Kind& kind : kinds()) names.insert(kind.name);
  for (const audit::Claim& claim : all_claims()) {
    claimed.insert(claim.kind);
    if (!claim.released || claim.form != privacy::Form::sound) continue;
    privacy::Statement statement = privacy::sample_statement();
    statement.kind = claim.kind;
    statement.mechanism = claim.mechanism;
    for (const privacy::Check& check : recompute(statement, {}))
      EXPECT_THAT(check.sentence, Not(HasSubstr("knows no mechanism")))
          << claim.kind << " " << claim.mechanism;
  }
  EXPECT_EQ(claimed, names);
}

/// Every mechanism that is released with is replayed as a whole release, but for those whose noise lies on the plane; and each of these meets noise.
TEST(Registry, ReplaysWholeReleasesByEveryMechanism) {
  const privacy::TestFolder parent;
  const ScratchFolder folder(parent.name());
  TestCaller caller;
  std::set<std::string> replayed{"place plm", "place plmg"};
  for (const Kind& kind : kinds()) {
    for (const audit::Specimen& specimen : kind.whole(folder, caller)) {
      replayed.insert(specimen.name);
      const ReplayedReleases found = replay_releases(*specimen.replay_case);
      EXPECT_FALSE(found.broken()) << specimen.name << ": " << found.row();
      EXPECT_GT(found.finding->largest_loss, 0) << specimen.name;
    }
  }
  for (const audit::Claim& claim : all_claims()) {
    if (claim.released && claim.form == privacy::Form::sound) {
      EXPECT_TRUE(replayed.contains(claim.kind + " " + claim.mechanism))
          << claim.kind << " " << claim.mechanism;
    }
  }
}

TEST(Registry, PlansAndAuditsHoldTheFieldsOfTheirReleases) {
  for (const auto& analysis : all_analyses()) {
    if (analysis->verb() != "plan" && analysis->verb() != "audit") continue;
    const auto release = make_release(analysis->kind(), "release");
    FieldTable of_release, table;
    release->declare(of_release);
    analysis->declare(table);
    EXPECT_NO_THROW(copy_fields(table, of_release)) << analysis->kind() << " " << analysis->verb();
    for (const Field& field : table.fields()) EXPECT_FALSE(field.help.empty()) << field.name;
  }
}

/// A number of metres says so to programs as well.
TEST(Registry, LengthsHaveAUnit) {
  const auto check = [](auto& request) {
    FieldTable table;
    request.declare(table);
    for (const Field& field : table.fields()) {
      const std::string unit = field.value == "METRES"      ? "m"
                               : field.value == "KM"        ? "km"
                               : field.name.ends_with("-s") ? "s"
                                                            : field.unit;
      EXPECT_EQ(field.unit, unit) << request.kind() << " " << request.verb() << " " << field.name;
    }
  };
  for (const auto& request : all_releases()) check(*request);
  for (const auto& request : all_analyses()) check(*request);
}

/// What writes a file says so: front ends know which one, and where else their words must go.
TEST(Registry, AnalysesThatWriteAFileNameIt) {
  for (const auto& request : all_analyses()) {
    FieldTable table;
    request->declare(table);
    const Field* output = table.find("output");
    EXPECT_EQ(output != nullptr && output->role == FieldRole::output, request->written() != nullptr)
        << request->kind() << " " << request->verb();
  }
}

}  // namespace
}  // namespace fogline::release::kinds_test
