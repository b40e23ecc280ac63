// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/traces_audit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "random/chi_square.hpp"
#include "traces/make_trips.hpp"

namespace fogline::audit {
namespace {

using random::Meeting;
using traces::TraceTerms;
using traces::TripSet;
using Points = std::vector<traces::PlanePoint>;

// Each of at most 20 statistics is accused wrongly with a probability of some 10^-9.
constexpr double most_deviations = 6;
// Sums of doubles are compared with claims up to this relative difference.
constexpr double rounding_of_counts = 1e-9;

/// Invents trips in the terms' frame.
class Inventor {
 public:
  explicit Inventor(const TraceTerms& terms)
      : width_(static_cast<float>(terms.frame.width_m())),
        height_(static_cast<float>(terms.frame.height_m())),
        luck_(random::SeededKey(TracesAuditOptions::public_seed).stream("invented trips")) {}

  Points standing() const { return {{width_ / 3, height_ / 3}, {width_ / 3, height_ / 3}}; }
  Points across() const { return {{0, 0}, {width_, height_}}; }

  Points everywhere() const {
    constexpr int rows = 60;
    Points points;
    for (int row = 0; row <= rows; ++row)
      for (int column = 0; column <= rows; ++column) {
        const int x = row % 2 == 0 ? column : rows - column;
        points.push_back({width_ * static_cast<float>(x) / rows, height_ * static_cast<float>(row) / rows});
      }
    return points;
  }

  Points to_and_fro() const {
    Points points;
    for (int i = 0; i < 100; ++i)
      points.push_back(i % 2 == 0 ? traces::PlanePoint{0, height_} : traces::PlanePoint{width_, 0});
    return points;
  }

  Points walk() {
    Points points{{width_ * part(), height_ * part()}};
    for (std::uint64_t steps = 1 + luck_.below(20); steps > 0; --steps) {
      const traces::PlanePoint at = points.back();
      points.push_back({std::clamp(at.x + width_ * (part() - 0.5F) / 4, 0.0F, width_),
                        std::clamp(at.y + height_ * (part() - 0.5F) / 4, 0.0F, height_)});
    }
    return points;
  }

 private:
  float part() { return static_cast<float>(luck_.below(1024)) / 1023; }

