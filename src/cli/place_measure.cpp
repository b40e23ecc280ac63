// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/place_block.hpp"
#include "cli/verbs.hpp"
#include "io/points.hpp"
#include "place/displacement.hpp"
#include "place/measures.hpp"
#include "place/positions.hpp"
#include "place/released_file.hpp"
#include "place/vertex_lookup.hpp"

namespace fogline::cli {
namespace {

using Json = nlohmann::ordered_json;
using place::DistanceMeasures;

class PlaceMeasure : public Command {
 public:
  CommandInfo info() const override {
    return {{"place", "measure"},
            "Measure what a place mechanism costs its users and leaves to an attacker",
            "Computes, exactly and from public things alone: Q_loss, the mean distance from truth to output; "
            "AE, the mean "
            "distance from truth to the guess of the best attacker, who knows mechanism and prior; PC = AE / "
            "Q_loss; TP, the "
            "probability that this guess is right; and the same for the attacker who draws from the "
            "posterior. Each by road "
            "and in a straight line. Networks of more than 6,000 vertices get Q_loss only.\n\n"
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
    const auto mechanism = place::make_mechanism(map, choice);
    const Result result = measured(map, *mechanism, choice, session);
    session.data(json_ ? to_text(as_json(map, *mechanism, result)) : as_text(map, *mechanism, result));
    return 0;
  }

 private:
  struct Result {
    std::optional<place::PlaceMeasures> all;     // where the whole table fits
    std::optional<place::ExpectedError> q_loss;  // where it does not
    std::optional<place::ReleaseDisplacement> release;
  };

  Result measured(const roads::RoadNetwork& map, const place::VertexMechanism& mechanism,
                  const place::MechanismChoice& choice, Session& session) const {
    Result result;
    if (!truth_.empty()) result.release = release(map, session);
    if (map.vertex_count() <= place::TableOptions::most_vertices) {
      result.all = place::measure(
          mechanism, map,
          {.prior = choice.prior, .threads = session.threads(), .progress = session.progress()});
    } else {
      result.q_loss = mechanism.expected_error(
          {.prior = choice.prior, .threads = session.threads(), .progress = session.progress()});
    }
    return result;
  }

  place::ReleaseDisplacement release(const roads::RoadNetwork& map, Session& session) const {
    const io::PointTable points = io::read_points(truth_, {});
    const auto truth =
        place::vertices_of(points, map, {.farthest_m = max_snap_m_, .threads = session.threads()});
    const place::ReleasedFile file = place::read_released(released_, place::released_format(released_));
    if (file.records() != points.size())
      throw DataError({released_}, "has another number of records than --truth",
                      "give the release of these positions");
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

  Json as_json(const roads::RoadNetwork& map, const place::VertexMechanism& mechanism,
               const Result& result) const {
    Json json = {{"kind", "place"},
                 {"mechanism", place_.mechanism},
                 {"epsilon", mechanism.guarantee().epsilon().to_string()},
                 {"network", map.source},
                 {"vertices", map.vertex_count()},
                 {"range_vertices", mechanism.range().size()},
                 {"prior", prior_name()},
                 {"remap", place_.remap},
                 {"metric", metric_}};
    if (const auto bound = mechanism.lower_bound_m()) json["lower_bound_m"] = *bound;
    if (result.all) {
      const bool road = metric_ == "road";
      json.update(numbers(road ? result.all->road : result.all->euclidean));
      json[road ? "euclidean" : "road"] = numbers(road ? result.all->euclidean : result.all->road);
    } else {
      json["metric"] = "road";
      json["q_loss_m"] = result.q_loss->q_loss_m;
      json["q_loss_standard_error_m"] = result.q_loss->standard_error_m;
      for (const char* field : {"ae_m", "pc", "tp"}) json[field] = nullptr;
      json["why"] = too_large();
    }
    json["remarks"] = mechanism.remarks();
    if (result.release) {
      json["release"] = {{"private", true},
                         {"warning", private_warning()},
                         {"records", result.release->records},
                         {"road", numbers(result.release->road)},
                         {"straight", numbers(result.release->straight)}};
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

  static std::string table(const place::ReleaseDisplacement& release) {
    const auto line = [](const place::Displacement& moved) {
      return fmt::format("mean {:.1f} m, median {:.1f} m, 95 % within {:.1f} m", moved.mean_m, moved.median_m,
                         moved.p95_m);
    };
    return "PRIVATE: " + private_warning() + "\n" +
           fields({{"records", grouped(release.records)},
                   {"moved by road", line(release.road)},
                   {"straight", line(release.straight)}});
  }

  std::string as_text(const roads::RoadNetwork& map, const place::VertexMechanism& mechanism,
                      const Result& result) const {
    std::string text =
        fields({{"network", fmt::format("{}: {} vertices, {} roads", map.source, grouped(map.vertex_count()),
                                        grouped(map.graph.edge_count()))},
                {"mechanism",
                 fmt::format("{}{}, epsilon {} per metre", place_.mechanism,
                             place_.remap ? " with remap" : "", mechanism.guarantee().epsilon().to_string())},
                {"range", fmt::format("{} of {} vertices", grouped(mechanism.range().size()),
                                      grouped(map.vertex_count()))},
                {"prior", prior_name()}});
    for (const std::string& remark : mechanism.remarks()) text += remark + "\n";
    text += result.all ? table(*result.all)
                       : fmt::format("Q_loss by road: {}\n{}\n", to_text(*result.q_loss), too_large());
    if (result.release) text += table(*result.release);
    return text;
  }

  PlaceBlock place_;
  std::string metric_ = "road";
  std::string truth_, released_;
  double max_snap_m_ = 500;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> place_measure() {
  return std::make_unique<PlaceMeasure>();
}

}  // namespace fogline::cli
