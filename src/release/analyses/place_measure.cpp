// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "io/points.hpp"
#include "place/displacement.hpp"
#include "place/measures.hpp"
#include "place/planar_measures.hpp"
#include "place/positions.hpp"
#include "place/released_file.hpp"
#include "place/vertex_lookup.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/place_subject.hpp"
#include "release/column_fields.hpp"
#include "release/kinds.hpp"
#include "release/place_fields.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

class PlaceMeasure : public Analysis {
 public:
  std::string kind() const override { return "place"; }
  std::string verb() const override { return "measure"; }

  void declare(FieldTable& table) override {
    place_.takes_any_table = true;
    place_.declare(table);
    table.group("Measure");
    table.value("metric", "METRIC", metric_, "which distance the main JSON fields are in")
        .choices({"road", "euclidean"});
    table.value("truth", "POINTS", truth_, "private positions that were released, for the curator")
        .role(FieldRole::private_input);
    table.value("released", "FILE", released_, "what they were released as").role(FieldRole::public_input);
    table.value("max-snap", "METRES", max_snap_m_, "as in the release (500)")
        .above("0", "10000000")
        .unit("m");
    table.value("too-far", "RULE", too_far_, "as in the release")
        .choices({place::too_far_names.begin(), place::too_far_names.end()});
    columns_.declare(table);
  }

  Findings run(Caller& caller) override {
    place_.require();  // a bad field is said before a large map is read
    if (truth_.empty() != released_.empty())
      throw InvalidOption(truth_.empty() ? "truth" : "released",
                          "is needed too: a release is measured against its original");
    const place::PlaceTerms terms = place_.terms(caller, max_snap_m_);
    const auto prepared = place_.prepare(terms, caller);
    const roads::RoadNetwork& map = prepared->map;
    const place::PlaceMechanism* mechanism = prepared->mechanism.get();
    const Result result = measured(map, *mechanism, prepared->choice, caller);

    const PlaceSubject subject{terms, map, *mechanism, verdict_on_table(terms, *mechanism, caller)};
    subject.warn(caller);
    Findings found(as_json(subject, result));
    found.add(subject.rows());
    found.add(place_.remarks_of(*mechanism));
    add_to(found, result);
    return found;
  }

 private:
  struct Result {
    std::optional<place::PlaceMeasures> all;      // where the whole table fits
    std::optional<place::PlanarMeasures> planar;  // the same for points of the plane
    std::optional<place::ExpectedError> q_loss;   // where it does not
    std::optional<place::ReleaseDisplacement> release;
  };

  Result measured(const roads::RoadNetwork& map, const place::PlaceMechanism& mechanism,
                  const place::MechanismChoice& choice, Caller& caller) const {
    Result result;
    if (!truth_.empty()) result.release = moved(map, mechanism, caller);
    const place::MeasureOptions options{
        .prior = choice.prior, .threads = caller.threads(), .progress = caller.progress()};
    const bool is_small = map.vertex_count() <= place::TableOptions::most_vertices;
    if (is_small && mechanism.on_plane() != nullptr) {
      result.planar = place::measure(*mechanism.on_plane(), map, options);
    } else if (is_small) {
      result.all = place::measure(*mechanism.on_vertices(), map, options);
    } else {
      result.q_loss = mechanism.expected_error(
          {.prior = choice.prior, .threads = caller.threads(), .progress = caller.progress()});
    }
    return result;
  }

  place::ReleaseDisplacement moved(const roads::RoadNetwork& map, const place::PlaceMechanism& mechanism,
                                   Caller& caller) const {
    io::PointReadOptions reading;
    reading.columns = {.map = columns_.map(), .needed = {}};
    reading.progress = caller.progress();
    io::PointTable points = io::read_points(truth_, reading);
    tell_odd_columns(caller, truth_, points.columns);
    const auto truth = place::vertices_of(
        points, map,
        {.farthest_m = max_snap_m_, .too_far = place::too_far_from(too_far_), .threads = caller.threads()});
    const bool on_plane = mechanism.on_plane() != nullptr;
    const place::ReleasedFile file =
        place::read_released(released_, place::released_format(released_),
                             on_plane ? place::ReleasedPlaces::points : place::ReleasedPlaces::vertices);
    if (file.records() != points.size())
      throw DataError({released_}, "has another number of records than `truth`",
                      "give the release of these positions");
    if (on_plane) return place::displacement(points, file.points);
    const io::VertexLookup lookup = place::vertex_lookup(map);
    std::vector<graph::VertexId> released;
    for (const std::string& name : file.vertices) {
      const auto vertex = lookup(name);
      if (!vertex)
        throw DataError({released_, 0, released.size() + 1}, "names a vertex that the network does not have");
      released.push_back(*vertex);
    }
    return place::displacement(points, truth, released, map,
                               {.threads = caller.threads(), .progress = caller.progress()});
  }

  static Json numbers(const place::DistanceMeasures& by) {
    return {{"q_loss_m", by.q_loss_m},
            {"ae_m", by.ae_m},
            {"pc", by.pc},
            {"tp", by.tp},
            {"ae_posterior_m", by.ae_posterior_m},
            {"pc_posterior", by.pc_posterior},
            {"tp_posterior", by.tp_posterior},
            {"tp_most_likely", by.tp_most_likely}};
  }

