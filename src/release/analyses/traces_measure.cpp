// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "base/rational.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/compared_trips.hpp"
#include "release/kinds.hpp"
#include "traces/measures/measures.hpp"
#include "traces/roads/legal_paths.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;
using traces::TraceMeasures;

class TracesMeasure : public Analysis {
 public:
  std::string kind() const override { return "traces"; }
  std::string verb() const override { return "measure"; }

  void declare(FieldTable& table) override {
    compared_.declare_files(table, "the private trips: CSV, GeoJSON, GPX, .dat");
    table.group("Measure");
    compared_.declare_area(table, "area to divide (that of the statement), or the word trips: their box");
    table.value("queries", "N", queries_, "discs (200)").range("1", "100000");
    table.value("query-share", "S", share_, "radius of a disc over the larger side (1/3)").above("0", "1");
    table.value("seed", "N", seed_, "of the discs (7)");
    network_.declare_optional(table, "tell which trips a car could have driven on it");
    compared_.reading.columns.declare_order(table);
  }

  Findings run(Caller& caller) override {
    const traces::MeasureOptions options = measure_options(caller);
    const ComparedTrips trips = compared_.read(caller);
    if (trips.source == AreaSource::trips && compared_.area.empty())
      throw InvalidOption(
          "area", fmt::format("is needed: no statement beside {} declares one (`statement` FILE names "
                              "another); `area` trips divides the box around the true trips, which "
                              "gives other figures than the declared area",
                              compared_.synthetic));
    const traces::MeasureBox box =
        trips.source == AreaSource::trips
            ? traces::box_of(trips.sets[0])
            : traces::MeasureBox{0, 0, trips.frame.width_m(), trips.frame.height_m()};
    const TraceMeasures measured = traces::measure(trips.sets[0], trips.sets[1], box, options);
    const std::optional<LegalShares> legal = legal_shares(caller, trips);

    Findings found(as_json(trips, box, measured, legal));
    found.add(fmt::format("PRIVATE: {}", warning));
    found.add(rows(trips, box, measured));
    found.add("errors (0 is best)");
    found.add(errors_of(measured));
    found.add("agreement (1 is best)");
    found.add(agreements_of(measured, legal));
    return found;
  }

 private:
  static constexpr auto warning = "exact figures of private trips, for the curator alone; do not publish";

  /// A measure: its field in JSON, where it is kept, and what is said of it.
  struct Row {
    const char* field;
    double TraceMeasures::*value;
    const char* says;
  };

  static constexpr Row errors[] = {
      {"query", &TraceMeasures::query, "relative error of counts of trips that touch a disc"},
      {"query_sixth", &TraceMeasures::query_sixth, "the same, radius 1/6 of the larger side"},
      {"query_twelfth", &TraceMeasures::query_twelfth, "the same, radius 1/12"},
      {"trip", &TraceMeasures::trip, "JSD of starts and ends together, 6 x 6 cells"},
      {"trip_fine", &TraceMeasures::trip_fine, "the same, 10 x 10"},
      {"diameter", &TraceMeasures::diameter, "JSD of diameters, 20 bins"},
      {"length", &TraceMeasures::length, "JSD of lengths, 20 bins"},
      {"density", &TraceMeasures::density, "JSD of visits to cells, 15 x 15"},
      {"density_fine", &TraceMeasures::density_fine, "the same, 30 x 30"},
      {"starts_fine", &TraceMeasures::starts_fine, "JSD of starts, 30 x 30"},
      {"ends_fine", &TraceMeasures::ends_fine, "JSD of ends, 30 x 30"},
      {"transitions_fine", &TraceMeasures::transitions_fine, "JSD of moves between cells, 15 x 15"},
      {"turns", &TraceMeasures::turns, "JSD of turning angles, 36 bins"},
      {"spacing", &TraceMeasures::spacing, "JSD of distances between successive points, 40 bins"},
      {"paper_length", &TraceMeasures::paper_length, "the paper's length density error"},
      {"paper_density", &TraceMeasures::paper_density, "the paper's trajectory density error"},
      {"paper_trip", &TraceMeasures::paper_trip, "the paper's trip error"},
  };
  static constexpr Row agreements[] = {
      {"kendall", &TraceMeasures::kendall, "tau-b of trips per cell, 15 x 15"},
      {"f1", &TraceMeasures::f1, "of the 100 most frequent strings of 2 to 8 cells, 6 x 6"},
      {"next_cell_real", &TraceMeasures::next_cell_real,
       "next cells that a model of other true trips predicts"},
      {"next_cell_synthetic", &TraceMeasures::next_cell_synthetic,
       "those that a model of the synthetic ones does"},
  };
  static constexpr Row medians[] = {
      {"median_turn_true", &TraceMeasures::median_turn_true, "degrees"},
      {"median_turn_synthetic", &TraceMeasures::median_turn_synthetic, "degrees"},
      {"median_spacing_true_m", &TraceMeasures::median_spacing_true, "metres"},
      {"median_spacing_synthetic_m", &TraceMeasures::median_spacing_synthetic, "metres"},
  };

  struct LegalShares {
    double real, synthetic;
  };

