// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "io/graph_file.hpp"
#include "release/column_fields.hpp"
#include "release/kinds.hpp"
#include "release/weights_fields.hpp"
#include "weights/edge_stream.hpp"
#include "weights/paper/published_terms.hpp"
#include "weights/release.hpp"

namespace fogline::release {
namespace {

using weights::Finish;

class WeightsRelease : public Release {
 public:
  std::string kind() const override { return "weights"; }

  void declare(FieldTable& table) override {
    from.declare(table, "GRAPH", "edges with private weights: CSV, edge list or TNTP; - for standard input");
    fields_.declare(table);
    to.ledger.declare(table);
    to.output.declare(table);
    anyway_.declare(table);
    table.value("format", "FORMAT", format_, "of the input, whatever its suffix")
        .letter('f')
        .choices({"csv", "edges", "tntp"});
    columns_.declare(table);
    to.seed.declare(table);
    table.states(weights::WeightTerms::listed());
  }

  privacy::Statement resolve(Caller&) override {
    check_options();
    from.require_format(format_);
    if (is_published()) return published_draft();
    terms_ = fields_.terms(from.is_guarded);
    terms_->directed = is_directed();
    return terms_->draft_without_error();
  }

  void load(Caller&) override {
    if (!is_published()) prior_ = fields_.weights.prior_of_points();
  }

  /// Worth is judged here, before a private weight is read. What is made of all weights together is built when their graph is known.
  privacy::Statement prepare(Caller& caller) override {
    if (is_published()) {
      caller.warn(fmt::format("THIS FORM PROMISES NOTHING: {}", weights::reason(published_.strategy)));
      return published_draft();
    }
    privacy::Statement draft = terms_->draft(prior_);
    if (draft.expected_error) {
      if (const auto worth = worth_of(*terms_, draft.expected_error->value, prior_)) anyway_.require(*worth);
    }
    if (is_in_pieces()) mechanism_ = weights::make_mechanism(terms_->choice(prior_));
    return draft;
  }

  void take(Caller& caller) override {
    if (is_published()) {
      graph_ = read_graph(caller, is_directed());
      weights::require_in_range(graph_, *published_.range);
      return;
    }
    if (is_in_pieces()) {
      survey_ = weights::survey_edges(from.file, terms_->grid, stream_options(caller));
      tell_columns(caller, survey_->columns);
      return;
    }
    graph_ = read_graph(caller, terms_->directed);
    held_ = std::make_unique<weights::GraphRelease>(
        graph_, *terms_,
        weights::GraphRelease::Options{.prior = prior_,
                                       .groups_file = fields_.groups,
                                       .order_file = fields_.order,
                                       .threads = caller.threads(),
                                       .progress = caller.progress()});
  }

  privacy::DrawnInPieces draw(const random::Key& key, const privacy::WriteOutput& write,
                              Caller& caller) override {
    if (is_published()) {
      write(weights::released_csv(graph_, weights::PublishedWeights(published_).draw(graph_.weight, key)));
      return graph_.edge_count();
    }
    if (survey_) {
      const auto paid =
          terms_->prior == weights::PriorSource::noisy
              ? weights::make_mechanism(terms_->choice(weights::paid_prior(*terms_, survey_->histogram, key)))
              : nullptr;
      weights::release_edges(from.file, paid ? *paid : *mechanism_, *survey_, key, stream_options(caller),
                             write);
      return survey_->edges;
    }
    const weights::GraphRelease::Draw drawn = held_->draw_and_tell(key);
    moved_by_order_ = drawn.moved_by_order;
    write(weights::released_csv(graph_, drawn.weights));
    return graph_.edge_count();
  }

  Told tell(const privacy::Released& released, Caller& caller) const override {
    const privacy::Statement& statement = released.statement;
    warn_of_order(caller, statement.expected_error);
    nlohmann::ordered_json json{{"mechanism", statement.mechanism}, {"expected_error", nullptr}};
    Told told{.record = "weight"};
    if (statement.expected_error) {
      told.rows.emplace_back("expected error", fmt::format("{:.4g}: {}", statement.expected_error->value,
                                                           statement.expected_error->method));
      json["expected_error"] = statement.expected_error->value;
    }
    told.json = std::move(json);
    return told;
  }

