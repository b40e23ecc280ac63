// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "audit/statements/recompute_parts.hpp"
#include "base/error.hpp"
#include "io/graph_file.hpp"
#include "report/graph_layout.hpp"
#include "report/map_parts.hpp"
#include "report/release_view.hpp"
#include "roads/read_network.hpp"
#include "weights/estimates/prior_file.hpp"
#include "weights/graph/matched_files.hpp"
#include "weights/measures/attacks.hpp"
#include "weights/measures/measures.hpp"
#include "weights/mechanisms/catalogue.hpp"
#include "weights/terms.hpp"

namespace fogline::report {
namespace {

constexpr std::size_t most_edges_read = 2'000'000;
constexpr std::uint64_t most_points_for_tables = 1'000;  ///< of the grid
constexpr std::uint64_t most_sources = 200;              ///< of shortest paths, on large graphs

class WeightPictures {
 public:
  WeightPictures(const ReleaseView& view, Document& document)
      : view_(view), document_(document), file_(view.released_file()) {
    if (view.statement.outputs.front().records > most_edges_read)
      throw audit::NotAtHand{fmt::format("it has more than {} edges", most_edges_read)};
    const auto names = weights::mechanism_names();
    if (view.statement.form == privacy::Form::sound &&
        std::ranges::find(names, view.statement.mechanism) != names.end())
      terms_ = weights::terms_from(view.statement);
    io::GraphReadOptions reading;
    if (terms_) reading.directed = terms_->directed;
    released_ = io::read_graph(file_, reading);
    place_vertices();
  }

  std::vector<Section> sections() {
    std::vector<Section> all{released()};
    if (terms_ && terms_->prior != weights::PriorSource::noisy) {
      all.push_back(expected());
      if (view_.attack && terms_->grid.is_finite() && terms_->grid.points() <= most_points_for_tables)
        all.push_back(attacks());
    }
    if (terms_ && terms_->prior == weights::PriorSource::noisy)
      all.push_back(left_out_section("Privacy against utility",
                                     "the mechanism follows from a noisy prior that is not published"));
    if (!view_.original.empty() && !terms_)
      throw InvalidOption("original",
                          "of a published form cannot be shown here: measure the release by itself");
    if (!view_.original.empty()) all.push_back(measured());
    return all;
  }

 private:
  std::vector<double> prior() const {
    if (!terms_->prior_file) return {};
    return weights::read_prior(
        audit::at_hand(terms_->prior_file->name, terms_->prior_file->sha256, view_.files), terms_->grid);
  }

  /// From the public network whose vertices have the same names; else laid out by who is joined with whom.
  void place_vertices() {
    if (!view_.roads.empty()) {
      place_by_name(roads::read_network(view_.roads, {}));
      if (!place_.empty()) return;
    }
    if (released_.vertex_count() > most_laid_out) return;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::size_t e = 0; e < released_.edge_count(); ++e)
      edges.emplace_back(released_.source[e], released_.target[e]);
    place_ = graph_layout(released_.vertex_count(), edges);
  }

  void place_by_name(const roads::RoadNetwork& network) {
    const ToPlane plane = plane_of(network);
    std::unordered_map<std::string, graph::VertexId> known;
    for (graph::VertexId v = 0; v < network.vertex_count(); ++v) known.emplace(roads::name_of(network, v), v);
    std::vector<geometry::PointXY> place;
    for (std::uint32_t v = 0; v < released_.vertex_count(); ++v) {
      const auto found = known.find(released_.vertices.name(v));
      if (found == known.end()) return;
      place.push_back(plane(network.position[found->second]));
    }
    place_ = std::move(place);
    on_map_ = true;
  }

