// SPDX-License-Identifier: Apache-2.0
// Any bytes as a statement: refused with a DataError, or read and then written and read again without a change, put into words, and
// recomputed as far as that goes without files.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "fuzz_file.hpp"
#include "privacy/plain_words.hpp"
#include "privacy/statement.hpp"
#include "release/kinds.hpp"

namespace {

using namespace fogline::privacy;

void check(const std::string& path) try {
  const Statement statement = read_statement(path);
  const std::string written = to_json(statement);
  const Statement again = parse_statement(written, "fuzz");
  if (!(again == statement) || to_json(again) != written) std::abort();
  // What no statement may say.
  const bool promises = statement.guarantee.notion() != Notion::none;
  if (promises == statement.guarantee.epsilon().is_zero()) std::abort();
  if (promises && statement.randomness == fogline::random::Source::seeded) std::abort();
  if (plain_words(statement.guarantee).promised.empty()) std::abort();
  for (const Check& one : fogline::release::recompute(statement, {.read_files = false})) {
    if (one.name == "guarantee" && one.outcome == Outcome::passed && statement.mechanism != "gem")
      std::abort();
  }
} catch (const fogline::DataError&) {
  throw;
} catch (const fogline::Error&) {
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fogline::fuzz::run_file(data, size, ".statement.json",
                                 {.form = fogline::fuzz::Form::tree, .unpacks = false}, check);
}
