// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "io/gzip.hpp"
#include "path/public_path_file.hpp"
#include "path/published.hpp"
#include "release/kinds.hpp"
#include "release/path_fields.hpp"

namespace fogline::release {
namespace {

class PathRelease : public Release {
 public:
  std::string kind() const override { return "path"; }

  void declare(FieldTable& table) override {
    from.declare(table, "ROUTE", "the private route, one vertex a line; - for standard input");
    network_.declare(table, "the network: CSV of roads source,target, OSM and others");
    table.flag("published", published_, "the paper's layered graph; promises nothing");
    path_.declare(table);
    to.ledger.declare(table);
    to.output.declare(table);
    to.seed.declare(table);
    table.states(path::PathTerms::listed());
  }

  privacy::Statement resolve(Caller&) override {
    if (to.output.name() != "-" && !to.output.output.ends_with(".json") &&
        !to.output.output.ends_with(".json.gz"))
      throw InvalidOption("output", "must end in .json or .json.gz, or be -");
    if (from.is_guarded && !path_.two_sided && !published_)
      throw InvalidOption(
          "two-sided",
          "is needed with `guarded`: the one-sided form shows every step of the route for certain, "
          "at any epsilon, to whoever named the network");
    terms_ = published_ ? published_terms() : path_.terms();
    return draft();
  }

  void load(Caller& caller) override { map_ = network_.read(caller, corridor()); }

  privacy::Statement prepare(Caller& caller) override {
    if (published_) {
      caller.warn(fmt::format("THIS FORM PROMISES NOTHING: {}", path::published_guarantee().reason()));
      return draft();
    }
    labels_.emplace(terms_.options(map_));
    if (terms_.form == path::PathForm::one_sided && !map_.position.empty())
      caller.warn(
          "whoever has this network reads the route: if it is a public street map, the one-sided form hides "
          "nothing from "
          "anybody; `two-sided` bounds what each label tells");
    return draft();
  }

  void take(Caller& caller) override {
    io::TextSource source = from.open(caller);
    route_ = path::read_route(source, map_, network_.options(corridor()));
    if (published_) {
      path::PublishedPath(published_options()).require(map_, route_);
      return;
    }
    labels_->require({map_, route_});
  }

  privacy::DrawnInPieces draw(const random::Key& key, const privacy::WriteOutput& write, Caller&) override {
    random::Stream noise = key.stream("path");
    const path::PublicPath shown = published_
                                       ? path::PublishedPath(published_options()).release(map_, route_, noise)
                                       : labels_->release({map_, route_}, noise);
    vertices_ = shown.names.size();
    stops_ = shown.stops.size();
    const std::string text = path::to_json(shown);
    write(to.output.output.ends_with(".gz") ? io::gzip(text) : text);
    return stops_;
  }

  Told tell(const privacy::Released& released, Caller&) const override {
    Told told{
        .record = "stop",
        .rows = {{"vertices", fmt::format("{}, with {} stops", grouped(vertices_), grouped(stops_))}},
        .json = nlohmann::ordered_json{{"mechanism", released.statement.mechanism}, {"vertices", vertices_}}};
    if (labels_) tell_parts(told);
    return told;
  }

  std::vector<std::string> inputs() const override { return path::map_files(network_.network); }

  /// A document that is cut short holds none.
  std::function<std::uint64_t(std::string_view)> records_in() const override {
    return [](std::string_view) { return 0; };
  }

 private:
  path::Corridor corridor() const { return published_ ? path::Corridor{} : terms_.corridor(); }

  path::PublishedOptions published_options() const {
    return {.epsilon_vertices = terms_.epsilon_vertices, .epsilon_edges = terms_.epsilon_edges};
  }

  privacy::Statement draft() const {
    if (!published_) return terms_.draft();
    return path::published_draft(
        {.epsilon_vertices = terms_.epsilon_vertices, .epsilon_edges = terms_.epsilon_edges});
  }

  path::PathTerms published_terms() const {
    if (path_.two_sided || path_.visits > 0 || path_.every_vertex || path_.no_direction ||
        !path_.from.empty() || !path_.to.empty() || !path_.area.empty() || !path_.stretch.empty() ||
        !path_.epsilon_direction.empty() || path_.persons.bound().most > 0)
      throw InvalidOption("published",
                          "takes `epsilon-vertices` and `epsilon-edges` only: the paper knows no other");
    PathFields epsilons;
    epsilons.epsilon_edges = path_.epsilon_edges;
    epsilons.epsilon_vertices = path_.epsilon_vertices;
    return epsilons.terms();
  }

  void tell_parts(Told& told) const {
    const path::GuaranteeParts parts = labels_->parts();
    if (parts.other_stops > 0 || parts.visit > 0)
      told.rows.emplace_back(
          "epsilon is",
          fmt::format(
              "{:.3f} for the road's own pair of stops, {:.3f} for its others, {:.3f} for a visit at an end",
              parts.pair, parts.other_stops, parts.visit));
    if (labels_->options().form == path::PathForm::one_sided)
      told.rows.emplace_back(
          "read by", "everybody who knows the roads; an attack on the release says what others can learn");
  }

  RouteNetworkFields network_;
  PathFields path_;
  bool published_ = false;

  path::PathTerms terms_;
  path::RouteMap map_;
  path::Route route_;
  std::optional<path::PathLabels> labels_;  // of the sound form
  std::size_t vertices_ = 0, stops_ = 0;    // that were drawn
};

}  // namespace

std::unique_ptr<Release> path_release() {
  return std::make_unique<PathRelease>();
}

}  // namespace fogline::release
