// SPDX-License-Identifier: Apache-2.0
// Every field of a request at, below and above its range, through the library.
#include <functional>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/rational.hpp"
#include "release/kinds.hpp"
#include "release/test_caller.hpp"
#include "release/test_refused_fields.hpp"

namespace fogline::release::refused_fields_test {
namespace {

using Json = RefusedFields::Json;
using Case = RefusedFields::Case;

/// The field that is refused, or null.
Json refused(const std::function<void()>& run) try {
  run();
  return nullptr;
} catch (const InvalidOption& error) {
  EXPECT_EQ(error.problem().code, "invalid-option");
  EXPECT_NE(error.problem().allowed, "") << error.what();
  return error.option();
}

Json refused_release(const Case& one, const Json& fields) {
  const auto request = make_release(one.kind, one.verb);
  return refused([&] {
    TestCaller caller;
    FieldTable table;
    declare_all(*request, table);
    set_fields(table, fields);
    require_in_range(table);
    if (one.is_run) release(*request, caller);
  });
}

Json refused_analysis(const Case& one, const Json& fields) {
  const auto request = make_analysis(one.kind, one.verb);
  return refused([&] {
    TestCaller caller;
    FieldTable table;
    declare_all(*request, table);
    set_fields(table, fields);
    require_in_range(table);
    if (one.is_run) find(*request, caller);
  });
}

bool is_release(const Case& one) {
  for (const auto& request : all_releases())
    if (request->kind() == one.kind && request->verb() == one.verb) return true;
  return false;
}

TEST(RefusedFields, AreNamed) {
  const auto table = RefusedFields::read();
  if (!table) GTEST_SKIP() << "ctest says where the sources are";
  for (const Case& one : table->cases()) {
    const privacy::TestFolder folder;
    table->write_files(folder);
    Json fields = table->in_folder(one, folder);
    if (!is_release(one)) {
      EXPECT_EQ(refused_analysis(one, fields), one.refused) << one.words();
      continue;
    }
    fields["ledger"] = folder.path("ledger");
    EXPECT_EQ(refused_release(one, fields), one.refused) << one.words();
    EXPECT_EQ(privacy::Ledger(folder.path("ledger"), {}).books().dataset("default").releases() > 0,
              one.refused.is_null() && one.is_run)
        << one.words();
  }
  EXPECT_GT(table->cases().size(), 400U);
}

/// As exact fractions; those that are none are no numbers of a range.
std::optional<Rational> number_in(const Json& value) {
  return value.is_string() ? Rational::parse(value.get<std::string>()) : Rational::parse(value.dump());
}

/// What the table has of one field of one verb.
struct Tried {
  bool below = false, at_least = false, at_most = false, above = false, within = false;
};

Tried tried(const RefusedFields& table, const std::string& kind, const std::string& verb,
            const Field& field) {
  Tried result;
  const auto least = *Rational::parse(field.range.least.empty() ? "1" : field.range.least);
  const auto most = Rational::parse(field.range.most);
  for (const Case& one : table.cases()) {
    if (one.kind != kind || one.verb != verb || !one.with.contains(field.name)) continue;
    const bool is_taken = one.refused.is_null(), is_refused = one.refused == field.name;
    const Json& value = one.with[field.name];
    // Below 0 there are no fractions, but there are refusals.
    const bool is_negative = value.is_string() ? value.get<std::string>().starts_with("-") : value < 0;
    const auto number = number_in(value);
    if (is_refused &&
        (is_negative || (number && (*number < least || (field.range.is_above && *number == least)))))
      result.below = true;
    if (!number || is_negative) continue;
    if (is_taken) result.within = true;
    if (is_taken && *number == least) result.at_least = true;
    if (is_taken && most && *number == *most) result.at_most = true;
    if (is_refused && most && (*number > *most || (field.range.is_below && *number == *most)))
      result.above = true;
  }
  return result;
}

/// A number with a range that the table forgets is one that nobody tries.
TEST(RefusedFields, AreAllThatHaveARange) {
  const auto table = RefusedFields::read();
  if (!table) GTEST_SKIP() << "ctest says where the sources are";
  int fields = 0;
  const auto look_at = [&](auto& request) {
    FieldTable declared;
    request.declare(declared);
    for (const Field& field : declared.fields()) {
      if (field.range.least.empty() && !field.nonzero) continue;
      ++fields;
      const Tried found = tried(*table, request.kind(), request.verb(), field);
      const std::string name = request.kind() + " " + request.verb() + ": " + field.name;
      EXPECT_TRUE(found.below) << name << " below its range";
      EXPECT_TRUE(found.within) << name << " within its range";
      EXPECT_TRUE(found.at_least || field.range.is_above) << name << " at its least";
      if (field.range.most.empty()) continue;
      EXPECT_TRUE(found.at_most || field.range.is_below) << name << " at its most";
      EXPECT_TRUE(found.above) << name << " above its range";
    }
  };
  const auto look_at_all = [&](const std::vector<MakeVerb>& verbs) {
    for (const MakeVerb& verb : verbs) std::visit([&](const auto make) { look_at(*make()); }, verb);
  };
  for (const Kind& kind : kinds()) look_at_all(kind.verbs);
  look_at_all(other_verbs());
  EXPECT_GT(fields, 80);
}

}  // namespace
}  // namespace fogline::release::refused_fields_test
