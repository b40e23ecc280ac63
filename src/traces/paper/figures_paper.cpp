// SPDX-License-Identifier: Apache-2.0
#include "traces/paper/figures_paper.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "traces/paper/dpe.hpp"
#include "traces/paper/generated_trips.hpp"

namespace fogline::traces {
namespace {

constexpr double box_half_side = 10;

/// What an experiment of either figure is made on.
TripSet experiment_trips(std::size_t trips, std::size_t points) {
  return generated_trips({.trips = trips, .points = points, .half_side = box_half_side},
                         random::SeededKey(1));
}

Dpe::Options experiment_options(double epsilon, const FigureOptions& options) {
  return {.epsilon = epsilon,
          .diameter_m = 2 * box_half_side * std::sqrt(2.0),
          .parallel = {.threads = options.threads}};
}

std::string box_of_trips(std::size_t trips, std::size_t points) {
  return fmt::format("{} generated trips of {} points in the box from (-10, -10) to (10, 10)", trips, points);
}

/// Mean square of the difference of all numbers of two sets of one shape.
double mean_square(const TripSet& a, const TripSet& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.point.size(); ++i) {
    const double x = static_cast<double>(a.point[i].x - b.point[i].x);
    const double y = static_cast<double>(a.point[i].y - b.point[i].y);
    sum += x * x + y * y;
  }
  return sum / static_cast<double>(2 * a.point.size());
}

/// Mean square of the numbers about their columns' means: the error of publishing one mean trip for all.
double spread(const TripSet& trips) {
  const TripVectors vectors = vectors_of(trips);
  return static_cast<double>(vectors.rows.squaredNorm()) / static_cast<double>(vectors.rows.size());
}

/// The sizes of Figure 3.
struct DimensionPlan {
  std::size_t trips, points;
  std::vector<std::size_t> dimensions;
  std::vector<double> epsilons;
  int steps;
};

DimensionPlan dimension_plan(bool quick) {
  if (quick) return {60, 10, {10, 16, 20}, {0.1, 1}, 20};
  return {500, 100, {100, 125, 150, 175, 200}, {0.01, 0.03, 0.1, 0.3, 1}, 500};
}

double error_of(const TripSet& trips, const DimensionPlan& plan, std::size_t dimensions, double epsilon,
                DpeMatch match, const FigureOptions& options) {
  Dpe::Options dpe = experiment_options(epsilon, options);
  dpe.dimensions = dimensions;
  dpe.embed_by = match;
  if (match == DpeMatch::pairs) dpe.embed_rate = 0.25;  // the paper's rate would need thousands of steps
  dpe.embed_steps = plan.steps;
  dpe.steps = plan.steps;
  random::Stream noise = random::SeededKey(3).stream("embedding", dimensions);
  return mean_square(trips, Dpe(dpe).release(trips, noise).trips);
}

std::string of_dimension(std::size_t dimensions) {
  return fmt::format("D' = {}", dimensions);
}
std::string of_epsilon(double epsilon) {
  return fmt::format("epsilon {:g}", epsilon);
}

constexpr auto by_epsilon = "a: by epsilon", by_dimension = "b: by dimension";
constexpr auto all_pairs = "all pairs matched, epsilon 1";

void judge_dimensions(Figure& figure, const DimensionPlan& plan, double spread_of_trips) {
  FigureClaims claims;
  std::vector<double> mean(plan.dimensions.size());
  for (const double epsilon : plan.epsilons) {
    const auto errors = figure.values(of_epsilon(epsilon), "mse", by_dimension);
    for (std::size_t i = 0; i < errors.size(); ++i)
      mean[i] += errors[i] / static_cast<double>(plan.epsilons.size());
    claims.ask(fmt::format("epsilon {:g}: D' = D errs least", epsilon),
               std::ranges::min_element(errors) == errors.end() - 1);
    claims.ask(fmt::format("epsilon {:g}: each larger D' errs less", epsilon),
               std::ranges::is_sorted(errors, std::greater<>()));
  }
  const double one = plan.epsilons.back();
  const auto errors = figure.values(of_epsilon(one), "mse", by_dimension);
  const auto pairs = figure.values(all_pairs, "mse", by_dimension);
  figure.numbers = {{"spread of the trips", spread_of_trips}};
  for (std::size_t i = 0; i < errors.size(); ++i) {
    figure.numbers.emplace_back(fmt::format("{}, epsilon {:g}", of_dimension(plan.dimensions[i]), one),
                                errors[i]);
    figure.numbers.emplace_back(
        fmt::format("{}, epsilon {:g}, all pairs matched", of_dimension(plan.dimensions[i]), one), pairs[i]);
  }
  const std::size_t next = errors.size() - 2;
  figure.result = fmt::format(
      "at epsilon {:g} the error is {:.3g} with D' = {}, {:.3g} with {}, and {:.3g} with D' = D; the spread "
      "of the trips is {:.3g}, and so many random numbers a trip would explain all but {:.3g} and {:.3g} of "
      "it. "
      "An embedding that matches all pairs errs by {:.3g}, {:.3g} and {:.3g}",
      one, errors[0], plan.dimensions[0], errors[next], plan.dimensions[next], errors.back(), spread_of_trips,
      spread_of_trips * (1 - static_cast<double>(plan.dimensions[0]) / static_cast<double>(plan.trips - 1)),
      spread_of_trips *
          (1 - static_cast<double>(plan.dimensions[next]) / static_cast<double>(plan.trips - 1)),
      pairs[0], pairs[next], pairs.back());
  claims.tell(figure);
}

}  // namespace

