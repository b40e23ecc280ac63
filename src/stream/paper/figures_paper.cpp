// SPDX-License-Identifier: Apache-2.0
#include "stream/paper/figures_paper.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "stream/paper/experiment_run.hpp"

namespace fogline::stream {
namespace {

constexpr const char* dpls = "DPLS";
constexpr const char* within_r = "within r";
constexpr const char* transition = "transition";
constexpr const char* estimate = "within r, estimate";
constexpr const char* tables = "within r, tables";

struct City {
  std::string part;
  ExperimentStream stream;
};

std::vector<City> cities(const FigureOptions& options) {
  const ExperimentOptions size{.sequences = options.quick ? 2U : 20U, .steps = options.quick ? 12U : 101U};
  std::vector<City> result;
  result.push_back({"Beijing", experiment_stream(ExperimentCity::beijing, options, size)});
  if (!options.quick)
    result.push_back({"New York", experiment_stream(ExperimentCity::new_york, options, size)});
  return result;
}

std::string data_of(const std::vector<City>& all) {
  std::string words;
  for (const City& city : all) {
    words += fmt::format("{}{}: {}, {} sequences of {} steps from a public first state",
                         words.empty() ? "" : "; ", city.part, city.stream.name, city.stream.sequences.size(),
                         city.stream.sequences.front().size() - 1);
  }
  return words;
}

/// Mean of each run of `width` neighbours, as the paper's "smoothed" curves.
std::vector<double> smoothed(const std::vector<double>& values, std::size_t width) {
  std::vector<double> result;
  for (std::size_t i = 0; i < values.size(); i += width) {
    const auto end = std::min(values.size(), i + width);
    double sum = 0;
    for (std::size_t j = i; j < end; ++j) sum += values[j];
    result.push_back(sum / static_cast<double>(end - i));
  }
  return result;
}
constexpr std::size_t smoothing_steps = 5;

/// One run, a row for every few steps.
void add_over_time(Figure& figure, const std::string& part, const std::string& series,
                   const std::vector<std::vector<double>>& columns) {
  std::vector<std::vector<double>> smooth;
  for (const auto& column : columns) smooth.push_back(smoothed(column, smoothing_steps));
  for (std::size_t i = 0; i < smooth.front().size(); ++i) {
    std::vector<double> values{static_cast<double>(i * smoothing_steps + 1)};
    for (const auto& column : smooth) values.push_back(column[i]);
    figure.rows.push_back({.part = part, .series = series, .values = std::move(values)});
  }
}

void add_number(Figure& figure, const std::string& name, double value) {
  figure.numbers.emplace_back(name, value);
}

/// The mean of a column over the rows of a series in a part.
double mean_in(const Figure& figure, const std::string& part, const char* series, const char* column) {
  return mean_of(figure.values(series, column, part));
}

std::vector<ExperimentForm> paper_forms(const ExperimentStream& stream) {
  return {dpls_form(stream), util_form(stream, stream.reach_m), transition_form(stream)};
}

/// Ours, for the policy within r.
void add_ours(std::vector<ExperimentForm>& forms) {
  const ExperimentForm reference = forms[1];
  forms.push_back(estimate_form(reference));
  forms.push_back(table_form(reference));
}

void add_dop_and_error_views(Figure& figure, const std::string& part, const FigureAxis& x) {
  figure.views.push_back(
      {.title = part + ": protection", .part = part, .x = x, .y = {"dop", "degree of protection", true}});
  figure.views.push_back(
      {.title = part + ": error", .part = part, .x = x, .y = {"error_m", "error [m]", true}});
}

/// A claim that is asked of every city, and how often it held.
class Verdict {
 public:
  void ask(const std::string& what, bool holds) {
    asked_ += 1;
    held_ += holds ? 1 : 0;
    if (!holds) failed_ += fmt::format("{}{}", failed_.empty() ? "" : "; ", what);
  }
  bool confirmed() const { return held_ == asked_; }
  std::string words() const {
    return failed_.empty() ? fmt::format("all {} claims hold", asked_)
                           : fmt::format("{} of {} claims hold, not: {}", held_, asked_, failed_);
  }

 private:
  int asked_ = 0, held_ = 0;
  std::string failed_;
};

/// Error and protection of a run as one row at x.
void add_point(Figure& figure, const std::string& part, const std::string& series, double x,
               const ExperimentRun& run) {
  figure.rows.push_back(
      {.part = part, .series = series, .values = {x, mean_of(run.dop), mean_of(run.error)}});
}
void add_free(Figure& figure, const std::string& part, double x, const ExperimentRun& run) {
  figure.rows.push_back(
      {.part = part, .series = "free centre", .values = {x, mean_of(run.dop), mean_of(run.free)}});
}

/// How many values of `a` lie below their counterparts in `b`.
std::size_t count_below(const std::vector<double>& a, const std::vector<double>& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) count += a[i] < b[i] ? 1U : 0U;
  return count;
}

}  // namespace

