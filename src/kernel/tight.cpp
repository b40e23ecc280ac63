// SPDX-License-Identifier: Apache-2.0
#include "kernel/tight.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include <Eigen/Core>
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/dense.hpp"

namespace fogline::kernel {
namespace {

constexpr double room =
    0x1p-14;  // share of each road's budget left unused, for rounding and what the rounds leave over
/// How far a round looks, in e-foldings of the weights; the certificate looks on to 25.
enum class Sight {
  far,  ///< as far as weights matter to the last digits
  near  ///< what lies beyond is a few thousandths of a total, and changes along a road by less: enough to find a
        ///< draft by, at a fifth of the cost
};
constexpr double far_horizon = 16, near_horizon = 7;
/// The largest excess falls by about half in each: after so many it is less than `room`.
constexpr int largest_rounds = 16;
/// Where a thorough calibration branches: few such rounds are better at a small epsilon, many at a large one. And how
/// many there are where there is time for one number alone. Chosen, not derived: the certificate does not depend on
/// them.
constexpr std::array handicap_rounds{1, 2, 4, 8, 16};
constexpr int usual_handicap_rounds = 4;
constexpr std::size_t comparison_sample = 128;  // vertices over which kernels of large maps are compared
/// A loss so little above the budget on every road is left to shortening all roads alike, a fifth of a per cent.
constexpr double nearly_settled = 1.002;
/// Epsilon times a handicap, at most: twice the cap's 25, from where all weights are the same.
constexpr double most_foldings = 50;
constexpr std::uint32_t most_units = 4'000'000'000;  // of a handicap: nearly all that 32 bits hold
/// Of the largest part: a negative one that rounding made counts as none.
constexpr double rounding_of_shares = 1e-9;
/// Each of them a search, or several.
constexpr std::size_t totals_a_task = 256, rows_a_matrix_task = 16, compared_a_task = 4;

/// Lengths of roads and shares of outputs while they are being sought.
struct Draft {
  std::vector<double> length;  // units, by road
  std::vector<double> share;   // exp(-epsilon * handicap), by vertex, 0 outside the range
};

struct Round {
  std::vector<double> total;        // by vertex
  std::vector<double> change = {};  // of ln total along each road, over epsilon times its length in use
  double worst = 0;                 // largest loss on a road, as a share of its budget
};

class Calibration {
 public:
  Calibration(const graph::Graph& graph, const TightOptions& options);
  TightKernel best() const;
  TightFigures figures_of(const SplitExponential& kernel) const;

 private:
  struct Candidate {
    TightForm form = TightForm::half;
    std::unique_ptr<SplitExponential> kernel = {};
    SplitCertificate certificate = {};
    double mean_share = 0;
    double q_loss_m = 0;
  };

  Candidate half() const;
  std::optional<Candidate> full() const;
  std::vector<Candidate> splits() const;
  std::optional<Candidate> settled(Draft draft) const;
  std::optional<Candidate> certified(TightForm form, const Draft& draft) const;

  Draft start() const;
  Round look(const Draft& draft, Sight sight) const;
  std::vector<double> totals(const graph::Graph& shortened, const std::vector<double>& share,
                             Sight sight) const;
  void fit_lengths(Draft& draft, const Round& round) const;
  void fit_shares(Draft& draft, const Round& round) const;

  std::vector<graph::LengthMm> whole_lengths(const Draft& draft) const;
  Candidate built(TightForm form, std::vector<graph::LengthMm> length,
                  std::vector<std::uint32_t> handicap) const;
  std::vector<std::uint32_t> handicaps(const Draft& draft) const;
  std::vector<graph::VertexId> compared() const;  ///< whom kernels are compared over
  double q_loss_m(const SplitExponential& kernel) const;
  double mean_share(const SplitExponential& kernel) const;
  std::vector<double> equalising_shares() const;
  /// Maps on which rounds take no time are looked at from afar throughout.
  Sight usual_sight() const { return thorough() ? Sight::far : Sight::near; }
  bool thorough() const { return graph_.vertex_count() <= options_.thorough_up_to; }
  bool dense() const { return graph_.vertex_count() <= options_.dense_up_to && options_.range.empty(); }

