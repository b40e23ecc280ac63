// SPDX-License-Identifier: Apache-2.0
// Releases in a loop until the budget is spent: charge, draw, write output and statement. ledger_kill_test
// kills it at any moment.
//
//     ledger_kill_helper LEDGER FOLDER NAME      exit code 3 when the cap is reached
#include <cstdio>
#include <string>

#include "privacy/ledger.hpp"
#include "privacy/release.hpp"
#include "privacy/release_files.hpp"

namespace {

using namespace fogline::privacy;

const Guarantee guarantee = Guarantee::metric(EpsilonPerMetre{1, 100}, "one report", Exactness::exact);

Statement statement_of(const Receipt& receipt) {
  return {.kind = "place",
          .mechanism = "test",
          .form = Form::sound,
          .guarantee = guarantee,
          .public_inputs = {},
          .outputs = {},
          .ledger = receipt.reference(),
          .version = "test",
          .randomness = receipt.source(),
          .expected_error = std::nullopt,
          .not_protected = {"Anything: this output is a random number."},
          .promise = {"None that matters: this is a test."}};
}

void release(Ledger& ledger, const std::string& folder, const std::string& name) {
  ReleaseFiles files({folder + "/" + name}, {});
  Receipt receipt = ledger.charge({.dataset = "riders",
                                   .kind = "place",
                                   .mechanism = "test",
                                   .guarantee = guarantee,
                                   .output = name,
                                   .version = "test",
                                   .time_unix_s = 0});
  files.write_record(0, std::to_string(receipt.draw_key().stream("test").next64()) + "\n");
  Statement statement = statement_of(receipt);
  files.commit(statement);
  settle(statement, ledger, 0);
}

}  // namespace

int main(int count, char** arguments) try {
  if (count != 4) return 2;
  Ledger ledger(arguments[1], {});
  for (int i = 0;; ++i)
    release(ledger, arguments[2], std::string(arguments[3]) + "-" + std::to_string(i) + ".csv");
} catch (const BudgetError&) {
  return 3;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