Figure runtime_figure(const FigureOptions& options) {
  const std::vector<City> all = cities(options);
  Figure figure{
      .title = "Time per step",
      .data = data_of(all),
      .claim =
          "the paper says that DPHMM takes a little longer than DPLS, whose set is smaller, and that "
          "the time settles as the model does",
      .columns = {"step", "ms", "states"}};
  FigureOptions alone = options;
  alone.threads = 1;  // two at once would slow each other down
  Verdict verdict;
  for (const City& city : all) {
    std::vector<ExperimentForm> forms = paper_forms(city.stream);
    add_ours(forms);
    for (const ExperimentForm& form : forms) {
      ExperimentRun run = run_experiment(city.stream, form, alone);
      for (double& value : run.seconds) value *= 1000;
      const std::vector<double> states(run.seconds.size(), run.states);
      add_over_time(figure, city.part, form.series, {run.seconds, states});
      add_number(figure, fmt::format("{}: {}, mean of a step [ms]", city.part, form.series),
                 mean_of(run.seconds));
    }
    const double set_ms = mean_in(figure, city.part, dpls, "ms");
    for (const char* series : {within_r, transition}) {
      const auto ms = figure.values(series, "ms", city.part);
      const double late = mean_of({ms.begin() + static_cast<std::ptrdiff_t>(ms.size() / 2), ms.end()});
      verdict.ask(fmt::format("{}: {} takes longer than DPLS", city.part, series), mean_of(ms) > set_ms);
      verdict.ask(fmt::format("{}: {} settles", city.part, series), ms.back() < 1.5 * late);
    }
    figure.views.push_back({.title = city.part,
                            .part = city.part,
                            .x = {"step", "step"},
                            .y = {"ms", "time per step [ms]", true}});
  }
  figure.confirmed = verdict.confirmed();
  figure.result = verdict.words();
  return figure;
}

Figure over_time_figure(const FigureOptions& options) {
  const std::vector<City> all = cities(options);
  Figure figure{
      .title = "Protection and error over time, epsilon 1",
      .data = data_of(all),
      .claim =
          "the paper says that the transition policy protects most, that the policy within r errs least "
          "of the three, and that it both errs less and protects more than DPLS",
      .columns = {"step", "dop", "error_m"}};
  Verdict verdict;
  for (const City& city : all) {
    std::vector<ExperimentForm> forms = paper_forms(city.stream);
    add_ours(forms);
    forms.push_back(estimate_form(forms[2]));
    for (const ExperimentForm& form : forms) {
      const ExperimentRun run = run_experiment(city.stream, form, options);
      add_over_time(figure, city.part, form.series, {run.dop, run.error});
      if (form.series == estimate) add_over_time(figure, city.part, "free centre", {run.dop, run.free});
      add_number(figure, fmt::format("{}: {}, mean error [m]", city.part, form.series), mean_of(run.error));
      add_number(figure, fmt::format("{}: {}, mean degree of protection", city.part, form.series),
                 mean_of(run.dop));
      add_number(figure, fmt::format("{}: {}, true state not in the set", city.part, form.series), run.drift);
    }
    const auto error = [&](const char* series) { return mean_in(figure, city.part, series, "error_m"); };
    const auto dop = [&](const char* series) { return mean_in(figure, city.part, series, "dop"); };
    add_number(figure, city.part + ": free centre, mean error [m]", error("free centre"));
    verdict.ask(city.part + ": transition protects most",
                dop(transition) > dop(within_r) && dop(transition) > dop(dpls));
    verdict.ask(city.part + ": within r errs least",
                error(within_r) < error(transition) && error(within_r) < error(dpls));
    verdict.ask(city.part + ": within r protects more than DPLS", dop(within_r) > dop(dpls));
    figure.result += fmt::format(
        "{}: errors {:.0f} m DPLS, {:.0f} m within r, {:.0f} m transition; within r the estimate errs by "
        "{:.0f} m and "
        "tables by {:.0f} m, the free centre by {:.0f} m. ",
        city.part, error(dpls), error(within_r), error(transition), error(estimate), error(tables),
        error("free centre"));
    add_dop_and_error_views(figure, city.part, {"step", "step"});
  }
  figure.confirmed = verdict.confirmed();
  figure.result += verdict.words();
  return figure;
}