  const graph::Graph& graph_;
  const TightOptions& options_;
  std::vector<graph::Edge> roads_;
  std::vector<graph::VertexId> range_;
  std::uint32_t units_per_mm_ = SplitExponential::finest_units_per_mm;
  double rate_;  // epsilon per unit
};

/// The finest cut of a millimetre with which lengths fit 32 bits and the rate stays within the rule's limits.
std::uint32_t unit_of(const std::vector<graph::Edge>& roads, const Rational& epsilon_per_mm) {
  graph::LengthMm longest = 1;
  for (const graph::Edge& road : roads) longest = std::max(longest, road.length_mm);
  if (longest > longest_tight_road_mm) throw InvalidOption("network", "has a road longer than 2,000 km");
  constexpr std::uint64_t per_least_epsilon = 100'000'000;    // weights then fall by e over 100 km
  constexpr std::uint64_t per_least_rate = 1ULL << 30;        // of ExponentialRule, per unit
  constexpr std::uint64_t too_long = std::uint64_t{1} << 32;  // for 32 bits
  if (epsilon_per_mm > Rational(1) || epsilon_per_mm < Rational(1, per_least_epsilon))
    throw InvalidOption("epsilon", "must lie between 1e-8 and 1 per millimetre");
  std::uint32_t units = SplitExponential::finest_units_per_mm;
  while (units > 2 && (std::uint64_t{longest} * units >= too_long ||
                       epsilon_per_mm / units < Rational(1, per_least_rate))) {
    units /= 2;
  }
  return units;
}

Calibration::Calibration(const graph::Graph& graph, const TightOptions& options)
    : graph_(graph), options_(options), roads_(graph.edges()), range_(options.range) {
  if (!options.prior.empty() && options.prior.size() != graph.vertex_count())
    throw InvalidOption("prior", "must give every vertex a probability");
  units_per_mm_ = unit_of(roads_, options.epsilon_per_mm);
  rate_ = options.epsilon_per_mm.to_double() / units_per_mm_;
  if (range_.empty()) {
    range_.resize(graph.vertex_count());
    std::iota(range_.begin(), range_.end(), graph::VertexId{0});
  }
  if (range_.empty() || *std::max_element(range_.begin(), range_.end()) >= graph.vertex_count())
    throw InvalidOption("range", "must name vertices of the network, at least one");
}

Draft Calibration::start() const {
  Draft draft;
  for (const graph::Edge& road : roads_) draft.length.push_back(road.length_mm * (units_per_mm_ / 2.0));
  draft.share.resize(graph_.vertex_count());
  for (const graph::VertexId vertex : range_) draft.share[vertex] = 1;
  return draft;
}

std::vector<graph::LengthMm> Calibration::whole_lengths(const Draft& draft) const {
  std::vector<graph::LengthMm> whole;
  whole.reserve(draft.length.size());
  for (const double length : draft.length)
    whole.push_back(static_cast<graph::LengthMm>(std::max(1.0, length)));
  return whole;
}

std::vector<double> Calibration::totals(const graph::Graph& shortened, const std::vector<double>& share,
                                        Sight sight) const {
  // Weights fall to exp(-horizon) and stay there, so that totals change along a road no faster than weights do. From
  // near by they fall to 0 instead: so high a floor under a whole city would drown what is near.
  const double horizon = sight == Sight::far ? far_horizon : near_horizon;
  const double floor = std::exp(-horizon);
  const double everywhere =
      sight == Sight::far ? floor * std::accumulate(share.begin(), share.end(), 0.0) : 0;
  const auto radius = static_cast<graph::DistanceMm>(horizon / rate_);
  std::vector<double> result(graph_.vertex_count());
  ProgressMeter meter(options_.progress, "fitting the roads", result.size());
  parallel_for(
      result.size(), {.threads = options_.threads, .grain = totals_a_task},
      [&](std::size_t begin, std::size_t end) {
        graph::Dijkstra search(shortened);
        for (std::size_t v = begin; v < end; ++v) {
          double sum = everywhere;
          for (const auto& [vertex, distance] : search.within(static_cast<graph::VertexId>(v), radius)) {
            sum += share[vertex] * std::max(0.0, std::exp(-rate_ * static_cast<double>(distance)) - floor);
          }
          result[v] = sum;
          meter.advance();
        }
      });
  meter.finish();
  return result;
}

Round Calibration::look(const Draft& draft, Sight sight) const {
  const std::vector<graph::LengthMm> whole = whole_lengths(draft);
  std::vector<graph::Edge> edges = roads_;
  for (std::size_t i = 0; i < edges.size(); ++i) edges[i].length_mm = whole[i];
  Round round{.total = totals(graph::Graph::from_edges(graph_.vertex_count(), edges), draft.share, sight)};
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const double change = std::abs(std::log(round.total[edges[i].tail] / round.total[edges[i].head]));
    round.change.push_back(change / (rate_ * whole[i]));
    round.worst =
        std::max(round.worst, (rate_ * whole[i] + change) / (rate_ * units_per_mm_ * roads_[i].length_mm));
  }
  return round;
}

void Calibration::fit_lengths(Draft& draft, const Round& round) const {
  for (std::size_t i = 0; i < roads_.size(); ++i) {
    const double budget = (1 - room) * units_per_mm_ * roads_[i].length_mm;
    draft.length[i] = budget / (1 + std::min(1.0, round.change[i]));
  }
}

void Calibration::fit_shares(Draft& draft, const Round& round) const {
  // The square root is half of the way to equal totals: the whole way overshoots.
  for (const graph::VertexId vertex : range_) draft.share[vertex] /= std::sqrt(round.total[vertex]);
  const double largest = *std::max_element(draft.share.begin(), draft.share.end());
  for (double& share : draft.share) share /= largest;
}

std::vector<std::uint32_t> Calibration::handicaps(const Draft& draft) const {
  std::vector<std::uint32_t> result;
  result.reserve(range_.size());
  const double most = std::min<double>(most_foldings / rate_, most_units);
  for (const graph::VertexId vertex : range_) {
    const double share = draft.share[vertex];
    const double wanted = share > 0 ? -std::log(share) / rate_ : most;
    result.push_back(static_cast<std::uint32_t>(std::lround(std::clamp(wanted, 0.0, most))));
  }
  return result;
}

Calibration::Candidate Calibration::built(TightForm form, std::vector<graph::LengthMm> length,
                                          std::vector<std::uint32_t> handicap) const {
  Candidate candidate{.form = form};
  candidate.kernel = std::make_unique<SplitExponential>(
      graph_, SplitExponential::Options{.epsilon_per_mm = options_.epsilon_per_mm,
                                        .units_per_mm = units_per_mm_,
                                        .length = std::move(length),
                                        .range = options_.range,
                                        .handicap = std::move(handicap)});
  candidate.mean_share = mean_share(*candidate.kernel);
  return candidate;
}

double Calibration::mean_share(const SplitExponential& kernel) const {
  if (roads_.empty()) return 1;
  double used = 0, budget = 0;
  for (const graph::Edge& road : kernel.shortened().edges()) used += road.length_mm;
  for (const graph::Edge& road : roads_)
    budget += static_cast<double>(road.length_mm) * kernel.units_per_mm();
  return used / budget;
}

TightFigures Calibration::figures_of(const SplitExponential& kernel) const {
  return {.mean_share = mean_share(kernel), .q_loss_m = q_loss_m(kernel), .half_q_loss_m = half().q_loss_m};
}

Calibration::Candidate Calibration::half() const {
  Candidate candidate = built(TightForm::half, whole_lengths(start()), {});
  candidate.q_loss_m = q_loss_m(*candidate.kernel);
  return candidate;
}

std::optional<Calibration::Candidate> Calibration::certified(TightForm form, const Draft& draft) const {
  // What is taken off besides grows from `room`, 2^-14, to a sixteenth before the last attempt.
  constexpr int attempts = 7, growth = 4;
  double scale = 1;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    Draft scaled = draft;
    for (double& length : scaled.length) length *= scale;
    Candidate candidate = built(form, whole_lengths(scaled), handicaps(draft));
    candidate.certificate =
        candidate.kernel->certify({.threads = options_.threads, .progress = options_.progress});
    if (holds(candidate.certificate, options_.epsilon_per_mm)) {
      candidate.q_loss_m = q_loss_m(*candidate.kernel);
      return candidate;
    }
    // Shorter lengths lose less, though not in proportion: other totals move too. Hence the square, and a share that grows.
    const double excess = candidate.certificate.loss_high / options_.epsilon_per_mm.to_double();
    scale *= (1 - room * std::pow(growth, attempt)) / (excess * excess);
  }
  return std::nullopt;
}

