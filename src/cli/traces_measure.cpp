// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/rational.hpp"
#include "cli/blocks.hpp"
#include "cli/traces_block.hpp"
#include "cli/verbs.hpp"
#include "traces/legal_paths.hpp"
#include "traces/measures.hpp"

namespace fogline::cli {
namespace {

using Json = nlohmann::ordered_json;
using traces::TraceMeasures;

constexpr auto traces_measure_warning =
    "exact figures of private trips, for the curator alone; do not publish";

/// A measure: its field in JSON, where it is kept, and what is said of it.
struct Row {
  const char* field;
  double TraceMeasures::*value;
  const char* says;
};

// Errors first; of the others, larger is better.
constexpr Row errors[] = {
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
constexpr Row agreements[] = {
    {"kendall", &TraceMeasures::kendall, "tau-b of trips per cell, 15 x 15"},
    {"f1", &TraceMeasures::f1, "of the 100 most frequent strings of 2 to 8 cells, 6 x 6"},
    {"next_cell_real", &TraceMeasures::next_cell_real,
     "next cells that a model of other true trips predicts"},
    {"next_cell_synthetic", &TraceMeasures::next_cell_synthetic,
     "those that a model of the synthetic ones does"},
};
constexpr Row medians[] = {
    {"median_turn_true", &TraceMeasures::median_turn_true, "degrees"},
    {"median_turn_synthetic", &TraceMeasures::median_turn_synthetic, "degrees"},
    {"median_spacing_true_m", &TraceMeasures::median_spacing_true, "metres"},
    {"median_spacing_synthetic_m", &TraceMeasures::median_spacing_synthetic, "metres"},
};

class TracesMeasure : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"traces", "measure"},
        "Measure what synthetic trips keep of the private ones",
        "Counts of trips that touch random discs, ranks of cells, frequent strings of cells, starts and "
        "ends, "
        "lengths, diameters, shape and times, by the definitions of the field; docs/measures.md has each. "
        "JSD is "
        "the Jensen-Shannon divergence with natural logarithms: 0 for the same, 0.693 for nothing in "
        "common.\n\n"
        "Discs and grids divide the area that the release declared, which its statement beside it tells, or "
        "--area. --area trips takes the smallest box around the true trips, as the field's own evaluators "
        "do; "
        "figures in one box do not compare with figures in another. The same seed asks the same discs. "
        "Counts "
        "are never scaled: a synthetic set of another size shows.\n\n"
        "For the curator alone: the figures are exact, private, and charged to no ledger.",
        {{"two sets of trips in one city",
          "fogline sample stream -o a.csv --public trips.csv -q && fogline sample stream --seed 2 -o b.csv "
          "--public other.csv -q && fogline traces measure trips.csv other.csv --area trips"},
         {"with larger discs in a public area, as JSON",
          "fogline sample stream -o a.csv --public trips.csv -q && fogline traces measure trips.csv "
          "trips.csv "
          "--area -30.05,44.95,-29.95,45.05 --query-share 2/5 --seed 7 --json"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("TRUE", truth_, "the private trips: CSV, GeoJSON, GPX, .dat").required();
    options.positional("SYNTHETIC", synthetic_, "the synthetic ones").required();
    options.group("Measure");
    frame_.declare(options, "area to divide (that of the statement), or the word trips: their box");
    options.value("--queries", "N", queries_, "discs, 1 to 100,000 (200)");
    options.value("--query-share", "S", share_, "radius of a disc over the larger side (1/3)");
    options.value("--seed", "N", seed_, "of the discs (7)");
    options.value("--network", "NETWORK", network_.network, "tell which trips a car could have driven on it");
    options.value("--mode", "MODE", network_.mode, "roads to keep from OSM")
        .choices({"drivable", "walkable", "all"});
    columns_.declare_order(options);
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    const traces::MeasureOptions options = measure_options(session);
    const ComparedTrips trips = read_compared(session, frame_, columns_, {.names = {truth_, synthetic_}});
    if (trips.source == AreaSource::trips && frame_.area.empty())
      throw InvalidOption(
          "area", fmt::format("is needed: no statement beside {} declares one (--statement FILE names "
                              "another); --area trips divides the box around the true trips, which "
                              "gives other figures than the declared area",
                              synthetic_));
    const traces::MeasureBox box =
        trips.source == AreaSource::trips
            ? traces::box_of(trips.sets[0])
            : traces::MeasureBox{0, 0, trips.frame.width_m(), trips.frame.height_m()};
    const TraceMeasures found = traces::measure(trips.sets[0], trips.sets[1], box, options);
    const std::optional<LegalShares> legal = legal_shares(session, trips);
    session.data(json_ ? to_text(as_json(trips, box, found, legal)) : as_text(trips, box, found, legal));
    return 0;
  }

 private:
  struct LegalShares {
    double real, synthetic;
  };

  std::optional<LegalShares> legal_shares(Session& session, const ComparedTrips& trips) const {
    if (network_.network.empty()) return std::nullopt;
    if (trips.frame.unit() == traces::Frame::Unit::metres)
      throw InvalidOption("network", "lies on the Earth, and trips on a plane do not");
    const roads::RoadNetwork network = network_.read(session);
    const auto share = [&](const traces::TripSet& set) {
      return traces::legal_share(set, network, trips.frame, {.parallel = {.threads = session.threads()}});
    };
    return LegalShares{share(trips.sets[0]), share(trips.sets[1])};
  }

  traces::MeasureOptions measure_options(Session& session) const {
    const auto share = Rational::parse(share_);
    if (!share || share->to_double() <= 0 || share->to_double() > 1)
      throw InvalidOption("query-share", "must be a number or fraction above 0 and at most 1, such as 1/3");
    if (queries_ < 1 || queries_ > 100'000) throw InvalidOption("queries", "must lie between 1 and 100,000");
    return {.queries = static_cast<std::uint32_t>(queries_),
            .seed = seed_,
            .query_share = share->to_double(),
            .parallel = {.threads = session.threads()},
            .progress = session.progress()};
  }

  Json as_json(const ComparedTrips& trips, const traces::MeasureBox& box, const TraceMeasures& found,
               const std::optional<LegalShares>& legal) const {
    Json json = {{"kind", "traces"},
                 {"private", true},
                 {"warning", traces_measure_warning},
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
    for (const Row& row : errors) json[row.field] = found.*row.value;
    for (const Row& row : agreements) json[row.field] = found.*row.value;
    for (const Row& row : medians) json[row.field] = found.*row.value;
    json["time_of_day"] = found.time_of_day ? Json(*found.time_of_day) : Json();
    json["duration"] = found.duration ? Json(*found.duration) : Json();
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

  static std::string lines(std::span<const Row> rows, const TraceMeasures& found) {
    std::string text;
    for (const Row& row : rows)
      text += fmt::format("  {:<20}{:>9.4f}  {}\n", row.field, found.*row.value, row.says);
    return text;
  }

  static std::string line_of_time(const char* field, const std::optional<double>& value, const char* says) {
    return value ? fmt::format("  {:<20}{:>9.4f}  {}\n", field, *value, says)
                 : fmt::format("  {:<20}{:>9}  not both have times\n", field, "none");
  }

  std::string as_text(const ComparedTrips& trips, const traces::MeasureBox& box, const TraceMeasures& found,
                      const std::optional<LegalShares>& legal) const {
    return fmt::format("PRIVATE: {}\n", traces_measure_warning) +
           fields({{"true", counted(trips.sets[0])},
                   {"synthetic", counted(trips.sets[1])},
                   {"box", fmt::format("{:.1f} x {:.1f} km: {}", box.width_m / 1000, box.height_m / 1000,
                                       box_says(trips.source))},
                   {"discs", fmt::format("{} of radius {} of the larger side, seed {}", grouped(queries_),
                                         share_, seed_)},
                   {"median turn", fmt::format("{:.1f} degrees, true {:.1f}", found.median_turn_synthetic,
                                               found.median_turn_true)},
                   {"median spacing", fmt::format("{:.1f} m, true {:.1f}", found.median_spacing_synthetic,
                                                  found.median_spacing_true)}}) +
           "errors (0 is best)\n" + lines(errors, found) +
           line_of_time("time_of_day", found.time_of_day, "JSD of start times, half hours of UTC") +
           line_of_time("duration", found.duration, "JSD of durations, 20 bins") + "agreement (1 is best)\n" +
           lines(agreements, found) + (legal ? lines_of_roads(*legal) : "");
  }

  static std::string lines_of_roads(const LegalShares& legal) {
    return fmt::format("  {:<20}{:>9.4f}  true trips that a car could have driven, to the metre\n",
                       "legal_paths_real", legal.real) +
           fmt::format("  {:<20}{:>9.4f}  synthetic ones\n", "legal_paths_synth.", legal.synthetic);
  }

  static std::string counted(const traces::TripSet& set) {
    return fmt::format("{} trips, {} points", grouped(set.size()), grouped(set.point.size()));
  }

  std::string truth_, synthetic_, share_ = "1/3";
  FrameBlock frame_;
  release::ColumnFields columns_;
  release::NetworkFields network_;
  std::uint64_t queries_ = 200, seed_ = 7;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> traces_measure() {
  return std::make_unique<TracesMeasure>();
}

}  // namespace fogline::cli
