// SPDX-License-Identifier: Apache-2.0
#include "release/shards.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"
#include "release/analyses/statement_files.hpp"
#include "release/kinds.hpp"
#include "release/test_caller.hpp"

namespace fogline::release::shards_test {
namespace {

using Json = nlohmann::ordered_json;

class Shards : public testing::Test {
 protected:
  Shards() {
    for (int i = 0; i < 10; ++i) {
      lon_.push_back(0.0005 * i);
      lat_.push_back(0.0003 * i);
    }
    privacy::declare(folder_.path("ledger"));
  }

  ColumnSet positions(std::size_t begin, std::size_t end) const {
    ColumnSet columns;
    columns.borrow("lon", std::span(lon_).subspan(begin, end - begin));
    columns.borrow("lat", std::span(lat_).subspan(begin, end - begin));
    return columns;
  }

  static void fill(Release& request, const Json& fields) {
    FieldTable table;
    request.declare(table);
    set_fields(table, fields);
  }
  Json place(const Json& more = Json::object()) const {
    Json fields{{"network", "lattice:5x5:400"}, {"epsilon", "0.01"}, {"dataset", "riders"}};
    fields.update(more);
    return fields;
  }
  Ticket paid(const Json& fields) {
    const auto request = place_release();
    request->from.columns.emplace();  // the records are elsewhere
    request->to.output.receive = [](std::string_view) {};
    Json all = fields;
    all["ledger"] = folder_.path("ledger");
    fill(*request, all);
    return charge(*request, caller_);
  }
  Shard drawn(const Ticket& ticket, const Json& fields, std::size_t begin, std::size_t end) {
    const auto part = place_release();
    part->from.columns = positions(begin, end);
    part->to.output.receive = [](std::string_view) {};
    fill(*part, fields);
    return draw_shard(*part, ticket, begin, caller_);
  }
  /// Without the declaration.
  std::uint64_t entries() { return privacy::Ledger(folder_.path("ledger"), {}).head().entries - 1; }

  std::vector<double> lon_, lat_;
  privacy::TestFolder folder_;
  TestCaller caller_;
};

/// However it is cut, in whatever order and however often it is drawn: the bytes of the whole.
TEST_F(Shards, TogetherAreTheWhole) {
  std::string whole;
  const auto request = place_release();
  request->from.columns = positions(0, 10);
  request->to.output.receive = [&](std::string_view piece) { whole += piece; };
  fill(*request, place({{"seed", "7"}, {"ledger", folder_.path("ledger")}}));
  release(*request, caller_);

  const Ticket ticket = Ticket::parse(paid(place({{"seed", "7"}})).to_secret_text());
  for (const std::vector<std::size_t>& cuts :
       {std::vector<std::size_t>{0, 10}, {0, 3, 10}, {0, 1, 2, 9, 10}, {0, 5, 6, 10}}) {
    std::vector<std::string> parts(cuts.size() - 1);
    for (int again = 0; again < 2; ++again)
      for (std::size_t i = cuts.size() - 1; i > 0; --i)
        parts[i - 1] = drawn(ticket, place({{"seed", "7"}}), cuts[i - 1], cuts[i]).text;
    std::string joined;
    for (const std::string& part : parts) joined += part;
    EXPECT_EQ(joined, whole);
  }
}

TEST_F(Shards, AreChargedOnce) {
  const Ticket ticket = paid(place());
  EXPECT_EQ(entries(), 1U);
  const Shard one = drawn(ticket, place(), 0, 4), same = drawn(ticket, place(), 0, 4);
  const Shard other = drawn(ticket, place(), 4, 10);
  EXPECT_EQ(one.text, same.text);
  EXPECT_EQ(entries(), 1U);
  const privacy::Statement statement = conclude(ticket, {{"part-1.csv", other}, {"part-0.csv", one}});
  EXPECT_EQ(statement.outputs[1].records, 6U);
  EXPECT_EQ(statement.randomness, random::Source::operating_system);
  EXPECT_EQ(std::get<privacy::LedgerReference>(statement.ledger).entry, 2U);
  EXPECT_EQ(privacy::parse_statement(to_json(statement), "test"), statement);
}

/// What is cut is checked as the whole that it is.
TEST_F(Shards, CanBeVerified) {
  const Ticket ticket = paid(place());
  const std::vector<Shard> shards{drawn(ticket, place(), 0, 4), drawn(ticket, place(), 4, 10)};
  const privacy::Statement statement =
      conclude(ticket, {{"part-0.csv", shards[0]}, {"part-1.csv", shards[1]}});
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder_.path(name)) << text;
  };
  write("part-0.csv", shards[0].text);
  write("part-1.csv", shards[1].text);
  const auto checks_of = [&](const privacy::Statement& stated) {
    std::map<std::string, privacy::Outcome> outcomes;
    for (const privacy::Check& check : recompute(stated, {.folder = folder_.path("")}))
      outcomes[check.name] = check.outcome;
    return outcomes;
  };
  for (const auto& [name, outcome] : checks_of(statement))
    EXPECT_EQ(outcome, privacy::Outcome::passed) << name;