std::optional<Calibration::Candidate> Calibration::settled(Draft draft) const {
  const double enough = thorough() ? 1 : nearly_settled;
  Sight sight = usual_sight();
  for (int round = 0; round < largest_rounds; ++round) {
    const Round seen = look(draft, sight);
    if (round > 0 && seen.worst <= enough) {
      if (sight == Sight::far) break;
      sight = Sight::far;  // and once more from there
    }
    fit_lengths(draft, seen);
  }
  return certified(TightForm::split, draft);
}

std::vector<Calibration::Candidate> Calibration::splits() const {
  std::vector<Candidate> found;
  const auto keep = [&](const Draft& draft) {
    if (auto candidate = settled(draft)) found.push_back(std::move(*candidate));
  };
  Draft draft = start();
  const int last = thorough() ? handicap_rounds.back() : usual_handicap_rounds;
  for (int round = 1; round <= last; ++round) {
    const Round seen = look(draft, usual_sight());
    fit_lengths(draft, seen);
    fit_shares(draft, seen);
    if (thorough() && std::count(handicap_rounds.begin(), handicap_rounds.end(), round) > 0) keep(draft);
  }
  if (!thorough()) keep(draft);
  return found;
}

std::vector<double> Calibration::equalising_shares() const {
  const auto n = static_cast<Eigen::Index>(graph_.vertex_count());
  Eigen::MatrixXd weight(n, n);
  const double rate_per_mm = rate_ * units_per_mm_ * (1 - room);
  ProgressMeter meter(options_.progress, "equalising the totals", graph_.vertex_count());
  parallel_for(graph_.vertex_count(), {.threads = options_.threads, .grain = rows_a_matrix_task},
               [&](std::size_t begin, std::size_t end) {
                 graph::Dijkstra search(graph_);
                 for (std::size_t v = begin; v < end; ++v) {
                   const auto distance = search.one_to_all(static_cast<graph::VertexId>(v));
                   for (Eigen::Index o = 0; o < n; ++o) {
                     const auto there = distance[static_cast<std::size_t>(o)];
                     weight(o, static_cast<Eigen::Index>(v)) =
                         there == graph::unreachable ? 0
                                                     : std::exp(-rate_per_mm * static_cast<double>(there));
                   }
                   meter.advance();
                 }
               });
  DenseCholesky cholesky;
  if (!cholesky.factor(std::move(weight), options_.threads)) return {};
  Eigen::VectorXd share = Eigen::VectorXd::Ones(n);
  cholesky.solve(share);
  if (!share.allFinite() || share.minCoeff() < -rounding_of_shares * share.maxCoeff()) return {};
  std::vector<double> result(share.data(), share.data() + n);
  for (double& each : result) each = std::max(0.0, each / share.maxCoeff());
  return result;
}

