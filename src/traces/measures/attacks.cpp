// SPDX-License-Identifier: Apache-2.0
#include "traces/measures/attacks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "base/error.hpp"
#include "random/key.hpp"
#include "traces/measures/nearest_trips.hpp"

namespace fogline::traces {
namespace {

/// With the true order a thousand: p-values are whole thousandths.
constexpr std::size_t most_turns = 999;
/// What chance does once in a hundred times is no leak; the intervals of the other attacks hold 99 % too.
constexpr double significant = 0.01;
constexpr std::size_t per_cent_of_chance = 99;  // of the turned orders stay at or below `chance_high`
/// Half of them are references, and two or more must be left on either side to be told apart.
constexpr std::size_t fewest_to_halve = 4;
/// So many searches are worth a thread's while.
constexpr std::size_t asked_a_task = 64;

/// The trips on one side of the question, and what is found for each.
struct Side {
  std::vector<EvenTrip> trip;
  std::vector<std::uint32_t> user;   // per trip, or empty
  std::vector<double> distance;      // to the nearest synthetic trip
  std::vector<std::size_t> nearest;  // which it is
  std::vector<char> near;            // one lies within the limit at all points
};

void require(const TripSet& synthetic, const AttackOptions& options) {
  if (synthetic.size() == 0) throw InvalidOption("trips", "must not be an empty set");
  if (!(options.near_m > 0)) throw InvalidOption("near", "must be above 0 metres");
}

std::vector<std::uint32_t> bits_of(std::span<const PlanePoint> trip) {
  std::vector<std::uint32_t> bits;
  for (const PlanePoint& p : trip) {
    bits.push_back(std::bit_cast<std::uint32_t>(p.x));
    bits.push_back(std::bit_cast<std::uint32_t>(p.y));
  }
  return bits;
}

using TripBits = std::set<std::vector<std::uint32_t>>;

TripBits bits_of(const TripSet& trips) {
  TripBits bits;
  for (std::size_t i = 0; i < trips.size(); ++i) bits.insert(bits_of(trips.trip(i)));
  return bits;
}

/// The trips that the other set has not.
Side side_of(const TripSet& trips, const TripBits& other, bool users) {
  Side side;
  for (std::size_t i = 0; i < trips.size(); ++i) {
    if (other.contains(bits_of(trips.trip(i)))) continue;
    side.trip.push_back(evenly(trips.trip(i)));
    if (users) side.user.push_back(trips.user[i]);
  }
  return side;
}

void approach(const NearestTrips& synthetic, const AttackOptions& options, ProgressMeter& meter, Side& side) {
  side.distance.resize(side.trip.size());
  side.nearest.resize(side.trip.size());
  side.near.resize(side.trip.size());
  parallel_for(
      side.trip.size(), {.threads = options.parallel.threads, .grain = asked_a_task},
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const auto found = *synthetic.nearest(side.trip[i], {});
          side.distance[i] = found.distance_m;
          side.nearest[i] = found.index;
          side.near[i] = synthetic.nearest(side.trip[i], {TripDistance::worst, options.near_m, {}}) ? 1 : 0;
        }
        meter.advance(end - begin);
      });
}

/// Half of the units, by lot.
std::vector<char> half_of(std::size_t units, std::uint64_t seed) {
  const random::StreamFamily coins = random::SeededKey(seed).streams("traces attack references");
  std::vector<std::pair<std::uint64_t, std::size_t>> lots;
  for (std::size_t i = 0; i < units; ++i) lots.emplace_back(coins.stream(i).next64(), i);
  std::sort(lots.begin(), lots.end());
  std::vector<char> chosen(units);
  for (std::size_t i = 0; i < units / 2; ++i) chosen[lots[i].second] = 1;
  return chosen;
}

/// Which of the others serve as reference.
struct References {
  bool by_user = false;  ///< whole users; else single trips, where there are too few users
  std::vector<char> chosen;
};

References references(const Side& others, std::uint64_t seed) {
  std::vector<std::uint32_t> users = others.user;
  std::sort(users.begin(), users.end());
  users.erase(std::unique(users.begin(), users.end()), users.end());
  if (users.size() < fewest_to_halve) return {false, half_of(others.trip.size(), seed)};
  const std::vector<char> chosen = half_of(users.size(), seed);
  References made{true, {}};
  for (const std::uint32_t user : others.user) {
    const auto at = std::lower_bound(users.begin(), users.end(), user) - users.begin();
    made.chosen.push_back(chosen[static_cast<std::size_t>(at)]);
  }
  return made;
}

/// Distances to the synthetic trips over those to the references, each with a metre more, of the trips that are no reference themselves.
class Calibration {
 public:
  Calibration(const Side& others, const AttackOptions& options)
      : options_(options),
        references_(references(others, options.seed)),
        index_(index_of(others, references_)) {}

  std::size_t size() const { return static_cast<std::size_t>(std::ranges::count(references_.chosen, 1)); }
  Scores of_members(const Side& members, ProgressMeter& meter) const { return scores(members, {}, meter); }
  Scores of_others(const Side& others, ProgressMeter& meter) const {
    return scores(others, references_.chosen, meter);
  }

 private:
  static NearestTrips index_of(const Side& others, const References& references) {
    std::vector<EvenTrip> trips;
    std::vector<std::uint32_t> users;
    for (std::size_t i = 0; i < others.trip.size(); ++i) {
      if (references.chosen[i] == 0) continue;
      trips.push_back(others.trip[i]);
      if (references.by_user) users.push_back(others.user[i]);
    }
    return {std::move(trips), std::move(users)};
  }

