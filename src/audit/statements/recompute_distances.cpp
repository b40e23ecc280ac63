// SPDX-License-Identifier: Apache-2.0
#include "audit/statements/recompute_distances.hpp"

#include <fmt/format.h>

#include "audit/statements/recompute_parts.hpp"
#include "io/csv.hpp"
#include "weights/distances/distance_terms.hpp"

namespace fogline::audit {
namespace {

using privacy::Check;
using privacy::Outcome;

/// Distances are random, but the file holds nothing else.
Check released_file(const privacy::Statement& statement, const RecomputeOptions& options) {
  const std::string name = "released file";
  if (statement.outputs.size() != 1)
    return {name, Outcome::failed,
            fmt::format("the statement names {} files, not one", statement.outputs.size())};
  const privacy::ReleasedFile& output = statement.outputs.front();
  io::TextSource source = io::TextSource::from_file(at_hand(output.name, output.sha256, options));
  io::CsvReader csv(source, {});
  if (csv.header() != std::vector<std::string>{"source", "target", "distance"})
    return {name, Outcome::failed, "its columns are not source, target and distance"};
  std::uint64_t records = 0;
  for (; csv.next(); ++records) {
    if (csv.number(2) < 0) return {name, Outcome::failed, "it holds a distance below 0"};
  }
  if (records != output.records) {
    return {name, Outcome::failed,
            fmt::format("the statement counts {} records, and it holds {}", output.records, records)};
  }
  return {name, Outcome::passed, fmt::format("{} distances, and nothing else", records)};
}

}  // namespace

std::vector<Check> recompute_distances(const privacy::Statement& statement, const RecomputeOptions& options) {
  return with_parameters([&]() -> std::vector<Check> {
    const weights::DistanceTerms terms = weights::distance_terms_from(statement);
    return {check_guarantee(statement, [&] { return terms.guarantee(); }),
            check_words(statement, terms.promise(), terms.not_protected()),
            attempt("released file", [&] { return released_file(statement, options); }),
            {"expected error", Outcome::not_checked, "it needs the graph's shape, which no statement names"}};
  });
}

}  // namespace fogline::audit
