// SPDX-License-Identifier: Apache-2.0
// Every single edit of an honest statement is refused, fails a check, or is on the list of docs/statement.md.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "audit/statements/recompute_place.hpp"
#include "audit/statements/test_release.hpp"
#include "base/error.hpp"
#include "place/catalogue.hpp"

namespace fogline::audit::forgery_test {
namespace {

using Json = nlohmann::ordered_json;
using Pointer = Json::json_pointer;
using privacy::Check;
using privacy::Outcome;

/// Other values that a field of this kind could have.
std::vector<Json> alternatives_for(const Json& value) {
  if (value.is_string()) {
    const auto text = value.get<std::string>();
    std::vector<Json> others{text + "x", "x" + text, "", 1, nullptr};
    for (const char* word :
         {"walkable", "shape points", "all", "0.5", "0.001", "1", "none", "pure DP", "published",
          "grid-rounded", "seeded, not private", "one report", "line:6:400", "m"}) {
      if (text != word) others.emplace_back(word);
    }
    if (text.size() == 64) others.emplace_back(std::string(64, '0'));
    if (text.size() == 32) others.emplace_back(std::string(32, '0'));
    return others;
  }
  if (value.is_number_integer())
    return {value.get<std::int64_t>() + 1, -value.get<std::int64_t>(), 0, "1", nullptr};
  if (value.is_number()) return {value.get<double>() / 2, value.get<double>() + 1, 0.0, "1", nullptr};
  return {1, "x", Json::object(), Json::array()};
}

/// The whole document with one thing in it changed, and where.
struct Forgery {
  std::string where;
  Json statement;
};

void forge_container(const Json& honest, const Pointer& at, std::vector<Forgery>& forgeries) {
  const Json& value = honest[at];
  const auto add = [&](const Pointer& where, const auto& change) {
    Json forged = honest;
    change(forged[at]);
    forgeries.push_back({where.to_string(), std::move(forged)});
  };
  if (value.is_object()) {
    add(at / "surplus", [](Json& object) { object["surplus"] = 1; });
    for (const auto& item : value.items()) {
      add(at / item.key(), [&](Json& object) { object.erase(item.key()); });
    }
    return;
  }
  if (value.empty()) return;
  add(at, [](Json& array) { array.push_back(Json(array.front())); });
  add(at, [](Json& array) { array.erase(array.size() - 1); });
  if (value.size() > 1) add(at, [](Json& array) { std::reverse(array.begin(), array.end()); });
}

void forge(const Json& honest, const Pointer& at, std::vector<Forgery>& forgeries) {
  const Json& value = honest[at];
  if (value.is_structured()) {
    forge_container(honest, at, forgeries);
    for (const auto& item : value.items()) forge(honest, at / item.key(), forgeries);
    return;
  }
  for (const Json& other : alternatives_for(value)) {
    Json forged = honest;
    forged[at] = other;
    forgeries.push_back({at.to_string(), std::move(forged)});
  }
}

/// Releases with every option, on a specification and on files.
const std::vector<Recomputation> known{
    {"place", place::mechanism_names(), privacy::Form::sound, recompute_place}};

class ForgeryTest : public testing::TestWithParam<bool> {
 protected:
  ForgeryTest() {
    if (GetParam()) {
      release_.use_files();
      release_.terms.range = release_.write("range.csv", "a\nc\n");
    } else {
      release_.use_line();
      release_.terms.range = release_.write("range.csv", "1\n3\n");
    }
    release_.terms.reports_per_person = 3;
    release_.terms.columns_copied = {"t", "user_id"};
    release_.make();
  }

  std::vector<Check> checks_of(const privacy::Statement& statement, bool with_ledger) {
    privacy::Ledger ledger(release_.ledger(), {.access = privacy::Ledger::Access::read_only});
    auto checks = privacy::verify(
        statement,
        {.folder = release_.folder.name(), .files = {}, .ledger = with_ledger ? &ledger : nullptr});
    for (Check& check : recompute(statement, known, {.folder = release_.folder.name()}))
      checks.push_back(std::move(check));
    return checks;
  }