Figure dimension_figure(const FigureOptions& options) {
  const DimensionPlan plan = dimension_plan(options.quick);
  const TripSet trips = experiment_trips(plan.trips, plan.points);
  Figure figure{.title = "Error of DPE against the dimension of its embedding",
                .data = box_of_trips(plan.trips, plan.points) +
                        fmt::format("; learning rate 0.005 to embed, {} steps", plan.steps),
                .claim = "when D' goes up, the error becomes smaller in proportion, and the best D' is D",
                .columns = {"dimensions", "epsilon", "mse"}};
  ProgressMeter meter(options.progress, "embeddings", plan.dimensions.size() * (plan.epsilons.size() + 1));
  const auto add = [&](std::string part, std::string series, std::size_t dimensions, double epsilon,
                       double error) {
    figure.rows.push_back({.part = std::move(part),
                           .series = std::move(series),
                           .values = {static_cast<double>(dimensions), epsilon, error}});
  };
  for (const std::size_t dimensions : plan.dimensions) {
    for (const double epsilon : plan.epsilons) {
      const double error = error_of(trips, plan, dimensions, epsilon, DpeMatch::sums, options);
      add(by_epsilon, of_dimension(dimensions), dimensions, epsilon, error);
      add(by_dimension, of_epsilon(epsilon), dimensions, epsilon, error);
      meter.advance();
    }
    add(by_dimension, all_pairs, dimensions, 1,
        error_of(trips, plan, dimensions, 1, DpeMatch::pairs, options));
    meter.advance();
  }
  const FigureAxis error{"mse", "mean square error", true};
  figure.views = {{.title = by_epsilon, .part = by_epsilon, .x = {"epsilon", "epsilon", true}, .y = error},
                  {.title = by_dimension, .part = by_dimension, .x = {"dimensions", "D'"}, .y = error}};
  judge_dimensions(figure, plan, spread(trips));
  return figure;
}

