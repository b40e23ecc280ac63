// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "audit/kinds/traces_audit.hpp"
#include "audit/specimens/specimen.hpp"
#include "random/noise.hpp"
#include "traces/frame/cell_grid.hpp"

namespace fogline::audit {
namespace {

using random::NoisyCounts;
using random::Stream;
using traces::CellGrid;
using traces::TripSet;
using traces::Unit;

constexpr std::uint64_t one_trip = traces::TraceStatistics::per_trip;
constexpr double square_m = 900;

using Survey = std::function<Numbers(const TripSet&, Stream&)>;

void add_trip(TripSet& set, const std::vector<traces::PlanePoint>& points, std::uint32_t user) {
  set.point.insert(set.point.end(), points.begin(), points.end());
  set.user.push_back(user);
  set.end_trip();
}

/// Two trips of two people in a square, and the same with more of a third person.
TripSet people(std::size_t trips_of_third, const std::vector<traces::PlanePoint>& trip) {
  TripSet set;
  add_trip(set, {{50, 50}, {450, 50}}, 0);
  add_trip(set, {{850, 850}, {850, 450}}, 1);
  for (std::size_t i = 0; i < trips_of_third; ++i) add_trip(set, trip, 2);
  return set;
}

/// Counts as numbers, in trips.
Numbers answered(std::vector<std::int64_t> counts, const Rational& epsilon, std::uint64_t trips,
                 Stream& noise) {
  const NoisyCounts noisy({.name = "visits", .epsilon = epsilon, .sensitivity = trips * one_trip});
  noisy.answer(counts, noise, counts);
  Numbers numbers;
  for (const std::int64_t count : counts) numbers.push_back(static_cast<double>(count) / one_trip);
  return numbers;
}

/// The cells that each trip passes on a grid of 3 x 3; `part_of(i, cells)` says what trip i counts for in each.
template <class PartOf>
std::vector<std::int64_t> visits(const TripSet& trips, const PartOf& part_of) {
  const CellGrid grid({.width_m = square_m, .height_m = square_m, .columns = 3, .rows = 3});
  std::vector<std::int64_t> counts(grid.size());
  std::vector<std::uint32_t> cells;
  for (std::size_t i = 0; i < trips.size(); ++i) {
    grid.walk(trips.trip(i), cells);
    std::ranges::sort(cells);
    cells.erase(std::ranges::unique(cells).begin(), cells.end());
    for (const std::uint32_t cell : cells)
      counts[cell] += static_cast<std::int64_t>(part_of(i, cells.size()));
  }
  return counts;
}

Specimen planted(std::string name, std::string words, bool broken, const Survey& survey,
                 const std::string& pair, const TripSet& first, const TripSet& second) {
  const auto numbers = [survey](const TripSet& trips) {
    return [survey, trips](Stream& noise) { return survey(trips, noise); };
  };
  const auto text = [survey](const TripSet& trips) {
    return [survey, trips](const random::Key& key) {
      Stream noise = key.stream("specimen");
      return exact_text(survey(trips, noise));
    };
  };
  return {.name = std::move(name),
          .words = std::move(words),
          .broken = broken,
          .pairs = {{.words = pair, .first = numbers(first), .second = numbers(second), .claimed_loss = 1}},
          .replay_case =
              ReplayCase{.words = pair, .first = text(first), .second = text(second), .claimed_loss = 1}};
}

void add_visits(std::vector<Specimen>& all) {
  const auto survey = [](bool shared) {
    return [shared](const TripSet& trips, Stream& noise) {
      return answered(
          visits(trips, [&](std::size_t, std::size_t cells) { return shared ? one_trip / cells : one_trip; }),
          Rational(1), 1, noise);
    };
  };
  const std::vector<traces::PlanePoint> round{{50, 50}, {850, 50}, {850, 850}, {50, 850}, {50, 450}};
  const std::string pair = "one trip more, through eight of nine cells";
  all.push_back(planted("visits of a trip", "a trip counts one in each cell, with noise for one in all", true,
                        survey(false), pair, people(0, round), people(1, round)));
  all.push_back(planted("visits of a trip", "a trip's one is shared by its cells", false, survey(true), pair,
                        people(0, round), people(1, round)));
}

void add_users(std::vector<Specimen>& all) {
  constexpr std::uint32_t bound = 2;
  const auto survey = [](Unit unit) {
    return [unit](const TripSet& trips, Stream& noise) {
      const auto weight = traces::trip_weights(trips, unit, bound);
      return answered(visits(trips, [&](std::size_t i, std::size_t cells) { return weight[i] / cells; }),
                      Rational(1), bound, noise);
    };
  };
  const std::vector<traces::PlanePoint> there{{450, 450}, {460, 460}};
  const std::string pair = "one user more, with nine trips where two count";
  all.push_back(planted("trips of a user", "each trip counts in full, with noise for two", true,
                        survey(Unit::trip), pair, people(0, there), people(9, there)));
  all.push_back(planted("trips of a user", "each trip counts for two ninths", false, survey(Unit::user), pair,
                        people(0, there), people(9, there)));
}

void add_number(std::vector<Specimen>& all) {
  const auto survey = [](bool reads) {
    return [reads](const TripSet& trips, Stream& noise) {
      Numbers numbers =
          answered(visits(trips, [](std::size_t, std::size_t cells) { return one_trip / cells; }),
                   Rational(1), 1, noise);
      numbers.push_back(reads ? static_cast<double>(trips.size()) : 3);
      return numbers;
    };
  };
  const std::vector<traces::PlanePoint> there{{450, 450}, {460, 460}};
  const std::string pair = "one trip more";
  all.push_back(planted("public number of trips", "the number is looked up in the private trips", true,
                        survey(true), pair, people(0, there), people(1, there)));
  all.push_back(planted("public number of trips", "the number is declared", false, survey(false), pair,
                        people(0, there), people(1, there)));
}

/// What a release does, on a small set of trips. Thousands of numbers, each moved by one trip a little: too rich, and too slow, for the falsifier.
Specimen synthesis_specimen() {
  struct Setting {
    traces::TraceTerms terms{.frame = traces::Frame::parse("0,0,6000,6000", traces::Frame::Unit::metres),
                             .epsilon = privacy::Epsilon{1, 1}};
    TraceMechanism mechanism = trace_mechanism(terms, 20);
    TraceNeighbours two = trace_neighbours(terms)[3];
    const TripSet& input(bool first) const { return first ? two.without : two.with; }
  };
  const auto setting = std::make_shared<const Setting>();
  const auto text = [setting](bool first) {
    return [setting, first](const random::Key& key) {
      const TripSet made = setting->mechanism(setting->input(first), key);
      Numbers all;
      for (const traces::PlanePoint& p : made.point) all.insert(all.end(), {p.x, p.y});
      return exact_text(all);
    };
  };
  Specimen specimen{.origin = Origin::released,
                    .name = "traces synthesis",
                    .words = "thirty trips in a square of 6 km, epsilon 1 for one trip",
                    .broken = false};
  specimen.replay_case =
      ReplayCase{.words = setting->two.words, .first = text(true), .second = text(false), .claimed_loss = 1};
  return specimen;
}

}  // namespace

std::vector<Specimen> trace_specimens() {
  std::vector<Specimen> all;
  add_visits(all);
  add_users(all);
  add_number(all);
  all.push_back(synthesis_specimen());
  return all;
}

}  // namespace fogline::audit
