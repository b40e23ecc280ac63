// SPDX-License-Identifier: Apache-2.0
#include "traces/paper/dpe.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include <Eigen/QR>

#include "base/error.hpp"
#include "random/noise.hpp"
#include "random/published_noise.hpp"
#include "traces/paper/pair_distances.hpp"

namespace fogline::traces {
namespace {

using Eigen::Index;
using random::published::laplace;
using random::published::on_grid;

constexpr int most_doublings = 60, steps_per_doubling = 10;

void require(bool good, const char* name, const char* problem) {
  if (!good) throw InvalidOption(name, problem);
}

void require_descent(const char* rate_name, double rate, const char* steps_name, int steps) {
  require(rate > 0 && rate <= 10, rate_name, "must be above 0 and at most 10");
  require(steps >= 1 && steps <= 100'000, steps_name, "must lie between 1 and 100,000");
}

/// Box and Muller: two uniform numbers make a normal one.
double normal(random::Stream& stream) {
  const double radius = std::sqrt(-2 * std::log(random::published::uniform(stream)));
  return radius * std::cos(2 * std::numbers::pi * random::published::uniform(stream));
}

/// Vectors of another dimension whose squared distances have, on average, the size of those of the trips.
Vectors random_start(const Vectors& rows, Index dimensions, random::Stream& stream) {
  const double spread =
      std::sqrt(static_cast<double>(rows.squaredNorm()) / static_cast<double>(rows.rows() * dimensions));
  Vectors start(rows.rows(), dimensions);
  for (Index i = 0; i < start.rows(); ++i)
    for (Index j = 0; j < start.cols(); ++j) start(i, j) = static_cast<float>(spread * normal(stream));
  start.rowwise() -= start.colwise().mean();
  return start;
}

/// The mapping back to trips, equation (9): trips = place * weights, and the bias is the trips' mean, since both have mean 0.
class MapBack {
 public:
  MapBack() = default;  // D' = D: as it is
  MapBack(const Vectors& places, const Vectors& trips) : plain_(false) {
    // The least norm if there are fewer trips than dimensions.
    weights_ =
        places.cast<double>().completeOrthogonalDecomposition().solve(trips.cast<double>()).cast<float>();
  }
  bool plain() const { return plain_; }
  Vectors trips(const Vectors& places) const { return places * weights_; }
  Vectors gradient(const Vectors& by_trips) const { return by_trips * weights_.transpose(); }

 private:
  bool plain_ = true;
  Vectors weights_;
};

}  // namespace

Dpe::Dpe(const Options& options) : options_(options) {
  require(options.epsilon > 0 && options.epsilon <= 1000, "epsilon", "must be above 0 and at most 1,000");
  require(options.diameter_m > 0 && std::isfinite(options.diameter_m), "diameter_m",
          "must be above 0 and finite");
  require(options.time_span_s >= 0 && std::isfinite(options.time_span_s), "time_span_s",
          "must be 0 or more and finite");
  require(options.dimensions <= 100'000, "dimensions", "must be at most 100,000");
  require_descent("learning_rate", options.learning_rate, "steps", options.steps);
  require_descent("embed_rate", options.embed_rate, "embed_steps", options.embed_steps);
  Penalties(options.closed, options.bounds);
}

std::string_view dpe_reason() {
  return "one trip changes every one of the sums while the noise is made for one, and the output is the "
         "private trips, moved";
}

privacy::Guarantee Dpe::guarantee() const {
  return privacy::Guarantee::none("one trip", std::string(dpe_reason()));
}

double Dpe::sensitivity(std::size_t points, bool times) const {
  const double span = times ? options_.time_span_s : 0;
  return std::sqrt(static_cast<double>(points) * (options_.diameter_m * options_.diameter_m + span * span));
}

namespace {

/// One release: embedding, noisy sums, steps.
class DpeRun {
 public:
  DpeRun(const Dpe::Options& options, const TripSet& original)
      : options_(options),
        rules_(options.closed, options.bounds),
        trips_(vectors_of(original)),
        meter_(options.progress, "moving trips",
               static_cast<std::uint64_t>(options.steps + (embeds() ? options.embed_steps : 0))) {}

  const TripVectors& trips() const { return trips_; }

  /// Steps 1 and 2: T' and f_t.
  void embed(random::Stream& stream) {
    if (!embeds()) {
      places_ = trips_.rows;
      return;
    }
    places_ = random_start(trips_.rows, static_cast<Index>(options_.dimensions), stream);
    const std::vector<double> sums = distance_sums(trips_.rows, options_.parallel);
    for (int i = 0; i < options_.embed_steps; ++i) {
      if (options_.embed_by == DpeMatch::sums)
        misfit_of_sums(places_, sums, options_.parallel, misfit_);
      else
        misfit_of_pairs(places_, trips_.rows, options_.parallel, misfit_);
      places_ -= static_cast<float>(options_.embed_rate) * misfit_.gradient;
      meter_.advance();
    }
    back_ = MapBack(places_, trips_.rows);
  }

  /// Step 3: equation (12).
  void add_noise(double sensitivity, random::Stream& stream) {
    std::vector<double> sums = distance_sums(places_, options_.parallel);
    for (double& sum : sums) sum = on_grid(sum);
    goal_.resize(sums.size());
    random::add_noise<double>(
        {.name = "metric sums", .epsilon = options_.epsilon, .sensitivity = sensitivity}, sums,
        [&](random::Stream& s) { return on_grid(laplace(sensitivity / options_.epsilon, s)); }, stream,
        goal_);
  }

  /// Step 4: equation (13), then f_t.
  void synthesise(DpeOutput& output) {
    for (int i = 0; i < options_.steps; ++i) {
      descend();
      if (i == 0) output.first_loss = misfit_.loss;
      meter_.advance();
    }
    output.violations = rules_.violations(trips_);
    const bool automatic = options_.factors == PenaltyFactors::automatic;
    for (int round = 0; automatic && round < most_doublings && output.violations > 0; ++round) {
      rules_.multiply(2);
      output.factor *= 2;
      for (int i = 0; i < steps_per_doubling; ++i) descend();
      output.violations = rules_.violations(trips_);
    }
    output.last_loss = misfit_.loss;
  }

 private:
  bool embeds() const {
    return options_.dimensions != 0 && static_cast<Index>(options_.dimensions) != trips_.rows.cols();
  }

  /// One step; `trips_` then has what the places stand for.
  void descend() {
    const auto rate = static_cast<float>(options_.learning_rate);
    misfit_of_sums(places_, goal_, options_.parallel, misfit_);
    if (back_.plain()) {
      trips_.rows = places_ - rate * misfit_.gradient;
      rules_.step(trips_, options_.learning_rate);
      places_ = trips_.rows;
      return;
    }
    if (!rules_.none()) {
      trips_.rows = back_.trips(places_);
      Vectors by_trips = Vectors::Zero(trips_.rows.rows(), trips_.rows.cols());
      rules_.add_gradient(trips_, by_trips);
      misfit_.gradient += back_.gradient(by_trips);
    }
    places_ -= rate * misfit_.gradient;
    trips_.rows = back_.trips(places_);
  }

  const Dpe::Options& options_;
  Penalties rules_;
  TripVectors trips_;
  ProgressMeter meter_;
  Vectors places_;  // the trips in the embedding
  MapBack back_;
  std::vector<double> goal_;
  Misfit misfit_;
};

}  // namespace

DpeOutput Dpe::release(const TripSet& trips, random::Stream& stream) const {
  DpeRun run(options_, trips);
  run.embed(stream);
  run.add_noise(sensitivity(run.trips().points, run.trips().times), stream);
  DpeOutput output;
  run.synthesise(output);
  output.trips = trips_of(run.trips(), trips, options_.ends, output.delayed);
  return output;
}

}  // namespace fogline::traces
