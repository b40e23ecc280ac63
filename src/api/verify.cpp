// SPDX-License-Identifier: Apache-2.0
#include "fogline/verify.hpp"

#include "api/ledger_impl.hpp"
#include "api/listening_caller.hpp"
#include "base/threads.hpp"
#include "io/limits.hpp"
#include "privacy/statement_check.hpp"
#include "release/common_fields.hpp"
#include "release/kinds.hpp"

namespace fogline {
namespace {

VerifyCheck public_form(const privacy::Check& check) {
  using Outcome = VerifyCheck::Outcome;
  const Outcome outcome = check.outcome == privacy::Outcome::passed   ? Outcome::passed
                          : check.outcome == privacy::Outcome::failed ? Outcome::failed
                                                                      : Outcome::not_checked;
  return {.name = check.name, .outcome = outcome, .sentence = check.sentence};
}

}  // namespace

std::vector<VerifyCheck> verify(const std::string& statement, Ledger* ledger, const VerifyOptions& options,
                                Listener& listener) {
  api::ListeningCaller caller(listener);
  const io::LimitScope scope(release::LimitsField{options.limits}.value(caller));
  const privacy::Statement read = privacy::parse_statement(statement, "the statement");
  std::vector<VerifyCheck> checks;
  for (const auto& check :
       privacy::verify(read, {.folder = options.folder,
                             .files = options.files,
                             .ledger = ledger == nullptr ? nullptr : &ledger->impl().handle.get(),
                             .trusted = privacy::TrustedKeys::read(options.trust)}))
    checks.push_back(public_form(check));
  on_threads(caller.threads(), [&] {
    for (const auto& check : release::recompute(read, {.folder = options.folder,
                                                      .files = options.files,
                                                      .read_map = options.read_map,
                                                      .limited = options.limited,
                                                      .threads = caller.threads(),
                                                      .progress = caller.progress()}))
      checks.push_back(public_form(check));
  });
  return checks;
}

}  // namespace fogline
