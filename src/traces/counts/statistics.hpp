// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "privacy/guarantee.hpp"
#include "privacy/persons.hpp"
#include "random/stream.hpp"
#include "traces/counts/layout.hpp"
#include "traces/counts/move_strings.hpp"
#include "traces/frame/frame.hpp"
#include "traces/frame/trip_set.hpp"

namespace fogline::traces {

/// Whose data is protected.
enum class Unit {
  trip,  ///< one trip
  user   ///< all trips of one user
};

/// Noisy counts, in trips: each is off by Laplace noise of this scale.
struct NoisyTable {
  std::vector<double> value;
  double scale = 0;
};

/// All that is ever known of the private trips. What follows works on this alone.
struct NoisyStatistics {
  Layout layout;
  double trips = 0;                               ///< noisy, at least 1; or as declared
  std::array<NoisyTable, statistic_count> table;  ///< by Statistic; empty where nothing was asked
  std::vector<std::uint32_t> favour;         ///< weight of a medium cell in `visits`, from earlier answers
  std::vector<std::uint32_t> coarse_favour;  ///< likewise of a coarse cell
  MoveStrings strings;                       ///< that were asked about, from earlier answers

  const NoisyTable& of(Statistic s) const { return table[static_cast<std::size_t>(s)]; }
  bool has_time() const { return !of(Statistic::hours).value.empty(); }
};

/// Sums over trips, with exact noise: where the data starts, ends, and goes between, how long its trips are, how they turn, when they leave.
///
///     TraceStatistics statistics({.frame = frame, .epsilon = {1, 1}, .unit = Unit::trip});
///     NoisyStatistics known = statistics.release(trips, key.stream("traces"));
///
/// Guarantee   pure DP: adding or removing one trip, or one user with all trips, changes the probability of any answer by at most e^epsilon; exact.
/// Source      docs/mechanisms/traces.md has the statistics and the proof. After "measure, denoise, construct, refine" as in AdaTrace and PrivTrace, with
///             everything noised.
/// Utility     docs/results/traces.md.
/// Cost        linear in the points; a few milliseconds of noise.
/// Parameters  below.
///
/// Each trip adds at most one in all to each statistic, in steps of 1/4096 of a trip, and a user at most `trips_per_user`: one who has more counts
/// each trip for proportionally less. A statistic gets its share of epsilon (layout.hpp), which depends on public things and on the noisy number of
/// trips alone.
class TraceStatistics {
 public:
  using Input = TripSet;
  using Output = NoisyStatistics;
  struct Options {
    Frame frame;
    privacy::Epsilon epsilon;
    Unit unit = Unit::trip;
    std::uint32_t trips_per_user = 1;  ///< 1 to 1,000; counts if the unit is a user
    /// How users are told apart, if the unit is one. Declared: every trip counts in full, for nobody has more.
    privacy::Persons persons = privacy::Persons::unsaid;
    std::optional<std::uint64_t> public_trips = {};  ///< their number, if that is no secret; 1 to 10^9
    bool has_time = false;                           ///< count times; the trips must have them
    double max_length_m = 0;                         ///< public; 0: eight times the larger side
  };
  explicit TraceStatistics(const Options& options);  ///< throws InvalidOption

  privacy::Guarantee guarantee() const;
  const Options& options() const { return options_; }
  /// What is counted if there are about so many trips, and with which shares.
  Layout layout(double trips) const;

  /// Throws InvalidOption for trips without times where they are to be counted, or without users where they are the unit.
  NoisyStatistics release(const TripSet& trips, random::Stream& noise) const;

  /// Steps of a count. What is divided is rounded down to these, so that fewer would lose more, and a trip of more
  /// parts counts for nothing where it is divided evenly.
  static constexpr std::uint32_t per_trip = 4096;
  /// With so many, the least epsilon and the least share of it noise has a scale of about 2^40 steps, the most that a
  /// file of counts takes.
  static constexpr std::uint32_t most_trips_per_user = 1000;
  /// How long trips may be if nobody says, in larger sides of the area: four times across it and back. Chosen, not
  /// derived: it is public, and of what is longer the beginning counts.
  static constexpr double usual_sides_long = 8;

 private:
  Options options_;
};

/// Noisy counts as they come in, one statistic after the other. What is asked later follows from earlier answers by this class alone, so that whoever has
/// the counts knows what was asked and understands them as the release did.
///
///     AnswersSoFar answers(statistics);
///     answers.take(Statistic::start_end, counts);          // in the order in which they are asked; Statistic's order will do
///     NoisyStatistics known = std::move(answers).known();
class AnswersSoFar {
 public:
  explicit AnswersSoFar(const TraceStatistics& statistics);

  const NoisyStatistics& known() const& { return known_; }
  NoisyStatistics known() && { return std::move(known_); }
  bool asks(Statistic statistic) const { return known_.layout.share_of(statistic) > 0; }
  Rational epsilon_of(Statistic statistic) const;  ///< its share
  std::uint64_t sensitivity() const;               ///< of each statistic, in steps: what one unit may add
  /// In steps of 1/4096 of a trip, one for each bin.
  void take(Statistic statistic, std::span<const std::int64_t> counts);

 private:
  TraceStatistics statistics_;
  NoisyStatistics known_;
};

/// What each trip counts for, in steps of 1/4096: a user's trips together at most `trips_per_user` whole ones.
std::vector<std::uint32_t> trip_weights(const TripSet& trips, Unit unit, std::uint32_t trips_per_user);

/// Length, diameter and displacement of a trip, in metres.
struct TripShape {
  double length_m = 0, diameter_m = 0, displacement_m = 0;
};
TripShape shape_of(std::span<const PlanePoint> trip);

}  // namespace fogline::traces
