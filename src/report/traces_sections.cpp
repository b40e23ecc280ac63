// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "audit/statements/recompute_parts.hpp"
#include "base/error.hpp"
#include "io/points.hpp"
#include "mobility/trips.hpp"
#include "report/map_parts.hpp"
#include "report/release_view.hpp"
#include "roads/read_network.hpp"
#include "traces/counts/counts_file.hpp"
#include "traces/frame/trip_set.hpp"
#include "traces/measures/measures.hpp"
#include "traces/paper/dpe_terms.hpp"
#include "traces/rules/constraints.hpp"
#include "traces/rules/constraints_file.hpp"
#include "traces/terms.hpp"

namespace fogline::report {
namespace {

using traces::TripSet;

constexpr std::size_t most_trips_drawn = 100'000, most_points_drawn = 2'000'000;
constexpr std::uint32_t density_cells = 64;  ///< along the larger side
constexpr std::uint32_t flow_cells = 12;
constexpr std::size_t flows_drawn = 120;

std::string_view words_of(traces::RuleKind kind) {
  switch (kind) {
    case traces::RuleKind::closed:
      return "closed";
    case traces::RuleKind::bounds:
      return "bounds";
    case traces::RuleKind::speed:
      return "speed limit";
    case traces::RuleKind::one_way:
      return "one-way";
    case traces::RuleKind::stop:
      return "stop";
  }
  return "rule";
}

/// Columns of single trips.
struct TripColumns {
  std::vector<double> length_km = {}, reach_km = {}, hour = {}, minutes = {};
};

TripColumns columns_of(const TripSet& set) {
  TripColumns columns;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const auto trip = set.trip(i);
    double length = 0;
    for (std::size_t p = 1; p < trip.size(); ++p)
      length += std::hypot(trip[p].x - trip[p - 1].x, trip[p].y - trip[p - 1].y);
    columns.length_km.push_back(length / 1000);
    columns.reach_km.push_back(std::hypot(trip.back().x - trip.front().x, trip.back().y - trip.front().y) /
                               1000);
    if (!set.has_time()) continue;
    const auto times = set.times(i);
    columns.hour.push_back(static_cast<double>(traces::second_of_day(times.front())) / 3600);
    columns.minutes.push_back(static_cast<double>(times.back() - times.front()) / 60);
  }
  return columns;
}

class TracePictures {
 public:
  TracePictures(const ReleaseView& view, Document& document)
      : view_(view), document_(document), frame_(frame()) {
    synthetic_ = read(view.released_file());
    if (!view.original.empty()) original_ = read(view.original);
  }

  std::vector<Section> sections() {
    std::vector<Section> all{trips(), density()};
    if (original_) all.push_back(original());
    all.push_back(flows());
    all.push_back(distributions());
    if (terms_) all.push_back(counts());
    if (terms_ && terms_->constraints) all.push_back(rules());
    if (view_.attack)
      all.push_back(left_out_section(
          "Attacks",
          "attacks on trips need private trips and others that were held out; the curator runs "
          "them apart"));
    if (original_) all.push_back(measured());
    return all;
  }

 private:
  /// What the trips were made of, as it was drawn.
  Section counts() {
    const std::string title = "The counts";
    try {
      if (view_.statement.outputs.size() != 2) return left_out_section(title, "this release tells none");
      const privacy::ReleasedFile& output = view_.statement.outputs[1];
      return counts(title, traces::read_counts(audit::at_hand(output.name, output.sha256, view_.files),
                                               traces::TraceStatistics(terms_->options())));
    } catch (const audit::NotAtHand& reason) {
      return missing_section(title, for_page(view_, reason.why));
    } catch (const DataError& error) {
      return left_out_section(title, for_page(view_, error.what()));
    }
  }

