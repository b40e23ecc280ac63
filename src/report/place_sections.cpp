// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "audit/statements/recompute_parts.hpp"
#include "base/error.hpp"
#include "graph/dijkstra.hpp"
#include "io/points.hpp"
#include "place/attacks.hpp"
#include "place/catalogue.hpp"
#include "place/displacement.hpp"
#include "place/measures.hpp"
#include "place/positions.hpp"
#include "place/prior_file.hpp"
#include "place/range_file.hpp"
#include "place/released_file.hpp"
#include "place/tables.hpp"
#include "place/terms.hpp"
#include "place/vertex_lookup.hpp"
#include "report/map_parts.hpp"
#include "report/release_view.hpp"

namespace fogline::report {
namespace {

using graph::VertexId;

constexpr std::size_t landmarks = 8;
constexpr std::size_t most_for_attacks = 1'500;  ///< vertices: whole tables, in about a second
constexpr std::size_t most_for_tradeoff =
    6'000;                                     ///< vertices: a mean over a sample of them, for each epsilon
constexpr std::size_t most_for_tight = 500;    ///< vertices: its roads are calibrated for each epsilon
constexpr std::size_t most_for_optimal = 150;  ///< vertices: the solver takes about a second
constexpr std::uint64_t quick_work = 100'000;  ///< for errors that are shown side by side
constexpr std::size_t most_records_drawn = 20'000;

void sort_by_x(PlotBlock::Series& series) {
  std::vector<std::pair<double, double>> points;
  for (std::size_t i = 0; i < series.x.size(); ++i) points.emplace_back(series.x[i], series.y[i]);
  std::ranges::sort(points);
  for (std::size_t i = 0; i < points.size(); ++i) std::tie(series.x[i], series.y[i]) = points[i];
}

std::array<double, 4> united(const std::array<double, 4>& a, const std::array<double, 4>& b) {
  return {std::min(a[0], b[0]), std::min(a[1], b[1]), std::max(a[2], b[2]), std::max(a[3], b[3])};
}

/// What the report shows of a release of positions.
class PlacePictures {
 public:
  PlacePictures(const ReleaseView& view, Document& document)
      : view_(view),
        document_(document),
        terms_(place::terms_from(view.statement)),
        map_(audit::network_at_hand(terms_.network, view.files)),
        plane_(plane_of(map_)),
        roads_(road_lines(map_, plane_)),
        choice_{.name = terms_.mechanism,
                .epsilon = terms_.epsilon,
                .unit = terms_.unit_of_report(),
                .remap = terms_.remap,
                .threads = view.files.threads,
                .progress = view.files.progress} {
    if (terms_.range)
      choice_.range =
          place::read_range(audit::at_hand(terms_.range->name, terms_.range->sha256, view.files), map_);
    if (terms_.prior)
      choice_.prior =
          place::read_prior(audit::at_hand(terms_.prior->name, terms_.prior->sha256, view.files), map_);
    mechanism_ = place::make_place_mechanism(map_, choice_);
  }

  std::vector<Section> sections() {
    std::vector<Section> all;
    all.push_back(released_map());
    if (mechanism_->on_vertices() != nullptr) all.push_back(heat_map());
    all.push_back(distances());
    all.push_back(map_.vertex_count() <= most_for_tradeoff
                      ? tradeoff()
                      : left_out_section("Privacy against utility",
                                         fmt::format("the map has more than {} vertices; a plan tells the "
                                                     "expected error of each mechanism",
                                                     most_for_tradeoff)));
    if (view_.attack && mechanism_->on_vertices() != nullptr)
      all.push_back(map_.vertex_count() <= most_for_attacks
                        ? attacks()
                        : left_out_section(
                              "Attacks", fmt::format("the map has more than {} vertices; cut out a part and "
                                                     "attack that",
                                                     most_for_attacks)));
    if (!view_.original.empty()) all.push_back(measured());
    return all;
  }

 private:
  place::ReleasedFile released() const {
    const bool on_plane = mechanism_->on_plane() != nullptr;
    const std::string& name = view_.statement.outputs.front().name;
    return place::read_released(view_.released_file(), place::released_format(name),
                                on_plane ? place::ReleasedPlaces::points : place::ReleasedPlaces::vertices);
  }

  std::vector<VertexId> vertices_of_file(const place::ReleasedFile& file) const {
    const auto lookup = place::vertex_lookup(map_);
    std::vector<VertexId> vertices;
    for (const std::string& name : file.vertices) {
      const auto vertex = lookup(name);
      if (!vertex)
        throw DataError({view_.statement.outputs.front().name, 0, vertices.size() + 1},
                        "names a vertex that the network does not have");
      vertices.push_back(*vertex);
    }
    return vertices;
  }

