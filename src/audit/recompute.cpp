// SPDX-License-Identifier: Apache-2.0
#include "audit/recompute.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "audit/recompute_gem.hpp"

namespace fogline::audit {
namespace {

using privacy::Check;
using privacy::Form;
using privacy::Outcome;

/// What this version can recompute. A new mechanism adds a line.
struct Recomputation {
  std::string_view kind;
  std::string_view mechanism;
  Form form;
  std::vector<Check> (*run)(const privacy::Statement& statement, const RecomputeOptions& options);
};
constexpr std::array<Recomputation, 1> recomputations{{{"place", "gem", Form::sound, recompute_gem}}};

std::vector<Check> unknown_form(const privacy::Statement& statement) {
  const std::string name = fmt::format("{} {}", statement.kind, statement.mechanism);
  if (statement.guarantee.notion() == privacy::Notion::none) {
    return {{"guarantee", Outcome::not_checked, fmt::format("nothing is promised by this form of {}", name)}};
  }
  return {{"guarantee", Outcome::failed,
           fmt::format("{} promises nothing in the form \"{}\"", name, to_string(statement.form))}};
}

}  // namespace

std::vector<Check> recompute(const privacy::Statement& statement, const RecomputeOptions& options) {
  bool knows_mechanism = false;
  for (const Recomputation& known : recomputations) {
    if (known.kind != statement.kind || known.mechanism != statement.mechanism) continue;
    if (known.form == statement.form) return known.run(statement, options);
    knows_mechanism = true;
  }
  if (knows_mechanism) return unknown_form(statement);
  return {{"guarantee", Outcome::not_checked,
           fmt::format("this version knows no mechanism {} {}: what it promises is the releaser's word",
                       statement.kind, statement.mechanism)}};
}

}  // namespace fogline::audit