  Section counts(const std::string& title, const traces::NoisyStatistics& known) {
    Table table{.caption = "In trips. Most of a count's noise is within three times its scale.",
                .columns = {"what is counted", "numbers", "of epsilon", "scale of the noise", "sum"}};
    for (std::size_t s = 0; s < traces::statistic_count; ++s) {
      const auto statistic = static_cast<traces::Statistic>(s);
      const traces::NoisyTable& noisy = known.of(statistic);
      if (noisy.value.empty()) continue;
      table.rows.push_back({std::string(to_string(statistic)), static_cast<double>(noisy.value.size()),
                            fmt::format("{:.2f} %", known.layout.share_of(statistic) / 100.0), noisy.scale,
                            std::accumulate(noisy.value.begin(), noisy.value.end(), 0.0)});
    }
    const std::vector<double>& visits = known.of(traces::Statistic::fine_visits).value;
    const double highest = visits.empty() ? 1 : std::max(1.0, *std::ranges::max_element(visits));
    MapBlock block{
        .title = "Visits as they were counted",
        .description = fmt::format("A grid of {0} by {0} cells.", known.layout.fine),
        .note =
            "With their noise: the share of trips that each cell gets where a trip is shared by the "
            "cells that it passes. Fewer than none is noise.",
        .box = box(),
        .scales = {{.id = "trips", .label = "trips, with noise", .low = 0, .high = highest}}};
    MapView view{.title = ""};
    view.layers = ground();
    view.layers.push_back(MapGrid{.name = "visits",
                                  .colour = MapColour::by("trips", document_.add(as_floats(visits))),
                                  .box = box(),
                                  .columns = known.layout.fine,
                                  .rows = known.layout.fine});
    block.views.push_back(std::move(view));
    return {.title = title,
            .note = "All that the release tells of the private trips; the trips above follow from it.",
            .blocks = {std::move(table), std::move(block)}};
  }

  traces::Frame frame() {
    if (view_.statement.form == privacy::Form::sound) {
      terms_ = traces::terms_from(view_.statement);
      return terms_->frame;
    }
    const traces::DpeTerms terms = traces::dpe_terms_from(view_.statement);
    return terms.frame
               ? *terms.frame
               : traces::frame_around(mobility::make_trips(io::read_points(view_.released_file(), {}), {}));
  }

  TripSet read(const std::string& file) const {
    const bool is_original = file == view_.original;
    const mobility::SequenceOptions reading = is_original ? view_.reading : mobility::SequenceOptions{};
    Warnings warnings;
    mobility::Trips found = mobility::make_trips(
        io::read_points(file, {.columns = {.map = reading.columns}, .times = reading.times}),
        {.backwards = reading.sort ? mobility::TimeBackwards::sort : mobility::TimeBackwards::refuse});
    if (terms_ && !terms_->times) {
      found.has_time = false;
      found.t.clear();
    }
    return traces::trips_in_frame(found, frame_, {}, warnings);
  }

  /// What the released trips are: made up, or, in the paper's form, the private ones, moved.
  std::string released_word() const { return terms_ ? "synthetic" : "released"; }

  std::array<double, 4> box() const { return {0, 0, frame_.width_m(), frame_.height_m()}; }

  std::vector<MapLayer> ground() {
    if (view_.roads.empty() || frame_.unit() == traces::Frame::Unit::metres) return {};
    const PlaneColumn lines =
        road_lines(roads::read_network(view_.roads, {}),
                   [&](const geometry::LonLat& position) { return frame_.project(position); });
    return {ground_of(lines, document_)};
  }

