// SPDX-License-Identifier: Apache-2.0
#include "audit/place_audit.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline::audit {
namespace {

using graph::VertexId;
using kernel::RelatedPair;

void require_valid(const PlaceAuditOptions& options) {
  if (options.comparisons < 1) throw InvalidOption("comparisons", "must be at least 1");
  if (options.samples < 1000 || options.samples > 100'000'000) {
    throw InvalidOption("samples", "must lie between 1,000 and 100,000,000");
  }
  if (options.fit_places < 1 || options.fit_places > 1000) {
    throw InvalidOption("fit_places", "must lie between 1 and 1,000");
  }
}

/// `count` of `items`, without repetition, by a fixed public rule: the first steps of a seeded shuffle.
template <class T>
void keep_public_sample(std::vector<T>& items, std::size_t count, std::string_view name) {
  if (count >= items.size()) return;
  random::Stream choice = random::SeededKey(PlaceAuditOptions::public_seed).stream(name);
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(items[i], items[i + choice.below(items.size() - i)]);
  }
  items.resize(count);
}

kernel::Relation roads_to_check(const graph::Graph& graph, std::size_t outputs, std::uint64_t comparisons) {
  const kernel::Relation all = kernel::Relation::metric(graph);
  const std::uint64_t affordable = std::max<std::uint64_t>(1, comparisons / outputs);
  if (all.pairs().size() <= affordable) return all;
  std::vector<RelatedPair> pairs(all.pairs().begin(), all.pairs().end());
  keep_public_sample(pairs, affordable, "place audit roads");
  return kernel::Relation::metric(graph.vertex_count(), std::move(pairs));
}

std::vector<VertexId> places_to_fit(std::size_t vertex_count, std::size_t count) {
  std::vector<VertexId> vertices(vertex_count);
  std::iota(vertices.begin(), vertices.end(), VertexId{0});
  keep_public_sample(vertices, count, "place audit places");
  std::sort(vertices.begin(), vertices.end());
  return vertices;
}

/// Releases by the bulk form, the one that files are released with.
FitVerdict fit_releases(const place::VertexMechanism& mechanism, std::span<const VertexId> places,
                        const PlaceAuditOptions& options) {
  std::unordered_map<VertexId, std::size_t> index_of;
  for (const VertexId output : mechanism.range()) index_of.emplace(output, index_of.size());
  const random::SeededKey key(PlaceAuditOptions::public_seed);
  std::vector<DrawnCounts> drawn;
  std::vector<VertexId> truth(options.samples), released(options.samples);
  for (const VertexId place : places) {
    std::fill(truth.begin(), truth.end(), place);
    mechanism.release(truth, key,
                      {.first_record = drawn.size() * options.samples,
                       .threads = options.threads,
                       .progress = options.progress},
                      released);
    DrawnCounts counted{.input = place,
                        .row = mechanism.row(place),
                        .counts = std::vector<std::uint64_t>(mechanism.range().size())};
    for (const VertexId output : released) {
      const auto at = index_of.find(output);
      ++(at != index_of.end() ? counted.counts[at->second] : counted.outside);
    }
    drawn.push_back(std::move(counted));
  }
  return judge_fit(std::string(mechanism.name()), drawn, options.false_alarm);
}

std::string sentence_of(const PlaceAudit& audit) {
  if (!audit.table.holds) return audit.table.sentence;
  if (!audit.fit.fits) return audit.fit.sentence;
  const std::string tested =
      fmt::format("{} releases drawn did not depart from the table", audit.fit.samples());
  if (audit.certified) {
    return fmt::format(
        "Certified: on every road, both ways and for every output, the table loses at most the epsilon "
        "claimed, hence between any two "
        "vertices; and {}.",
        tested);
  }
  return fmt::format(
      "No fault found on {} of {} roads, chosen by a fixed public rule, and {}. This is a sample, not a "
      "certificate.",
      audit.roads_checked, audit.roads, tested);
}

}  // namespace

PlaceAudit audit_place(const place::VertexMechanism& mechanism, const graph::Graph& graph,
                       const PlaceAuditOptions& options) {
  require_valid(options);
  const ExactCase subject{.name = std::string(mechanism.name()),
                          .claim = mechanism.guarantee(),
                          .relation = roads_to_check(graph, mechanism.range().size(), options.comparisons),
                          .row = [&](VertexId v) { return mechanism.row(v); }};
  PlaceAudit audit{.roads = graph.edge_count(), .roads_checked = subject.relation.pair_count()};
  audit.table = audit_exactly(subject, {.threads = options.threads,
                                        .largest_memory_bytes = options.largest_memory_bytes,
                                        .progress = options.progress});
  audit.fit = fit_releases(mechanism, places_to_fit(graph.vertex_count(), options.fit_places), options);
  audit.passed = audit.table.holds && audit.fit.fits;
  audit.certified = audit.passed && audit.roads_checked == audit.roads;
  audit.sentence = sentence_of(audit);
  return audit;
}

}  // namespace fogline::audit
