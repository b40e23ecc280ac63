// SPDX-License-Identifier: Apache-2.0
#include "audit/statements/recompute.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "audit/statements/recompute_distances.hpp"
#include "audit/statements/recompute_path.hpp"
#include "audit/statements/recompute_place.hpp"
#include "audit/statements/recompute_stream.hpp"
#include "audit/statements/recompute_traces.hpp"
#include "audit/statements/recompute_weights.hpp"
#include "path/terms.hpp"
#include "place/catalogue.hpp"
#include "stream/terms.hpp"
#include "traces/paper/dpe_terms.hpp"
#include "traces/terms.hpp"
#include "weights/mechanisms/catalogue.hpp"
#include "weights/paper/published.hpp"

namespace fogline::audit {
namespace {

using privacy::Check;
using privacy::Form;
using privacy::Outcome;

/// What this version can recompute. A new kind adds a line; a new place mechanism is in place's own catalogue.
struct Recomputation {
  std::string_view kind;
  std::vector<std::string_view> mechanisms;
  Form form;
  std::vector<Check> (*run)(const privacy::Statement& statement, const RecomputeOptions& options);
};

std::vector<std::string_view> published_weights() {
  std::vector<std::string_view> names;
  for (const weights::WeightsStrategy strategy : weights::weights_strategies())
    names.push_back(to_string(strategy));
  return names;
}

const std::vector<Recomputation>& recomputations() {
  static const std::vector<Recomputation> all{
      {"place", place::mechanism_names(), Form::sound, recompute_place},
      {"path", path::mechanism_names(), Form::sound, recompute_path},
      {"path", {"layered"}, Form::published, recompute_published_path},
      {"stream", stream::mechanism_names(), Form::sound, recompute_stream},
      {"traces", {traces::synthesis_name}, Form::sound, recompute_traces},
      {"traces", {traces::dpe_name}, Form::published, recompute_published_traces},
      {"weights", weights::mechanism_names(), Form::sound, recompute_weights},
      {"weights", {"distances"}, Form::sound, recompute_distances},
      {"weights", published_weights(), Form::published, recompute_published_weights}};
  return all;
}

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
  for (const Recomputation& known : recomputations()) {
    if (known.kind != statement.kind) continue;
    if (std::ranges::find(known.mechanisms, statement.mechanism) == known.mechanisms.end()) continue;
    if (known.form == statement.form) return known.run(statement, options);
    knows_mechanism = true;
  }
  if (knows_mechanism) return unknown_form(statement);
  return {{"guarantee", Outcome::not_checked,
           fmt::format("this version knows no mechanism {} {}: what it promises is the releaser's word",
                       statement.kind, statement.mechanism)}};
}

}  // namespace fogline::audit