  MapLines lines_of(const TripSet& set, const std::string& name, int colour, std::size_t& drawn) {
    PlaneColumn lines;
    for (drawn = 0; drawn < std::min(set.size(), most_trips_drawn) && lines.size() < most_points_drawn;
         ++drawn) {
      for (const traces::PlanePoint& p : set.trip(drawn)) lines.add({p.x, p.y});
      lines.end_line();
    }
    return {.name = name,
            .colour = MapColour::of(colour),
            .points = lines.points(document_),
            .starts = lines.starts(document_),
            .width = drawn > 2'000 ? 0.3 : 1.0};
  }

  Section trips() {
    std::size_t drawn = 0;
    MapView view{.title = ""};
    view.layers = ground();
    view.layers.push_back(lines_of(synthetic_, "trips", 0, drawn));
    MapBlock block{
        .title = "The released trips",
        .description = fmt::format("{} {} trips as lines.", drawn, terms_ ? "invented" : "released"),
        .note = drawn < synthetic_.size() ? fmt::format("The first {} of {} trips.", drawn, synthetic_.size())
                                          : "",
        .box = box()};
    block.views.push_back(std::move(view));
    return {.title = "What was released",
            .note = terms_ ? "Invented trips, made from noisy counts: none of them was driven by anybody."
                           : "The paper's form: the private trips, moved.",
            .blocks = {std::move(block)}};
  }

  struct Grid {
    std::uint32_t columns, rows;
    double side_m;
  };
  Grid grid(std::uint32_t along) const {
    const double side = frame_.larger_side_m() / along;
    return {std::max(1U, static_cast<std::uint32_t>(std::ceil(frame_.width_m() / side - 1e-9))),
            std::max(1U, static_cast<std::uint32_t>(std::ceil(frame_.height_m() / side - 1e-9))), side};
  }

  static std::uint32_t cell(const Grid& grid, const traces::PlanePoint& p) {
    const auto column =
        std::min(grid.columns - 1, static_cast<std::uint32_t>(std::max(0.0, p.x / grid.side_m)));
    const auto row = std::min(grid.rows - 1, static_cast<std::uint32_t>(std::max(0.0, p.y / grid.side_m)));
    return row * grid.columns + column;
  }

  /// How many trips have a point in each cell, as a share of all trips.
  std::vector<double> touched(const TripSet& set, const Grid& grid) const {
    std::vector<double> share(static_cast<std::size_t>(grid.columns) * grid.rows);
    std::vector<std::uint64_t> last(share.size());
    for (std::size_t i = 0; i < set.size(); ++i)
      for (const traces::PlanePoint& p : set.trip(i)) {
        const std::uint32_t at = cell(grid, p);
        if (std::exchange(last[at], i + 1) != i + 1) share[at] += 1 / static_cast<double>(set.size());
      }
    return share;
  }

  MapGrid density_layer(const TripSet& set, const std::string& name, const Grid& grid) {
    return {.name = name,
            .colour = MapColour::by("share", document_.add(as_floats(touched(set, grid)))),
            .box = {0, 0, grid.side_m * grid.columns, grid.side_m * grid.rows},
            .columns = grid.columns,
            .rows = grid.rows};
  }

  Section density() {
    const Grid grid = this->grid(density_cells);
    const auto shares = touched(synthetic_, grid);
    const double highest = std::max(1e-6, *std::ranges::max_element(shares));
    MapBlock block{
        .title = "Density",
        .description = fmt::format("Share of trips that have a point in each of {} x {} cells of {:.0f} m.",
                                   grid.columns, grid.rows, grid.side_m),
        .box = box(),
        .scales = {{.id = "share",
                    .label = "share of trips",
                    .kind = MapScale::Kind::log,
                    .low = highest / 1e3,
                    .high = highest}}};
    block.views.push_back({.title = released_word(), .layers = {density_layer(synthetic_, "density", grid)}});
    if (original_)
      block.views.push_back(
          {.title = "original", .is_private = true, .layers = {density_layer(*original_, "density", grid)}});
    return {.title = "Where trips go", .is_private = original_.has_value(), .blocks = {std::move(block)}};
  }

  Section original() {
    std::size_t drawn = 0;
    MapView view{.title = "", .is_private = true};
    view.layers = ground();
    view.layers.push_back(lines_of(*original_, "trips", 1, drawn));
    MapBlock block{.title = "The private trips",
                   .description = fmt::format("{} private trips as lines.", drawn),
                   .box = box()};
    block.views.push_back(std::move(view));
    return {.title = "What it was made from", .is_private = true, .blocks = {std::move(block)}};
  }

  /// The most frequent moves from a cell to the next one, as lines between the cells' middles.
  MapLines flow_lines(const TripSet& set, const std::string& name, int colour) {
    const Grid grid = this->grid(flow_cells);
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> moves;
    for (std::size_t i = 0; i < set.size(); ++i) {
      const auto trip = set.trip(i);
      std::uint32_t last = cell(grid, trip.front());
      for (const traces::PlanePoint& p : trip) {
        const std::uint32_t at = cell(grid, p);
        if (at != last) moves[{last, at}] += 1 / static_cast<double>(set.size());
        last = at;
      }
    }
    std::vector<std::pair<double, std::pair<std::uint32_t, std::uint32_t>>> ranked;
    for (const auto& [move, share] : moves) ranked.emplace_back(share, move);
    std::ranges::sort(ranked, std::greater<>());
    ranked.resize(std::min(ranked.size(), flows_drawn));
    PlaneColumn lines;
    std::vector<float> widths;
    const auto middle = [&](std::uint32_t at, double aside_x, double aside_y) {
      return geometry::PointXY{(at % grid.columns + 0.5) * grid.side_m + aside_x,
                               (at / grid.columns + 0.5) * grid.side_m + aside_y};
    };
    for (const auto& [share, move] : ranked) {
      // To the right of the middle line, so that both directions are seen.
      const auto a = middle(move.first, 0, 0), b = middle(move.second, 0, 0);
      const double length = std::hypot(b.x_m - a.x_m, b.y_m - a.y_m), aside = grid.side_m / 12;
      const double dx = (b.y_m - a.y_m) / length * aside, dy = -(b.x_m - a.x_m) / length * aside;
      lines.add(middle(move.first, dx, dy));
      lines.add(middle(move.second, dx, dy));
      lines.end_line();
      widths.push_back(static_cast<float>(share / ranked.front().first));
    }
    return {.name = name,
            .colour = MapColour::of(colour),
            .points = lines.points(document_),
            .starts = lines.starts(document_),
            .width = 10,
            .widths = document_.add(widths),
            .arrows = true};
  }

  Section flows() {
    MapBlock block{
        .title = "Flows",
        .description = fmt::format(
            "The {} most frequent moves between cells, as arrows; the wider, the more.", flows_drawn),
        .note = fmt::format("Between cells of {:.0f} m; widths are in proportion within each map.",
                            grid(flow_cells).side_m),
        .box = box()};
    MapView view{.title = released_word()};
    view.layers = ground();
    view.layers.push_back(flow_lines(synthetic_, "moves", 0));
    block.views.push_back(std::move(view));
    if (original_) {
      MapView other{.title = "original", .is_private = true};
      other.layers = ground();
      other.layers.push_back(flow_lines(*original_, "moves", 1));
      block.views.push_back(std::move(other));
    }
    return {.title = "How trips move", .is_private = original_.has_value(), .blocks = {std::move(block)}};
  }

  Section distributions() const {
    const TripColumns made = columns_of(synthetic_);
    const std::optional<TripColumns> true_ones =
        original_ ? std::optional(columns_of(*original_)) : std::nullopt;
    Section section{.title = "Length, reach and time", .is_private = original_.has_value()};
    const auto add = [&](const char* title, const char* label, std::vector<double> TripColumns::*column,
                         std::optional<double> end, std::size_t bins) {
      const std::vector<double>& values = made.*column;
      if (values.empty()) return;
      const double high = end ? *end : std::max(1e-3, upper(values));
      PlotBlock plot{.title = title,
                     .x = {.label = label, .log = false, .from_zero = true},
                     .y = {.label = "share of trips", .log = false, .from_zero = true},
                     .mark = true_ones ? PlotBlock::Mark::steps : PlotBlock::Mark::bars,
                     .series = {histogram(released_word(), values, 0, high, bins)}};
      if (true_ones && !((*true_ones).*column).empty())
        plot.series.push_back(histogram("original", (*true_ones).*column, 0, high, bins));
      section.blocks.push_back(std::move(plot));
    };
    add("How long trips are", "length [km]", &TripColumns::length_km, std::nullopt, 40);
    add("How far they lead", "from start to end, straight [km]", &TripColumns::reach_km, std::nullopt, 40);
    add("When they leave", "hour of the day, UTC", &TripColumns::hour, 24, 48);
    add("How long they take", "duration [min]", &TripColumns::minutes, std::nullopt, 40);
    return section;
  }

  /// 99.5 % lie below; the others are counted at the end.
  static double upper(std::vector<double> values) {
    const auto at =
        values.begin() + static_cast<std::ptrdiff_t>(0.995 * static_cast<double>(values.size() - 1));
    std::ranges::nth_element(values, at);
    return *at;
  }

  Section rules() {
    Section section{.title = "Constraints"};
    try {
      Warnings warnings;
      const traces::Constraints constraints = traces::read_constraints(
          audit::at_hand(terms_->constraints->name, terms_->constraints->sha256, view_.files), frame_,
          {.timed = terms_->times}, warnings);
      PlaneColumn rings;
      std::vector<std::string> labels;
      for (const traces::Rule& rule : constraints.rules())
        for (const geometry::Polygon& polygon : rule.area) {
          for (const geometry::PointXY& corner : polygon.outer) rings.add(corner);
          rings.end_line();
          labels.push_back(fmt::format("{}", words_of(rule.kind)));
        }
      const traces::Violations left =
          traces::count(synthetic_, constraints, {.threads = view_.files.threads});
      section.blocks.push_back(violations(left));
      std::size_t drawn = 0;
      MapBlock block{.title = "Areas of the rules",
                     .description = fmt::format("{} areas of rules, with the trips.", labels.size()),
                     .box = box()};
      MapView view{.title = ""};
      view.layers = ground();
      view.layers.push_back(MapAreas{.name = "areas",
                                     .colour = MapColour::of(1),
                                     .points = rings.points(document_),
                                     .starts = rings.starts(document_),
                                     .labels = std::move(labels)});
      view.layers.push_back(lines_of(synthetic_, "trips", 0, drawn));
      block.views.push_back(std::move(view));
      section.blocks.push_back(std::move(block));
    } catch (const audit::NotAtHand& reason) {
      return missing_section(section.title, for_page(view_, reason.why));
    }
    return section;
  }

  static Table violations(const traces::Violations& left) {
    Table table{.caption = "Violations counted in the released trips", .columns = {"rule", "violations"}};
    const auto add = [&](const char* rule, std::uint64_t count) {
      table.rows.push_back({std::string(rule), static_cast<double>(count)});
    };
    add("points in an area while it is closed", left.closed);
    add("points out of bounds", left.outside);
    add("steps over a speed limit", left.speed);
    add("steps against a one-way", left.one_way);
    add("stops too short", left.stop);
    add("steps across what is closed, between open places (soft)", left.crossings);
    return table;
  }

  /// The declared area; the paper's form may declare none, and takes that of the private trips.
  traces::MeasureBox measure_box() const {
    if (!terms_ && !traces::dpe_terms_from(view_.statement).frame) return traces::box_of(*original_);
    return {0, 0, frame_.width_m(), frame_.height_m()};
  }

  Section measured() const {
    const traces::TraceMeasures found =
        traces::measure(*original_, synthetic_, measure_box(),
                        {.parallel = {.threads = view_.files.threads}, .progress = view_.files.progress});
    Table table{.caption = "What the synthetic trips keep; docs/measures.md defines each",
                .columns = {"measure", "value", "meaning"}};
    table.rows = {{"query error", found.query, "mean relative error of counts of trips that touch a disc"},
                  {"Kendall tau", found.kendall, "order of cells by trips; 1 is best"},
                  {"F1", found.f1, "of the 100 most frequent strings of cells; 1 is best"},
                  {"trip", found.trip, "divergence of starts and ends"},
                  {"diameter", found.diameter, "divergence"},
                  {"length", found.length, "divergence"},
                  {"density", found.density, "divergence of cell visits"},
                  {"next cell, learned from synthetic", found.next_cell_synthetic, "share predicted rightly"},
                  {"next cell, learned from real", found.next_cell_real, "the same, for comparison"}};
    if (found.time_of_day) table.rows.push_back({"time of day", *found.time_of_day, "divergence"});
    if (found.duration) table.rows.push_back({"duration", *found.duration, "divergence"});
    return {.title = "Measured error",
            .note = "Exact figures of private trips.",
            .is_private = true,
            .blocks = {std::move(table)}};
  }

  const ReleaseView& view_;
  Document& document_;
  std::optional<traces::TraceTerms> terms_ = {};  ///< of the sound form
  traces::Frame frame_;
  TripSet synthetic_ = {};
  std::optional<TripSet> original_ = {};
};

}  // namespace

std::vector<Section> traces_sections(const ReleaseView& view, Document& document) {
  return TracePictures(view, document).sections();
}

}  // namespace fogline::report
