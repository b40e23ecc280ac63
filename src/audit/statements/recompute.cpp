// SPDX-License-Identifier: Apache-2.0
#include "audit/statements/recompute.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace fogline::audit {
namespace {

using privacy::Check;
using privacy::Outcome;

std::vector<Check> unknown_form(const privacy::Statement& statement) {
  const std::string name = fmt::format("{} {}", statement.kind, statement.mechanism);
  if (statement.guarantee.notion() == privacy::Notion::none) {
    return {{"guarantee", Outcome::not_checked, fmt::format("nothing is promised by this form of {}", name)}};
  }
  return {{"guarantee", Outcome::failed,
           fmt::format("{} promises nothing in the form \"{}\"", name, to_string(statement.form))}};
}

}  // namespace

std::vector<Check> recompute(const privacy::Statement& statement, std::span<const Recomputation> known,
                             const RecomputeOptions& options) {
  bool knows_mechanism = false;
  for (const Recomputation& one : known) {
    if (one.kind != statement.kind) continue;
    if (std::ranges::find(one.mechanisms, statement.mechanism) == one.mechanisms.end()) continue;
    if (one.form == statement.form) return one.run(statement, options);
    knows_mechanism = true;
  }
  if (knows_mechanism) return unknown_form(statement);
  return {{"guarantee", Outcome::not_checked,
           fmt::format("this version knows no mechanism {} {}: what it promises is the releaser's word",
                       statement.kind, statement.mechanism)}};
}

}  // namespace fogline::audit
