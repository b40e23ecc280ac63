// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/columns_block.hpp"
#include "cli/release_talk.hpp"
#include "cli/verbs.hpp"
#include "cli/weights_block.hpp"
#include "weights/edge_stream.hpp"
#include "weights/published_terms.hpp"
#include "weights/release.hpp"

namespace fogline::cli {
namespace {

using weights::Finish;

class WeightsRelease : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"weights", "release"},
        "Release the edge weights of a graph, with a statement, charged to the ledger",
        "Reads a graph whose edges are public and whose weights are private (CSV source,target,weight, an "
        "edge "
        "list, or TNTP), charges epsilon to the dataset in the ledger, and only then draws and writes a safe "
        "weight for each edge, in the same order, with a statement beside it.\n\n"
        "What is protected is named by --unit: one edge's whole weight within the public --range (edge), a "
        "change "
        "of one edge's weight by at most --most (change), or a trip that adds at most 1 to each of at most "
        "--most "
        "edges (trip). The range is yours to declare, from what everybody may know; a weight outside it is "
        "refused, with its line.\n\n"
        "Without --mechanism the best sound one for the unit is taken: blocks for whole edges, and geometric "
        "or "
        "staircase noise otherwise, whose noisy values are then made into posterior medians under a prior "
        "that is "
        "learned from them (--estimate), which costs nothing. Files of any size are released in little "
        "memory "
        "with --estimate plain (the default for whole edges) and without --order.\n\n"
        "With --round, weights between points of the grid are rounded. For a change or a trip that makes the "
        "noise larger by "
        "one step for each edge, so declare a fine --step with it.\n\n"
        "What is given as public must not come from the private weights: --prior (weight,probability), "
        "--groups "
        "(source,target,group, or a TNTP network, whose free-flow times make ten groups) and --order "
        "(source,target,rank: "
        "an edge of lower rank weighs no more than one of higher rank; or pairs "
        "lower_source,lower_target,upper_source,"
        "upper_target; or a TNTP network, by free-flow time).\n\n"
        "The paper's forms mb, lap-ci and mb-ci do not keep what they promise, and lap is drawn in floating "
        "point: they need --published, carry no guarantee, and are refused for a dataset with a cap.\n\n"
        "Weights released as they are drawn (--estimate plain, no --order) that are not nearer to the truth "
        "than the best constant, by 1 % of its error at least, need --anyway.\n\n"
        "If anything is wrong with the input, the options, the output's folder or the budget, nothing is "
        "charged "
        "and nothing is written.",
        {{"whole weights between 100 and 600",
          "fogline sample weights -o graph.csv -q && fogline weights release graph.csv --mechanism blocks "
          "--range "
          "100:600 --epsilon 10 -o safe.csv --ledger my.ledger --dataset trade"},
         {"one unit of weight on one edge",
          "fogline sample weights -o graph.csv -q && fogline weights release graph.csv --unit change --range "
          "0: "
          "--epsilon 0.5 -o safe.csv --ledger my.ledger"}}};
  }

  void declare(OptionSet& options) override {
    options
        .positional("GRAPH", graph_,
                    "edges with private weights: CSV, edge list or TNTP; - for standard input")
        .required();
    release_.declare(options);
    ledger_.declare(options);
    output_.declare(options);
    anyway_.declare(options);
    options.value("-f,--format", "FORMAT", format_, "of the input, whatever its suffix")
        .choices({"csv", "edges", "tntp"});
    columns_.declare(options);
    options.flag("--json", json_, "print what was done as JSON");
    seed_.declare(options);
  }

  int run(Session& session) override {
    check_options();
    if (graph_ == "-" && format_.empty()) {  // what it is decides what is promised, so it is looked at first
      standard_input_ = io::TextSource::from_file(graph_, session.progress());
      told_format_ = io::graph_format_of_start(*standard_input_);
    }
    return release_.weights.published ? run_published(session) : run_sound(session);
  }

 private:
  void check_options() const {
    release_.weights.epsilon_value();
    columns_.map();
    output_.statement_path();
    seed_.value();
    if (output_.output != "-" && !output_.output.ends_with(".csv"))
      throw InvalidOption("--output", "must end in .csv, or be -");
    require_public(release_.order, graph_, "--order");
    require_public(release_.groups, graph_, "--groups");
    require_public(release_.weights.prior, graph_, "--prior");
  }

  io::GraphFormat format() const {
    if (told_format_) return *told_format_;
    if (format_ == "csv") return io::GraphFormat::csv;
    if (format_ == "edges") return io::GraphFormat::edge_list;
    return format_ == "tntp" ? io::GraphFormat::tntp : io::graph_format_of(graph_);
  }

  bool is_directed() const { return release_.directed || format() == io::GraphFormat::tntp; }

  privacy::ReleasePlan plan(privacy::Statement draft, Session& session) const {
    std::vector<std::string> inputs = release_.files();
    inputs.push_back(graph_);
    return {.draft = std::move(draft),
            .dataset = ledger_.dataset,
            .ledger = ledger_.path_for_writing(),
            .output = output_.output,
            .statement = output_.statement_path(),
            .overwrite = output_.overwrite,
            .inputs = std::move(inputs),
            .seed = seed_.value(),
            .time_unix_s = session.now()};
  }

  int run_sound(Session& session) {
    weights::WeightTerms terms = release_.terms();
    terms.directed = is_directed();
    privacy::require_releasable(this->plan(terms.draft_without_error(), session));
    const std::vector<double> prior = release_.weights.prior_of_points();
    const privacy::ReleasePlan plan = this->plan(terms.draft(prior), session);
    if (const auto error = plan.draft.expected_error) {
      if (const auto worth = worth_of(terms, error->value, prior)) anyway_.require(*worth);
    }
    const ReleaseTalk talk{.ledger = ledger_, .output = output_, .json = json_};
    // What can be read only once, such as a pipe, is held in memory.
    const bool streams = terms.finish == Finish::plain && !terms.order_file &&
                         std::filesystem::is_regular_file(graph_) && format() != io::GraphFormat::tntp;
    const privacy::Released released = streams ? release_stream(session, terms, prior, plan, talk)
                                               : release_graph(session, terms, prior, plan, talk);
    tell(session, talk, released);
    return 0;
  }

  privacy::Released release_stream(Session& session, const weights::WeightTerms& terms,
                                   const std::vector<double>& prior, const privacy::ReleasePlan& plan,
                                   const ReleaseTalk& talk) const {
    const weights::StreamOptions options{.format = format(),
                                         .directed = terms.directed,
                                         .rounding = terms.rounding,
                                         .threads = session.threads(),
                                         .progress = session.progress(),
                                         .columns = columns_.map()};
    const auto mechanism = weights::make_mechanism(terms.choice(prior));
    const weights::EdgeSurvey survey = weights::survey_edges(graph_, terms.grid, options);
    tell_columns(session, survey.columns);
    talk.before(session, plan);
    return talk.watch(session, plan, [&](auto* charged) {
      return privacy::release_in_pieces(
          plan,
          [&](const random::Key& key, const privacy::WriteOutput& write) {
            const auto paid =
                terms.prior == weights::PriorSource::noisy
                    ? weights::make_mechanism(terms.choice(weights::paid_prior(terms, survey.histogram, key)))
                    : nullptr;
            weights::release_edges(graph_, paid ? *paid : *mechanism, survey, key, options, write);
            return survey.edges;
          },
          charged);
    });
  }

  privacy::Released release_graph(Session& session, const weights::WeightTerms& terms,
                                  const std::vector<double>& prior, const privacy::ReleasePlan& plan,
                                  const ReleaseTalk& talk) {
    const io::GraphTable graph = read_graph(session, terms.directed);
    const weights::GraphRelease release(graph, terms,
                                        {.prior = prior,
                                         .groups_file = release_.groups,
                                         .order_file = release_.order,
                                         .threads = session.threads(),
                                         .progress = session.progress()});
    talk.before(session, plan);
    double moved = 0;
    privacy::Released released = talk.watch(session, plan, [&](auto* charged) {
      return privacy::release(
          plan,
          [&](const random::Key& key) {
            const weights::GraphRelease::Draw drawn = release.draw_and_tell(key);
            moved = drawn.moved_by_order;
            return privacy::Drawn{weights::released_csv(graph, drawn.weights), graph.edge_count()};
          },
          charged);
    });
    warn_of_order(session, terms, moved, plan.draft.expected_error);
    return released;
  }

  /// An order that weights do not follow ruins them, and nothing but the distance it moves them shows it.
  static void warn_of_order(Session& session, const weights::WeightTerms& terms, double moved,
                            const std::optional<privacy::ExpectedError>& noise) {
    if (!terms.order_file || !noise || moved <= 2 * noise->value) return;
    session.warn(fmt::format(
        "following {} moved the weights by {:.3g} on average, more than the noise of {:.3g}: the weights "
        "do not seem to follow that order",
        terms.order_file->name, moved, noise->value));
  }

  io::GraphTable read_graph(Session& session, bool directed) {
    const io::GraphReadOptions options{.format = format(),
                                       .directed = directed,
                                       .self_loops = io::OddEdge::refuse,
                                       .repeats = io::RepeatedEdge::refuse,
                                       .unweighted = io::OddEdge::refuse,
                                       .columns = columns_.map(),
                                       .progress = session.progress()};
    io::GraphTable graph =
        standard_input_ ? io::read_graph(*standard_input_, options) : io::read_graph(graph_, options);
    tell_columns(session, graph.columns);
    session.warn(graph.warnings);
    for (const std::string& name : graph.vertices.names()) {
      if (name.find_first_of("\r\n") != std::string::npos)
        throw DataError({graph_}, "a name holds a line break", "give its vertex another name");
    }
    return graph;
  }

  int run_published(Session& session) {
    if (release_.has_finish())
      throw InvalidOption("--published",
                          "forms are released as they are: no --estimate, --groups or --order");
    const weights::PublishedWeights::Options options = release_.weights.published_options();
    const bool directed = is_directed();
    const privacy::ReleasePlan plan =
        this->plan(weights::published_draft({.options = options,
                                             .range = release_.weights.grid().range_text(),
                                             .epsilon = release_.weights.epsilon_value(),
                                             .directed = directed}),
                   session);
    privacy::require_releasable(plan);
    const io::GraphTable graph = read_graph(session, directed);
    weights::require_in_range(graph, *options.range);
    session.warn(fmt::format("THIS FORM PROMISES NOTHING: {}", weights::reason(options.strategy)));
    const ReleaseTalk talk{.ledger = ledger_, .output = output_, .json = json_};
    talk.before(session, plan);
    const privacy::Released released = talk.watch(session, plan, [&](auto* charged) {
      return privacy::release(
          plan,
          [&](const random::Key& key) {
            random::Stream noise = key.stream("weights");
            const auto safe = weights::PublishedWeights(options).release(graph.weight, noise);
            return privacy::Drawn{weights::released_csv(graph, safe), graph.edge_count()};
          },
          charged);
    });
    tell(session, talk, released);
    return 0;
  }

  static void tell(Session& session, const ReleaseTalk& talk, const privacy::Released& released) {
    const privacy::Statement& statement = released.statement;
    std::vector<std::pair<std::string, std::string>> more;
    nlohmann::ordered_json more_json = {{"mechanism", statement.mechanism}, {"expected_error", nullptr}};
    if (statement.expected_error) {
      more.emplace_back("expected error", fmt::format("{:.4g}: {}", statement.expected_error->value,
                                                      statement.expected_error->method));
      more_json["expected_error"] = statement.expected_error->value;
    }
    talk.after(session, released, "weight", more, more_json);
  }

  std::string graph_;
  WeightsReleaseBlock release_;
  AnywayBlock anyway_;
  ColumnsBlock columns_;
  LedgerBlock ledger_;
  OutputBlock output_;
  SeedBlock seed_;
  std::string format_;
  std::optional<io::TextSource> standard_input_;  // if its format had to be told
  std::optional<io::GraphFormat> told_format_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> weights_release() {
  return std::make_unique<WeightsRelease>();
}

}  // namespace fogline::cli