  /// The edges as lines, coloured by these weights on one scale for all.
  MapLines edges(const std::string& name, std::span<const double> weight) {
    PlaneColumn lines;
    for (std::size_t e = 0; e < released_.edge_count(); ++e) {
      lines.add(place_[released_.source[e]]);
      lines.add(place_[released_.target[e]]);
      lines.end_line();
    }
    return {.name = name,
            .colour = MapColour::by("weight", document_.add(as_floats(weight))),
            .points = lines.points(document_),
            .starts = lines.starts(document_),
            .width = released_.edge_count() > 5'000 ? 1.2 : 2.5};
  }

  std::pair<double, double> range() const {
    if (terms_ && terms_->grid.is_finite())
      return {terms_->grid.value(0),
              terms_->grid.value(static_cast<std::int64_t>(terms_->grid.points()) - 1)};
    const auto [low, high] = std::ranges::minmax_element(released_.weight);
    return {*low, *high > *low ? *high : *low + 1};
  }

  MapBlock map(std::string title) const {
    PlaneColumn all;
    for (const auto& at : place_) all.add(at);
    const auto [low, high] = range();
    return {
        .title = std::move(title),
        .description = fmt::format("{} vertices and {} edges, coloured by weight from {:g} to {:g}.",
                                   released_.vertex_count(), released_.edge_count(), low, high),
        .note = on_map_ ? "" : "The graph has no places; vertices that are joined were laid near each other.",
        .metres = on_map_,
        .box = all.box(),
        .scales = {
            {.id = "weight", .label = "weight", .kind = MapScale::Kind::linear, .low = low, .high = high}}};
  }

  Section released() {
    const auto [low, high] = range();
    PlotBlock plot{.title = "Released weights",
                   .note = fmt::format("{} edges.", released_.edge_count()),
                   .x = {.label = "weight"},
                   .y = {.label = "share of edges", .log = false, .from_zero = true},
                   .mark = PlotBlock::Mark::bars,
                   .series = {histogram("released", released_.weight, low, high, 40)}};
    Section section{.title = "What was released", .blocks = {std::move(plot)}};
    if (!place_.empty()) {
      MapBlock block = map("The network by released weight");
      block.views.push_back({.title = "", .layers = {edges("released weight", released_.weight)}});
      section.blocks.push_back(std::move(block));
    } else {
      section.blocks.push_back(
          Words{.paragraphs = {fmt::format("The network is not drawn: it has more than {} vertices, and no "
                                           "places; a road network places them "
                                           "by their names.",
                                           most_laid_out)}});
    }
    return section;
  }

  Section expected() const {
    const std::vector<double> likely = prior();
    PlotBlock plot{
        .title = "Expected error over epsilon",
        .note =
            "Of one weight, under the public prior, before estimates; beside the best constant, which costs "
            "nothing, and, where it is known, the least that any release with this guarantee can reach.",
        .x = {.label = "epsilon", .log = true},
        .y = {.label = "expected error of a weight", .log = false, .from_zero = true},
        .marks = {{terms_->epsilon_of_weights().value().to_double(), "this release"}}};
    PlotBlock::Series error{.name = terms_->mechanism}, floor{.name = "no release can do better"},
        constant{.name = "best constant"};
    for (const std::uint64_t eighths : {1U, 2U, 4U, 8U, 16U, 32U, 64U}) {
      weights::MechanismChoice choice = terms_->choice(likely);
      const Rational epsilon = terms_->epsilon_of_weights().value() * eighths / 8;
      try {
        choice.epsilon = privacy::Epsilon(epsilon);
      } catch (const InvalidOption&) {
        continue;  // beyond the largest epsilon there is
      }
      const weights::Prediction found = weights::make_mechanism(choice)->predict(likely);
      error.x.push_back(epsilon.to_double());
      error.y.push_back(found.expected_error);
      if (terms_->grid.is_finite()) {  // without an end no constant is known to be good
        constant.x.push_back(epsilon.to_double());
        constant.y.push_back(found.best_constant);
      }
      if (!found.floor) continue;
      floor.x.push_back(epsilon.to_double());
      floor.y.push_back(*found.floor);
    }
    plot.series = {std::move(error)};
    if (!constant.x.empty()) plot.series.push_back(std::move(constant));
    if (!floor.x.empty()) plot.series.push_back(std::move(floor));
    Section section{.title = "Privacy against utility", .blocks = {std::move(plot)}};
    if (const auto law = error_law(likely)) section.blocks.push_back(*law);
    return section;
  }

  /// How often a weight errs by how much, under the prior.
  std::optional<PlotBlock> error_law(const std::vector<double>& likely) const {
    if (!terms_->grid.is_finite() || terms_->grid.points() > most_points_for_tables) return std::nullopt;
    const auto mechanism = weights::make_mechanism(terms_->choice(likely));
    if (mechanism->outputs() == 0) return std::nullopt;
    const kernel::Table table = weights::likelihood_table(*mechanism);
    const auto points = static_cast<std::int64_t>(terms_->grid.points());
    const double widest = terms_->grid.value(points - 1) - terms_->grid.value(0);
    constexpr std::size_t bins = 40;
    PlotBlock::Series series{.name = "expected"};
    series.y.assign(bins, 0);
    for (std::size_t bin = 0; bin < bins; ++bin) {
      series.x.push_back(widest * static_cast<double>(bin) / bins);
      series.x2.push_back(widest * static_cast<double>(bin + 1) / bins);
    }
    for (std::int64_t point = 0; point < points; ++point) {
      const double weight =
          likely.empty() ? 1.0 / static_cast<double>(points) : likely[static_cast<std::size_t>(point)];
      for (std::size_t out = 0; out < mechanism->outputs(); ++out) {
        const double error =
            std::abs(mechanism->weight(static_cast<std::int64_t>(out)) - terms_->grid.value(point));
        const auto bin = std::min(bins - 1, static_cast<std::size_t>(error / widest * bins));
        series.y[bin] += weight * table(static_cast<Eigen::Index>(point), static_cast<Eigen::Index>(out));
      }
    }
    return PlotBlock{.title = "How much a weight errs",
                     .note = "Probability of each error of the drawn weight, under the public prior.",
                     .x = {.label = "error of a weight", .log = false, .from_zero = true},
                     .y = {.label = "probability", .log = false, .from_zero = true},
                     .mark = PlotBlock::Mark::bars,
                     .series = {std::move(series)}};
  }

  Section attacks() const {
    const std::vector<double> likely = prior();
    const auto mechanism = weights::make_mechanism(terms_->choice(likely));
    const weights::WeightAttacks found = weights::attack(*mechanism, likely);
    const auto share = [](double value) { return fmt::format("{:.2f} %", 100 * value); };
    Table table{.caption = "How often the best attacker is right, who knows the mechanism and the prior",
                .columns = {"question", "with the release", "without"}};
    const auto add = [&](const char* question, double with, double without, double bound) {
      table.rows.push_back({std::string(question), share(with), share(without)});
      if (view_.holds()) table.rows.back().push_back(share(bound));
    };
    if (view_.holds()) table.columns.push_back("what the guarantee allows");
    add("which of two edges is the heavier", found.order.success, found.order.without, found.order.bound);
    add("are two weights equal", found.equality.success, found.equality.without, found.equality.bound);
    add("what is one weight exactly", found.one_edge.hits, found.one_edge.hits_without,
        found.one_edge.hits_bound);
    return {.title = "Attacks",
            .note = "Computed from the mechanism's probabilities; no private weight is looked at.",
            .blocks = {std::move(table)}};
  }

  Section measured() {
    weights::MatchOptions matching{.directed = terms_->directed, .columns = view_.reading.columns};
    const weights::MatchedGraphs graphs = weights::read_matched(view_.original, file_, matching);
    const weights::Measures found =
        weights::measure(graphs.shape, graphs.weight, graphs.released,
                         {.sources = graphs.shape.vertices > 2'000 ? most_sources : 0,
                          .threads = view_.files.threads,
                          .progress = view_.files.progress});
    Table table{.caption = "What the release keeps", .columns = {"measure", "value", "meaning"}};
    table.rows = {{"WARE", found.ware, "mean error of a weight"},
                  {"best constant", found.best_constant, "the same with the private median on every edge"},
                  {"KSP", found.ksp,
                   fmt::format("{} of {} shortest paths are the same", found.kept_pairs, found.pairs)},
                  {"KSP, any", found.ksp_any, "the path is one of the shortest"}};
    if (found.lare)
      table.rows.push_back({"LARE", *found.lare, "mean error in length of the paths that are the same"});
    std::vector<double> errors(graphs.weight.size());
    for (std::size_t e = 0; e < errors.size(); ++e) errors[e] = graphs.released[e] - graphs.weight[e];
    const double widest = std::max(
        1e-9, std::abs(*std::ranges::max_element(errors, {}, [](double error) { return std::abs(error); })));
    PlotBlock plot{.title = "Errors of the weights",
                   .note = "Released less private.",
                   .x = {.label = "error"},
                   .y = {.label = "share of edges", .log = false, .from_zero = true},
                   .mark = PlotBlock::Mark::bars,
                   .series = {histogram("measured", errors, -widest, widest, 41)}};
    Section section{.title = "Measured error",
                    .note = "Exact figures of private weights.",
                    .is_private = true,
                    .blocks = {std::move(table), std::move(plot)}};
    if (place_.empty()) return section;
    MapBlock block = map("The network by weight, before and after, on one scale");
    const auto before = weights::match_weights(
        released_,
        io::read_graph(view_.original, {.directed = terms_->directed, .columns = view_.reading.columns}));
    block.views.push_back(
        {.title = "before", .is_private = true, .layers = {edges("private weight", before)}});
    block.views.push_back({.title = "after", .layers = {edges("released weight", released_.weight)}});
    section.blocks.push_back(std::move(block));
    return section;
  }

  const ReleaseView& view_;
  Document& document_;
  std::string file_;
  std::optional<weights::WeightTerms> terms_ = {};  ///< of a sound mechanism of weights
  io::GraphTable released_ = {};
  std::vector<geometry::PointXY> place_ = {};
  bool on_map_ = false;
};

/// Distances are a table, and no graph.
bool is_of_distances(const privacy::Statement& statement) {
  return statement.mechanism == "distances";
}

}  // namespace

std::vector<Section> weights_sections(const ReleaseView& view, Document& document) {
  if (is_of_distances(view.statement) && !view.original.empty())
    throw InvalidOption("original", "of distances cannot be measured here");
  if (is_of_distances(view.statement))
    return {left_out_section("Pictures", "distances are a table of pairs; no picture of it is made")};
  return WeightPictures(view, document).sections();
}

}  // namespace fogline::report
