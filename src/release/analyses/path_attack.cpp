// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "path/public_path_file.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/attacked_path.hpp"
#include "release/kinds.hpp"
#include "release/path_fields.hpp"

namespace fogline::release {
namespace {

class PathAttack : public Analysis {
 public:
  std::string kind() const override { return "path"; }
  std::string verb() const override { return "attack"; }

  void declare(FieldTable& table) override {
    table.positional("public", "PUBLIC", public_, "the published route, .json or .json.gz")
        .role(FieldRole::public_input)
        .required();
    network_.declare(table, "all roads: CSV source,target, OSM, ...");
    table.value("statement", "FILE", statement_, "of the release, if it is not beside it")
        .role(FieldRole::public_input);
    table.group("Attack");
    table.value("missing", "A,B", missing_,
                "the pair that the readers lack (each step of the route in turn)");
    table.value("prior", "P", prior_, "one label: belief in a step before, above 0 and below 1 (0.5)");
    table.value("sweeps", "N", sweeps_, "every vertex: length of the walks above 18 vertices (by size)")
        .nonzero()
        .range("10", "1000000000");
  }

  Findings run(Caller& caller) override { return attack(caller).findings(); }

 private:
  AttackedPath attack(Caller& caller) const {
    path::PublicPath shown = path::read_public_path(public_);
    const path::RouteMap map = network_.read_for(caller, shown);
    AttackedPath found{
        .shown = {},
        .one_pair = !missing_.empty(),
        .has_statement = false,
        .guarantee = guarantee_in_file(shown),
        .read = path::recover(map, shown, {.second_best = false, .progress = caller.progress()}),
        .attacked = {},
        .every_vertex = {},
        .no_every_vertex = {},
        .leak = {},
        .no_leak = {}};
    if (const auto stated = stated_guarantee(shown)) {
      found.guarantee = *stated;
      found.has_statement = true;
    }
    for (const path::VertexPair& pair : pairs(map, found.read)) {
      const auto all_but_one = path::all_but_one(map, shown, found.read.pieces, pair);
      found.attacked.push_back(
          {pair, all_but_one.has_value(), path::one_label(shown, pair, prior_), all_but_one, {}, 0});
    }
    attack_every_vertex(caller, shown, found);
    if (shown.layers) attack_layers(caller, shown, found);
    found.shown = std::move(shown);
    return found;
  }

  std::vector<path::VertexPair> pairs(const path::RouteMap& map, const path::Recovered& read) const {
    if (!missing_.empty()) return {pair_from(missing_, map)};
    if (!read.complete)
      throw InvalidOption("network",
                          fmt::format("does not hold the whole route ({}); name a pair with `missing`",
                                      read.what_is_missing));
    std::vector<path::VertexPair> steps;
    for (std::size_t i = 1; i < read.route.size(); ++i) steps.emplace_back(read.route[i - 1], read.route[i]);
    return steps;
  }

  /// Splits "b,c"; names may hold commas themselves.
  static path::VertexPair pair_from(const std::string& text, const path::RouteMap& map) {
    for (std::size_t comma = text.find(','); comma != std::string::npos; comma = text.find(',', comma + 1)) {
      const std::string first = text.substr(0, comma), second = text.substr(comma + 1);
      if (first != second && std::ranges::find(map.names, first) != map.names.end() &&
          std::ranges::find(map.names, second) != map.names.end())
        return {map.vertex(first), map.vertex(second)};
    }
    throw InvalidOption("missing", "must be two different vertices of the publication, such as b,c");
  }

  static std::vector<path::VertexPair> asked_of(const AttackedPath& found) {
    std::vector<path::VertexPair> asked;
    for (const AttackedPair& one : found.attacked) asked.push_back(one.pair);
    return asked;
  }

