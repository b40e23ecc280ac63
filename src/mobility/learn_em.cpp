// SPDX-License-Identifier: Apache-2.0
#include "mobility/learn_em.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.hpp"

namespace fogline::mobility {
namespace {

constexpr double reach_in_noise = 4;
constexpr double least_probability = 1e-290;  // smaller ones are as good as impossible, and would soon be 0

/// Share of a normal error of deviation 1 that lies between two limits.
double normal_between(double low, double high) {
  return (std::erf(high / std::numbers::sqrt2) - std::erf(low / std::numbers::sqrt2)) / 2;
}

/// The cells that may have given a position, and how well each explains it.
struct Sightings {
  std::vector<std::size_t> begin = {0};  // per position
  std::vector<StateId> cell = {};
  std::vector<double> weight = {};

  std::size_t positions() const { return begin.size() - 1; }
  void clear() {
    begin.assign(1, 0);
    cell.clear();
    weight.clear();
  }
};

/// How much of the error's distribution falls on each column (or row) within reach.
struct Shares {
  std::uint32_t first = 0;
  std::vector<double> share = {};
};

class Eye {
 public:
  Eye(const CellGrid& grid, double noise_m) : grid_(grid), noise_m_(noise_m) {}

  void see(const geometry::PointXY& point, Sightings& into) {
    along(point.x_m - grid_.west_m, grid_.columns, columns_);
    along(point.y_m - grid_.south_m, grid_.rows, rows_);
    for (std::uint32_t r = 0; r < rows_.share.size(); ++r) {
      for (std::uint32_t c = 0; c < columns_.share.size(); ++c) {
        into.cell.push_back((rows_.first + r) * grid_.columns + columns_.first + c);
        into.weight.push_back(rows_.share[r] * columns_.share[c]);
      }
    }
    into.begin.push_back(into.cell.size());
  }

 private:
  void along(double at_m, std::uint32_t cells, Shares& shares) const {
    // A position outside the grid is seen from its edge.
    at_m = std::clamp(at_m, 0.0, grid_.cell_m * cells);
    const auto index = [&](double m) {
      return static_cast<std::uint32_t>(std::clamp(std::floor(m / grid_.cell_m), 0.0, cells - 1.0));
    };
    const std::uint32_t last = index(at_m + reach_in_noise * noise_m_);
    shares.first = index(at_m - reach_in_noise * noise_m_);
    shares.share.clear();
    for (std::uint32_t i = shares.first; i <= last; ++i) {
      const double share =
          normal_between((i * grid_.cell_m - at_m) / noise_m_, ((i + 1) * grid_.cell_m - at_m) / noise_m_);
      shares.share.push_back(std::max(share, std::numeric_limits<double>::min()));
    }
  }

  const CellGrid& grid_;
  double noise_m_;
  Shares columns_, rows_;
};

/// One round: what is expected of all sequences under one model.
class Expectation {
 public:
  explicit Expectation(const MarkovModel& chain)
      : chain_(chain), step_(chain.transition_count()), start_(chain.states()), slot_(chain.states(), none) {}

  void add(const Sightings& seen) {
    forward(seen);
    backward(seen);
  }
  double log_likelihood() const { return log_likelihood_; }
  std::uint64_t breaks() const { return breaks_; }
  const std::vector<double>& step() const { return step_; }    ///< expected count of each transition
  const std::vector<double>& start() const { return start_; }  ///< expected count of each start

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  /// Scales the forward weights of position t to 1; what they were is its part of the likelihood.
  bool settle(const Sightings& seen, std::size_t t) {
    double sum = 0;
    for (std::size_t i = seen.begin[t]; i < seen.begin[t + 1]; ++i) sum += alpha_[i];
    scale_[t] = sum;
    if (!(sum > 0)) return false;
    for (std::size_t i = seen.begin[t]; i < seen.begin[t + 1]; ++i) alpha_[i] /= sum;
    log_likelihood_ += std::log(sum);
    return true;
  }

  /// Begins anew, from any cell alike: the same in every round, so that rounds stay comparable.
  void restart(const Sightings& seen, std::size_t t) {
    const auto cells = static_cast<double>(chain_.states());
    for (std::size_t i = seen.begin[t]; i < seen.begin[t + 1]; ++i) alpha_[i] = seen.weight[i] / cells;
    settle(seen, t);
    is_break_[t] = true;
    ++breaks_;
  }

