// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/path_block.hpp"
#include "cli/release_talk.hpp"
#include "cli/verbs.hpp"
#include "io/gzip.hpp"
#include "path/public_path_file.hpp"
#include "path/published.hpp"

namespace fogline::cli {
namespace {

class PathRelease : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"path", "release"},
        "Publish one route so that those who know the roads can read it, charged to the ledger",
        "Reads a network (a CSV of roads source,target, or an OSM file and other road networks) and a route "
        "(one vertex a "
        "line), charges the ledger, and only then draws and writes a label for every pair of vertices: "
        "candidate, or ruled "
        "out. Who knows which pairs are roads reads the route exactly (fogline path recover).\n\n"
        "The promise is one-sided, and not differential privacy: whatever is published is at most e^epsilon "
        "times as likely "
        "with a road that the route takes as without that road, where epsilon is ln(1 + e^(E/2)) for "
        "--epsilon-edges E. A "
        "pair that is ruled out is certainly no step. What follows from many labels together is not bounded: "
        "see fogline "
        "path attack. If the roads are public, as streets are, everybody reads the route.\n\n"
        "With --two-sided every label says whether its pair is a step of the route and lies with probability "
        "1 / (1 + e^E): "
        "differential privacy for each label. Insiders read the most likely route, and fogline path plan "
        "says how often "
        "that is the true one.\n\n"
        "A route that comes to a vertex more than once needs --visits: each vertex then has that many stops; "
        "with "
        "--epsilon-vertices the number is drawn between what the route needs and --visits. No road is taken "
        "twice.\n\n"
        "In a city, only the vertices of a public corridor are published: inside --area, or between --from "
        "and --to, which "
        "then are public. What is declared as PUBLIC is not protected; a route of which it is not true is "
        "refused.\n\n"
        "--published gives the paper's layered graph, for comparison; it promises nothing.\n\n"
        "If anything is wrong with the input, the options, the output's folder or the budget, nothing is "
        "charged and nothing "
        "is written.",
        {{"a route that may visit a vertex twice",
          "fogline sample path -q && fogline path release --network net.csv route.csv --epsilon-vertices 1 "
          "--epsilon-edges 1 -o public.json --ledger my.ledger --dataset supply"},
         {"differential privacy for each label",
          "fogline sample path -q && fogline path release --network net.csv route.csv --two-sided "
          "--epsilon-edges 4 "
          "--every-vertex -o public.json --ledger my.ledger"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("ROUTE", route_, "the private route, one vertex a line; - for standard input")
        .required();
    network_.declare(options, "the network: CSV of roads source,target, OSM, ...");
    options.flag("--published", published_, "the paper's layered graph; promises nothing");
    path_.declare(options);
    ledger_.declare(options);
    output_.declare(options);
    options.flag("--json", json_, "print what was done as JSON");
    seed_.declare(options);
  }

  int run(Session& session) override {
    output_.statement_path();
    seed_.value();
    if (output_.output != "-" && !output_.output.ends_with(".json") && !output_.output.ends_with(".json.gz"))
      throw InvalidOption("--output", "must end in .json or .json.gz, or be -");
    return published_ ? run_published(session) : run_sound(session);
  }

 private:
  std::string packed(const path::PublicPath& shown) const {
    const std::string text = path::to_json(shown);
    return output_.output.ends_with(".gz") ? io::gzip(text) : text;
  }

  privacy::ReleasePlan plan(privacy::Statement draft, Session& session) const {
    std::vector<std::string> inputs{route_};
    for (const std::string& file : path::map_files(network_.network)) inputs.push_back(file);
    return {.draft = std::move(draft),
            .dataset = ledger_.dataset,
            .ledger = ledger_.path_for_writing(),
            .output = output_.output,
            .statement = output_.statement_path(),
            .overwrite = output_.overwrite,
            .inputs = std::move(inputs),
            .records_in = [](std::string_view) { return 0; },  // a document that is cut short holds none
            .seed = seed_.value(),
            .time_unix_s = session.now()};
  }

  int run_sound(Session& session) {
    const path::PathTerms terms = path_.terms();
    privacy::require_releasable(plan(terms.draft(), session));
    const path::Corridor corridor = terms.corridor();
    const path::RouteMap map = network_.read(session, corridor);
    const path::Route route = path::read_route(route_, map, network_.options(corridor));
    const path::PathLabels labels(terms.options(map));
    labels.require({map, route});
    if (terms.form == path::PathForm::one_sided && !map.position.empty())
      session.warn(
          "whoever has this network reads the route: if it is a public street map, the one-sided form hides "
          "nothing from "
          "anybody; --two-sided bounds what each label tells");
    tell_parts(labels);
    return publish(session, terms.draft(), [&](random::Stream& noise) {
      return labels.release({map, route}, noise);
    });
  }

  void tell_parts(const path::PathLabels& labels) {
    const path::GuaranteeParts parts = labels.parts();
    if (parts.other_stops > 0 || parts.visit > 0)
      told_.emplace_back(
          "epsilon is",
          fmt::format(
              "{:.3f} for the road's own pair of stops, {:.3f} for its others, {:.3f} for a visit at an end",
              parts.pair, parts.other_stops, parts.visit));
    if (labels.options().form == path::PathForm::one_sided)
      told_.emplace_back("read by",
                         "everybody who knows the roads; fogline path attack says what others can learn");
  }

  int run_published(Session& session) {
    if (path_.two_sided || !path_.visits.empty() || path_.every_vertex || path_.no_direction ||
        !path_.from.empty() || !path_.area.empty() || !path_.stretch.empty() ||
        !path_.epsilon_direction.empty())
      throw InvalidOption("--published",
                          "takes --epsilon-vertices and --epsilon-edges only: the paper knows no other");
    PathBlock epsilons;
    epsilons.epsilon_edges = path_.epsilon_edges;
    epsilons.epsilon_vertices = path_.epsilon_vertices;
    const path::PathTerms terms = epsilons.terms();
    const privacy::Statement draft = path::published_draft(
        {.epsilon_vertices = terms.epsilon_vertices, .epsilon_edges = terms.epsilon_edges});
    privacy::require_releasable(plan(draft, session));
    const path::RouteMap map = network_.read(session, {});
    const path::Route route = path::read_route(route_, map, network_.options({}));
    const path::PublishedPath published(
        {.epsilon_vertices = terms.epsilon_vertices, .epsilon_edges = terms.epsilon_edges});
    published.require(map, route);
    const privacy::Guarantee none = path::published_guarantee();
    session.warn(fmt::format("THIS FORM PROMISES NOTHING: {}", none.reason()));
    return publish(session, draft,
                   [&](random::Stream& noise) { return published.release(map, route, noise); });
  }

  template <class Draw>
  int publish(Session& session, privacy::Statement draft, const Draw& draw) {
    const privacy::ReleasePlan plan = this->plan(std::move(draft), session);
    const ReleaseTalk talk{.ledger = ledger_, .output = output_, .json = json_};
    talk.before(session, plan);
    std::size_t vertices = 0, stops = 0;
    const privacy::Released released = talk.watch(session, plan, [&](auto* charged) {
      return privacy::release(
          plan,
          [&](const random::Key& key) {
            random::Stream noise = key.stream("path");
            const path::PublicPath shown = draw(noise);
            vertices = shown.names.size();
            stops = shown.stops.size();
            return privacy::Drawn{packed(shown), stops};
          },
          charged);
    });
    std::vector<std::pair<std::string, std::string>> rows{
        {"vertices", fmt::format("{}, with {} stops", grouped(vertices), grouped(stops))}};
    rows.insert(rows.end(), told_.begin(), told_.end());
    talk.after(session, released, "stop", rows,
               {{"mechanism", released.statement.mechanism}, {"vertices", vertices}});
    return 0;
  }

  std::string route_;
  RouteNetworkBlock network_;
  PathBlock path_;
  LedgerBlock ledger_;
  OutputBlock output_;
  SeedBlock seed_;
  std::vector<std::pair<std::string, std::string>>
      told_;  // after the release, beside what every release tells
  bool published_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> path_release() {
  return std::make_unique<PathRelease>();
}

}  // namespace fogline::cli