  std::vector<std::string> inputs() const override { return fields_.files(); }

 private:
  void check_options() const {
    fields_.weights.epsilon_value();
    columns_.require(from.is_guarded);
    if (to.output.name() != "-" && !to.output.output.ends_with(".csv"))
      throw InvalidOption("output", "must end in .csv, or be -");
  }

  bool is_published() const { return fields_.weights.published; }

  io::GraphFormat format() const {
    if (from.file.empty() && format_.empty()) return io::GraphFormat::csv;
    if (format_ == "csv") return io::GraphFormat::csv;
    if (format_ == "edges") return io::GraphFormat::edge_list;
    return format_ == "tntp" ? io::GraphFormat::tntp : io::graph_format_of(from.file);
  }

  bool is_directed() const { return fields_.directed || format() == io::GraphFormat::tntp; }

  /// Files of any size, in little memory. What can be read only once, such as a pipe, is held instead.
  bool is_in_pieces() const {
    return terms_->finish == Finish::plain && !terms_->order_file &&
           std::filesystem::is_regular_file(from.file) && format() != io::GraphFormat::tntp;
  }

  weights::StreamOptions stream_options(Caller& caller) const {
    return {.format = format(),
            .directed = terms_->directed,
            .rounding = terms_->rounding,
            .threads = caller.threads(),
            .progress = caller.progress(),
            .columns = columns_.map()};
  }

  privacy::Statement published_draft() {
    if (fields_.has_finish())
      throw InvalidOption("published", "forms are released as they are: no `estimate`, `groups` or `order`");
    published_ = fields_.weights.published_options();
    return weights::published_draft({.options = published_,
                                     .range = fields_.weights.grid().range_text(),
                                     .epsilon = fields_.weights.epsilon_value(),
                                     .directed = is_directed()});
  }

  /// An order that weights do not follow ruins them, and nothing but the distance it moves them shows it.
  void warn_of_order(Caller& caller, const std::optional<privacy::ExpectedError>& noise) const {
    if (is_published() || !terms_->order_file || !noise || moved_by_order_ <= 2 * noise->value) return;
    caller.warn(fmt::format(
        "following {} moved the weights by {:.3g} on average, more than the noise of {:.3g}: the weights "
        "do not seem to follow that order",
        terms_->order_file->name, moved_by_order_, noise->value));
  }

  io::GraphTable read_graph(Caller& caller, bool directed) {
    const io::GraphReadOptions options{
        .format = format(),
        .directed = directed,
        .self_loops = io::OddEdge::refuse,
        .repeats = io::RepeatedEdge::refuse,
        .negative_weights = terms_ && terms_->grid.clamps() ? io::OddEdge::keep : io::OddEdge::refuse,
        .unweighted = io::OddEdge::refuse,
        .columns = columns_.map(),
        .progress = caller.progress()};
    io::TextSource source = from.open(caller);
    io::GraphTable graph = io::read_graph(source, options);
    tell_columns(caller, graph.columns);
    caller.warn(graph.warnings);
    for (const std::string& name : graph.vertices.names()) {
      if (name.find_first_of("\r\n") != std::string::npos)
        throw DataError({from.name()}, "a name holds a line break", "give its vertex another name");
    }
    return graph;
  }

  WeightsReleaseFields fields_;
  AnywayField anyway_;
  ColumnFields columns_;
  std::string format_;

  std::optional<weights::WeightTerms> terms_;     // of a sound release
  weights::PublishedWeights::Options published_;  // of the paper's
  std::vector<double> prior_;
  io::GraphTable graph_;
  std::optional<weights::EdgeSurvey> survey_;  // of a release in pieces
  std::unique_ptr<weights::EdgeMechanism> mechanism_;
  std::unique_ptr<weights::GraphRelease> held_;  // of one in memory
  double moved_by_order_ = 0;
};

}  // namespace

std::unique_ptr<Release> weights_release() {
  return std::make_unique<WeightsRelease>();
}

}  // namespace fogline::release