namespace {

constexpr auto original_points = "original", moved_points = "moved";
constexpr double shown_to = 15;  // what lies farther out would make the picture unreadable

/// One picture of Figure 4.
struct DiscRun {
  std::string part;
  bool penalties = false;
  PenaltyFactors factors = PenaltyFactors::fixed;
  double epsilon = 0.01;  ///< the paper's
};

/// The paper's rules, with its factors.
std::vector<ClosedArea> closed_disc() {
  return {{.shape = ClosedDisc{.centre = {0, 0}, .radius_m = 2}, .factor = 0.3}};
}
BoxBounds paper_box() {
  return {-box_half_side, -box_half_side, box_half_side, box_half_side, 5};
}

/// How many points break which rule, and are not shown.
struct DiscCounts {
  double in_disc = 0, out_of_box = 0, not_shown = 0, factor = 1;
};

void add_points(Figure& figure, const std::string& part, const char* series, const TripSet& trips,
                double& not_shown) {
  for (const PlanePoint& p : trips.point) {
    const auto x = static_cast<double>(p.x), y = static_cast<double>(p.y);
    if (std::max(std::abs(x), std::abs(y)) > shown_to)
      ++not_shown;
    else
      figure.rows.push_back({.part = part, .series = series, .values = {x, y, 0}});
  }
}

DiscCounts add_picture(Figure& figure, const TripSet& trips, const DiscRun& run,
                       const FigureOptions& options) {
  Dpe::Options dpe = experiment_options(run.epsilon, options);
  dpe.learning_rate = 0.1;
  dpe.steps = options.quick ? 20 : 500;
  dpe.factors = run.factors;
  if (run.penalties) {
    dpe.closed = closed_disc();
    dpe.bounds = paper_box();
  }
  random::Stream noise = random::SeededKey(4).stream("disc");
  const DpeOutput output = Dpe(dpe).release(trips, noise);
  DiscCounts counts{
      .in_disc = static_cast<double>(Penalties(closed_disc(), std::nullopt).violations(output.trips)),
      .out_of_box = static_cast<double>(Penalties({}, paper_box()).violations(output.trips)),
      .factor = output.factor};
  add_points(figure, run.part, original_points, trips, counts.not_shown);
  add_points(figure, run.part, moved_points, output.trips, counts.not_shown);
  figure.views.push_back(
      {.title = run.part, .part = run.part, .x = {"x", "x"}, .y = {"y", "y"}, .size = "dot"});
  figure.numbers.insert(figure.numbers.end(), {{run.part + ": points in the disc", counts.in_disc},
                                               {run.part + ": points out of the box", counts.out_of_box},
                                               {run.part + ": points not shown", counts.not_shown}});
  return counts;
}

}  // namespace

Figure closed_disc_figure(const FigureOptions& options) {
  const std::size_t count = options.quick ? 30 : 50, points = options.quick ? 30 : 100;
  const TripSet trips = experiment_trips(count, points);
  const double all = static_cast<double>(trips.point.size());
  Figure figure{
      .title = "DPE about a closed disc",
      .data = box_of_trips(count, points) + "; epsilon 0.01, learning rate 0.1, closed x^2 + y^2 < 4",
      .claim = "with penalties the moved points avoid the disc and stay in the box, without them not",
      .columns = {"x", "y", "dot"},
      .colours = {{original_points, FigureColour::yellow}, {moved_points, FigureColour::green}}};
  const DiscCounts without = add_picture(figure, trips, {.part = "without penalties"}, options);
  const DiscCounts fixed =
      add_picture(figure, trips, {.part = "penalties 0.3 and 5", .penalties = true}, options);
  const DiscCounts automatic = add_picture(
      figure, trips, {.part = "automatic penalties", .penalties = true, .factors = PenaltyFactors::automatic},
      options);
  const DiscCounts quiet = add_picture(
      figure, trips, {.part = "penalties 0.3 and 5, epsilon 1", .penalties = true, .epsilon = 1}, options);
  const double originals = static_cast<double>(Penalties(closed_disc(), std::nullopt).violations(trips));
  figure.numbers.insert(figure.numbers.begin(),
                        {{"points", all}, {"original points in the disc", originals}});
  figure.numbers.emplace_back("automatic penalties: times the paper's factors", automatic.factor);
  const auto told = [&](const DiscCounts& counts) {
    return fmt::format("{:.3g} % of the points in the disc and {:.3g} % out of the box",
                       100 * counts.in_disc / all, 100 * counts.out_of_box / all);
  };
  figure.result = fmt::format(
      "without penalties {}; with the paper's factors {}; with factors doubled until no point breaks a rule "
      "({:g} times the paper's) {}; at epsilon 1, with the paper's factors, {}",
      told(without), told(fixed), automatic.factor, told(automatic), told(quiet));
  FigureClaims claims;
  claims.ask("without penalties points lie in the disc", without.in_disc > 0);
  claims.ask("with the paper's factors none does", fixed.in_disc == 0);
  claims.ask("with the paper's factors all stay in the box", fixed.out_of_box == 0);
  claims.ask("at epsilon 1 the paper's factors are enough", quiet.in_disc + quiet.out_of_box == 0);
  claims.ask("with automatic factors no rule is broken", automatic.in_disc + automatic.out_of_box == 0);
  claims.tell(figure);
  return figure;
}

}  // namespace fogline::traces
