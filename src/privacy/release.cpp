// SPDX-License-Identifier: Apache-2.0
#include "privacy/release.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "base/error.hpp"
#include "privacy/composition.hpp"
#include "privacy/release_files.hpp"

namespace fogline::privacy {
namespace {

namespace fs = std::filesystem;

bool same_file(const std::string& a, const std::string& b) {
  if (a == "-" || b == "-") return false;
  std::error_code unknown;
  if (fs::equivalent(a, b, unknown)) return true;
  const auto place_of = [](const std::string& name) {
    std::error_code ignored;  // a name that cannot be looked up is compared as it is written
    return fs::weakly_canonical(fs::absolute(name), ignored).lexically_normal();
  };
  return place_of(a) == place_of(b);
}

/// A release that replaced its ledger would hand out the budget anew; one that replaced its input, the only copy of it.
void require_own_files(const ReleasePlan& plan, const std::string& statement) {
  if (same_file(plan.output, statement) || (plan.output == "-" && statement == "-")) {
    throw InvalidOption("statement", "and output must be two different files");
  }
  std::vector<std::string> others = plan.inputs;
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) others.push_back(plan.ledger + suffix);
  for (const std::string& other : others) {
    if (same_file(plan.output, other))
      throw InvalidOption("output", "is the ledger or an input of this release");
    if (same_file(statement, other))
      throw InvalidOption("statement", "is the ledger or an input of this release");
  }
}

std::string name_of(const std::string& output) {
  return output == "-" ? output : fs::path(output).filename().string();
}

Statement seeded_statement(Statement statement) {
  statement.guarantee = seeded(statement.guarantee);
  statement.promise = seeded_promise();
  statement.randomness = random::Source::seeded;
  return statement;
}

/// The statement as it will be, with stand-ins for what is not known yet, so that it cannot turn out invalid after the charge.
void require_valid_draft(const ReleasePlan& plan, Statement statement) {
  const std::string some_hash(64, '0');
  statement.ledger = LedgerReference{std::string(32, '0'), 1, some_hash, plan.dataset};
  statement.outputs = {{name_of(plan.output), some_hash, 0}};
  require_valid(statement);
}

}  // namespace

std::vector<std::string> seeded_promise() {
  return {"Nothing: the noise is fixed by a seed, and whoever knows or guesses it can undo it."};
}

Released release(const ReleasePlan& plan, const std::function<Drawn(const random::Key&)>& draw,
                 std::optional<LedgerReference>* charged) {
  return release_in_pieces(
      plan,
      [&](const random::Key& key, const WriteOutput& write) {
        const Drawn drawn = draw(key);
        write(drawn.text);
        return drawn.records;
      },
      charged);
}

Released release_in_pieces(const ReleasePlan& plan,
                           const std::function<std::uint64_t(const random::Key&, const WriteOutput&)>& draw,
                           std::optional<LedgerReference>* charged) {
  Statement statement = plan.seed ? seeded_statement(plan.draft) : plan.draft;
  require_valid_draft(plan, statement);
  if (plan.output == "-" && plan.statement.empty()) {
    throw InvalidOption("--statement", "is needed when the output is -");
  }
  require_own_files(plan, plan.statement.empty() ? statement_path(plan.output) : plan.statement);
  ReleaseFiles files({plan.output}, {.overwrite = plan.overwrite, .statement = plan.statement});
  Ledger ledger(plan.ledger, {});
  const ReleaseRequest request{.dataset = plan.dataset,
                               .kind = plan.draft.kind,
                               .mechanism = plan.draft.mechanism,
                               .guarantee = plan.draft.guarantee,
                               .output = name_of(plan.output),
                               .version = plan.draft.version,
                               .time_unix_s = plan.time_unix_s};

  Receipt receipt = plan.seed ? ledger.record_seeded_run(request, *plan.seed) : ledger.charge(request);
  if (charged != nullptr) *charged = receipt.reference();
  statement.ledger = receipt.reference();
  statement.randomness = receipt.source();
  files.count_records(0, draw(receipt.draw_key(), [&](std::string_view piece) { files.write(0, piece); }));
  return {files.commit(statement), files.statement_name()};
}

}  // namespace fogline::privacy
