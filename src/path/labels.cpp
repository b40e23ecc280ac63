// SPDX-License-Identifier: Apache-2.0
#include "path/labels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "kernel/log_interval.hpp"
#include "path/public_path_file.hpp"
#include "random/noise.hpp"
#include "random/weight_table.hpp"

namespace fogline::path {
namespace {

using kernel::Real;
using privacy::Epsilon;

// A label takes one word, whatever the pair is: its low bit is left over.
constexpr std::uint64_t all = std::uint64_t{1} << 63;
constexpr Real all_real = 0x1p63L;
/// Above the rounding of exp and of the products below, and above what an exact certificate cannot resolve; far below anything that matters.
Real margin(Real rate) {
  return (1 + rate) * 0x1p-48L;
}

Real real_of(const Epsilon& epsilon) {
  return static_cast<Real>(epsilon.value().numerator()) / static_cast<Real>(epsilon.value().denominator());
}

/// Rather more than 1 / (1 + e^rate).
std::uint64_t rare_share(Real rate) {
  const Real share = std::ceil(all_real / (1 + std::exp(rate)) * (1 + margin(rate)));
  return static_cast<std::uint64_t>(std::min(share, all_real / 2));
}

/// An upper bound of ln(1 + e^rate), in steps of 10^-9, that also covers the margins of all weights.
Real log_one_plus_exp(Real rate) {
  return std::max(rate, Real{0}) + std::log1p(std::exp(-std::abs(rate)));
}

Epsilon rounded_up(Real value) {
  constexpr Real step = 1e9L;
  return Epsilon(Rational(static_cast<std::uint64_t>(std::ceil(value * step + 0.01L)), 1'000'000'000));
}

void require_range(const Epsilon& epsilon, const char* option) {
  if (epsilon.value() > Rational(40)) throw InvalidOption(option, "must be above 0 and at most 40");
}

void require_consistent(const PathOptions& options) {
  if (options.form == PathForm::published)
    throw InvalidOption("form", "is one-sided or two-sided for a mechanism that promises something");
  if (options.most_visits < 1 || options.most_visits > 8) throw InvalidOption("visits", "must be 1 to 8");
  require_range(options.epsilon_edges, "epsilon-edges");
  if (options.epsilon_vertices) {
    require_range(*options.epsilon_vertices, "epsilon-vertices");
    if (options.form == PathForm::two_sided)
      throw InvalidOption("epsilon-vertices", "is for the one-sided form: here every vertex has one stop");
    if (options.most_visits < 2)
      throw InvalidOption("epsilon-vertices",
                          "needs `visits` of at least 2: there is nothing to hide otherwise");
  }
  if (options.form == PathForm::two_sided && options.most_visits > 1)
    throw InvalidOption("visits",
                        "must be 1 with `two-sided`: its labels may lie, and a route that comes back "
                        "to a vertex could not be read from them");
  if (options.epsilon_direction) {
    require_range(*options.epsilon_direction, "epsilon-direction");
    if (options.form == PathForm::one_sided)
      throw InvalidOption("epsilon-direction",
                          "is for `two-sided`: the one-sided form declares its direction");
  }
}

/// How often the route visits each vertex.
std::vector<std::uint32_t> visits_of(const RouteMap& map, std::span<const Route> pieces) {
  std::vector<std::uint32_t> visits(map.vertex_count(), 0);
  for (const Route& piece : pieces)
    for (const VertexId v : piece) ++visits[v];
  return visits;
}

/// The pieces as paths over stops, each visit at another stop of its vertex.
std::vector<std::vector<StopId>> visited_stops(std::span<const Route> pieces, const Stops& stops,
                                               random::Stream& noise) {
  // Which stop a visit takes is chance, so that the numbers of stops tell nothing about the order of visits. The same words are drawn
  // whatever the route is.
  std::vector<StopId> order(stops.size());
  std::iota(order.begin(), order.end(), StopId{0});
  for (VertexId v = 0; v < stops.vertex_count(); ++v)
    for (std::uint32_t i = stops.of_vertex(v); i > 1; --i)
      std::swap(order[stops.first(v) + i - 1], order[stops.first(v) + noise.below(i)]);
  std::vector<std::uint32_t> seen(stops.vertex_count(), 0);
  std::vector<std::vector<StopId>> paths;
  for (const Route& piece : pieces) {
    paths.emplace_back();
    for (const VertexId v : piece) paths.back().push_back(order[stops.first(v) + seen[v]++]);
  }
  return paths;
}

bool draw_label(const LabelOdds& odds, random::Stream& noise) {
  return random::choose(
             "label", noise, [&] { return (noise.next64() >> 1) < odds.candidate ? 1 : 0; },
             [&](std::uint64_t label) {
               return random::Odds{label == 1 ? odds.candidate : odds.total - odds.candidate, odds.total};
             }) == 1;
}

}  // namespace

PathLabels::PathLabels(const PathOptions& options) : options_(options) {
  require_consistent(options_);
  const Real rate = real_of(options_.epsilon_edges);
  if (options_.form == PathForm::one_sided) {
    no_road_ = {rare_share(rate / 2), all};
    other_road_ = {0, all};
    step_ = {all, all};
  } else {
    const std::uint64_t lie = rare_share(rate);
    no_road_ = other_road_ = {lie, all};
    step_ = {all - lie, all};
  }
  if (options_.epsilon_direction) direction_ = {all - rare_share(real_of(*options_.epsilon_direction)), all};
}

GuaranteeParts PathLabels::parts() const {
  GuaranteeParts parts;
  if (options_.form == PathForm::two_sided) {
    parts.pair = options_.epsilon_edges.value().to_double();
    if (options_.epsilon_direction) parts.direction = options_.epsilon_direction->value().to_double();
    return parts;
  }
  const Real half = real_of(options_.epsilon_edges) / 2;
  const auto stops = static_cast<Real>(options_.most_visits);
  parts.pair = static_cast<double>(log_one_plus_exp(half));
  parts.other_stops = static_cast<double>((stops * stops - 1) * log_one_plus_exp(-half));
  if (options_.epsilon_vertices)
    parts.visit = static_cast<double>(log_one_plus_exp(real_of(*options_.epsilon_vertices) / 2));
  return parts;
}

privacy::Guarantee PathLabels::guarantee() const {
  using privacy::Exactness;
  using privacy::Guarantee;
  if (options_.form == PathForm::two_sided) {
    const Epsilon epsilon = options_.epsilon_direction ? options_.epsilon_edges + *options_.epsilon_direction
                                                       : options_.epsilon_edges;
    return Guarantee::pure(epsilon, "whether one pair of stops is a step of the route", Exactness::exact);
  }
  const Real half = real_of(options_.epsilon_edges) / 2;
  const auto stops = static_cast<Real>(options_.most_visits);
  Real epsilon = log_one_plus_exp(half) + (stops * stops - 1) * log_one_plus_exp(-half);
  if (options_.epsilon_vertices) epsilon += log_one_plus_exp(real_of(*options_.epsilon_vertices) / 2);
  return Guarantee::one_sided(rounded_up(epsilon), "one road that the route takes, against no road there",
                              Exactness::exact);
}

LabelOdds PathLabels::odds(PairKind kind) const {
  switch (kind) {
    case PairKind::no_road:
      return no_road_;
    case PairKind::other_road:
      return other_road_;
    case PairKind::step:
      return step_;
  }
  throw InvalidOption("kind", "is none that there is");
}

kernel::WeightRow PathLabels::row(PairKind kind) const {
  const LabelOdds label = odds(kind);
  return {.weights = {label.total - label.candidate, label.candidate}, .total = label.total};
}

kernel::WeightRow PathLabels::stop_row(std::uint32_t visits) const {
  if (!options_.epsilon_vertices)
    throw InvalidOption("epsilon-vertices", "is needed to draw numbers of stops");
  if (visits > options_.most_visits) throw InvalidOption("visits", "are more than `visits`");
  // The same weights for every number of visits, less those that are too few: then a visit more divides by a sum that lacks one term, and the last
  // two terms decide the loss. Beyond 2^120 the ratio of two weights only gets smaller.
  const Real half = real_of(*options_.epsilon_vertices) / 2;
  const Real ratio = std::exp(half) * (1 - margin(half));
  kernel::WeightRow row;
  row.weights.assign(options_.most_visits, 0);
  Real weight = 0x1p40L;
  for (std::uint32_t stops = options_.most_visits; stops >= std::max(visits, 1U); --stops) {
    row.weights[stops - 1] = static_cast<Uint128>(weight);
    row.total += row.weights[stops - 1];
    weight = std::min(0x1p120L, std::floor(weight * ratio));
  }
  return row;
}

void PathLabels::require(const Input& input) const {
  require_publishable(input.map.names, options_.most_visits);
  require_route(input.map, input.route, options_.most_visits);
  const auto visits = visits_of(input.map, {&input.route, 1});
  if (options_.every_vertex && std::ranges::find(visits, 0U) != visits.end())
    throw InvalidRoute("does not visit every vertex, as `every-vertex` declares");
  if (options_.ends &&
      (input.route.front() != options_.ends->first || input.route.back() != options_.ends->second))
    throw InvalidRoute("does not begin at `from` and end at `to`, as declared");
}

Stops PathLabels::draw_stops(const std::vector<std::uint32_t>& visits, random::Stream& noise) const {
  if (!options_.epsilon_vertices)
    return Stops(std::vector<std::uint32_t>(visits.size(), options_.most_visits));
  std::vector<random::CumulativeTable> tables;
  for (std::uint32_t often = 0; often <= options_.most_visits; ++often)
    tables.emplace_back(stop_row(often).weights);
  std::vector<std::uint32_t> counts;
  for (const std::uint32_t often : visits) {
    const random::CumulativeTable& table = tables[often];
    counts.push_back(1 +
                     static_cast<std::uint32_t>(random::choose(
                         "stops of a vertex", noise, [&] { return table.draw(noise); },
                         [&](std::uint64_t stops) {
                           return random::Odds{table.weight(static_cast<std::size_t>(stops)), table.total()};
                         })));
  }
  return Stops(std::move(counts));
}

PublicPath PathLabels::release(const Input& input, random::Stream& noise) const {
  require(input);
  return release_pieces(input.map, {&input.route, 1}, noise);
}

PublicPath PathLabels::release_pieces(const RouteMap& map, std::span<const Route> pieces,
                                      random::Stream& noise) const {
  PublicPath shown{.form = options_.form,
                   .epsilon_edges = options_.epsilon_edges.value(),
                   .names = map.names,
                   .stops = draw_stops(visits_of(map, pieces), noise),
                   .candidates = {},
                   .every_vertex = options_.every_vertex,
                   .ends = options_.ends};
  const std::vector<std::vector<StopId>> paths = visited_stops(pieces, shown.stops, noise);
  graph::BitGraph steps(shown.stops.size());
  for (const std::vector<StopId>& path : paths)
    for (std::size_t i = 1; i < path.size(); ++i) steps.join(path[i - 1], path[i]);
  shown.candidates = draw_labels(map, shown.stops, steps, noise);
  Route visits;
  for (const Route& piece : pieces) visits.insert(visits.end(), piece.begin(), piece.end());
  const bool low = starts_low(visits);
  if (options_.form == PathForm::one_sided && options_.direction) shown.starts_low = low;
  if (options_.epsilon_direction)
    shown.starts_low = draw_label(low ? direction_ : LabelOdds{all - direction_.candidate, all}, noise);
  return shown;
}

graph::BitGraph PathLabels::draw_labels(const RouteMap& map, const Stops& stops, const graph::BitGraph& steps,
                                        random::Stream& noise) const {
  graph::BitGraph candidates(stops.size());
  for (StopId a = 0; a < stops.size(); ++a)
    for (StopId b = a + 1; b < stops.size(); ++b) {
      const PairKind kind = steps.joined(a, b)                                   ? PairKind::step
                            : map.roads.joined(stops.vertex(a), stops.vertex(b)) ? PairKind::other_road
                                                                                 : PairKind::no_road;
      if (draw_label(odds(kind), noise)) candidates.join(a, b);
    }
  return candidates;
}

}  // namespace fogline::path
