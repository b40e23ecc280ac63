// SPDX-License-Identifier: Apache-2.0
// Every field of a request at, below and above its range, through the library. The table is tests/refused_fields.json, to which
// tests/refused_fields.py holds the command line.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"
#include "release/kinds.hpp"
#include "release/test_caller.hpp"

namespace fogline::release::refused_fields_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::unique_ptr<Release> request_of(const std::string& kind, const std::string& verb) {
  for (auto& request : all_releases())
    if (request->kind() == kind && request->verb() == verb) return std::move(request);
  return nullptr;
}

/// Fields that name files, here and in the table, lie in the test's folder.
Json in_folder(Json fields, const Json& files, const privacy::TestFolder& folder) {
  for (auto& [name, value] : fields.items()) {
    const bool is_output = (name == "output" || name == "statement") && value != "-";
    if (value.is_string() && (is_output || files.contains(value.get<std::string>())))
      value = folder.path(value.get<std::string>());
  }
  fields["ledger"] = folder.path("ledger");
  return fields;
}

/// The field that is refused, or null.
Json refused(Release& request, const Json& fields) try {
  TestCaller caller;
  FieldTable table;
  declare_all(request, table);
  set_fields(table, fields);
  release(request, caller);
  return nullptr;
} catch (const InvalidOption& error) {
  EXPECT_EQ(error.problem().code, "invalid-option");
  return error.option();
}

TEST(RefusedFields, AreNamed) {
  const char* source = std::getenv("FOGLINE_SOURCE");
  if (source == nullptr) GTEST_SKIP() << "ctest says where the sources are";
  std::ifstream file(fs::path(source) / "tests/refused_fields.json");
  const Json table = Json::parse(file);
  int count = 0;
  for (const Json& verb : table["verbs"]) {
    for (const Json& one : verb["cases"]) {
      const privacy::TestFolder folder;
      for (const auto& [name, text] : table["files"].items())
        std::ofstream(folder.path(name)) << text.get<std::string>();
      privacy::declare(folder.path("ledger"), "default");
      Json fields = verb["fields"];
      fields.update(one["with"]);
      const auto request = request_of(verb["kind"], verb["verb"]);
      ASSERT_NE(request, nullptr);
      EXPECT_EQ(refused(*request, in_folder(fields, table["files"], folder)), one["refused"])
          << verb["kind"] << " " << verb["verb"] << " " << one["with"];
      EXPECT_EQ(privacy::Ledger(folder.path("ledger"), {}).books().dataset("default").releases() > 0,
                one["refused"].is_null())
          << one["with"];
      ++count;
    }
  }
  EXPECT_GT(count, 100);
}

}  // namespace
}  // namespace fogline::release::refused_fields_test
