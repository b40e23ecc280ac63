// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/path_audit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "audit/kinds/path_enumeration.hpp"
#include "base/error.hpp"
#include "kernel/log_interval.hpp"

namespace fogline::audit {
namespace {

using path::PairKind;
using path::PathForm;
using path::PathLabels;
using path::PathOptions;
using path::Route;
using path::RouteMap;
using path::VertexId;
using random::Stream;

// Room for the rounding of sums of products of long doubles.
constexpr double rounding = 1e-9;
// Probabilities that are computed in all, about: a second or two.
constexpr std::uint64_t most_work = 12'000'000;

/// A route, the same with one step taken away, and the network of the second.
struct Neighbours {
  RouteMap map;
  Route route;
  RouteMap without;
  std::vector<Route> pieces;
  VertexId tail = 0, head = 0;  // of the step
};

bool is_one_sided(const PathLabels& labels) {
  return labels.options().form == PathForm::one_sided;
}

/// `drop_end`: the last visit is not there either.
Neighbours neighbours_of(const RouteMap& map, const Route& route, std::size_t step, bool drop_end) {
  const auto cut = route.begin() + static_cast<std::ptrdiff_t>(step) + 1;
  Neighbours two{.map = map,
                 .route = route,
                 .without = map,
                 .pieces = {Route(route.begin(), cut)},
                 .tail = route[step],
                 .head = route[step + 1]};
  two.without.roads.part(two.tail, two.head);
  if (!drop_end) two.pieces.emplace_back(cut, route.end());
  return two;
}

/// Every step taken away, and with numbers of stops also the last with its visit.
std::vector<Neighbours> all_neighbours(const RouteMap& map, const Route& route, const PathLabels& labels,
                                       std::size_t most_steps) {
  std::vector<Neighbours> all;
  for (std::size_t step = 0; step + 1 < route.size() && step < most_steps; ++step)
    all.push_back(neighbours_of(map, route, step, false));
  const auto visits = std::ranges::count(route, route.back());
  if (labels.options().epsilon_vertices && visits > 1)
    all.push_back(neighbours_of(map, route, route.size() - 2, true));
  // The label of a pair is what the two-sided form protects: the road stays.
  if (!is_one_sided(labels))
    for (Neighbours& two : all) two.without = two.map;
  return all;
}

class RouteSearch {
 public:
  RouteSearch(const RouteMap& map, const PathOptions& options, std::uint64_t most)
      : map_(map),
        options_(options),
        most_(most),
        visits_(map.vertex_count(), 0),
        taken_(map.vertex_count()) {}

  std::vector<Route> run() {
    for (VertexId v = 0; v < map_.vertex_count() && !full(); ++v) extend(v);
    return std::move(found_);
  }

 private:
  bool full() const { return found_.size() >= most_ || looked_ > 2'000'000; }

  void extend(VertexId v) {
    ++looked_;
    route_.push_back(v);
    if (++visits_[v] == 1) ++visited_;
    const bool covers = !options_.every_vertex || visited_ == map_.vertex_count();
    // A route and its reverse differ in the direction only, which is not looked at here.
    const bool as_declared =
        !options_.ends || (route_.front() == options_.ends->first && route_.back() == options_.ends->second);
    const bool once = options_.ends || route_.front() <= route_.back();
    if (route_.size() > 1 && covers && as_declared && once) found_.push_back(route_);
    for (const VertexId next : map_.roads.neighbours(v)) {
      if (full()) break;
      if (visits_[next] >= options_.most_visits || taken_.joined(v, next)) continue;
      taken_.join(v, next);
      extend(next);
      taken_.part(v, next);
    }
    if (--visits_[v] == 0) --visited_;
    route_.pop_back();
  }