  float width_, height_;
  random::Stream luck_;
};

void add(TripSet& set, const Points& points, std::uint32_t user, const TraceTerms& terms) {
  set.point.insert(set.point.end(), points.begin(), points.end());
  if (terms.times)
    for (std::size_t p = 0; p < points.size(); ++p)
      set.t.push_back(static_cast<std::int64_t>(user * 977 % 86'400 + 15 * p));
  if (terms.unit == traces::Unit::user) set.user.push_back(user);
  set.end_trip();
}

/// Every bit of the trips.
std::string text_of_trips(const TripSet& trips) {
  std::string text;
  for (std::size_t i = 0; i < trips.size(); ++i) {
    text += '#';
    for (const traces::PlanePoint& p : trips.trip(i))
      text += fmt::format("{:a},{:a};", static_cast<double>(p.x), static_cast<double>(p.y));
    for (const std::int64_t t : trips.times(i)) text += fmt::format("{},", t);
  }
  return text;
}

std::vector<Meeting> meetings_of(const TraceTextRun& run, const TripSet& trips, std::uint64_t seed) {
  random::Tape tape;
  random::SeededKey key(seed);
  key.listen(&tape);
  run(trips, key);
  return tape.recorded();
}

TraceTextRun text_run(const TraceMechanism& mechanism) {
  return [mechanism](const TripSet& trips, const random::Key& key) {
    return text_of_trips(mechanism(trips, key));
  };
}

/// P(X <= k) of discrete Laplace noise whose weights fall by q a step.
double at_most(double k, double q) {
  return k >= 0 ? 1 - std::pow(q, k + 1) / (1 + q) : std::pow(q, -k) / (1 + q);
}

/// The law of noise in 16 classes.
struct Classes {
  static constexpr std::size_t count = 16;
  std::array<double, count> upper{};  // the last number of each class
  std::array<double, count> probability{};

  explicit Classes(double rate) {
    const double q = std::exp(-rate);
    double before = 0;
    for (std::size_t c = 0; c < count; ++c) {
      const double wanted = static_cast<double>(c + 1) / count;
      const double tail = std::min(wanted, 1 - wanted);
      const double size = tail > 0 ? std::round(-std::log(2 * tail) / rate) : 1e18;
      upper[c] = wanted < 0.5 ? -size : size;
      const double here = c + 1 == count ? 1 : at_most(upper[c], q);
      probability[c] = std::max(0.0, here - before);
      before = std::max(before, here);
    }
  }
  std::size_t of(double noise) const {
    const auto found = std::ranges::lower_bound(upper, noise);
    return static_cast<std::size_t>(std::min<std::ptrdiff_t>(found - upper.begin(), count - 1));
  }
};

/// The noise of one statistic: how many draws fell into each class, and how many were expected to. Each draw by the law of its own run, since a statistic's share may depend on earlier noise.
struct Draws {
  std::array<std::uint64_t, Classes::count> seen{};
  std::array<double, Classes::count> expected{};
  std::uint64_t draws = 0;

  void add(const Meeting& meeting) {
    const Classes law(meeting.epsilon / meeting.sensitivity);
    for (std::size_t i = 0; i < meeting.values.size(); ++i)
      ++seen[law.of(static_cast<double>(meeting.answers[i] - meeting.values[i]))];
    for (std::size_t c = 0; c < Classes::count; ++c)
      expected[c] += law.probability[c] * static_cast<double>(meeting.values.size());
    draws += meeting.values.size();
  }
};

std::string verdict(const TracesAudit& audit) {
  for (const TracesAudit::Trial& trial : audit.trials)
    if (trial.finding.broken)
      return fmt::format("The promise is broken, with {}: {}.", trial.words, trial.finding.reason);
  if (audit.declared > audit.epsilon * (1 + rounding_of_counts))
    return fmt::format("The promise is broken: the counts together cost {:.6g}, and {:.6g} is promised.",
                       audit.declared, audit.epsilon);
  if (!audit.noise.fits)
    return fmt::format("The promise is broken: the noise of '{}' does not follow the law it declares.",
                       audit.noise.worst);
  return fmt::format(
      "Nothing speaks against the promise: with the same noisy counts, neighbours gave the same trips, and "
      "no "
      "pair of them cost more than {:.6g} of {:.6g}.",
      audit.largest_loss, audit.epsilon);
}

void require_range(std::uint64_t value, std::uint64_t most, const char* name) {
  if (value < 1 || value > most) throw InvalidOption(name, fmt::format("must lie between 1 and {}", most));
}

}  // namespace

TraceMechanism trace_mechanism(const TraceTerms& terms, std::uint64_t trips_to_make) {
  TraceTerms asked = terms;
  asked.trips_to_make = trips_to_make;
  return [asked = std::move(asked), statistics = traces::TraceStatistics(terms.options())](
             const TripSet& trips, const random::Key& key) {
    return traces::make_trips(traces::count_trips(trips, statistics, key), asked, {},
                              {.parallel = {.threads = 1}})
        .trips;
  };
}

std::vector<TraceNeighbours> trace_neighbours(const TraceTerms& terms) {
  Inventor inventor(terms);
  TripSet base;
  constexpr std::uint32_t others = 30;
  for (std::uint32_t i = 0; i < others; ++i) add(base, inventor.walk(), i % 10, terms);
  std::vector<TraceNeighbours> all;
  const auto more = [&](const std::string& words, const TripSet& without, const std::vector<Points>& trips) {
    TripSet with = without;
    for (const Points& trip : trips) add(with, trip, others, terms);
    all.push_back({words, without, std::move(with)});
  };
  if (terms.unit == traces::Unit::trip) {
    more("one trip more: standing still", base, {inventor.standing()});
    more("one trip more: straight across", base, {inventor.across()});
    more("one trip more: through every cell", base, {inventor.everywhere()});
    more("one trip more: to and fro a hundred times", base, {inventor.to_and_fro()});
    more("one trip more: a usual one", base, {inventor.walk()});
    more("the first trip of all", {}, {inventor.walk()});
  } else {
    more("one user more, with a trip through every cell", base, {inventor.everywhere()});
    more("one user more, with as many equal trips as count in full", base,
         std::vector<Points>(terms.trips_per_user, inventor.across()));
    // Where it is declared that nobody has more, nobody has.
    if (terms.persons == privacy::Persons::declared) return all;
    more("one user more, with three times as many equal trips", base,
         std::vector<Points>(3 * std::size_t{terms.trips_per_user} + 1, inventor.across()));
    std::vector<Points> usual;
    for (std::uint32_t i = 0; i < 2 * terms.trips_per_user; ++i) usual.push_back(inventor.walk());
    more("one user more, with twice as many usual trips", base, usual);
    more("the first user of all", {}, {inventor.walk(), inventor.to_and_fro()});
  }
  return all;
}

NoiseFit fit_noise(const std::vector<std::vector<Meeting>>& runs) {
  std::map<std::string, Draws> of_statistic;
  for (const auto& run : runs)
    for (const Meeting& meeting : run)
      if (meeting.manner == Meeting::Manner::added && !meeting.values.empty())
        of_statistic[meeting.name].add(meeting);
  NoiseFit fit{.fits = true};
  for (auto& [name, draws] : of_statistic) {
    for (double& e : draws.expected) e /= static_cast<double>(draws.draws);
    const auto found = random::chi_square(draws.seen, draws.expected, draws.draws);
    fit.draws += draws.draws;
    if (fit.worst.empty() || found.deviations > fit.largest_deviations) {
      fit.largest_deviations = found.deviations;
      fit.worst = name;
    }
  }
  fit.fits = fit.largest_deviations < most_deviations;
  return fit;
}

namespace {

TracesAudit audit_once(const TraceTerms& terms, const TraceTextRun& mechanism,
                       const TracesAuditOptions& options) {
  require_range(options.runs, 10'000, "runs");
  require_range(options.noise_runs, 10'000, "noise-runs");
  const std::vector<TraceNeighbours> pairs = trace_neighbours(terms);
  ProgressMeter meter(options.progress, "replaying", pairs.size() + 1);
  TracesAudit audit{.epsilon = terms.epsilon.value().to_double()};
  for (const TraceNeighbours& pair : pairs) {
    // A release of nothing is refused.
    const TraceTextRun asked =
        pair.without.size() > 0
            ? mechanism
            : text_run(trace_mechanism(terms, std::max<std::uint64_t>(1, options.trips_to_make)));
    const auto run = [&asked](const TripSet& trips) {
      return [&asked, set = &trips](const random::Key& key) { return asked(*set, key); };
    };
    audit.trials.push_back({pair.words, replay({.words = pair.words,
                                                .first = run(pair.without),
                                                .second = run(pair.with),
                                                .claimed_loss = audit.epsilon},
                                               {.key = random::SeededKey(TracesAuditOptions::public_seed),
                                                .runs = options.runs})});
    audit.largest_loss = std::max(audit.largest_loss, audit.trials.back().finding.largest_loss);
    meter.advance();
  }
  std::vector<std::vector<Meeting>> runs;
  for (std::uint64_t i = 0; i < options.noise_runs; ++i)
    runs.push_back(meetings_of(mechanism, pairs.front().with, TracesAuditOptions::public_seed + i));
  for (const Meeting& meeting : runs.front()) audit.declared += meeting.epsilon;
  audit.meetings = runs.front().size();
  audit.noise = fit_noise(runs);
  meter.advance();
  audit.passed = audit.noise.fits && audit.declared <= audit.epsilon * (1 + rounding_of_counts) &&
                 std::ranges::none_of(audit.trials, [](const auto& trial) { return trial.finding.broken; });
  audit.sentence = verdict(audit);
  return audit;
}

}  // namespace

TracesAudit audit_traces(const TraceTerms& terms, const TracesAuditOptions& options) {
  const MakeTraceTextRun make = [&options](const TraceTerms& given) {
    return text_run(trace_mechanism(given, options.trips_to_make));
  };
  return audit_traces(terms, make, options);
}

TracesAudit audit_traces(const TraceTerms& terms, const MakeTraceTextRun& make,
                         const TracesAuditOptions& options) {
  require_range(options.trips_to_make, 100'000, "trips-to-make");
  TracesAudit audit = audit_once(terms, make(terms), options);
  if (terms.trips) return audit;
  // What is asked of many trips alone is asked of a few invented ones if a great number is declared.
  constexpr double many_at_epsilon_1 = 14'000;
  const double of_one = terms.unit == traces::Unit::user ? terms.trips_per_user : 1;
  TraceTerms many = terms;
  many.trips = static_cast<std::uint64_t>(
      std::clamp(std::ceil(many_at_epsilon_1 * of_one / terms.epsilon.value().to_double()), 1.0, 1e9));
  TracesAudit more = audit_once(many, make(many), options);
  for (TracesAudit::Trial& trial : more.trials) {
    trial.words += fmt::format(", {} trips being declared", *many.trips);
    audit.trials.push_back(std::move(trial));
  }
  audit.passed = audit.passed && more.passed;
  audit.declared = std::max(audit.declared, more.declared);
  audit.largest_loss = std::max(audit.largest_loss, more.largest_loss);
  audit.meetings = std::max(audit.meetings, more.meetings);
  more.noise.draws += audit.noise.draws;
  if (more.noise.largest_deviations > audit.noise.largest_deviations)
    audit.noise = more.noise;
  else
    audit.noise.draws = more.noise.draws;
  audit.sentence = verdict(audit);
  return audit;
}

TracesAudit audit_traces(const TraceTerms& terms, const TraceMechanism& mechanism,
                         const TracesAuditOptions& options) {
  return audit_once(terms, text_run(mechanism), options);
}

}  // namespace fogline::audit
