// SPDX-License-Identifier: Apache-2.0
#include "traces/paper/figures_utility.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "fogline/column_set.hpp"
#include "io/points.hpp"
#include "mobility/trips.hpp"
#include "traces/measures/attacks.hpp"
#include "traces/measures/measures.hpp"
#include "traces/paper/dpe.hpp"
#include "traces/paper/generated_trips.hpp"

namespace fogline::traces {
namespace {

using privacy::Epsilon;

constexpr auto published = "DPE, published", sound_series = "sound", resampled = "no privacy, drawn again";
constexpr std::array<const char*, 3> measure_columns{"length_density", "trajectory_density", "trip"};

/// One of the data sets, with the paper's learning rate for it.
struct UtilityData {
  std::string name, file, area;  ///< without a file it is generated
  std::size_t trips;             ///< how many of them take part
  double learning_rate;
};

std::vector<UtilityData> utility_data(const FigureOptions& options) {
  std::vector<UtilityData> all;
  const std::size_t many = options.quick ? 60 : 1000, long_ones = options.quick ? 30 : 500;
  if (!options.data.empty()) {
    all.push_back({"T-Drive", "tdrive599_taxi_m.dat.gz", "0,0,38400,38920", many, 0.05});
    all.push_back({"Geolife", "geolife_beijing_m.dat.gz", "0,0,38400,38920", long_ones, 0.8});
  }
  all.push_back({"generated", "", "0,0,20000,20000", options.quick ? 60U : 500U, 0.1});
  return all;
}

/// Trips that take part, and as many others that do not, against which attacks are tried.
struct Drawn {
  TripSet truth, heldout;
};

void append(std::span<const PlanePoint> trip, TripSet& set) {
  set.point.insert(set.point.end(), trip.begin(), trip.end());
  set.end_trip();
}

/// So many trips of each sort, drawn without putting back.
Drawn drawn_from(const TripSet& trips, std::size_t count, random::Stream& choice) {
  std::vector<std::size_t> order(trips.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  count = std::min(count, order.size() / 2);
  Drawn drawn;
  for (std::size_t i = 0; i < 2 * count; ++i) {
    std::swap(order[i], order[i + choice.below(order.size() - i)]);
    append(trips.trip(order[i]), i < count ? drawn.truth : drawn.heldout);
  }
  return drawn;
}

TripSet trips_from(io::PointTable&& points, const Frame& frame) {
  Warnings warnings;
  return trips_in_frame(mobility::make_trips(std::move(points), {}), frame, {}, warnings);
}

ColumnSet point_columns(const TripSet& trips) {
  std::vector<std::int64_t> trip;
  std::vector<double> x, y;
  for (std::size_t i = 0; i < trips.size(); ++i) {
    for (const PlanePoint& p : trips.trip(i)) {
      trip.push_back(static_cast<std::int64_t>(i));
      x.push_back(static_cast<double>(p.x));
      y.push_back(static_cast<double>(p.y));
    }
  }
  return ColumnSet().hold("trip_id", std::move(trip)).hold("x_m", std::move(x)).hold("y_m", std::move(y));
}

/// As many trips as there are, each any of them.
TripSet drawn_again(const TripSet& trips, random::Stream& choice) {
  TripSet again;
  for (std::size_t i = 0; i < trips.size(); ++i) append(trips.trip(choice.below(trips.size())), again);
  return again;
}

Drawn load(const UtilityData& data, const Frame& frame, const FigureOptions& options) {
  random::Stream choice = random::SeededKey(2).stream("subset");
  if (data.file.empty()) {
    const double half = frame.width_m() / 2;
    TripSet set =
        generated_trips({.trips = 2 * data.trips, .points = options.quick ? 20U : 100U, .half_side = half},
                        random::SeededKey(1));
    for (PlanePoint& p : set.point) p = {p.x + static_cast<float>(half), p.y + static_cast<float>(half)};
    return drawn_from(set, data.trips, choice);
  }
  const std::string file = (std::filesystem::path(options.data) / "traces" / data.file).string();
  return drawn_from(trips_from(io::read_points(file, {}), frame), data.trips, choice);
}

/// Computes and adds the rows of one data set.
class UtilityPart {
 public:
  UtilityPart(const UtilityData& data, const FigureOptions& options, Figure& figure)
      : data_(data),
        options_(options),
        figure_(figure),
        frame_(Frame::parse(data.area, Frame::Unit::metres)),
        drawn_(load(data, frame_, options)) {}

  std::string words() const {
    std::size_t longest = 0;
    for (std::size_t i = 0; i < drawn_.truth.size(); ++i)
      longest = std::max(longest, drawn_.truth.trip(i).size());
    return fmt::format("{}: {} trips of up to {} points", data_.name, drawn_.truth.size(), longest);
  }

  void add_published(const Epsilon& epsilon) {
    random::Stream noise = key(epsilon).stream("dpe");
    const TripSet moved = Dpe({.epsilon = epsilon.value().to_double(),
                               .diameter_m = std::hypot(frame_.width_m(), frame_.height_m()),
                               .learning_rate = data_.learning_rate,
                               .steps = options_.quick ? 5 : 100,
                               .ends = TripEnds::trimmed,
                               .parallel = {.threads = options_.threads}})
                              .release(drawn_.truth, noise)
                              .trips;
    add(published, epsilon, moved);
  }
  void add_resampled(const Epsilon& epsilon) {
    random::Stream choice = key(epsilon).stream("again");
    add(resampled, epsilon, drawn_again(drawn_.truth, choice));
  }
  void add_sound(const Epsilon& epsilon) {
    const nlohmann::ordered_json fields{{"area", data_.area},
                                        {"plane", true},
                                        {"epsilon", epsilon.value().to_string()},
                                        {"no-times", true},
                                        {"anyway", true}};
    const ColumnSet points = point_columns(drawn_.truth);
    std::string text = options_.whole({.kind = "traces", .fields = fields, .records = points})(key(epsilon));
    io::TextSource source = io::TextSource::from_memory("the release", std::move(text));
    add(sound_series, epsilon, trips_from(io::read_points(source, {.format = io::PointFormat::csv}), frame_));
  }

 private:
  static random::SeededKey key(const Epsilon& epsilon) {
    return random::SeededKey(static_cast<std::uint64_t>(std::lround(epsilon.value().to_double() * 1000)));
  }

  void add(const char* series, const Epsilon& epsilon, const TripSet& trips) {
    const TraceMeasures found =
        measure(drawn_.truth, trips, {.width_m = frame_.width_m(), .height_m = frame_.height_m()},
                {.queries = 1, .parallel = {.threads = options_.threads}});
    const TraceAttacks told =
        attack(drawn_.truth, trips, drawn_.heldout, {.parallel = {.threads = options_.threads}});
    figure_.rows.push_back({.part = data_.name,
                            .series = series,
                            .values = {epsilon.value().to_double(), found.paper_length, found.paper_density,
                                       found.paper_trip, told.nearest.auc}});
  }

  const UtilityData& data_;
  const FigureOptions& options_;
  Figure& figure_;
  Frame frame_;
  Drawn drawn_;
};

double mean_of_all(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void add_views(Figure& figure, const std::vector<UtilityData>& all) {
  constexpr std::array<const char*, 3> labels{"length density error", "trajectory density error",
                                              "trip error"};
  const FigureAxis epsilon{"epsilon", "epsilon"};
  for (const UtilityData& data : all) {
    for (std::size_t i = 0; i < labels.size(); ++i)
      figure.views.push_back({.title = fmt::format("{}, {}", data.name, labels[i]),
                              .part = data.name,
                              .x = epsilon,
                              .y = {measure_columns[i], "JSD", false, true}});
    figure.views.push_back({.title = data.name + ", members told from others",
                            .part = data.name,
                            .x = epsilon,
                            .y = {"auc", "AUC of the nearest trip"}});
  }
}

double mean_over_epsilon(const Figure& figure, const char* series, const char* column,
                         const std::string& data) {
  return mean_of_all(figure.values(series, column, data));
}

/// The paper compares with AdaTrace and PrivTrace; here, with a form that is private.
void judge(Figure& figure, const std::vector<UtilityData>& all) {
  FigureClaims claims;
  for (const UtilityData& data : all) {
    std::string errors;
    for (const char* column : measure_columns) {
      const double theirs = mean_over_epsilon(figure, published, column, data.name);
      const double ours = mean_over_epsilon(figure, sound_series, column, data.name);
      errors += fmt::format("{}{:.3f} ({:.3f})", errors.empty() ? "" : ", ", theirs, ours);
      figure.numbers.emplace_back(fmt::format("{}: {} of DPE", data.name, column), theirs);
      figure.numbers.emplace_back(fmt::format("{}: {}, {}", data.name, column, sound_series), ours);
      claims.ask(fmt::format("{}: smaller {}", data.name, column), theirs < ours);
    }
    const double told = mean_over_epsilon(figure, published, "auc", data.name);
    const double told_other = mean_over_epsilon(figure, sound_series, "auc", data.name);
    figure.numbers.emplace_back(data.name + ": AUC of DPE", told);
    figure.numbers.emplace_back(fmt::format("{}: AUC, {}", data.name, sound_series), told_other);
    figure.result += fmt::format(
        "{}{}: length density, trajectory density and trip error {}, and an attacker tells members with AUC "
        "{:.3f} ({:.3f})",
        figure.result.empty() ? fmt::format("means over epsilon of DPE (in brackets: {}). ", sound_series)
                              : ". ",
        data.name, errors, told, told_other);
  }
  claims.tell(figure);
}

}  // namespace

Figure utility_figure(const FigureOptions& options) {
  const std::vector<UtilityData> all = utility_data(options);
  Figure figure{
      .title = "Utility of DPE against epsilon",
      .claim =
          "DPE errs less than AdaTrace and PrivTrace in length density, trajectory density and trip "
          "error; here it is set beside the sound form, and beside trips drawn again from the true ones",
      .columns = {"epsilon", measure_columns[0], measure_columns[1], measure_columns[2], "auc"}};
  const std::uint64_t steps = options.quick ? 2 : 10;
  ProgressMeter meter(options.progress, "releases", all.size() * steps);
  for (const UtilityData& data : all) {
    UtilityPart part(data, options, figure);
    figure.data += (figure.data.empty() ? "" : "; ") + part.words();
    for (std::uint64_t step = 1; step <= steps; ++step) {
      const Epsilon epsilon{step * (10 / steps), 10};
      part.add_published(epsilon);
      part.add_sound(epsilon);
      part.add_resampled(epsilon);
      meter.advance();
    }
  }
  if (options.data.empty()) figure.data += "; no real data given";
  add_views(figure, all);
  judge(figure, all);
  return figure;
}

}  // namespace fogline::traces