  Section released_map() {
    Section section{.title = "Where it was released"};
    try {
      const place::ReleasedFile file = released();
      PlaneColumn points;
      const std::size_t shown = std::min(file.records(), most_records_drawn);
      const std::vector<VertexId> vertices = vertices_of_file(file);
      for (std::size_t i = 0; i < shown; ++i)
        points.add(plane_(vertices.empty() ? file.points[i] : map_.position[vertices[i]]));
      const bool few = shown <= 20;
      const auto& error = view_.statement.expected_error;
      MapBlock block{
          .title = shown == 1 ? "The released position" : "The released positions",
          .description =
              fmt::format("A map of {} roads with {} released position{}{}.", map_.roads.size(), shown,
                          shown == 1 ? "" : "s",
                          few && error ? ", each in a circle with the expected error as its radius" : ""),
          .note =
              shown < file.records() ? fmt::format("The first {} of {} records.", shown, file.records()) : "",
          .box = united(roads_.box(), points.box())};
      block.views.push_back(
          {.title = "",
           .layers = {ground_of(roads_, document_), MapPoints{.name = "released",
                                                              .colour = MapColour::of(0),
                                                              .points = points.points(document_),
                                                              .radius = few ? 6.0 : 3.0,
                                                              .halo_m = few && error ? error->value : 0}}});
      section.blocks.push_back(std::move(block));
    } catch (const audit::NotAtHand& reason) {
      return missing_section(section.title, for_page(view_, reason.why));
    }
    return section;
  }

  /// Vertices far from one another, by road: the first is the one nearest to the middle of the map. Public, like the map.
  std::vector<VertexId> places_to_stand() const {
    const auto box = roads_.box();
    const double x = (box[0] + box[2]) / 2, y = (box[1] + box[3]) / 2;
    VertexId middle = 0;
    double nearest = std::numeric_limits<double>::infinity();
    for (VertexId v = 0; v < map_.vertex_count(); ++v) {
      const geometry::PointXY at = plane_(map_.position[v]);
      const double distance = std::hypot(at.x_m - x, at.y_m - y);
      if (distance < nearest) {
        nearest = distance;
        middle = v;
      }
    }
    std::vector<VertexId> chosen{middle};
    graph::Dijkstra search(map_.graph);
    std::vector<graph::DistanceMm> to_chosen(map_.vertex_count(),
                                             std::numeric_limits<graph::DistanceMm>::max());
    while (chosen.size() < std::min(landmarks, map_.vertex_count())) {
      const auto from_last = search.one_to_all(chosen.back());
      for (std::size_t v = 0; v < to_chosen.size(); ++v) to_chosen[v] = std::min(to_chosen[v], from_last[v]);
      const auto farthest = std::ranges::max_element(to_chosen);
      if (*farthest == 0) break;
      chosen.push_back(static_cast<VertexId>(farthest - to_chosen.begin()));
    }
    return chosen;
  }

