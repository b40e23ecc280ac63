// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "cli/blocks.hpp"
#include "cli/verbs.hpp"
#include "release/column_fields.hpp"
#include "weights/matched_files.hpp"
#include "weights/measures.hpp"

namespace fogline::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto weights_measure_warning =
    "exact figures of private weights, for the curator alone; do not publish";

class WeightsMeasure : public Command {
 public:
  CommandInfo info() const override {
    return {{"weights", "measure"},
            "Measure what a release of edge weights keeps of its private original",
            "WARE is the mean absolute error of the weights; best_constant that of the private median on "
            "every edge. KSP is the share of shortest paths "
            "that are the same in both graphs, over all ordered pairs with a path; LARE the mean error in "
            "length of those. Where several paths are "
            "shortest, the one of fewest edges is taken, and among those, from the target back, one by a "
            "fixed lot of the vertices, the same in "
            "both graphs; KSP_any also counts a path that is one of several shortest in the release.\n\n"
            "For the curator alone: the figures are exact, private, and charged to no ledger. Edges are "
            "matched by the names of their ends.",
            {{"a release against its original",
              "fogline sample weights -o graph.csv -q && fogline weights release graph.csv --range 100:600 "
              "--epsilon 10 -o safe.csv --ledger "
              "my.ledger -q && fogline weights measure graph.csv safe.csv"},
             {"paths from 100 vertices only, as JSON",
              "fogline sample weights -o big.csv -q && fogline weights measure big.csv big.csv --sources 100 "
              "--json"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("GRAPH", graph_, "the private graph: CSV source,target,weight, edge list, TNTP")
        .required();
    options.positional("RELEASED", released_, "what was released of it").required();
    options.group("Measure");
    options.flag("--directed", directed_, "edges lead one way");
    options
        .value("--sources", "N", sources_, "count paths from N vertices chosen evenly; without it, from all")
        .nonzero();
    options.value("--seed", "N", seed_, "of that choice (1)");
    columns_.declare(options);
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    weights::MatchOptions matching;
    if (directed_) matching.directed = true;
    matching.columns = columns_.map();
    const weights::MatchedGraphs graphs = weights::read_matched(graph_, released_, matching);
    tell_odd_columns(session, graph_, graphs.columns);
    const weights::Measures found = weights::measure(
        graphs.shape, graphs.weight, graphs.released,
        {.sources = sources_, .seed = seed_, .threads = session.threads(), .progress = session.progress()});
    session.data(json_ ? to_text(as_json(found, graphs.shape)) : as_text(found, graphs.shape));
    return 0;
  }

 private:
  static Json as_json(const weights::Measures& found, const weights::GraphShape& shape) {
    Json json = {{"kind", "weights"},
                 {"private", true},
                 {"warning", weights_measure_warning},
                 {"vertices", shape.vertices},
                 {"edges", found.edges},
                 {"directed", shape.directed},
                 {"ware", found.ware},
                 {"best_constant", found.best_constant},
                 {"ksp", found.ksp},
                 {"ksp_any", found.ksp_any},
                 {"lare", nullptr},
                 {"pairs", found.pairs},
                 {"kept_pairs", found.kept_pairs},
                 {"sources", found.sources},
                 {"step", found.step}};
    if (found.lare) json["lare"] = *found.lare;
    return json;
  }

  static std::string as_text(const weights::Measures& found, const weights::GraphShape& shape) {
    return fmt::format("PRIVATE: {}\n", weights_measure_warning) +
           fields(
               {{"graph", fmt::format("{} vertices, {} {} edges", grouped(shape.vertices),
                                      grouped(found.edges), shape.directed ? "directed" : "undirected")},
                {"WARE", fmt::format("{:.6g}: mean error of a weight; {:.6g} with the median on every edge",
                                     found.ware, found.best_constant)},
                {"KSP", fmt::format("{:.6f}: {} of {} shortest paths are the same, from {} of {} vertices",
                                    found.ksp, grouped(found.kept_pairs), grouped(found.pairs),
                                    grouped(found.sources), grouped(shape.vertices))},
                {"KSP_any", fmt::format("{:.6f}: the path is one of the shortest", found.ksp_any)},
                {"LARE",
                 found.lare
                     ? fmt::format("{:.6g}: mean error in length of the paths that are the same", *found.lare)
                     : "none: no path is the same"}});
  }

  release::ColumnFields columns_;
  std::string graph_, released_;
  std::uint64_t sources_ = 0, seed_ = 1;
  bool directed_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Command> weights_measure() {
  return std::make_unique<WeightsMeasure>();
}

}  // namespace fogline::cli