  // In another order, or with records that nobody drew, they are another whole.
  privacy::Statement turned = statement;
  std::swap(turned.outputs[0], turned.outputs[1]);
  EXPECT_EQ(checks_of(turned)["released file"], privacy::Outcome::failed);
  privacy::Statement moved = statement;
  std::string text = shards[1].text;
  const std::size_t comma = text.find(',', text.find(',') + 1);
  text.insert(comma + 1, "1");
  write("part-1.csv", text);
  moved.outputs[1].sha256 = privacy::sha256_of_text(text);
  EXPECT_EQ(checks_of(moved)["positions"], privacy::Outcome::failed);
}

/// The file that is named is the one that is checked, whatever else lies here.
TEST_F(Shards, APartIsKnownByItsNameOrItsContent) {
  const Ticket ticket = paid(place());
  const std::vector<Shard> shards{drawn(ticket, place(), 0, 4), drawn(ticket, place(), 4, 10)};
  const privacy::Statement statement =
      conclude(ticket, {{"part-0.csv", shards[0]}, {"part-1.csv", shards[1]}});
  const auto named = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder_.path(name)) << text;
    std::map<std::string, std::string> files{{"part-0.csv", "elsewhere"}};
    name_outputs(statement, folder_.path(name), files);
    return files;
  };
  using Files = std::map<std::string, std::string>;
  EXPECT_EQ(named("part-1.csv", "anything"),
            (Files{{"part-0.csv", "elsewhere"}, {"part-1.csv", folder_.path("part-1.csv")}}));
  EXPECT_EQ(named("renamed.csv", shards[1].text),
            (Files{{"part-0.csv", "elsewhere"}, {"part-1.csv", folder_.path("renamed.csv")}}));
  EXPECT_EQ(named("evil.csv", "vertex\n7\n"), (Files{{"part-0.csv", folder_.path("evil.csv")}}));
}

/// A part that is refused tells of its records, and the ledger that was charged knows of it, if it is named.
TEST_F(Shards, ThatAreRefusedAreRecorded) {
  const Ticket ticket = paid(place());
  lon_[1] = 30;
  EXPECT_THROW(drawn(ticket, place(), 0, 4), DataError);
  EXPECT_EQ(entries(), 1U);
  EXPECT_THROW(drawn(ticket, place({{"ledger", folder_.path("ledger")}}), 0, 4), DataError);
  EXPECT_EQ(entries(), 2U);
  EXPECT_EQ(privacy::Ledger(folder_.path("ledger"), {}).books().dataset("riders").refusals, 1U);
}

/// The same noise for two records tells their difference: what overlaps is never published.
TEST_F(Shards, MustNotOverlap) {
  const Ticket ticket = paid(place());
  const Shard one = drawn(ticket, place(), 0, 4), other = drawn(ticket, place(), 3, 10),
              late = drawn(ticket, place(), 5, 10);
  EXPECT_THROW(conclude(ticket, {{"part-0.csv", one}, {"part-1.csv", other}}), InvalidOption);
  EXPECT_THROW(conclude(ticket, {{"part-0.csv", one}, {"part-1.csv", late}}), InvalidOption);
  EXPECT_THROW(conclude(ticket, {{"part-1.csv", late}}), InvalidOption);
}

/// A part is drawn from what was hashed, like a whole.
TEST_F(Shards, RefuseAPublicFileThatChanges) {
  std::ofstream(folder_.path("prior.csv")) << "vertex,probability\n0,1\n";
  struct Changing : TestCaller {
    Progress progress() override {
      return [this](const ProgressUpdate&) {
        if (!std::exchange(is_changed, true)) std::ofstream(file, std::ios::app) << "1,1\n";
        return true;
      };
    }
    std::string file;
    bool is_changed = false;
  } changing;
  changing.file = folder_.path("prior.csv");
  const Json fields = place({{"prior", folder_.path("prior.csv")}, {"anyway", true}});
  const Ticket ticket = paid(fields);
  const auto part = place_release();
  part->from.columns = positions(0, 4);
  part->to.output.receive = [](std::string_view) {};
  fill(*part, fields);
  EXPECT_THROW(draw_shard(*part, ticket, 0, changing), DataError);
  EXPECT_TRUE(changing.is_changed);
}