  Section heat_map() {
    const place::VertexMechanism& mechanism = *mechanism_->on_vertices();
    const std::vector<VertexId> stands = places_to_stand();
    const auto range = mechanism.range();
    PlaneColumn points, truths;
    for (const VertexId vertex : range) points.add(plane_(map_.position[vertex]));
    std::vector<double> row(range.size());
    std::vector<float> values;
    MapControl control{.id = view_.id + "-stand", .label = "If the true place were", .slider = false};
    double highest = 0, most_itself = 0;
    for (std::size_t i = 0; i < stands.size(); ++i) {
      mechanism.probabilities(stands[i], row);
      const auto itself = std::ranges::find(range, stands[i]);
      if (itself != range.end())
        most_itself = std::max(most_itself, row[static_cast<std::size_t>(itself - range.begin())]);
      highest = std::max(highest, *std::ranges::max_element(row));
      const auto numbers = as_floats(row);
      values.insert(values.end(), numbers.begin(), numbers.end());
      truths.add(plane_(map_.position[stands[i]]));
      control.places.push_back(fmt::format("{} (vertex {})",
                                           i == 0 ? "the middle of the map" : fmt::format("far place {}", i),
                                           roads::name_of(map_, stands[i])));
    }
    MapBlock block{
        .title = "How likely each vertex is to be released",
        .description = fmt::format(
            "Probability of each of {} vertices to come out, for {} true places to choose from. It is "
            "highest near the true place and falls with the distance by road.",
            range.size(), stands.size()),
        .note =
            "The true places are chosen by a public rule: the middle of the map and places far from "
            "one another. Nobody's position is among them but by chance.",
        .box = roads_.box(),
        .control = std::move(control),
        .scales = {{.id = "probability",
                    .label = "probability",
                    .kind = MapScale::Kind::log,
                    .low = highest / 1e4,
                    .high = highest}}};
    block.views.push_back(
        {.title = "",
         .layers = {ground_of(roads_, document_),
                    MapPoints{.name = "probability",
                              .colour = MapColour::by("probability", document_.add(values), stands.size()),
                              .points = points.points(document_),
                              .radius = range.size() > 20'000 ? 2.0 : 4.0},
                    MapPoints{.name = "true place",
                              .colour = MapColour::of(1),
                              .points = truths.points(document_),
                              .radius = 7,
                              .at_place = true}}});
    Section section{.title = "What could have come out"};
    if (most_itself > 0.5)
      section.note = fmt::format(
          "A place with no others near it is hardly hidden, which a promise by distance allows: at one of "
          "these the true vertex "
          "itself comes out {:.0f} times in 100.",
          100 * most_itself);
    section.blocks.push_back(std::move(block));
    return section;
  }

  /// Distances that the promise and the noise are about, in metres.
  Section distances() {
    Section section{.title = "Protection and accuracy, in metres"};
    Fields fields;
    if (view_.holds()) add_protection(fields, section);
    if (const place::VertexMechanism* mechanism = mechanism_->on_vertices()) {
      const auto [lengths, shares] = displacement_law(*mechanism);
      for (const double share : {0.5, 0.95})
        fields.rows.emplace_back(fmt::format("accuracy, {:.0f} %", 100 * share),
                                 fmt::format("of the outputs lie within {:.0f} m of road of the truth",
                                             std::ceil(quantile(lengths, shares, share))));
      PlotBlock accuracy{.title = "How far outputs lie from the truth",
                         .note = "Share of outputs within a distance by road; " + law_of_truth_ + ".",
                         .x = {.label = "road from truth to output [m]", .log = false, .from_zero = true},
                         .y = {.label = "share of outputs", .log = false, .from_zero = true}};
      PlotBlock::Series curve{.name = terms_.mechanism};
      const double end = quantile(lengths, shares, 0.99);
      for (int i = 0; i <= 60; ++i) {
        curve.x.push_back(end * i / 60);
        curve.y.push_back(share_within(lengths, shares, end * i / 60));
      }
      accuracy.series.push_back(std::move(curve));
      section.blocks.push_back(std::move(accuracy));
    }
    add_snapping(fields);
    if (section.blocks.empty())
      section.blocks.push_back(
          Words{.paragraphs = {"Nothing is promised, and points of the plane have no road to them."}});
    section.blocks.insert(section.blocks.begin(), std::move(fields));
    return section;
  }

  /// What moving positions to vertices costs beside the noise: from public roads, and said in the statement.
  void add_snapping(Fields& fields) const {
    const roads::SnapDistance snap = roads::snap_distance(map_.graph);
    const graph::LengthMm spacing_mm = terms_.network.reading.spacing_mm;
    fields.rows.emplace_back(
        "snapping",
        fmt::format("a point on a road lies {:.1f} m from a vertex in the mean, and at most {:.1f} m{}",
                    snap.mean_m, snap.largest_m,
                    spacing_mm == 0 ? "" : fmt::format("; spacing {:g} m", spacing_mm / 1e3)));
    if (const auto& error = view_.statement.expected_error)
      fields.rows.emplace_back(
          "noise and snapping",
          fmt::format("together at most {:.1f} m in the mean, in a straight line: the sum of the two",
                      error->value + snap.mean_m));
  }

  /// What the guarantee says of two places, for all reports that it covers.
  void add_protection(Fields& fields, Section& section) const {
    const double epsilon = view_.statement.guarantee.epsilon().to_double();
    const std::string whose =
        terms_.reports_per_person > 1
            ? fmt::format(" by all {} reports of a person together", terms_.reports_per_person)
            : "";
    for (const double factor : {2.0, std::numbers::e, 10.0})
      fields.rows.emplace_back(
          fmt::format("protection, factor {:.3g}", factor),
          fmt::format("places up to {:.1f} m of road apart are told apart by at most this factor{}",
                      std::floor(std::log(factor) / epsilon * 10) / 10, whose));
    PlotBlock protection{
        .title = "How well places are told apart",
        .note =
            "The largest factor between the probabilities of what is released from two places" + whose + ".",
        .x = {.label = "road between two places [m]", .log = false, .from_zero = true},
        .y = {.label = "largest factor", .log = true},
        .marks = {{1 / epsilon, "1 / epsilon"}}};
    PlotBlock::Series bound{.name = "promised"};
    for (int i = 0; i <= 40; ++i) {
      bound.x.push_back(i * 5.0 / 40 / epsilon);
      bound.y.push_back(std::exp(i * 5.0 / 40));
    }
    protection.series.push_back(std::move(bound));
    section.blocks.push_back(std::move(protection));
  }

  /// Distances from truth to output, increasing, and the share of outputs up to each: for truths by the prior, or all alike, at vertices spread evenly over their numbers.
  std::pair<std::vector<double>, std::vector<double>> displacement_law(
      const place::VertexMechanism& mechanism) {
    const std::size_t most = map_.vertex_count() > 20'000 ? 10 : 60;
    const std::size_t truths = std::min(map_.vertex_count(), most);
    const auto prior = place::prior_or_uniform(choice_.prior, map_.vertex_count());
    law_of_truth_ = truths < map_.vertex_count()
                        ? fmt::format("over {} vertices chosen by a public rule", truths)
                        : "over all vertices";
    law_of_truth_ += terms_.prior ? ", weighed by the public prior" : ", all alike";
    const auto range = mechanism.range();
    std::vector<double> row(range.size());
    std::vector<std::pair<double, double>> law;
    graph::Dijkstra search(map_.graph);
    double all = 0;
    for (std::size_t i = 0; i < truths; ++i) {
      const auto truth = static_cast<VertexId>(i * map_.vertex_count() / truths);
      if (prior[truth] <= 0) continue;
      all += prior[truth];
      mechanism.probabilities(truth, row);
      const auto distance = search.one_to_all(truth);
      for (std::size_t k = 0; k < range.size(); ++k)
        if (row[k] > 0)
          law.emplace_back(static_cast<double>(distance[range[k]]) / 1000, row[k] * prior[truth]);
    }
    if (law.empty()) return {{0}, {1}};
    std::ranges::sort(law);
    std::vector<double> lengths, shares;
    double sum = 0;
    for (const auto& [length, share] : law) {
      lengths.push_back(length);
      shares.push_back(sum += share / all);
    }
    return {std::move(lengths), std::move(shares)};
  }

  static double quantile(const std::vector<double>& lengths, const std::vector<double>& shares,
                         double share) {
    const auto at = std::ranges::lower_bound(shares, share);
    return lengths[static_cast<std::size_t>(std::min(at, shares.end() - 1) - shares.begin())];
  }

  static double share_within(const std::vector<double>& lengths, const std::vector<double>& shares,
                             double length) {
    const auto after = std::ranges::upper_bound(lengths, length);
    return after == lengths.begin() ? 0 : shares[static_cast<std::size_t>(after - lengths.begin()) - 1];
  }

  std::unique_ptr<place::PlaceMechanism> another(std::string_view name,
                                                 const privacy::EpsilonPerMetre& epsilon) const {
    place::MechanismChoice choice = choice_;
    choice.name = name;
    choice.epsilon = epsilon;
    if (place::mechanism_kind(name).releases_points()) {
      choice.remap = false;
      choice.range.clear();
    }
    return place::make_place_mechanism(map_, choice);
  }

  /// All mechanisms over epsilon, and side by side at the present one. One that cannot be built here is left out, and the note says so.
  Section tradeoff() {
    PlotBlock plot{.title = "Expected error over epsilon",
                   .note =
                       "Mean distance from truth to output, every vertex equally likely or by the public "
                       "prior (above 500 vertices over a public "
                       "sample of 50); by "
                       "road, for plm in a straight line.",
                   .x = {.label = "epsilon [1/m]", .log = true},
                   .y = {.label = "expected error [m]", .log = true},
                   .marks = {{terms_.epsilon.value().to_double(), "this release, one report"}}};
    Table table{.caption = "All mechanisms at this epsilon",
                .columns = {"mechanism", "expected error [m]", "remark"}};
    for (const std::string_view name : place::mechanism_names()) {
      const std::size_t most = name == "optimal" ? most_for_optimal
                               : name == "tight" ? most_for_tight
                                                 : most_for_tradeoff;
      if (map_.vertex_count() > most) {
        table.rows.push_back({std::string(name), std::monostate(),
                              fmt::format("not computed here: more than {} vertices", most)});
        continue;
      }
      PlotBlock::Series series{.name = std::string(name)};
      std::string refused;
      for (const std::uint64_t quarters : {4U, 1U, 2U, 8U, 16U}) {
        const Rational epsilon = terms_.epsilon.value() * quarters / 4;
        try {
          const double error = error_of(*another(name, privacy::EpsilonPerMetre(epsilon)));
          series.x.push_back(epsilon.to_double());
          series.y.push_back(error);
          if (quarters == 4) table.rows.push_back({std::string(name), error, remark_of(name)});
        } catch (const InvalidOption& error) {
          if (quarters == 4) refused = for_page(view_, error.what());
        }
      }
      if (!refused.empty()) table.rows.push_back({std::string(name), std::monostate(), refused});
      if (series.x.empty()) continue;
      sort_by_x(series);
      plot.series.push_back(std::move(series));
    }
    return {.title = "Privacy against utility", .blocks = {std::move(plot), std::move(table)}};
  }

  std::string remark_of(std::string_view name) const {
    const std::string straight =
        place::mechanism_kind(name).releases_points() ? "in a straight line, not by road" : "";
    if (name != terms_.mechanism) return straight;
    return straight.empty() ? "this release" : "this release; " + straight;
  }

  double error_of(const place::PlaceMechanism& mechanism) const {
    return mechanism
        .expected_error({.prior = choice_.prior,
                         .work = quick_work,
                         .threads = view_.files.threads,
                         .progress = view_.files.progress})
        .q_loss_m;
  }

  Section attacks() const {
    const place::VertexMechanism& mechanism = *mechanism_->on_vertices();
    const place::TableOptions tables{.threads = view_.files.threads, .progress = view_.files.progress};
    const auto prior = place::prior_or_uniform(choice_.prior, map_.vertex_count());
    const kernel::Table likelihood = place::likelihood_table(mechanism, tables);
    const kernel::Table metres = place::road_table_m(map_.graph, tables);
    Table table{.caption = "Attackers of one report, who know the mechanism, the network and the prior",
                .columns = {"attacker", "mean error [m]", "right"}};
    for (const place::Attacker& attacker : place::attackers(prior, likelihood, metres, mechanism.range()))
      table.rows.push_back({attacker.name, attacker.error_m, fmt::format("{:.2f} %", 100 * attacker.tp)});
    return {.title = "Attacks",
            .note = "Computed from the mechanism's probabilities; no private record is looked at.",
            .blocks = {std::move(table)}};
  }

  Section measured() const {
    io::PointTable points = io::read_points(
        view_.original,
        {.columns = {.map = view_.reading.columns, .needed = {}}, .times = view_.reading.times});
    const auto truth =
        place::vertices_of(points, map_, {.farthest_m = terms_.max_snap_m, .too_far = terms_.too_far});
    const place::ReleasedFile file = released();
    if (file.records() != points.size())
      throw DataError({view_.original}, "has another number of records than the release",
                      "give the positions that were released");
    const place::ReleaseDisplacement moved =
        file.places == place::ReleasedPlaces::points
            ? place::displacement(points, file.points)
            : place::displacement(points, truth, vertices_of_file(file), map_,
                                  {.threads = view_.files.threads});
    Table table{.caption = "How far the positions were moved",
                .columns = {"distance", "mean [m]", "median [m]", "95 % within [m]"}};
    if (moved.road)
      table.rows.push_back({"by road", moved.road->mean_m, moved.road->median_m, moved.road->p95_m});
    table.rows.push_back({"straight", moved.straight.mean_m, moved.straight.median_m, moved.straight.p95_m});
    PlaneColumn truths;
    for (std::size_t i = 0; i < std::min(points.size(), most_records_drawn); ++i)
      truths.add(plane_({points.lon[i], points.lat[i]}));
    MapBlock block{.title = "The true positions",
                   .description = fmt::format("A map of the roads with {} true positions.", truths.size()),
                   .box = roads_.box()};
    block.views.push_back(
        {.title = "",
         .is_private = true,
         .layers = {ground_of(roads_, document_), MapPoints{.name = "true",
                                                            .colour = MapColour::of(1),
                                                            .points = truths.points(document_),
                                                            .radius = 4}}});
    return {.title = "Measured error",
            .note = "Exact figures of private records.",
            .is_private = true,
            .blocks = {std::move(table), std::move(block)}};
  }

  const ReleaseView& view_;
  Document& document_;
  place::PlaceTerms terms_;
  roads::RoadNetwork map_;
  ToPlane plane_;
  PlaneColumn roads_;
  place::MechanismChoice choice_;
  std::unique_ptr<place::PlaceMechanism> mechanism_;
  std::string law_of_truth_ = {};  ///< over which truths the accuracy is averaged
};

}  // namespace

std::vector<Section> place_sections(const ReleaseView& view, Document& document) {
  return PlacePictures(view, document).sections();
}

}  // namespace fogline::report
