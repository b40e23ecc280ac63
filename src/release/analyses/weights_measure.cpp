// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"
#include "release/analyses/analysis.hpp"
#include "release/column_fields.hpp"
#include "release/kinds.hpp"
#include "weights/graph/matched_files.hpp"
#include "weights/measures/measures.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

class WeightsMeasure : public Analysis {
 public:
  std::string kind() const override { return "weights"; }
  std::string verb() const override { return "measure"; }

  void declare(FieldTable& table) override {
    table.positional("graph", "GRAPH", graph_, "the private graph: CSV source,target,weight, edge list, TNTP")
        .role(FieldRole::private_input)
        .required();
    table.positional("released", "RELEASED", released_, "what was released of it")
        .role(FieldRole::public_input)
        .required();
    table.group("Measure");
    table.flag("directed", directed_, "edges lead one way");
    table.value("sources", "N", sources_, "count paths from N vertices chosen evenly; without it, from all")
        .nonzero();
    table.value("seed", "N", seed_, "of that choice (1)");
    columns_.declare(table);
  }

  Findings run(Caller& caller) override {
    weights::MatchOptions matching;
    if (directed_) matching.directed = true;
    matching.columns = columns_.map();
    const weights::MatchedGraphs graphs = weights::read_matched(graph_, released_, matching);
    tell_odd_columns(caller, graph_, graphs.columns);
    const weights::Measures measures = weights::measure(
        graphs.shape, graphs.weight, graphs.released,
        {.sources = sources_, .seed = seed_, .threads = caller.threads(), .progress = caller.progress()});

    Findings found(as_json(measures, graphs.shape));
    found.add(fmt::format("PRIVATE: {}", warning));
    found.add(rows(measures, graphs.shape));
    return found;
  }

 private:
  static constexpr auto warning = "exact figures of private weights, for the curator alone; do not publish";

  static Json as_json(const weights::Measures& measures, const weights::GraphShape& shape) {
    return {{"kind", "weights"},
            {"private", true},
            {"warning", warning},
            {"vertices", shape.vertices},
            {"edges", measures.edges},
            {"directed", shape.directed},
            {"ware", measures.ware},
            {"best_constant", measures.best_constant},
            {"ksp", measures.ksp},
            {"ksp_any", measures.ksp_any},
            {"lare", measures.lare ? Json(*measures.lare) : Json()},
            {"pairs", measures.pairs},
            {"kept_pairs", measures.kept_pairs},
            {"sources", measures.sources},
            {"step", measures.step}};
  }

  static Findings::Rows rows(const weights::Measures& measures, const weights::GraphShape& shape) {
    return {{"graph", fmt::format("{} vertices, {} {} edges", grouped(shape.vertices),
                                  grouped(measures.edges), shape.directed ? "directed" : "undirected")},
            {"WARE", fmt::format("{:.6g}: mean error of a weight; {:.6g} with the median on every edge",
                                 measures.ware, measures.best_constant)},
            {"KSP", fmt::format("{:.6f}: {} of {} shortest paths are the same, from {} of {} vertices",
                                measures.ksp, grouped(measures.kept_pairs), grouped(measures.pairs),
                                grouped(measures.sources), grouped(shape.vertices))},
            {"KSP_any", fmt::format("{:.6f}: the path is one of the shortest", measures.ksp_any)},
            {"LARE",
             measures.lare
                 ? fmt::format("{:.6g}: mean error in length of the paths that are the same", *measures.lare)
                 : "none: no path is the same"}};
  }

  ColumnFields columns_;
  std::string graph_, released_;
  std::uint64_t sources_ = 0, seed_ = 1;
  bool directed_ = false;
};

}  // namespace

std::unique_ptr<Analysis> weights_measure() {
  return std::make_unique<WeightsMeasure>();
}

}  // namespace fogline::release
