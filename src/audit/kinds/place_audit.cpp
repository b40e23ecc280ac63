// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/place_audit.hpp"

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

/// The mechanism, if releases are drawn from a table of integers; null if there is none.
const place::VertexMechanism* with_table(const place::PlaceMechanism& mechanism) {
  const place::VertexMechanism* on_vertices = mechanism.on_vertices();
  const bool has_table = on_vertices != nullptr && on_vertices->has_rows() &&
                         mechanism.guarantee().exactness() == privacy::Exactness::exact;
  return has_table ? on_vertices : nullptr;
}

ExactVerdict check_roads(const place::VertexMechanism& mechanism, kernel::Relation roads,
                         const PlaceAuditOptions& options) {
  return audit_exactly({.name = std::string(mechanism.name()),
                        .claim = mechanism.guarantee(),
                        .relation = std::move(roads),
                        .row = [&](VertexId v) { return mechanism.row(v); }},
                       {.threads = options.threads,
                        .largest_memory_bytes = options.largest_memory_bytes,
                        .progress = options.progress});
}

std::string fault_of(const PlaceAudit& audit) {
  if (audit.table && !audit.table->holds) return audit.table->sentence;
  if (audit.rule && !audit.rule->holds)
    return fmt::format("The local rule does not give the epsilon claimed: {}.", audit.rule->rule);
  return audit.fit->sentence;
}

std::string sentence_of(const PlaceAudit& audit) {
  if (!audit.passed) return fault_of(audit);
  const std::string tested =
      audit.fit ? fmt::format("{} releases drawn did not depart from the table", audit.fit->samples())
                : "no releases were compared, since there is no table";
  if (audit.method == PlaceAuditMethod::all_roads) {
    return fmt::format(
        "Certified: on every road, both ways and for every output, the table loses at most the epsilon "
        "claimed, hence between any two "
        "vertices; and {}.",
        tested);
  }
  const std::string sampled =
      fmt::format("on {} of {} roads, chosen by a fixed public rule", audit.roads_checked, audit.roads);
  if (audit.method == PlaceAuditMethod::local_rule) {
    const std::string besides = audit.table ? fmt::format("no fault was found {}, and ", sampled) : "";
    return fmt::format(
        "Certified by the local rule, not by the whole table: {}, hence no output loses more than {:.6g} per "
        "metre between any two vertices. Besides, {}{}.",
        audit.rule->rule, audit.rule->loss_high_per_metre, besides, tested);
  }
  return fmt::format("No fault found {}, and {}. This is a sample, not a certificate.", sampled, tested);
}

/// The whole table where it can be afforded; otherwise the rule, if there is one, and a sample of the roads.
void check_losses(const place::PlaceMechanism& mechanism, const graph::Graph& graph,
                  const PlaceAuditOptions& options, PlaceAudit& audit) {
  if (const place::VertexMechanism* drawn = with_table(mechanism)) {
    kernel::Relation roads = roads_to_check(graph, drawn->range().size(), options.comparisons);
    audit.roads_checked = roads.pair_count();
    audit.table = check_roads(*drawn, std::move(roads), options);
    if (audit.roads_checked == audit.roads) {
      audit.method = PlaceAuditMethod::all_roads;
      return;
    }
  }
  // A rule speaks of distances on the mechanism's own map.
  place::RuleCertificate rule{.rule = "its rule is about another map"};
  if (&mechanism.graph() == &graph)
    rule = mechanism.certify_rule({.threads = options.threads, .progress = options.progress});
  if (rule.available) {
    audit.method = PlaceAuditMethod::local_rule;
    audit.rule = std::move(rule);
  } else if (!audit.table) {
    throw InvalidOption("mechanism", fmt::format("{} cannot be audited: it has no table, and {}",
                                                 mechanism.name(), rule.rule));
  }
}

}  // namespace

std::string_view to_string(PlaceAuditMethod method) {
  switch (method) {
    case PlaceAuditMethod::all_roads:
      return "all roads";
    case PlaceAuditMethod::local_rule:
      return "local rule";
    case PlaceAuditMethod::sample:
      return "sample of roads";
  }
  return "";
}

PlaceAudit audit_place(const place::PlaceMechanism& mechanism, const graph::Graph& graph,
                       const PlaceAuditOptions& options) {
  require_valid(options);
  PlaceAudit audit{.roads = graph.edge_count()};
  check_losses(mechanism, graph, options, audit);
  if (audit.table) {
    audit.fit = fit_releases(*with_table(mechanism), places_to_fit(graph.vertex_count(), options.fit_places),
                             options);
  }
  audit.passed = (!audit.table || audit.table->holds) && (!audit.rule || audit.rule->holds) &&
                 (!audit.fit || audit.fit->fits);
  audit.certified = audit.passed && audit.method != PlaceAuditMethod::sample;
  audit.sentence = sentence_of(audit);
  return audit;
}

}  // namespace fogline::audit
