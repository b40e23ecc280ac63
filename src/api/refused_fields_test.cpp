// SPDX-License-Identifier: Apache-2.0
// Every field of a request at, below and above its range, through the public interface: the same codes and fields as in release/refused_fields_test.cpp.
#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "fogline/analysis.hpp"
#include "fogline/ledger.hpp"
#include "fogline/request.hpp"
#include "release/kinds.hpp"
#include "release/test_refused_fields.hpp"

namespace fogline::refused_fields_test {
namespace {

using release::RefusedFields;

class TwoThreads : public Listener {
 public:
  int threads() const override { return 2; }
};

bool is_release(const RefusedFields::Case& one) {
  return std::ranges::any_of(release::all_releases(), [&](const auto& request) {
    return request->kind() == one.kind && request->verb() == one.verb;
  });
}

/// The field that is refused, or null.
RefusedFields::Json refused(const RefusedFields::Case& one, const std::string& fields,
                            const std::string& ledger_file) {
  TwoThreads listener;
  try {
    if (is_release(one)) {
      Ledger ledger(ledger_file);
      Request(one.kind, one.verb).set_json(fields).run(ledger, listener);
    } else {
      Analysis(one.kind, one.verb).set_json(fields).run(listener);
    }
    return nullptr;
  } catch (const InvalidOption& error) {
    EXPECT_EQ(error.problem().code, "invalid-option");
    EXPECT_EQ(error.problem().field, error.option());
    EXPECT_NE(error.problem().allowed, "") << error.what();
    return error.option();
  }
}

TEST(RefusedFields, AreTheSameThroughThePublicInterface) {
  const auto table = RefusedFields::read();
  if (!table) GTEST_SKIP() << "ctest says where the sources are";
  for (const RefusedFields::Case& one : table->cases()) {
    if (!one.is_run) continue;
    const privacy::TestFolder folder;
    table->write_files(folder);
    EXPECT_EQ(refused(one, table->in_folder(one, folder).dump(), folder.path("ledger")), one.refused)
        << one.words();
  }
}

}  // namespace
}  // namespace fogline::refused_fields_test
