// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/columns_block.hpp"
#include "cli/release_talk.hpp"
#include "cli/verbs.hpp"
#include "cli/weights_block.hpp"
#include "io/graph_file.hpp"
#include "privacy/release.hpp"
#include "weights/distance_file.hpp"
#include "weights/distance_plan.hpp"
#include "weights/distance_terms.hpp"
#include "weights/matched_files.hpp"

namespace fogline::cli {
namespace {

constexpr std::uint64_t most_vertices = 20'000;
constexpr std::uint64_t most_vertices_all_pairs = 5'000;

class WeightsDistances : public Command {
 public:
  WeightsDistances() { weights_.unit = "change"; }

  CommandInfo info() const override {
    return {
        {"weights", "distances"},
        "Release the distances between a graph's vertices, with a statement, charged to the ledger",
        "Reads a graph whose shape is public and whose weights are private, charges epsilon to the dataset, "
        "and "
        "writes noisy shortest distances: CSV source,target,distance, for every pair of vertices, from some "
        "(--from), or for the pairs of a public file (--pairs). All of them together keep the promise; "
        "asking "
        "for more pairs costs nothing. Pairs that no way joins are left out.\n\n"
        "Methods: edges puts noise on every weight, searches in graphs that the private one may have been "
        "given the noisy weights, and takes the mean; its error grows with the number of edges of a path. "
        "tree, for graphs without circles, uses noisy sums over blocks of edges along paths; separators uses "
        "noisy distances across regions, and is for long graphs that few vertices cut apart. noise searches "
        "in the noisy weights themselves, for comparison. auto takes the one of least error, simulated on "
        "the graph's shape with invented weights: real weights have another error. A public range helps: "
        "where it is known that every edge has at least 1, say --range 1:. "
        "docs/mechanisms/distances.md says where each wins, and has the proofs.\n\n"
        "If anything is wrong with the input, the options, the output's folder or the budget, nothing is "
        "charged "
        "and nothing is written.",
        {{"a tree, one unit of weight on one edge protected",
          "fogline sample weights --edges-per-vertex 1 --vertices 300 -o tree.csv -q && fogline weights "
          "distances "
          "tree.csv --range 100:600 --epsilon 1 -o distances.csv --ledger my.ledger --dataset trade"},
         {"from one vertex, by noise on every edge",
          "fogline sample weights --vertices 200 -o graph.csv -q && fogline weights distances graph.csv "
          "--method "
          "edges --from 7 --epsilon 1/2 -o from7.csv --ledger my.ledger"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("GRAPH", graph_, "private weights: CSV source,target,weight, edge list or TNTP")
        .required();
    options.group("Mechanism");
    options.value("--method", "NAME", method_, "how distances are released (auto)")
        .choices({"auto", "edges", "noise", "tree", "separators"});
    options.value("--epsilon", "E", weights_.epsilon, "privacy parameter for one unit of protection")
        .required();
    options
        .value(
            "--unit", "UNIT", weights_.unit,
            "what is protected: change (of an edge, by --most; the default), edge (its whole weight), trip")
        .choices({"edge", "change", "trip"});
    options.value("--most", "N", weights_.most,
                  "largest change of an edge, or number of edges of a trip (1)");
    options.value("--range", "LOW:HIGH", weights_.range,
                  "PUBLIC range of the weights (0: without an end); a narrower one, such as 1:, helps");
    options.value("--step", "S", weights_.step, "PUBLIC grid of the weights (1)");
    options.flag("--round", weights_.round, "round weights between grid points, instead of refusing them");
    options.flag("--directed", directed_, "edges lead one way only (TNTP: always)");
    columns_.declare(options);
    options.group("Distances");
    options.value("--from", "VERTEX", from_, "only from this vertex; may be given several times");
    options.value("--pairs", "FILE", pairs_, "only these pairs: a PUBLIC CSV file source,target");
    ledger_.declare(options);
    output_.declare(options);
    options.flag("--json", json_, "print what was done as JSON");
    seed_.declare(options);
  }

  int run(Session& session) override {
    weights::DistanceTerms terms = this->terms();
    output_.statement_path();
    seed_.value();
    require_public(pairs_, graph_, "--pairs");
    if (!from_.empty() && !pairs_.empty()) throw InvalidOption("--pairs", "and --from exclude each other");
    privacy::require_releasable(release_plan(terms.draft({}), session));
    const io::GraphTable table = read(session);
    const weights::Topology graph(weights::shape_of(table));
    require_size(graph);
    const weights::WantedDistances wanted = this->wanted(table, graph);
    const std::vector<std::int64_t> truth = weights::whole_weights(table, terms.grid, terms.rounding);
    const weights::DistancePlan plan = weights::plan_distances(
        graph, terms.settings(), method_, {.threads = session.threads(), .progress = session.progress()});
    terms.take(plan, graph);
    const privacy::ReleasePlan release = release_plan(terms.draft(plan.chosen.expected_error), session);
    weights::DistanceText text;
    const ReleaseTalk talk{.ledger = ledger_, .output = output_, .json = json_};
    talk.before(session, release);
    const privacy::Released released = talk.watch(session, release, [&](auto* charged) {
      return privacy::release(
          release,
          [&](const random::Key& key) {
            random::Stream noise = key.stream("distances");
            const auto safe = plan.mechanism->release(truth, noise);
            text = weights::distance_text(table, *safe, wanted, terms.grid,
                                          {.threads = session.threads(), .progress = session.progress()});
            return privacy::Drawn{std::move(text.csv), text.records};
          },
          charged);
    });
    tell(session, talk, released, plan, text);
    return 0;
  }

 private:
  privacy::ReleasePlan release_plan(privacy::Statement draft, Session& session) const {
    return {.draft = std::move(draft),
            .dataset = ledger_.dataset,
            .ledger = ledger_.path_for_writing(),
            .output = output_.output,
            .statement = output_.statement_path(),
            .overwrite = output_.overwrite,
            .inputs = input_files(),
            .seed = seed_.value(),
            .time_unix_s = session.now()};
  }

  weights::DistanceTerms terms() const {
    const weights::WeightTerms given = weights_.terms();
    return {.epsilon = given.epsilon,
            .grid = given.grid,
            .protection = given.protection,
            .rounding = given.rounding};
  }

  io::GraphTable read(Session& session) const {
    io::GraphReadOptions options{.self_loops = io::OddEdge::refuse,
                                 .repeats = io::RepeatedEdge::refuse,
                                 .unweighted = io::OddEdge::refuse,
                                 .columns = columns_.map(),
                                 .progress = session.progress()};
    if (directed_) options.directed = true;
    io::GraphTable table = io::read_graph(graph_, options);
    tell_columns(session, table.columns);
    session.warn(table.warnings);
    return table;
  }

  void require_size(const weights::Topology& graph) const {
    const bool some = !from_.empty() || !pairs_.empty();
    const std::uint64_t most = some ? most_vertices : most_vertices_all_pairs;
    if (graph.vertex_count() <= most) return;
    throw DataError(
        {graph_},
        fmt::format("the graph has {} vertices, more than {}", grouped(graph.vertex_count()), grouped(most)),
        some ? "release its weights instead (fogline weights release)"
             : "ask for some distances only, with --from or --pairs");
  }

  weights::WantedDistances wanted(const io::GraphTable& table, const weights::Topology& graph) const {
    if (!from_.empty()) return weights::distances_from(table, from_);
    return pairs_.empty() ? weights::all_distances(graph) : weights::read_wanted(pairs_, table);
  }

  std::vector<std::string> input_files() const {
    std::vector<std::string> files{graph_};
    if (!pairs_.empty()) files.push_back(pairs_);
    return files;
  }

  static void tell(Session& session, const ReleaseTalk& talk, const privacy::Released& released,
                   const weights::DistancePlan& plan, const weights::DistanceText& text) {
    const std::string invented = weights::invented_weights_words(plan.mechanism->settings());
    nlohmann::ordered_json simulated = nlohmann::ordered_json::object();
    std::string others;
    for (const auto& candidate : plan.tried) {
      simulated[candidate.method] = candidate.expected_error;
      if (candidate.method != plan.chosen.method)
        others += fmt::format(" ({}: {:.4g})", candidate.method, candidate.expected_error);
    }
    talk.after(session, released, "distance",
               {{"method", plan.chosen.method},
                {"simulated error", fmt::format("{:.4g} with {}{}; real weights have another",
                                                plan.chosen.expected_error, invented, others)}},
               {{"unreachable", text.unreachable},
                {"method", plan.chosen.method},
                {"error_with_invented_weights", plan.chosen.expected_error},
                {"error_of_methods_with_invented_weights", simulated},
                {"invented_weights", invented}});
  }

  std::string graph_;
  WeightsBlock weights_;
  std::string method_ = "auto";
  std::vector<std::string> from_;
  std::string pairs_;
  bool directed_ = false;
  ColumnsBlock columns_;
  LedgerBlock ledger_;
  OutputBlock output_;
  SeedBlock seed_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> weights_distances() {
  return std::make_unique<WeightsDistances>();
}

}  // namespace fogline::cli