  void mark(const Sightings& seen, std::size_t t, bool on) {
    for (std::size_t i = seen.begin[t]; i < seen.begin[t + 1]; ++i) slot_[seen.cell[i]] = on ? i : none;
  }

  void forward(const Sightings& seen) {
    alpha_.assign(seen.cell.size(), 0);
    scale_.assign(seen.positions(), 0);
    is_break_.assign(seen.positions(), false);
    for (std::size_t i = seen.begin[0]; i < seen.begin[1]; ++i)
      alpha_[i] = chain_.initial()[seen.cell[i]] * seen.weight[i];
    if (!settle(seen, 0)) restart(seen, 0);
    for (std::size_t t = 1; t < seen.positions(); ++t) {
      mark(seen, t, true);
      for (std::size_t i = seen.begin[t - 1]; i < seen.begin[t]; ++i) {
        if (alpha_[i] == 0) continue;
        for (const auto& move : chain_.row(seen.cell[i]))
          if (const std::size_t to = slot_[move.to]; to != none)
            alpha_[to] += alpha_[i] * move.probability * seen.weight[to];
      }
      mark(seen, t, false);
      if (!settle(seen, t)) restart(seen, t);
    }
  }

  void backward(const Sightings& seen) {
    beta_.assign(seen.cell.size(), 0);
    const auto* first_move = chain_.row(0).data();
    for (std::size_t t = seen.positions(); t-- > 0;) {
      if (t + 1 == seen.positions() || is_break_[t + 1]) {
        for (std::size_t i = seen.begin[t]; i < seen.begin[t + 1]; ++i) beta_[i] = 1;
      } else {
        mark(seen, t + 1, true);
        for (std::size_t i = seen.begin[t]; i < seen.begin[t + 1]; ++i) {
          for (const auto& move : chain_.row(seen.cell[i])) {
            const std::size_t to = slot_[move.to];
            if (to == none) continue;
            const double onward = move.probability * seen.weight[to] * beta_[to] / scale_[t + 1];
            beta_[i] += onward;
            step_[static_cast<std::size_t>(&move - first_move)] += alpha_[i] * onward;
          }
        }
        mark(seen, t + 1, false);
      }
    }
    if (is_break_[0]) return;
    for (std::size_t i = seen.begin[0]; i < seen.begin[1]; ++i) start_[seen.cell[i]] += alpha_[i] * beta_[i];
  }

  const MarkovModel& chain_;
  std::vector<double> step_, start_;
  std::vector<std::size_t> slot_;  // where a cell stands among the sightings of the position at hand
  std::vector<double> alpha_, beta_, scale_;
  std::vector<bool> is_break_;
  double log_likelihood_ = 0;
  std::uint64_t breaks_ = 0;
};

class Learner {
 public:
  Learner(const Trips& trips, const StateSpace& space, const Neighbourhood& possible,
          const EmOptions& options)
      : trips_(trips), possible_(possible), options_(options), eye_(*space.grid, options.noise_m) {
    if (trips.plane) {
      for (std::size_t i = 0; i < trips.point_count(); ++i) points_.push_back({trips.lon[i], trips.lat[i]});
    } else {
      std::vector<geometry::LonLat> positions;
      for (std::size_t i = 0; i < trips.point_count(); ++i) positions.push_back({trips.lon[i], trips.lat[i]});
      points_ = geometry::LocalProjection(*space.centre).forward(positions);
    }
  }

  EmResult learn(const MarkovModel& start) {
    EmResult result{.chain = start, .positions = points_.size()};
    ProgressMeter meter(options_.progress, "learning", options_.rounds * points_.size());
    for (std::uint32_t round = 0; round < options_.rounds; ++round) {
      Expectation expected(result.chain);
      Sightings seen;
      for (std::size_t trip = 0; trip < trips_.size(); ++trip) {
        if (trips_.length(trip) == 0) continue;
        seen.clear();
        for (std::uint64_t p = trips_.offset[trip]; p < trips_.offset[trip + 1]; ++p)
          eye_.see(points_[p], seen);
        expected.add(seen);
        meter.advance(trips_.length(trip));
      }
      result.log_likelihood = expected.log_likelihood();
      result.breaks = expected.breaks();
      result.objective.push_back(expected.log_likelihood() + prior(result.chain));
      const std::size_t rounds = result.objective.size();
      if (rounds > 1 && result.objective[rounds - 1] - result.objective[rounds - 2] <
                            options_.tolerance * static_cast<double>(points_.size()))
        break;
      result.chain = maximise(result.chain, expected);
    }
    meter.finish();
    return result;
  }

