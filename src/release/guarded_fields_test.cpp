// SPDX-License-Identifier: Apache-2.0
// What a guarded request may not choose: rules by which a release tells something for certain, whatever epsilon is.
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"
#include "release/kinds.hpp"
#include "release/test_caller.hpp"

namespace fogline::release::guarded_fields_test {
namespace {

using Json = nlohmann::ordered_json;

class GuardedFields : public testing::Test {
 protected:
  GuardedFields() {
    privacy::declare(ledger_);
    write("model.csv", "from,to,probability\nhall,hall,0.5\nhall,lab,0.5\nlab,hall,0.5\nlab,lab,0.5\n");
    write("rooms.csv", "state,category\nhall,1\nlab,2\n");
    write("states.csv", "state\nhall\nlab\n");
    write("points.csv", "user_id,t,lon,lat\nann,0,0,0\n");
    write("nodes.csv", "id,lon,lat\na,0,0\nb,0.001,0\nc,0.01,0\nd,0.011,0\n");
    write("edges.csv", "source,target,length_m\na,b,111\nc,d,111\n");
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path(name)) << text;
  }

  /// The field that a guarded request is refused for; empty if it is released. Whoever is not guarded may have it.
  std::string refused(const std::function<std::unique_ptr<Release>()>& make, const std::string& input,
                      Json fields) {
    fields.update({{"input", folder_.path(input)}, {"dataset", "riders"}, {"ledger", ledger_}});
    std::string field;
    for (const bool is_guarded : {false, true}) {
      const auto request = make();
      request->to.output.receive = [](std::string_view) {};
      FieldTable table;
      declare_all(*request, table);
      for (const Field& one : table.fields())
        if (one.name == "anyway") fields["anyway"] = true;
      fields["guarded"] = is_guarded;
      set_fields(table, fields);
      TestCaller caller;
      try {
        release(*request, caller);
      } catch (const InvalidOption& error) {
        EXPECT_TRUE(is_guarded) << error.what();
        field = error.problem().field;
      }
    }
    return field;
  }

  privacy::TestFolder folder_;
  std::string ledger_ = folder_.path("ledger");
};

TEST_F(GuardedFields, APolicyJoinsAllStates) {
  const auto field = [&](const std::string& policy, const std::string& repair) {
    return refused(
        stream_release, "states.csv",
        {{"model", folder_.path("model.csv")}, {"policy", policy}, {"repair", repair}, {"epsilon", "1"}});
  };
  EXPECT_EQ(field("complete", "least-area"), "");
  EXPECT_EQ(field("complete", "none"), "");
  EXPECT_EQ(field("category:" + folder_.path("rooms.csv"), "none"), "policy");
  EXPECT_EQ(field("category:" + folder_.path("rooms.csv"), "nearest"), "policy");
  EXPECT_EQ(field("transition", "least-area"), "policy");
  EXPECT_EQ(field("util:5", "none"), "policy");
}

TEST_F(GuardedFields, NoColumnIsCopied) {
  const auto field = [&](Json more) {
    more.update({{"network", "lattice:5x5:400"}, {"mechanism", "gem"}, {"epsilon", "0.01"}});
    return refused(place_release, "points.csv", std::move(more));
  };
  EXPECT_EQ(field(Json::object()), "");
  EXPECT_EQ(field({{"keep", "user_id"}}), "keep");
  EXPECT_EQ(field({{"keep", "t"}}), "keep");
}

TEST_F(GuardedFields, AMapIsInOnePiece) {
  const auto field = [&](bool all_components) {
    return refused(place_release, "points.csv",
                   {{"network", folder_.path("nodes.csv")},
                    {"mechanism", "gem"},
                    {"epsilon", "0.01"},
                    {"all-components", all_components}});
  };
  EXPECT_EQ(field(false), "");
  EXPECT_EQ(field(true), "network");
}

/// Who names the columns says whose records they are, and which of them are released as they stand.
TEST_F(GuardedFields, NoColumnIsNamedThatDecidesWhatIsProtected) {
  write("reports.csv", "user_id,t,lon,lat,ward,east\nann,0,0,0,eye,0\nann,60,0.0001,0,eye,0\n");
  write("graph.csv", "source,target,weight\n1,2,3\n2,3,4\n");
  write("visits.csv", "user_id,sequence,state,ward\nann,1,hall,eye\n");
  const auto place = [&](const std::string& columns) {
    return refused(
        place_release, "reports.csv",
        {{"network", "lattice:5x5:400"}, {"mechanism", "gem"}, {"epsilon", "0.01"}, {"columns", columns}});
  };
  EXPECT_EQ(place("user=ward"), "columns");
  EXPECT_EQ(place("user=none"), "columns");
  EXPECT_EQ(place("trip=ward"), "columns");
  EXPECT_EQ(place("lon=east"), "") << "gets noise, whichever it is";
  const auto weights = [&](const std::string& columns) {
    return refused(weights_release, "graph.csv", {{"range", "0:10"}, {"epsilon", "1"}, {"columns", columns}});
  };
  EXPECT_EQ(weights("source=weight,target=source,weight=target"), "columns");
  EXPECT_EQ(refused(weights_distances, "graph.csv",
                    {{"range", "0:10"}, {"epsilon", "1"}, {"columns", "target=weight,weight=target"}}),
            "columns");
  EXPECT_EQ(refused(stream_release, "visits.csv",
                    {{"model", folder_.path("model.csv")},
                     {"policy", "complete"},
                     {"epsilon", "1"},
                     {"columns", "trip=ward"}}),
            "columns");
  EXPECT_EQ(
      refused(traces_release, "reports.csv",
              {{"area", "-1,-1,1,1"}, {"epsilon", "5"}, {"trips-to-make", 3}, {"columns", "trip=ward"}}),
      "columns");
}

TEST_F(GuardedFields, NoHeaderIsGivenToAFileWithoutOne) {
  write("bare.csv", "ann,0,0,0\n");
  EXPECT_EQ(refused(place_release, "bare.csv",
                    {{"network", "lattice:5x5:400"},
                     {"mechanism", "gem"},
                     {"epsilon", "0.01"},
                     {"csv-header", "user_id,t,lon,lat"}}),
            "csv-header");
}

}  // namespace
}  // namespace fogline::release::guarded_fields_test