  double ratio(const Side& side, std::size_t i) const {
    NearestTrips::Question question;
    if (references_.by_user) question.not_of_user = side.user[i];
    const auto found = index_.nearest(side.trip[i], question);
    // Members that are held-out trips too are left out, so others that are references too must be.
    return found && found->distance_m > 0 ? (side.distance[i] + 1) / (found->distance_m + 1) : -1;
  }

  Scores scores(const Side& side, std::span<const char> left_out, ProgressMeter& meter) const {
    std::vector<double> ratios(side.trip.size(), -1);
    parallel_for(ratios.size(), {.threads = options_.parallel.threads, .grain = asked_a_task},
                 [&](std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i)
                     if (left_out.empty() || left_out[i] == 0) ratios[i] = ratio(side, i);
                   meter.advance(end - begin);
                 });
    Scores scores;
    for (std::size_t i = 0; i < ratios.size(); ++i) {
      if (ratios[i] < 0) continue;
      scores.score.push_back(ratios[i]);
      if (!side.user.empty()) scores.group.push_back(side.user[i]);
    }
    return scores;
  }

  const AttackOptions& options_;
  References references_;
  NearestTrips index_;
};

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

Reconstruction reconstruct(const Side& members, const Side& others, double near_m) {
  return {near_m, share_of(members.near, members.user), share_of(others.near, others.user),
          mean_of(members.distance), mean_of(others.distance)};
}

std::size_t right_guesses(const std::vector<std::uint32_t>& guess, const std::vector<std::uint32_t>& user,
                          const std::vector<std::size_t>& nearest, std::size_t turn) {
  std::size_t right = 0;
  for (std::size_t i = 0; i < user.size(); ++i)
    right += guess[(nearest[i] + turn) % guess.size()] == user[i] ? 1U : 0U;
  return right;
}

/// Chance is what the same guesses do if the order is turned: that keeps the runs of trips of one user, on which luck depends.
std::optional<Linkage> link(const std::vector<std::uint32_t>& owner, const Side& others, std::uint64_t seed) {
  const std::set<std::uint32_t> known(owner.begin(), owner.end());
  std::vector<std::uint32_t> user;
  std::vector<std::size_t> nearest;
  for (std::size_t i = 0; i < others.user.size(); ++i) {
    if (!known.contains(others.user[i])) continue;
    user.push_back(others.user[i]);
    nearest.push_back(others.nearest[i]);
  }
  if (user.empty() || known.size() < 2) return std::nullopt;
  Linkage linkage;
  linkage.asked = user.size();
  linkage.right = right_guesses(owner, user, nearest, 0);
  linkage.users = known.size();
  random::Stream stream = random::SeededKey(seed).stream("traces attack turns");
  std::vector<double> turned;
  std::size_t as_good = 1;
  for (std::size_t i = 0; i < most_turns; ++i) {
    const std::size_t turn = 1 + stream.below(owner.size() - 1);
    const std::size_t right = right_guesses(owner, user, nearest, turn);
    turned.push_back(static_cast<double>(right) / static_cast<double>(user.size()));
    as_good += right >= linkage.right ? 1U : 0U;
  }
  linkage.chance = mean_of(turned);
  std::sort(turned.begin(), turned.end());
  linkage.chance_high = turned[most_turns * per_cent_of_chance / 100];
  linkage.p_value = static_cast<double>(as_good) / static_cast<double>(most_turns + 1);
  return linkage;
}

}  // namespace

bool TraceAttacks::leaks() const {
  return nearest.auc_interval.low > 0.5 || nearest.advantage_interval.low > 0 ||
         calibrated.auc_interval.low > 0.5 || calibrated.advantage_interval.low > 0 ||
         reconstruction.members.interval.low > reconstruction.others.interval.high ||
         (linkage && linkage->p_value < significant);
}

bool TraceAttacks::lopsided() const {
  return nearest.auc_interval.high < 0.5 || calibrated.auc_interval.high < 0.5;
}

TraceAttacks attack(const TripSet& truth, const TripSet& synthetic, const TripSet& heldout,
                    const AttackOptions& options) {
  require(synthetic, options);
  const bool users = !truth.user.empty() && !heldout.user.empty();
  Side members = side_of(truth, bits_of(heldout), users), others = side_of(heldout, bits_of(truth), users);
  if (members.trip.size() < fewest_to_halve || others.trip.size() < fewest_to_halve)
    throw InvalidOption("heldout",
                        "attacks need four true trips and four held-out ones that the other file has not");
  ProgressMeter meter(options.progress, "attacking", 2 * (members.trip.size() + others.trip.size()));
  const NearestTrips index(evenly(synthetic, options.parallel), {});
  approach(index, options, meter, members);
  approach(index, options, meter, others);
  TraceAttacks told;
  told.members = members.trip.size();
  told.others = others.trip.size();
  told.shared = heldout.size() - others.trip.size();
  told.nearest = separation({members.distance, members.user}, {others.distance, others.user}, options.seed);
  const Calibration calibration(others, options);
  told.references = calibration.size();
  told.calibrated =
      separation(calibration.of_members(members, meter), calibration.of_others(others, meter), options.seed);
  told.reconstruction = reconstruct(members, others, options.near_m);
  if (users && truth.size() == synthetic.size()) told.linkage = link(truth.user, others, options.seed);
  meter.finish();
  return told;
}

}  // namespace fogline::traces