  void attack_every_vertex(Caller& caller, const path::PublicPath& shown, AttackedPath& found) const {
    found.no_every_vertex = why_not_every_vertex(shown, found.read);
    if (!found.no_every_vertex.empty()) return;
    path::EveryVertexOptions options{.threads = caller.threads(), .progress = caller.progress()};
    if (sweeps_ > 0) options.sweeps = sweeps_;
    found.every_vertex = path::every_vertex(shown, asked_of(found), options);
    if (!found.every_vertex) {
      found.no_every_vertex = "vertices have several stops";
      return;
    }
    if (!found.every_vertex->exact && found.every_vertex->samples == 0) {
      found.every_vertex.reset();
      found.no_every_vertex = "the walks met no path; try more `sweeps`";
      return;
    }
    for (std::size_t i = 0; i < found.attacked.size(); ++i) {
      found.attacked[i].every_vertex = found.every_vertex->beliefs[i];
      found.attacked[i].standard_error = found.every_vertex->standard_error[i];
    }
  }

  static void attack_layers(Caller& caller, const path::PublicPath& shown, AttackedPath& found) {
    found.no_leak = found.no_every_vertex;
    if (!found.no_leak.empty()) return;
    const path::LayerLeakOptions options{.threads = caller.threads(), .progress = caller.progress()};
    if (shown.stops.size() != shown.stops.vertex_count())
      found.no_leak = "vertices have several stops";
    else if (shown.stops.size() > path::most_layered_vertices)
      found.no_leak = fmt::format("more than {} vertices", path::most_layered_vertices);
    if (!found.no_leak.empty()) return;
    const std::vector<path::StopId> route =
        found.read.complete ? found.read.pieces.front() : std::vector<path::StopId>{};
    found.leak = path::layer_leak(shown, asked_of(found), route, options);
    if (!found.leak)
      found.no_leak =
          fmt::format("the labels leave more than {} directed paths", grouped(options.most_paths));
  }

  static std::string why_not_every_vertex(const path::PublicPath& shown, const path::Recovered& read) {
    const bool one_stop_each = shown.stops.size() == shown.stops.vertex_count();
    if (shown.every_vertex && one_stop_each) return "";
    std::vector<path::VertexId> visited;
    for (const auto& piece : read.pieces)
      for (const path::StopId stop : piece) visited.push_back(shown.stops.vertex(stop));
    std::ranges::sort(visited);
    if (std::ranges::adjacent_find(visited) != visited.end()) return "the route visits a vertex twice";
    if (visited.size() != shown.stops.vertex_count())
      return "the route, as far as it is read, does not visit every vertex";
    return "";
  }

  /// What the statement beside the release promises; empty if there is none.
  std::optional<privacy::Guarantee> stated_guarantee(const path::PublicPath& shown) const {
    const std::string beside = statement_.empty() ? public_ + ".statement.json" : statement_;
    if (statement_.empty() && !std::filesystem::exists(beside)) return std::nullopt;
    const privacy::Statement statement = privacy::read_statement(beside);
    if (const std::string wrong = mismatch(statement, shown); !wrong.empty())
      throw DataError({beside}, "is not the statement of this file: " + wrong,
                      "give the right one with `statement`");
    return statement.guarantee;
  }

  static std::string mismatch(const privacy::Statement& statement, const path::PublicPath& shown) {
    if ((statement.form == privacy::Form::published) != (shown.form == path::PathForm::published))
      return "its form is another";
    if (shown.form != path::PathForm::published) return path::mismatch(path::terms_from(statement), shown);
    return statement.kind == "path" ? "" : "it is of another kind";
  }

  /// What the file itself says, which does not know how stops were drawn.
  static privacy::Guarantee guarantee_in_file(const path::PublicPath& shown) {
    if (shown.form == path::PathForm::published) return path::published_guarantee();
    path::PathTerms terms{.form = shown.form, .epsilon_edges = privacy::Epsilon(shown.epsilon_edges)};
    terms.visits = *std::ranges::max_element(shown.stops.counts());
    terms.direction = shown.starts_low.has_value();
    return terms.guarantee();
  }

  std::string public_, statement_, missing_;
  RouteNetworkFields network_;
  double prior_ = 0.5;
  std::uint64_t sweeps_ = 0;
};

}  // namespace

std::unique_ptr<Analysis> path_attack() {
  return std::make_unique<PathAttack>();
}

}  // namespace fogline::release