 private:
  bool is_possible(StateId from, StateId to) const {
    const auto around = possible_.of(from);
    return std::binary_search(around.begin(), around.end(), to);
  }

  /// The logarithm of what smoothing says of a model, less a constant.
  double prior(const MarkovModel& chain) const {
    if (options_.smoothing == 0) return 0;
    double sum = 0;
    for (StateId s = 0; s < chain.states(); ++s) {
      for (const StateId to : possible_.of(s)) sum += std::log(chain.probability(s, to));
      if (options_.learn_first) sum += std::log(chain.initial()[s]);
    }
    return options_.smoothing * sum;
  }

  MarkovModel maximise(const MarkovModel& chain, const Expectation& expected) const {
    std::vector<std::uint64_t> offset = {0};
    std::vector<MarkovModel::Transition> moves;
    moves.reserve(chain.transition_count());
    std::size_t next = 0;
    for (StateId s = 0; s < chain.states(); ++s) {
      const std::size_t begin = moves.size();
      double total = 0;
      for (const auto& move : chain.row(s)) {
        const double weight = expected.step()[next++] + (is_possible(s, move.to) ? options_.smoothing : 0.0);
        total += weight;
        moves.push_back({move.to, weight});
      }
      if (total > 0) {
        for (std::size_t i = begin; i < moves.size(); ++i) moves[i].probability /= total;
        const auto row = moves.begin() + static_cast<std::ptrdiff_t>(begin);
        moves.erase(std::remove_if(row, moves.end(),
                                   [](const auto& move) { return move.probability < least_probability; }),
                    moves.end());
      } else {
        moves.resize(begin);
        moves.insert(moves.end(), chain.row(s).begin(), chain.row(s).end());
      }
      offset.push_back(moves.size());
    }
    return MarkovModel(std::move(offset), std::move(moves), first(chain, expected));
  }

  std::vector<double> first(const MarkovModel& chain, const Expectation& expected) const {
    std::vector<double> start(chain.initial().begin(), chain.initial().end());
    if (!options_.learn_first) return start;
    double total = 0;
    for (std::size_t s = 0; s < start.size(); ++s)
      total += start[s] = expected.start()[s] + options_.smoothing;
    if (!(total > 0)) return {chain.initial().begin(), chain.initial().end()};
    for (double& probability : start) probability /= total;
    return start;
  }

  const Trips& trips_;
  const Neighbourhood& possible_;
  const EmOptions& options_;
  Eye eye_;
  std::vector<geometry::PointXY> points_;
};

void check(const StateSpace& space, const MarkovModel& start, const Neighbourhood& possible,
           const EmOptions& options) {
  if (!space.grid) throw InvalidOption("noise-m", "needs cells of a grid");
  if (!(options.noise_m > 0 && options.noise_m <= 10 * space.grid->cell_m))
    throw InvalidOption("noise-m", "must be above 0 and at most 10 cells");
  if (options.rounds < 1 || options.rounds > 10'000)
    throw InvalidOption("rounds", "must lie between 1 and 10,000");
  if (!(options.tolerance >= 0)) throw InvalidOption("tolerance", "must not be negative");
  if (!(options.smoothing >= 0 && options.smoothing <= 1000))
    throw InvalidOption("smoothing", "must lie between 0 and 1,000");
  if (start.states() != space.states() || possible.states() != space.states())
    throw InvalidOption("model", "must have a state for each cell");
  if (options.smoothing == 0) return;
  for (StateId s = 0; s < space.states(); ++s)
    for (const StateId to : possible.of(s))
      if (start.probability(s, to) == 0)
        throw InvalidOption("smoothing",
                            "needs a model in which every step of the neighbourhood is possible");
}

}  // namespace

EmResult learn_em(const Trips& trips, const StateSpace& space, const MarkovModel& start,
                  const Neighbourhood& possible, const EmOptions& options) {
  check(space, start, possible, options);
  if (trips.point_count() == 0) throw InvalidOption("trips", "there is none");
  return Learner(trips, space, possible, options).learn(start);
}

}  // namespace fogline::mobility
