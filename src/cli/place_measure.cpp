// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/verbs.hpp"
#include "io/points.hpp"
#include "place/displacement.hpp"
#include "place/measures.hpp"
#include "place/planar_measures.hpp"
#include "place/positions.hpp"
#include "place/released_file.hpp"
#include "place/vertex_lookup.hpp"
#include "release/column_fields.hpp"
#include "release/place_fields.hpp"

namespace fogline::cli {
namespace {

using Json = nlohmann::ordered_json;
using place::DistanceMeasures;

class PlaceMeasure : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"place", "measure"},
        "Measure what a place mechanism costs its users and leaves to an attacker",
        "Computes, exactly and from public things alone: Q_loss, the mean distance from truth to output; "
        "AE, the mean "
        "distance from truth to the guess of the best attacker, who knows mechanism and prior; PC = AE / "
        "Q_loss; TP, the "
        "probability that this guess is right; and the same for the attacker who draws from the "
        "posterior. Each by road "
        "and in a straight line. Networks of more than 6,000 vertices get Q_loss only. plm, which releases "
        "points of the plane, is measured in a straight line, and its attackers see in which square of a "
        "public grid the point lies.\n\n"
        "With --truth and --released also measures a finished release against the private records it was "
        "made from: how far "
        "they were moved. That part is for the curator alone: it is exact, private, and charged to no "
        "ledger.",
        {{"GEM on the lattice of its paper",
          "fogline place measure --network lattice:20x20:1500 --mechanism gem --epsilon 0.01 --json"},
         {"a finished release against its original",
          "fogline sample place --network line:9:800 -o points.csv -q && fogline place release --network "
          "line:9:800 "
          "--epsilon 0.02 points.csv -o safe.csv --ledger my.ledger -q && fogline place measure "
          "--network line:9:800 "
          "--epsilon 0.02 --truth points.csv --released safe.csv"}}};
  }

  void declare(OptionSet& options) override {
    place_.declare(options);
    options.group("Measure");
    options.value("--metric", "METRIC", metric_, "which distance the main JSON fields are in")
        .choices({"road", "euclidean"});
    options.value("--truth", "POINTS", truth_, "private positions that were released, for the curator");
    options.value("--released", "FILE", released_, "what they were released as");
    options.value("--max-snap", "METRES", max_snap_m_, "as in the release (500)");
    options.value("--too-far", "RULE", too_far_, "as in the release")
        .choices({place::too_far_names.begin(), place::too_far_names.end()});
    columns_.declare(options);
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    place_.epsilon.value();  // a bad epsilon is said before a large map is read
    if (truth_.empty() != released_.empty())
      throw InvalidOption(truth_.empty() ? "--truth" : "--released",
                          "is needed too: a release is measured against its original");
    const roads::RoadNetwork map = place_.network.read(session);
    const place::MechanismChoice choice = place_.choice(map, place_.terms(), session);
    const auto mechanism = place::make_place_mechanism(map, choice);
    const Result result = measured(map, *mechanism, choice, session);
    session.data(json_ ? to_text(as_json(map, *mechanism, result)) : as_text(map, *mechanism, result));
    return 0;
  }

 private:
  struct Result {
    std::optional<place::PlaceMeasures> all;      // where the whole table fits
    std::optional<place::PlanarMeasures> planar;  // the same for points of the plane
    std::optional<place::ExpectedError> q_loss;   // where it does not
    std::optional<place::ReleaseDisplacement> release;
  };

  Result measured(const roads::RoadNetwork& map, const place::PlaceMechanism& mechanism,
                  const place::MechanismChoice& choice, Session& session) const {
    Result result;
    if (!truth_.empty()) result.release = release(map, mechanism, session);
    const place::MeasureOptions options{
        .prior = choice.prior, .threads = session.threads(), .progress = session.progress()};
    const bool is_small = map.vertex_count() <= place::TableOptions::most_vertices;
    if (is_small && mechanism.on_plane() != nullptr) {
      result.planar = place::measure(*mechanism.on_plane(), map, options);
    } else if (is_small) {
      result.all = place::measure(*mechanism.on_vertices(), map, options);
    } else {
      result.q_loss = mechanism.expected_error(
          {.prior = choice.prior, .threads = session.threads(), .progress = session.progress()});
    }
    return result;
  }

  place::ReleaseDisplacement release(const roads::RoadNetwork& map, const place::PlaceMechanism& mechanism,
                                     Session& session) const {
    io::PointTable points = io::read_points(
        truth_, {.columns = {.map = columns_.map(), .needed = {}}, .progress = session.progress()});
    tell_odd_columns(session, truth_, points.columns);
    const auto truth = place::vertices_of(
        points, map,
        {.farthest_m = max_snap_m_, .too_far = place::too_far_from(too_far_), .threads = session.threads()});
    const bool on_plane = mechanism.on_plane() != nullptr;
    const place::ReleasedFile file =
        place::read_released(released_, place::released_format(released_),
                             on_plane ? place::ReleasedPlaces::points : place::ReleasedPlaces::vertices);
    if (file.records() != points.size())
      throw DataError({released_}, "has another number of records than --truth",
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
                               {.threads = session.threads(), .progress = session.progress()});
  }

  std::string prior_name() const { return place_.prior.empty() ? "uniform" : place_.prior; }

  static Json numbers(const DistanceMeasures& by) {
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

  Json as_json(const roads::RoadNetwork& map, const place::PlaceMechanism& mechanism,
               const Result& result) const {
    Json json = {{"kind", "place"},
                 {"mechanism", mechanism.name()},
                 {"epsilon", mechanism.guarantee().epsilon().to_string()},
                 {"network", map.source},
                 {"vertices", map.vertex_count()}};
    if (const auto* on_vertices = mechanism.on_vertices())
      json["range_vertices"] = on_vertices->range().size();
    json["prior"] = prior_name();
    json["remap"] = place_.remap;
    json["metric"] = mechanism.on_plane() != nullptr ? "euclidean" : metric_;
    if (const auto bound = mechanism.lower_bound_m()) json["lower_bound_m"] = *bound;
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
    json["remarks"] = mechanism.remarks();
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

  static std::string table(const place::PlaceMeasures& all) {
    std::string text = fmt::format("{:<40}{:>12}{:>12}\n", "", "road", "euclidean");
    const auto metres = [&](const char* name, double road, double straight) {
      text += fmt::format("{:<40}{:>10.1f} m{:>10.1f} m\n", name, road, straight);
    };
    const auto share = [&](const char* name, double road, double straight) {
      text += fmt::format("{:<40}{:>12.4f}{:>12.4f}\n", name, road, straight);
    };
    const DistanceMeasures &road = all.road, &straight = all.euclidean;
    metres("Q_loss: truth to output", road.q_loss_m, straight.q_loss_m);
    metres("AE: truth to the best guess", road.ae_m, straight.ae_m);
    share("PC = AE / Q_loss", road.pc, straight.pc);
    share("TP: the best guess is right", road.tp, straight.tp);
    metres("AE of a guess drawn from the posterior", road.ae_posterior_m, straight.ae_posterior_m);
    share("PC of that", road.pc_posterior, straight.pc_posterior);
    share("TP of that", road.tp_posterior, straight.tp_posterior);
    share("TP of the most likely vertex", road.tp_most_likely, straight.tp_most_likely);
    return text;
  }

  static std::string table(const place::PlanarMeasures& planar) {
    std::string text = fmt::format("{:<40}{:>12}\n", "", "euclidean");
    const auto metres = [&](const char* name, double value) {
      text += fmt::format("{:<40}{:>10.1f} m\n", name, value);
    };
    const auto share = [&](const char* name, double value) {
      text += fmt::format("{:<40}{:>12.4f}\n", name, value);
    };
    const DistanceMeasures& by = planar.euclidean;
    metres("Q_loss: truth to output", by.q_loss_m);
    metres("AE: truth to the best guess", by.ae_m);
    share("PC = AE / Q_loss", by.pc);
    share("TP: the best guess is right", by.tp);
    metres("AE of a guess drawn from the posterior", by.ae_posterior_m);
    share("PC of that", by.pc_posterior);
    share("TP of that", by.tp_posterior);
    share("TP of the most likely vertex", by.tp_most_likely);
    return text + fmt::format(
                      "The attackers see which of {} squares of {:.1f} m the point lies in; one who "
                      "sees the point errs by no more.\n",
                      grouped(planar.cells), planar.cell_side_m);
  }

  static std::string table(const place::ReleaseDisplacement& release) {
    const auto line = [](const place::Displacement& moved) {
      return fmt::format("mean {:.1f} m, median {:.1f} m, 95 % within {:.1f} m", moved.mean_m, moved.median_m,
                         moved.p95_m);
    };
    std::vector<std::pair<std::string, std::string>> rows{{"records", grouped(release.records)}};
    if (release.road) rows.emplace_back("moved by road", line(*release.road));
    rows.emplace_back(release.road ? "straight" : "moved straight", line(release.straight));
    return "PRIVATE: " + private_warning() + "\n" + fields(rows);
  }

  static std::string range_text(const roads::RoadNetwork& map, const place::PlaceMechanism& mechanism) {
    const auto* on_vertices = mechanism.on_vertices();
    if (on_vertices == nullptr) return "points of the plane";
    return fmt::format("{} of {} vertices", grouped(on_vertices->range().size()),
                       grouped(map.vertex_count()));
  }

  std::string as_text(const roads::RoadNetwork& map, const place::PlaceMechanism& mechanism,
                      const Result& result) const {
    std::string text =
        fields({{"network", fmt::format("{}: {} vertices, {} roads", map.source, grouped(map.vertex_count()),
                                        grouped(map.graph.edge_count()))},
                {"mechanism",
                 fmt::format("{}{}, epsilon {} per metre", mechanism.name(),
                             place_.remap ? " with remap" : "", mechanism.guarantee().epsilon().to_string())},
                {"range", range_text(map, mechanism)},
                {"prior", prior_name()}});
    for (const std::string& remark : mechanism.remarks()) text += remark + "\n";
    if (result.all) text += table(*result.all);
    if (result.planar) text += table(*result.planar);
    if (result.q_loss) {
      text += fmt::format("Q_loss{}: {}\n{}\n", result.q_loss->straight ? "" : " by road",
                          release::to_text(*result.q_loss), too_large());
    }
    if (result.release) text += table(*result.release);
    return text;
  }

  release::PlaceFields place_;
  release::ColumnFields columns_;
  std::string metric_ = "road";
  std::string truth_, released_;
  double max_snap_m_ = 500;
  std::string too_far_ = "refuse";
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> place_measure() {
  return std::make_unique<PlaceMeasure>();
}

}  // namespace fogline::cli