std::optional<Calibration::Candidate> Calibration::full() const {
  if (!dense()) return std::nullopt;
  Draft draft{.length = {}, .share = equalising_shares()};
  if (draft.share.empty()) return std::nullopt;
  for (const graph::Edge& road : roads_) draft.length.push_back((1 - room) * road.length_mm * units_per_mm_);
  return certified(TightForm::full, draft);
}

std::vector<graph::VertexId> Calibration::compared() const {
  const std::size_t n = graph_.vertex_count(),
                    sample = n <= options_.dense_up_to ? n : std::min(n, comparison_sample);
  std::vector<graph::VertexId> vertices(sample);
  if (options_.prior.empty() || sample == n) {
    for (std::size_t i = 0; i < sample; ++i) vertices[i] = static_cast<graph::VertexId>(i * n / sample);
    return vertices;
  }
  // At even steps of the prior: a few vertices that most of it is at are among them, and as often as they are likely.
  std::vector<double> up_to(n);
  std::partial_sum(options_.prior.begin(), options_.prior.end(), up_to.begin());
  for (std::size_t i = 0; i < sample; ++i) {
    const double at = (static_cast<double>(i) + 0.5) / static_cast<double>(sample) * up_to.back();
    vertices[i] =
        static_cast<graph::VertexId>(std::upper_bound(up_to.begin(), up_to.end() - 1, at) - up_to.begin());
  }
  return vertices;
}