Figure over_epsilon_figure(const FigureOptions& options) {
  const std::vector<City> all = cities(options);
  Figure figure{
      .title = "Protection and error over epsilon",
      .data = data_of(all),
      .claim =
          "the paper says that the degree of protection stays the same with epsilon, that the transition "
          "policy has the largest, and that a larger epsilon means less error",
      .columns = {"epsilon", "dop", "error_m"}};
  const std::vector<Rational> epsilons =
      options.quick ? std::vector{Rational(1), Rational(4)}
                    : std::vector{Rational(1, 2), Rational(1), Rational(2), Rational(4)};
  Verdict verdict;
  for (const City& city : all) {
    std::vector<ExperimentForm> forms = paper_forms(city.stream);
    add_ours(forms);
    for (const Rational& epsilon : epsilons) {
      for (const ExperimentForm& form : forms) {
        const ExperimentRun run = run_experiment(city.stream, form.with(epsilon), options);
        add_point(figure, city.part, form.series, epsilon.to_double(), run);
        if (form.series == estimate) add_free(figure, city.part, epsilon.to_double(), run);
      }
    }
    for (const char* series : {dpls, within_r, transition}) {
      const auto error = figure.values(series, "error_m", city.part),
                 dop = figure.values(series, "dop", city.part);
      const auto [least, most] = std::minmax_element(dop.begin(), dop.end());
      verdict.ask(fmt::format("{}: protection of {} stays within a tenth", city.part, series),
                  *most < 1.1 * *least);
      verdict.ask(fmt::format("{}: error of {} falls", city.part, series),
                  std::is_sorted(error.rbegin(), error.rend()));
      add_number(figure, fmt::format("{}: {}, error at the largest epsilon [m]", city.part, series),
                 error.back());
    }
    verdict.ask(
        city.part + ": transition protects most",
        mean_in(figure, city.part, transition, "dop") >
            std::max(mean_in(figure, city.part, within_r, "dop"), mean_in(figure, city.part, dpls, "dop")));
    const auto raw = figure.values(within_r, "error_m", city.part);
    const auto free = figure.values("free centre", "error_m", city.part);
    for (const char* series : {estimate, tables}) {
      const auto error = figure.values(series, "error_m", city.part);
      figure.result += fmt::format(
          "{}: {} errs by {:.0f} to {:.0f} m, less than the raw answer at {} and than the free centre at {} "
          "of {} "
          "epsilons. ",
          city.part, series, error.front(), error.back(), count_below(error, raw), count_below(error, free),
          free.size());
    }
    add_dop_and_error_views(figure, city.part, {"epsilon", "epsilon", true});
  }
  figure.confirmed = verdict.confirmed();
  figure.result += verdict.words();
  return figure;
}

Figure over_reach_figure(const FigureOptions& options) {
  const std::vector<City> all = cities(options);
  Figure figure{
      .title = "Protection and error over r, epsilon 1",
      .data = data_of(all),
      .claim =
          "the paper says that a larger r means more protection and more error, and that the error stays "
          "below that of DPLS in most cases",
      .columns = {"r_m", "dop", "error_m"}};
  const std::vector<double> shares = options.quick ? std::vector{0.5, 1.0} : std::vector{0.5, 1.0, 1.5, 2.0};
  Verdict verdict;
  for (const City& city : all) {
    const ExperimentRun set = run_experiment(city.stream, dpls_form(city.stream), options);
    for (const double share : shares) {
      const double reach_m = share * city.stream.reach_m;
      const ExperimentForm form = util_form(city.stream, reach_m);
      add_point(figure, city.part, dpls, reach_m, set);
      add_point(figure, city.part, within_r, reach_m, run_experiment(city.stream, form, options));
      const ExperimentRun run = run_experiment(city.stream, estimate_form(form), options);
      add_point(figure, city.part, estimate, reach_m, run);
      add_free(figure, city.part, reach_m, run);
      add_point(figure, city.part, tables, reach_m, run_experiment(city.stream, table_form(form), options));
    }
    const auto dop = figure.values(within_r, "dop", city.part),
               error = figure.values(within_r, "error_m", city.part);
    const auto set_error = figure.values(dpls, "error_m", city.part);
    verdict.ask(city.part + ": protection grows with r", std::is_sorted(dop.begin(), dop.end()));
    verdict.ask(city.part + ": error grows with r", std::is_sorted(error.begin(), error.end()));
    verdict.ask(city.part + ": error mostly below DPLS", 2 * count_below(error, set_error) > error.size());
    const auto our_error = figure.values(estimate, "error_m", city.part),
               table_error = figure.values(tables, "error_m", city.part);
    figure.result += fmt::format(
        "{}: within r errs by {:.0f} to {:.0f} m raw, by {:.0f} to {:.0f} m with the estimate and by {:.0f} "
        "to {:.0f} "
        "m with tables; DPLS by {:.0f} m. ",
        city.part, error.front(), error.back(), our_error.front(), our_error.back(), table_error.front(),
        table_error.back(), set_error.front());
    add_dop_and_error_views(figure, city.part, {"r_m", "r [m]", true});
  }
  figure.confirmed = verdict.confirmed();
  figure.result += verdict.words();
  return figure;
}

}  // namespace fogline::stream