  static Json numbers(const place::Displacement& moved) {
    return {{"mean_m", moved.mean_m}, {"median_m", moved.median_m}, {"p95_m", moved.p95_m}};
  }

  Json as_json(const PlaceSubject& subject, const Result& result) const {
    Json json = subject.json();
    json["metric"] = subject.mechanism.on_plane() != nullptr ? "euclidean" : metric_;
    if (const auto bound = subject.mechanism.lower_bound_m()) json["lower_bound_m"] = *bound;
    if (result.all) {
      const bool road = metric_ == "road";
      json.update(numbers(road ? result.all->road : result.all->euclidean));
      json[road ? "euclidean" : "road"] = numbers(road ? result.all->euclidean : result.all->road);
    } else if (result.planar) {
      json.update(numbers(result.planar->euclidean));
      json["cells"] = result.planar->cells;
      json["cell_side_m"] = result.planar->cell_side_m;
    } else {
      json["metric"] = result.q_loss->straight ? "euclidean" : "road";
      json["q_loss_m"] = result.q_loss->q_loss_m;
      json["q_loss_standard_error_m"] = result.q_loss->standard_error_m;
      for (const char* field : {"ae_m", "pc", "tp"}) json[field] = nullptr;
      json["why"] = too_large();
    }
    json["remarks"] = place_.remarks_of(subject.mechanism);
    if (result.release) {
      json["release"] = {
          {"private", true}, {"warning", private_warning()}, {"records", result.release->records}};
      if (result.release->road) json["release"]["road"] = numbers(*result.release->road);
      json["release"]["straight"] = numbers(result.release->straight);
    }
    return json;
  }

  static std::string too_large() {
    return fmt::format(
        "AE, PC and TP need the whole table, which is computed up to {} vertices; measure a smaller part",
        grouped(place::TableOptions::most_vertices));
  }

  static std::string private_warning() {
    return "exact figures of private records, for the curator alone; do not publish";
  }

  static void add_to(Findings& found, const Result& result) {
    if (result.all) found.add(table({{"road", result.all->road}, {"euclidean", result.all->euclidean}}));
    if (const auto& planar = result.planar) {
      found.add(table({{"euclidean", planar->euclidean}}));
      found.add(
          fmt::format("The attackers see which of {} squares of {:.1f} m the point lies in; one who sees the "
                      "point errs by no more.",
                      grouped(planar->cells), planar->cell_side_m));
    }
    if (const auto& q_loss = result.q_loss) {
      found.add(fmt::format("Q_loss{}: {}", q_loss->straight ? "" : " by road", to_text(*q_loss)));
      found.add(too_large());
    }
    if (result.release) {
      found.add("PRIVATE: " + private_warning());
      found.add(rows(*result.release));
    }
  }

  /// A column for each way of measuring distance.
  static Findings::Table table(const std::vector<std::pair<std::string, place::DistanceMeasures>>& ways) {
    using By = place::DistanceMeasures;
    Findings::Table table{{{"", 40, Findings::Align::left}}, {}};
    for (const auto& [name, by] : ways) table.columns.push_back({name, 12});
    const auto row = [&](const char* name, double By::*measure, const auto& to_cell) {
      std::vector<std::string> cells{name};
      for (const auto& [way, by] : ways) cells.push_back(to_cell(by.*measure));
      table.rows.push_back(std::move(cells));
    };
    const auto metres = [](double value) { return fmt::format("{:.1f} m", value); };
    const auto share = [](double value) { return fmt::format("{:.4f}", value); };
    row("Q_loss: truth to output", &By::q_loss_m, metres);
    row("AE: truth to the best guess", &By::ae_m, metres);
    row("PC = AE / Q_loss", &By::pc, share);
    row("TP: the best guess is right", &By::tp, share);
    row("AE of a guess drawn from the posterior", &By::ae_posterior_m, metres);
    row("PC of that", &By::pc_posterior, share);
    row("TP of that", &By::tp_posterior, share);
    row("TP of the most likely vertex", &By::tp_most_likely, share);
    return table;
  }

  static Findings::Rows rows(const place::ReleaseDisplacement& release) {
    const auto line = [](const place::Displacement& moved) {
      return fmt::format("mean {:.1f} m, median {:.1f} m, 95 % within {:.1f} m", moved.mean_m, moved.median_m,
                         moved.p95_m);
    };
    Findings::Rows rows{{"records", grouped(release.records)}};
    if (release.road) rows.emplace_back("moved by road", line(*release.road));
    rows.emplace_back(release.road ? "straight" : "moved straight", line(release.straight));
    return rows;
  }

  PlaceFields place_;
  ColumnFields columns_;
  std::string metric_ = "road";
  std::string truth_, released_;
  double max_snap_m_ = SpacingField::usual_max_snap_m;
  std::string too_far_ = "refuse";
};

}  // namespace

std::unique_ptr<Analysis> place_measure() {
  return std::make_unique<PlaceMeasure>();
}

}  // namespace fogline::release