double Calibration::q_loss_m(const SplitExponential& kernel) const {
  const std::vector<graph::VertexId> vertices = compared();
  const bool is_weighed = !options_.prior.empty() && vertices.size() == graph_.vertex_count();
  std::vector<double> mean(vertices.size()), share(vertices.size());
  ProgressMeter meter(options_.progress, "comparing the forms", vertices.size());
  parallel_for(vertices.size(), {.threads = options_.threads, .grain = compared_a_task},
               [&](std::size_t begin, std::size_t end) {
                 graph::Dijkstra search(graph_), shortened(kernel.shortened());
                 for (std::size_t i = begin; i < end; ++i) {
                   share[i] = is_weighed ? options_.prior[vertices[i]] : 1;
                   if (share[i] > 0) mean[i] = kernel.mean_distance_m(vertices[i], search, shortened);
                   meter.advance();
                 }
               });
  const double all = std::accumulate(share.begin(), share.end(), 0.0);
  return all > 0 ? std::inner_product(mean.begin(), mean.end(), share.begin(), 0.0) / all : 0;
}

TightKernel Calibration::best() const {
  Candidate chosen = half();
  const double half_q_loss_m = chosen.q_loss_m;
  const auto consider = [&](Candidate& candidate) {
    if (candidate.q_loss_m < chosen.q_loss_m) chosen = std::move(candidate);
  };
  if (auto candidate = full()) {
    consider(*candidate);
  } else {
    for (Candidate& each : splits()) consider(each);
  }
  if (chosen.form == TightForm::half)
    chosen.certificate = chosen.kernel->certify({.threads = options_.threads, .progress = options_.progress});
  if (!holds(chosen.certificate, options_.epsilon_per_mm))
    throw Error("the kernel found for this network does not keep its promise, and is not used; try gem");
  chosen.kernel->find_draw_bounds({.threads = options_.threads, .progress = options_.progress});
  return {.form = chosen.form,
          .kernel = std::move(chosen.kernel),
          .certificate = chosen.certificate,
          .mean_share = chosen.mean_share,
          .q_loss_m = chosen.q_loss_m,
          .half_q_loss_m = half_q_loss_m};
}

}  // namespace

TightKernel calibrate_tight(const graph::Graph& graph, const TightOptions& options) {
  return Calibration(graph, options).best();
}

TightFigures figures_of(const SplitExponential& kernel, const graph::Graph& graph,
                        const TightOptions& options) {
  return Calibration(graph, options).figures_of(kernel);
}

}  // namespace fogline::kernel
