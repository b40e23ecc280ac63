// SPDX-License-Identifier: Apache-2.0
#include "audit/recompute_distances.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/version.hpp"
#include "privacy/composition.hpp"
#include "privacy/release.hpp"
#include "weights/distance_terms.hpp"

namespace fogline::audit {
namespace {

using privacy::Check;
using privacy::Outcome;

bool is_seeded(const privacy::Statement& statement) {
  return statement.randomness == random::Source::seeded;
}

Check guarantee(const privacy::Statement& statement, const weights::DistanceTerms& terms) {
  auto promised = terms.guarantee();
  if (is_seeded(statement)) promised = privacy::seeded(promised);
  if (promised == statement.guarantee)
    return {"guarantee", Outcome::passed, "it follows from the parameters"};
  return {"guarantee", Outcome::failed,
          fmt::format("the parameters give: {}; the statement claims: {}", to_string(promised),
                      to_string(statement.guarantee))};
}

Check words(const privacy::Statement& statement, const weights::DistanceTerms& terms) {
  if (statement.version != version) {
    return {"words", Outcome::not_checked,
            fmt::format("version {} wrote them; this is {}", statement.version, version)};
  }
  const auto promise = is_seeded(statement) ? privacy::seeded_promise() : terms.promise();
  if (statement.promise != promise || statement.not_protected != terms.not_protected()) {
    return {"words", Outcome::failed, "the sentences are not those of the mechanism for these parameters"};
  }
  return {"words", Outcome::passed, "every sentence is the mechanism's own for these parameters"};
}

}  // namespace

std::vector<Check> recompute_distances(const privacy::Statement& statement, const RecomputeOptions&) {
  try {
    const weights::DistanceTerms terms = weights::distance_terms_from(statement);
    return {{"parameters", Outcome::passed, "they are those of a release of distances"},
            guarantee(statement, terms),
            words(statement, terms),
            {"expected error", Outcome::not_checked, "it needs the graph's shape, which no statement names"}};
  } catch (const Error& error) {
    return {{"parameters", Outcome::failed, error.what()},
            {"guarantee", Outcome::not_checked, "it cannot be computed from these parameters"}};
  }
}

}  // namespace fogline::audit