  enum class Caught { refused, failed, noticed, unnoticed };

  /// Noticed: no check fails, but one that an honest statement passes is not made.
  Caught try_out(const Json& forged, bool with_ledger) {
    try {
      const auto statement = privacy::parse_statement(forged.dump(), "forged");
      const auto checks = checks_of(statement, with_ledger);
      if (std::ranges::count(checks, Outcome::failed, &Check::outcome) > 0) return Caught::failed;
      const auto passed = std::ranges::count(checks, Outcome::passed, &Check::outcome);
      const auto honest = checks_of(release_.statement(), with_ledger);
      return passed < std::ranges::count(honest, Outcome::passed, &Check::outcome) ? Caught::noticed
                                                                                   : Caught::unnoticed;
    } catch (const DataError&) {
      return Caught::refused;
    }
  }

  struct Escapes {
    std::set<std::string> noticed, unnoticed;
  };
  Escapes escapes(bool with_ledger) {
    const Json honest = Json::parse(to_json(release_.statement()));
    std::vector<Forgery> forgeries;
    forge(honest, Pointer(), forgeries);
    EXPECT_GT(forgeries.size(), 500U);
    Escapes result;
    for (const Forgery& forgery : forgeries) {
      const Caught caught = try_out(forgery.statement, with_ledger);
      if (caught == Caught::noticed) result.noticed.insert(forgery.where);
      if (caught == Caught::unnoticed) result.unnoticed.insert(forgery.where);
    }
    return result;
  }

  /// What the mechanism would have written for the same release with other options that change nothing in it.
  std::set<std::string> without_effect() const {
    std::set<std::string> fields;
    if (!GetParam()) {
      const nlohmann::ordered_json read_with = privacy::parameters_of(release_.terms.network);
      for (const auto& item : read_with.items()) fields.insert("/parameters/" + item.key());
    }
    return fields;
  }
  std::set<std::string> names_of_files() const {
    return GetParam() ? std::set<std::string>{"/public_inputs/1/name", "/public_inputs/2/name"}
                      : std::set<std::string>{"/public_inputs/1/name"};
  }

  TestRelease release_;
};

TEST_P(ForgeryTest, WithTheLedgerNothingEscapes) {
  const Escapes found = escapes(true);
  EXPECT_EQ(found.unnoticed, std::set<std::string>{});
  EXPECT_EQ(found.noticed, std::set<std::string>{});
}

TEST_P(ForgeryTest, WithoutTheLedgerItsEntryIsBelievedAndAnotherMechanismIsNoticed) {
  const Escapes found = escapes(false);
  auto unnoticed = without_effect();
  for (const char* field : {"/ledger/dataset", "/ledger/entry", "/ledger/entry_hash", "/ledger/id"}) {
    unnoticed.insert(field);
  }
  auto noticed = names_of_files();
  noticed.insert({"/kind", "/mechanism", "/version"});
  EXPECT_EQ(found.unnoticed, unnoticed);
  EXPECT_EQ(found.noticed, noticed);
}

/// The whole statement of a release that promises more, under the entry of the real one.
TEST_P(ForgeryTest, AConsistentLieIsSeenByTheLedgerAlone) {
  const privacy::Statement honest = release_.statement();
  const auto pays = honest.ledger;
  release_.terms.epsilon = privacy::EpsilonPerMetre{1, 1000};
  release_.make();
  privacy::Statement forged = release_.statement();
  forged.ledger = pays;
  EXPECT_EQ(try_out(Json::parse(to_json(forged)), false), Caught::unnoticed);
  const auto checks = checks_of(forged, true);
  const auto entry = std::ranges::find(checks, "ledger entry", &Check::name);
  EXPECT_EQ(entry->sentence, "its entry has another guarantee");
}

INSTANTIATE_TEST_SUITE_P(SpecificationAndFiles, ForgeryTest, testing::Bool(),
                         [](const auto& chosen) { return chosen.param ? "Files" : "Specification"; });

}  // namespace
}  // namespace fogline::audit::forgery_test
