// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "io/graph_file.hpp"
#include "release/column_fields.hpp"
#include "release/kinds.hpp"
#include "release/weights_fields.hpp"
#include "weights/distances/distance_file.hpp"
#include "weights/distances/distance_plan.hpp"
#include "weights/distances/distance_terms.hpp"
#include "weights/graph/matched_files.hpp"

namespace fogline::release {
namespace {

/// A search from every vertex, for every drawn graph: beyond these, hours.
constexpr std::uint64_t most_vertices = 20'000;
constexpr std::uint64_t most_vertices_all_pairs = 5'000;

class WeightsDistances : public Release {
 public:
  WeightsDistances() { weights_.unit = "change"; }

  std::string kind() const override { return "weights"; }
  std::string verb() const override { return "distances"; }

  void declare(FieldTable& table) override {
    from.declare(table, "GRAPH", "private weights: CSV source,target,weight, edge list or TNTP");
    table.group("Mechanism");
    table.value("method", "NAME", method_, "how distances are released (auto)")
        .choices({"auto", "edges", "noise", "tree", "separators"})
        .stated("method");
    table.value("epsilon", "E", weights_.epsilon, "privacy parameter for one unit of protection")
        .required()
        .above("0", "1000")
        .stated("epsilon");
    table
        .value(
            "unit", "UNIT", weights_.unit,
            "what is protected: change (of an edge, by `most`; the default), edge (its whole weight), trip")
        .choices({"edge", "change", "trip"})
        .stated("unit");
    table
        .value("most", "N", weights_.most,
               "largest change of an edge (1); number of edges of a trip (no default)")
        .above("0", "")
        .stated("most");
    table
        .value("range", "LOW:HIGH", weights_.range,
               "PUBLIC range of the weights (0: without an end); a narrower one, such as 1:, helps")
        .stated("range");
    table.value("out-of-range", "RULE", weights_.out_of_range, "what becomes of weights outside")
        .choices({"refuse", "clamp"})
        .stated("clamped");
    table.value("step", "S", weights_.step, "PUBLIC grid of the weights (1)").above("0", "").stated("step");
    weights_.persons.declare_declared(table, "such units", "1000000", "per_person");
    table.flag("round", weights_.round, "round weights between grid points, instead of refusing them")
        .stated("rounded");
    table.flag("directed", directed_, "edges lead one way only (TNTP: always)").stated("directed");
    columns_.declare(table);
    table.group("Distances");
    table.value("from", "VERTEX", from_, "only from this vertex; may be given several times");
    table.value("pairs", "FILE", pairs_, "only these pairs: a PUBLIC CSV file source,target")
        .role(FieldRole::public_input);
    to.ledger.declare(table);
    to.output.declare(table);
    to.seed.declare(table);
    table.states(weights::DistanceTerms::listed());
  }

  privacy::Statement resolve(Caller&) override {
    columns_.require(from.is_guarded);
    const weights::WeightTerms given = weights_.terms(from.is_guarded);
    terms_ = weights::DistanceTerms{.epsilon = given.epsilon,
                                    .grid = given.grid,
                                    .protection = given.protection,
                                    .rounding = given.rounding};
    if (!from_.empty() && !pairs_.empty()) throw InvalidOption("pairs", "and `from` exclude each other");
    return terms_->draft({});
  }

  privacy::Statement prepare(Caller&) override { return terms_->draft({}); }

  void take(Caller& caller) override {
    io::GraphReadOptions options{
        .self_loops = io::OddEdge::refuse,
        .repeats = io::RepeatedEdge::refuse,
        .negative_weights = terms_->grid.clamps() ? io::OddEdge::keep : io::OddEdge::refuse,
        .unweighted = io::OddEdge::refuse,
        .columns = columns_.map(),
        .progress = caller.progress()};
    if (directed_) options.directed = true;
    io::TextSource source = from.open(caller);
    table_ = io::read_graph(source, options);
    tell_columns(caller, table_.columns);
    caller.warn(table_.warnings);
    graph_.emplace(weights::shape_of(table_));
    require_size();
    wanted_ = !from_.empty()   ? weights::distances_from(table_, from_)
              : pairs_.empty() ? weights::all_distances(*graph_)
                               : weights::read_wanted(pairs_, table_);
    truth_ = weights::whole_weights(table_, terms_->grid, terms_->rounding);
  }

  /// The method is chosen by the graph, which is public, but comes with its weights.
  std::optional<privacy::Statement> completed(Caller& caller) override {
    plan_ = weights::plan_distances(*graph_, terms_->settings(), method_,
                                    {.threads = caller.threads(), .progress = caller.progress()});
    terms_->take(*plan_, *graph_);
    return terms_->draft(plan_->chosen.expected_error);
  }

  privacy::DrawnInPieces draw(const random::Key& key, const privacy::WriteOutput& write,
                              Caller& caller) override {
    random::Stream noise = key.stream("distances");
    const auto safe = plan_->mechanism->release(truth_, noise);
    const weights::DistanceText text = weights::distance_text(
        table_, *safe, *wanted_, terms_->grid, {.threads = caller.threads(), .progress = caller.progress()});
    unreachable_ = text.unreachable;
    write(text.csv);
    return text.records;
  }

  Told tell(const privacy::Released&, Caller&) const override {
    const std::string invented = weights::invented_weights_words(plan_->mechanism->settings());
    nlohmann::ordered_json simulated = nlohmann::ordered_json::object();
    std::string others;
    for (const auto& candidate : plan_->tried) {
      simulated[candidate.method] = candidate.expected_error;
      if (candidate.method != plan_->chosen.method)
        others += fmt::format(" ({}: {:.4g})", candidate.method, candidate.expected_error);
    }
    return {.record = "distance",
            .rows = {{"method", plan_->chosen.method},
                     {"simulated error", fmt::format("{:.4g} with {}{}; real weights have another",
                                                     plan_->chosen.expected_error, invented, others)}},
            .json = nlohmann::ordered_json{{"unreachable", unreachable_},
                                           {"method", plan_->chosen.method},
                                           {"error_with_invented_weights", plan_->chosen.expected_error},
                                           {"error_of_methods_with_invented_weights", simulated},
                                           {"invented_weights", invented}}};
  }

  std::vector<std::string> inputs() const override {
    return pairs_.empty() ? std::vector<std::string>{} : std::vector{pairs_};
  }

 private:
  void require_size() const {
    const bool some = !from_.empty() || !pairs_.empty();
    const std::uint64_t most = some ? most_vertices : most_vertices_all_pairs;
    if (graph_->vertex_count() <= most) return;
    throw DataError(
        {from.name()},
        fmt::format("the graph has {} vertices, more than {}", grouped(graph_->vertex_count()),
                    grouped(most)),
        some ? "release its weights instead" : "ask for some distances only, with `from` or `pairs`");
  }

  WeightsFields weights_;
  std::string method_ = "auto";
  std::vector<std::string> from_;
  std::string pairs_;
  bool directed_ = false;
  ColumnFields columns_;

  std::optional<weights::DistanceTerms> terms_;
  io::GraphTable table_;
  std::optional<weights::Topology> graph_;
  std::optional<weights::WantedDistances> wanted_;
  std::vector<std::int64_t> truth_;
  std::optional<weights::DistancePlan> plan_;
  std::uint64_t unreachable_ = 0;  // pairs
};

}  // namespace

std::unique_ptr<Release> weights_distances() {
  return std::make_unique<WeightsDistances>();
}

}  // namespace fogline::release