/// Another charge is another key.
TEST_F(Shards, OfTwoChargesDiffer) {
  std::string one, other;
  const Ticket first = paid(place()), second = paid(place());
  one = drawn(first, place(), 0, 10).text;
  other = drawn(second, place(), 0, 10).text;
  EXPECT_NE(one, other);
  EXPECT_EQ(entries(), 2U);
}

TEST_F(Shards, AreDrawnForWhatWasPaidOnly) {
  const Ticket ticket = paid(place());
  EXPECT_THROW(drawn(ticket, place({{"epsilon", "0.02"}}), 0, 4), InvalidOption);
  EXPECT_THROW(drawn(ticket, place({{"network", "lattice:6x6:400"}}), 0, 4), InvalidOption);
  EXPECT_THROW(drawn(ticket, place({{"mechanism", "gem"}, {"max-snap", 100}}), 0, 4), InvalidOption);
}

TEST_F(Shards, RefuseWhatNeedsAllRecords) {
  EXPECT_THROW(paid(place({{"reports-per-person", 2}})), InvalidOption);
  EXPECT_THROW(paid(place({{"too-far", "leave-out"}})), InvalidOption);
  for (auto& request : all_releases()) {
    const bool may_be_cut = request->kind() == "place" || request->kind() == "stream";
    if (may_be_cut) continue;
    EXPECT_THROW(charge(*request, caller_), InvalidOption) << request->kind();
  }
  EXPECT_EQ(entries(), 0U);
}

TEST_F(Shards, OfStreamsAreWholeSequences) {
  std::ofstream(folder_.path("house.csv"))
      << "from,to,probability\nhall,hall,0.5\nhall,lab,0.5\nlab,hall,0.5\nlab,lab,0.5\n";
  const std::vector<std::string_view> state{"hall", "lab", "hall", "hall"}, sequence{"a", "a", "b", "b"};
  const auto request_of = [&](std::size_t begin, std::size_t end, std::string* text) {
    auto request = stream_release();
    request->from.columns = ColumnSet()
                                .borrow("state", std::span(state).subspan(begin, end - begin))
                                .borrow("sequence", std::span(sequence).subspan(begin, end - begin));
    request->to.output.receive = [text](std::string_view piece) {
      if (text != nullptr) *text += piece;
    };
    fill(*request, {{"model", folder_.path("house.csv")},
                    {"policy", "complete"},
                    {"epsilon", 1},
                    {"anyway", true},
                    {"seed", "3"},
                    {"ledger", folder_.path("ledger")}});
    return request;
  };
  std::string whole;
  release(*request_of(0, 4, &whole), caller_);
  const Ticket ticket = charge(*request_of(0, 4, nullptr), caller_);
  const Shard first = draw_shard(*request_of(0, 2, nullptr), ticket, 0, caller_);
  EXPECT_EQ(first.numbers, 1U);
  EXPECT_EQ(first.records, 2U);
  const Shard second = draw_shard(*request_of(2, 4, nullptr), ticket, first.numbers, caller_);
  EXPECT_EQ(first.text + second.text, whole);
  std::ofstream(folder_.path("a.csv")) << first.text;
  std::ofstream(folder_.path("b.csv")) << second.text;
  const privacy::Statement statement = conclude(ticket, {{"a.csv", first}, {"b.csv", second}});
  for (const privacy::Check& check : recompute(statement, {.folder = folder_.path("")}))
    if (check.name != "outcome") {
      EXPECT_EQ(check.outcome, privacy::Outcome::passed) << check.name << check.sentence;
    }
}

TEST_F(Shards, KnowATicketFromOtherTexts) {
  for (const char* text : {"", "{}", "[]", "7", R"({"fogline shard ticket":1,"key":"x","statement":"{}"})",
                           R"({"fogline shard ticket":"x","key":"a","statement":"b"})"})
    EXPECT_THROW(Ticket::parse(text), Error) << text;
  const std::string text = paid(place()).to_secret_text();
  EXPECT_EQ(Ticket::parse(text).to_secret_text(), text);
  std::string broken = text;
  broken.replace(broken.find("secret:") + 7, 2, "zz");
  EXPECT_THROW(Ticket::parse(broken), InvalidOption);
}

}  // namespace
}  // namespace fogline::release::shards_test