  const RouteMap& map_;
  const PathOptions& options_;
  std::uint64_t most_;
  std::uint64_t looked_ = 0;
  std::size_t visited_ = 0;
  std::vector<std::uint32_t> visits_;
  graph::BitGraph taken_;
  Route route_;
  std::vector<Route> found_;
};

/// The mechanism for one label: the same epsilon, one stop a vertex.
PathLabels label_alone(const PathLabels& labels) {
  return PathLabels({.form = labels.options().form, .epsilon_edges = labels.options().epsilon_edges});
}

/// What the labels of other pairs of stops, and a visit, cost at most, from their integers.
double loss_between(std::size_t inputs, std::vector<kernel::RelatedPair> pairs,
                    const kernel::RowFunction& row) {
  return certify(kernel::Relation::one_sided(inputs, std::move(pairs)), row, {.threads = 1}).loss.high;
}

double other_stops_loss(const PathLabels& labels, const ExactCase& label) {
  if (!is_one_sided(labels) || labels.options().most_visits == 1) return 0;
  const double stops = labels.options().most_visits;
  return (stops * stops - 1) * loss_between(3, {{1, 2}}, label.row);
}

/// Inputs are numbers of visits, from 0.
ExactCase stops_case(const PathLabels& labels) {
  const auto copy = std::make_shared<const PathLabels>(labels);
  const auto map = std::make_shared<const RouteMap>(path::make_map({"a", "b"}, {{0, 1}}));
  std::vector<kernel::RelatedPair> pairs;
  for (std::uint32_t visits = 1; visits <= labels.options().most_visits; ++visits)
    pairs.push_back({visits, visits - 1});
  return {.name = "the number of stops of a vertex",
          .claim = privacy::Guarantee::none("one visit", "it is a part of the whole"),
          .relation = kernel::Relation::one_sided(labels.options().most_visits + 1, std::move(pairs)),
          .row = [copy](kernel::InputId visits) { return copy->stop_row(visits); },
          .draw = [copy, map](kernel::InputId visits, Stream& noise) -> std::size_t {
            std::vector<Route> pieces(visits, Route{0});
            pieces.push_back({1});
            return copy->release_pieces(*map, pieces, noise).stops.of_vertex(0) - 1;
          }};
}

/// A part of the network around a step: labels of pairs do not depend on each other, so the rest adds time and nothing else.
Neighbours cut_out(const Neighbours& two, std::size_t most) {
  if (two.map.vertex_count() <= most) return two;
  std::vector<VertexId> kept{two.tail, two.head};
  for (const VertexId v : two.route)
    if (kept.size() < most && std::ranges::find(kept, v) == kept.end()) kept.push_back(v);
  std::vector<std::string> names;
  std::vector<std::pair<VertexId, VertexId>> roads;
  for (const VertexId v : kept) names.push_back(two.map.names[v]);
  for (VertexId a = 0; a < kept.size(); ++a)
    for (VertexId b = a + 1; b < kept.size(); ++b)
      if (two.map.roads.joined(kept[a], kept[b])) roads.emplace_back(a, b);
  const RouteMap map = path::make_map(std::move(names), roads);
  const VertexId tail = map.vertex(two.map.names[two.tail]), head = map.vertex(two.map.names[two.head]);
  Neighbours small = neighbours_of(map, {tail, head}, 0, false);
  if (two.without.roads.joined(two.tail, two.head)) small.without = small.map;
  return small;
}

/// The labels as the falsifier sees them: those of the step's own stops first.
Numbers numbers_of(const path::PublicPath& shown, VertexId tail, VertexId head) {
  Numbers numbers;
  for (const std::uint32_t count : shown.stops.counts()) numbers.push_back(count);
  double own = 0;
  for (std::uint32_t i = 0; i < shown.stops.of_vertex(tail); ++i)
    for (std::uint32_t j = 0; j < shown.stops.of_vertex(head); ++j)
      own += shown.candidates.joined(shown.stops.first(tail) + i, shown.stops.first(head) + j) ? 1 : 0;
  numbers.push_back(own);
  for (path::StopId a = 0; a < shown.stops.size(); ++a)
    for (path::StopId b = a + 1; b < shown.stops.size(); ++b)
      numbers.push_back(shown.candidates.joined(a, b) ? 1 : 0);
  return numbers;
}

Pair pair_of(const Neighbours& two, const PathLabels& labels, double claimed) {
  const auto shared = std::make_shared<const Neighbours>(two);
  const auto mechanism = std::make_shared<const PathLabels>(labels);
  return {.words = fmt::format("a step of a route through {} vertices taken away", two.route.size()),
          .first =
              [shared, mechanism](Stream& noise) {
                const std::vector<Route> whole{shared->route};
                return numbers_of(mechanism->release_pieces(shared->map, whole, noise), shared->tail,
                                  shared->head);
              },
          .second =
              [shared, mechanism](Stream& noise) {
                return numbers_of(mechanism->release_pieces(shared->without, shared->pieces, noise),
                                  shared->tail, shared->head);
              },
          .claimed_loss = claimed,
          .one_sided = is_one_sided(labels)};
}

/// Roads, of which every label is certain where each vertex has one stop.
graph::BitGraph certain_pairs(const RouteMap& map, const PathLabels& labels) {
  return is_one_sided(labels) && labels.options().most_visits == 1 ? map.roads
                                                                   : graph::BitGraph(map.vertex_count());
}

PathEnumeration enumerate(const RouteMap& map, const std::vector<Route>& routes, const PathLabels& labels,
                          const PathAuditOptions& options) {
  PathEnumeration result{.routes = routes.size()};
  // A step more is free in what lacks it, so its pair counts with one bit more.
  const auto outputs =
      publications(map.vertex_count(), labels, certain_pairs(map, labels), options.most_outputs / 2);
  if (!outputs) return result;
  result.done = true;
  result.routes = 0;
  ProgressMeter meter(options.progress, "comparing publications", routes.size());
  for (const Route& route : routes) {
    if (result.neighbours * *outputs > most_work) break;
    const std::vector<Route> whole{route};
    ++result.routes;
    for (const Neighbours& two : all_neighbours(map, route, labels, route.size())) {
      const graph::BitGraph certain = certain_pairs(two.without, labels);
      const PathDistribution with = distribution_of(map, whole, labels, certain);
      const PathDistribution without = distribution_of(two.without, two.pieces, labels, certain);
      result.outputs = std::max<std::uint64_t>(result.outputs, with.size());
      result.towards = std::max(result.towards, largest_loss(with, without));
      result.back = std::max(result.back, largest_loss(without, with));
      ++result.neighbours;
    }
    meter.advance();
  }
  return result;
}

std::string verdict(const PathAudit& audit, bool one_sided) {
  if (!audit.passed) {
    if (!audit.fit.fits || (audit.stop_fit && !audit.stop_fit->fits))
      return "FAILED: what is drawn does not follow the tables";
    if (audit.finding.broken) return fmt::format("FAILED: {}", audit.finding.event);
    return "FAILED: the tables lose more than is promised";
  }
  const std::string enumerated = audit.enumeration.done
                                     ? fmt::format(", and no publication of {} inputs more than {:.6f}",
                                                   audit.enumeration.neighbours, audit.enumeration.towards)
                                     : "";
  return fmt::format("passed: the tables lose at most {:.6f} where {:.6f} is promised{}{}", audit.certified,
                     audit.stated, enumerated, one_sided ? "; the other way nothing is promised" : "");
}

}  // namespace

/// Three vertices whose three pairs are of the three kinds; the route is the step.
ExactCase label_case(const PathLabels& labels) {
  const auto alone = std::make_shared<const PathLabels>(label_alone(labels));
  const auto map = std::make_shared<const RouteMap>(path::make_map({"a", "b", "c"}, {{0, 1}, {1, 2}}));
  const auto draw = [alone, map](kernel::InputId kind, Stream& noise) -> std::size_t {
    const Route route{0, 1};
    const path::PublicPath shown = alone->release({*map, route}, noise);
    if (kind == 0) return shown.candidates.joined(0, 1) ? 1 : 0;
    return (kind == 1 ? shown.candidates.joined(1, 2) : shown.candidates.joined(0, 2)) ? 1 : 0;
  };
  const auto row = [alone](kernel::InputId kind) {
    return alone->row(kind == 0 ? PairKind::step : kind == 1 ? PairKind::other_road : PairKind::no_road);
  };
  return {.name = "the label of a pair",
          .claim = alone->guarantee(),
          .relation = is_one_sided(labels)
                          ? kernel::Relation::one_sided(3, std::vector<kernel::RelatedPair>{{0, 2}, {1, 2}})
                          : kernel::Relation::complete(3),
          .row = row,
          .draw = draw};
}

std::vector<Route> routes_of(const RouteMap& map, const PathOptions& options, std::uint64_t most) {
  return RouteSearch(map, options, most).run();
}

PathAudit audit_path(const RouteMap& map, const PathLabels& labels, const PathAuditOptions& options) {
  if (options.samples < 1'000 || options.samples > 100'000'000)
    throw InvalidOption("samples", "must be 1,000 to 10^8");
  if (options.most_routes < 1 || options.most_routes > 1'000'000)
    throw InvalidOption("routes", "must be 1 to 1,000,000");
  if (options.most_outputs < 2 || options.most_outputs > (1 << 22))
    throw InvalidOption("outputs", "must be 2 to 4,194,304");
  const std::vector<Route> routes = routes_of(map, labels.options(), options.most_routes);
  if (routes.empty()) throw InvalidOption("network", "has no route of the declared kind");
  const random::SeededKey key(PathAuditOptions::public_seed);
  PathAudit audit;
  const bool one_sided = is_one_sided(labels);
  audit.stated = labels.guarantee().epsilon().to_double();
  audit.paper = labels.options().epsilon_edges.value().to_double() + std::numbers::ln2;
  if (labels.options().epsilon_vertices)
    audit.paper += labels.options().epsilon_vertices->value().to_double();

  const ExactCase label = label_case(labels);
  audit.label = audit_exactly(label, {.threads = 1});
  if (audit.label.certificate.unprotected) audit.label_back = audit.label.certificate.unprotected->high;
  audit.fit =
      audit_fit(label, std::vector<kernel::InputId>{0, 1, 2}, key,
                {.samples = options.samples, .false_alarm = options.false_alarm, .threads = options.threads});
  if (labels.options().epsilon_vertices) {
    const ExactCase stops = stops_case(labels);
    audit.stop_loss = certify(stops.relation, stops.row, {.threads = 1}).loss.high;
    std::vector<kernel::InputId> visits;
    for (kernel::InputId often = 0; often <= labels.options().most_visits; ++often) visits.push_back(often);
    audit.stop_fit = audit_fit(
        stops, visits, key,
        {.samples = options.samples, .false_alarm = options.false_alarm, .threads = options.threads});
  }
  audit.certified = audit.label.loss_high + other_stops_loss(labels, label) + audit.stop_loss;
  if (labels.options().epsilon_direction) {
    const path::LabelOdds odds = labels.direction_odds();
    audit.certified +=
        static_cast<double>(kernel::log_ratio(odds.candidate, odds.total - odds.candidate).high);
  }
  audit.enumeration = enumerate(map, routes, labels, options);

  const auto longest = std::ranges::max_element(routes, {}, &Route::size);
  std::vector<Pair> pairs;
  for (const Neighbours& two : all_neighbours(map, *longest, labels, 4))
    pairs.push_back(pair_of(cut_out(two, 16), labels, audit.stated));
  audit.finding = falsify(pairs, {.key = key,
                                  .most_samples = options.samples,
                                  .false_alarm = options.false_alarm,
                                  .threads = options.threads,
                                  .progress = options.progress});
  const double most = audit.stated + rounding;
  const bool enumeration_holds =
      audit.enumeration.towards <= most && (one_sided || audit.enumeration.back <= most);
  audit.passed = audit.label.holds && audit.certified <= most && enumeration_holds && audit.fit.fits &&
                 (!audit.stop_fit || audit.stop_fit->fits) && !audit.finding.broken;
  audit.sentence = verdict(audit, one_sided);
  return audit;
}

}  // namespace fogline::audit