  std::optional<LegalShares> legal_shares(Caller& caller, const ComparedTrips& trips) const {
    if (network_.network.empty()) return std::nullopt;
    if (trips.frame.unit() == traces::Frame::Unit::metres)
      throw InvalidOption("network", "lies on the Earth, and trips on a plane do not");
    const roads::RoadNetwork network = network_.read(caller);
    const auto share = [&](const traces::TripSet& set) {
      return traces::legal_share(set, network, trips.frame, {.parallel = {.threads = caller.threads()}});
    };
    return LegalShares{share(trips.sets[0]), share(trips.sets[1])};
  }

  traces::MeasureOptions measure_options(Caller& caller) const {
    const auto share = Rational::parse(share_);
    if (!share || share->to_double() <= 0 || share->to_double() > 1)
      throw InvalidOption("query-share", "must be a number or fraction above 0 and at most 1, such as 1/3");
    return {.queries = static_cast<std::uint32_t>(queries_),
            .seed = seed_,
            .query_share = share->to_double(),
            .parallel = {.threads = caller.threads()},
            .progress = caller.progress()};
  }

  Json as_json(const ComparedTrips& trips, const traces::MeasureBox& box, const TraceMeasures& measured,
               const std::optional<LegalShares>& legal) const {
    Json json = {{"kind", "traces"},
                 {"private", true},
                 {"warning", warning},
                 {"trips_true", trips.sets[0].size()},
                 {"trips_synthetic", trips.sets[1].size()},
                 {"points_true", trips.sets[0].point.size()},
                 {"points_synthetic", trips.sets[1].point.size()},
                 {"area", trips.source == AreaSource::trips ? Json() : Json(trips.frame.text())},
                 {"area_from", area_from(trips.source)},
                 {"width_m", box.width_m},
                 {"height_m", box.height_m},
                 {"queries", queries_},
                 {"query_share", share_},
                 {"seed", seed_}};
    for (const Row& row : errors) json[row.field] = measured.*row.value;
    for (const Row& row : agreements) json[row.field] = measured.*row.value;
    for (const Row& row : medians) json[row.field] = measured.*row.value;
    json["time_of_day"] = measured.time_of_day ? Json(*measured.time_of_day) : Json();
    json["duration"] = measured.duration ? Json(*measured.duration) : Json();
    json["legal_paths_real"] = legal ? Json(legal->real) : Json();
    json["legal_paths_synthetic"] = legal ? Json(legal->synthetic) : Json();
    return json;
  }

  static const char* area_from(AreaSource source) {
    return source == AreaSource::option ? "option" : source == AreaSource::statement ? "statement" : "trips";
  }

  static const char* box_says(AreaSource source) {
    return source == AreaSource::option      ? "the area given"
           : source == AreaSource::statement ? "the area that the statement declares"
                                             : "around the true trips, not the area of a release";
  }

  Findings::Rows rows(const ComparedTrips& trips, const traces::MeasureBox& box,
                      const TraceMeasures& measured) const {
    return {{"true", counted(trips.sets[0])},
            {"synthetic", counted(trips.sets[1])},
            {"box", fmt::format("{:.1f} x {:.1f} km: {}", box.width_m / 1000, box.height_m / 1000,
                                box_says(trips.source))},
            {"discs",
             fmt::format("{} of radius {} of the larger side, seed {}", grouped(queries_), share_, seed_)},
            {"median turn", fmt::format("{:.1f} degrees, true {:.1f}", measured.median_turn_synthetic,
                                        measured.median_turn_true)},
            {"median spacing", fmt::format("{:.1f} m, true {:.1f}", measured.median_spacing_synthetic,
                                           measured.median_spacing_true)}};
  }

  static std::string counted(const traces::TripSet& set) {
    return fmt::format("{} trips, {} points", grouped(set.size()), grouped(set.point.size()));
  }

  static Findings::Table errors_of(const TraceMeasures& measured) {
    Findings::Table table = table_of(errors, measured);
    const auto add_of_time = [&](const char* field, const std::optional<double>& value, const char* says) {
      add_line(table, field, value, value ? says : "not both have times");
    };
    add_of_time("time_of_day", measured.time_of_day, "JSD of start times, half hours of UTC");
    add_of_time("duration", measured.duration, "JSD of durations, 20 bins");
    return table;
  }

  static Findings::Table agreements_of(const TraceMeasures& measured,
                                       const std::optional<LegalShares>& legal) {
    Findings::Table table = table_of(agreements, measured);
    if (!legal) return table;
    add_line(table, "legal_paths_real", legal->real, "true trips that a car could have driven, to the metre");
    add_line(table, "legal_paths_synth.", legal->synthetic, "synthetic ones");
    return table;
  }

  static Findings::Table table_of(std::span<const Row> rows, const TraceMeasures& measured) {
    constexpr auto left = Findings::Align::left;
    Findings::Table table{{{"", 22, left}, {"", 9}, {"", 0, left}}, {}};
    for (const Row& row : rows) add_line(table, row.field, measured.*row.value, row.says);
    return table;
  }

  static void add_line(Findings::Table& table, std::string_view field, std::optional<double> value,
                       std::string_view says) {
    table.rows.push_back({fmt::format("  {}", field), value ? fmt::format("{:.4f}", *value) : "none",
                          fmt::format("  {}", says)});
  }

  ComparedFields compared_;
  std::string share_ = "1/3";
  NetworkFields network_;
  std::uint64_t queries_ = 200, seed_ = 7;
};

}  // namespace

std::unique_ptr<Analysis> traces_measure() {
  return std::make_unique<TracesMeasure>();
}

}  // namespace fogline::release
