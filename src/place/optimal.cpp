// SPDX-License-Identifier: Apache-2.0
#include "place/optimal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "graph/components.hpp"
#include "kernel/metric_optimal.hpp"
#include "privacy/mechanism.hpp"

namespace fogline::place {
namespace {

static_assert(privacy::WeightedMechanism<Optimal>);

/// What is left of epsilon for the solver at first. The rest pays for rounding, and for what rows lack of 1; the certificate says whether it was enough, and how much more is
/// needed. The bound, proved for the full epsilon, loses forty times as much on city maps.
constexpr double share_of_whole = 1 - 0x1p-20;
constexpr double share_of_local = 1 - 0x1p-20;
constexpr int attempts = 4;

/// What the solver is asked for, of the gap: the rest pays for the share above, and for what columns have outside their blocks beyond the tails that the solver knows.
constexpr double share_of_gap = 0.65;
/// On larger maps a hundredth is enough: each thousandth more takes as long as half of the way there.
constexpr std::size_t exact_up_to = ErrorOptions::exact_up_to;
constexpr double small_gap = 1e-3, large_gap = 1e-2;
/// Where an uneven prior keeps the bound of local blocks away, maps up to this size are solved as a whole, which takes minutes.
constexpr std::size_t dense_up_to = 2'000;

/// So many standard errors of a sample above the table, tight's kernel is not looked at more closely.
constexpr double surely = 6;
/// And not sought thoroughly, where its first draft is so much worse than the table: on the maps that were looked at, a thorough calibration gains at most a tenth
/// on the draft, and a part of a per cent where it takes seconds.
constexpr double hopeless = 1.2;

/// A table farther than this from its bound is not worth its name.
constexpr double worst_gap = 0.25;
constexpr double worth_mending_m = 0.1;

class TableSampler : public VertexMechanism::Sampler {
 public:
  TableSampler(const kernel::SparseTable& table, std::span<const graph::VertexId> range)
      : table_(table), range_(range) {}
  graph::VertexId draw(graph::VertexId truth, random::Stream& noise) override {
    return range_[table_.draw(truth, noise)];
  }

 private:
  const kernel::SparseTable& table_;
  std::span<const graph::VertexId> range_;
};

class TableRows : public VertexMechanism::NearRows {
 public:
  TableRows(const kernel::SparseTable& table, std::span<const graph::VertexId> range)
      : table_(table), range_(range) {}
  const NearRow& of(graph::VertexId input) override {
    row_.output.clear();
    row_.probability.clear();
    const auto total = static_cast<double>(table_.total(input));
    for (const auto& [output, weight] : table_.entries(input)) {
      row_.output.push_back(range_[output]);
      row_.probability.push_back(weight / total);
    }
    row_.of_each_other = static_cast<double>(kernel::SparseTable::floor_weight) / total;
    return row_;
  }

 private:
  const kernel::SparseTable& table_;
  std::span<const graph::VertexId> range_;
  NearRow row_;
};

void require_map(const graph::Graph& graph) {
  if (graph.vertex_count() == 0) throw InvalidOption("network", "has no vertex");
  if (graph.vertex_count() > Optimal::most_vertices) {
    throw InvalidOption(
        "mechanism",
        fmt::format("optimal is for networks of at most {} vertices, and this one has {}; take a smaller "
                    "map, or tight or gem",
                    Optimal::most_vertices, graph.vertex_count()));
  }
  if (graph::components(graph).count() > 1)
    throw InvalidOption("mechanism", "optimal needs a network in one piece; leave out `all-components`");
}

std::vector<graph::VertexId> checked_range(std::vector<graph::VertexId> range, std::size_t vertices) {
  if (range.empty()) {
    range.resize(vertices);
    std::iota(range.begin(), range.end(), graph::VertexId{0});
  }
  std::vector<char> seen(vertices, 0);
  for (const graph::VertexId vertex : range) {
    if (vertex >= vertices)
      throw InvalidOption("range", fmt::format("vertex {} is not on the network", vertex));
    if (seen[vertex]) throw InvalidOption("range", fmt::format("vertex {} stands twice", vertex));
    seen[vertex] = 1;
  }
  return range;
}

kernel::SparseTable table_in(const io::SectionFile& file, std::size_t vertices, std::size_t outputs) {
  const kernel::SparseTable::Numbers found{.end = file.numbers<std::uint64_t>("table_end"),
                                           .output = file.numbers<std::uint32_t>("table_output"),
                                           .weight = file.numbers<double>("table_weight"),
                                           .total = file.numbers<Uint128>("table_total")};
  if (found.end.size() != vertices)
    throw DataError({file.path()}, "holds a table that does not fit its map", "prepare it again");
  return {found, outputs, file.mapping()};
}

}  // namespace

Optimal::Optimal(const graph::Graph& graph, const Options& options)
    : VertexMechanism(graph),
      epsilon_(options.epsilon),
      unit_(options.unit),
      range_(checked_range(options.range, graph.vertex_count())),
      gap_(options.gap),
      prior_(options.prior) {
  require_epsilon(epsilon_);
  if (gap_ != 0 && !(gap_ >= 1e-6 && gap_ <= 0.5))
    throw InvalidOption("gap", "must lie between 0.000001 and 0.5, or be 0");
  require_map(graph);
  build(options);
}

Optimal::Optimal(const graph::Graph& graph, const Options& options, const io::SectionFile& found) try
    : VertexMechanism(graph),
      epsilon_(options.epsilon),
      unit_(options.unit),
      range_(checked_range(options.range, graph.vertex_count())) {
  require_epsilon(epsilon_);
  const auto told = nlohmann::ordered_json::parse(found.text("optimal"));
  gap_ = told.at("gap").get<double>();
  free_vertices_ = told.at("free_vertices").get<std::size_t>();
  q_loss_m_ = told.at("q_loss_m").get<double>();
  lower_bound_m_ = told.at("lower_bound_m").get<double>();
  if (!(lower_bound_m_ >= 0 && lower_bound_m_ <= q_loss_m_ && std::isfinite(q_loss_m_)))
    throw DataError({found.path()}, "holds a bound that is none", "prepare it again");
  if (found.has("tight")) {
    tight_ = std::make_unique<Tight>(
        graph, Tight::Options{.epsilon = options.epsilon, .range = options.range, .unit = options.unit},
        found);
  } else {
    table_ = std::make_unique<kernel::SparseTable>(table_in(found, graph.vertex_count(), range_.size()));
  }
} catch (const nlohmann::json::exception&) {
  throw DataError({found.path()}, "does not hold a table of optimal as this version writes it",
                  "prepare it again");
}

void Optimal::store(io::SectionWriter& file) const {
  file.add_text("optimal", nlohmann::ordered_json{{"gap", gap_},
                                                  {"free_vertices", free_vertices_},
                                                  {"q_loss_m", q_loss_m_},
                                                  {"lower_bound_m", lower_bound_m_}}
                               .dump());
  if (tight_) return tight_->store(file);
  const kernel::SparseTable::Numbers& numbers = table_->numbers();
  file.add("table_end", numbers.end);
  file.add("table_output", numbers.output);
  file.add("table_weight", numbers.weight);
  file.add("table_total", numbers.total);
}

void Optimal::build(const Options& options) {
  if (graph().vertex_count() == 1 || range_.size() == 1) {  // nothing to choose
    if (gap_ == 0) gap_ = small_gap;
    table_ = std::make_unique<kernel::SparseTable>(
        std::vector<std::vector<kernel::SparseTable::Entry>>(graph().vertex_count()), range_.size());
    error_ = error_over_every_vertex(*this, options);
    q_loss_m_ = lower_bound_m_ = error_->q_loss_m;
    return;
  }
  const kernel::Relation roads = kernel::Relation::metric(graph());
  if (gap_ == 0) gap_ = graph().vertex_count() <= exact_up_to ? small_gap : large_gap;
  double share = is_local(options) ? share_of_local : share_of_whole;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    if (solve(options, roads, share)) return compare_with_tight(options);
    share *= epsilon_.value().to_double() / (1000 * certificate_.loss.high) * share_of_local;
  }
  throw NoTableFound(
      "the table found for this network does not keep its promise, and is not used; try another epsilon, or "
      "tight "
      "or gem");
}

bool Optimal::is_local(const Options& options) const {
  return options.reach > 0 || graph().vertex_count() > all_free_up_to;
}

kernel::OptimalTable Optimal::find_columns(const Options& options, const kernel::Relation& roads,
                                           const std::vector<double>& prior, double share) {
  const double per_mm = epsilon_.value().to_double() / 1000, epsilon_per_mm = per_mm * share;
  const double bound_per_mm = per_mm * (1 + 1e-12);
  if (is_local(options)) {
    kernel::OptimalTable columns = kernel::metric_table({.relation = roads,
                                                         .epsilon_per_unit = epsilon_per_mm,
                                                         .bound_epsilon_per_unit = bound_per_mm,
                                                         .prior = prior,
                                                         .outputs = range_},
                                                        {.gap = gap_ * share_of_gap,
                                                         .reach = options.reach,
                                                         .threads = options.threads,
                                                         .progress = options.progress});
    columns.loss /= 1000;
    columns.lower_bound /= 1000;
    const bool is_close = columns.converged && columns.loss - columns.lower_bound <= gap_ * columns.loss;
    free_vertices_ = 0;
    if (!is_close && options.reach == 0 && graph().vertex_count() <= dense_up_to)
      return find_densely(options, roads, prior, share);
    for (const auto& column : columns.columns)
      free_vertices_ = std::max(free_vertices_, column.inputs.size());
    return columns;
  }
  return find_densely(options, roads, prior, share);
}

kernel::OptimalTable Optimal::find_densely(const Options& options, const kernel::Relation& roads,
                                           const std::vector<double>& prior, double share) const {
  const double per_mm = epsilon_.value().to_double() / 1000, epsilon_per_mm = per_mm * share;
  const double bound_per_mm = per_mm * (1 + 1e-12);
  const auto metres = [&](std::size_t output, std::span<double> loss) {
    graph::Dijkstra search(graph());
    const auto distance = search.one_to_all(range_[output]);
    for (std::size_t v = 0; v < loss.size(); ++v) loss[v] = static_cast<double>(distance[v]) / 1000;
  };
  return kernel::optimal_table({.relation = roads,
                                .epsilon_per_unit = epsilon_per_mm,
                                .bound_epsilon_per_unit = bound_per_mm,
                                .prior = prior,
                                .outputs = range_.size(),
                                .loss = metres},
                               {.gap = gap_, .threads = options.threads, .progress = options.progress});
}

bool Optimal::solve(const Options& options, const kernel::Relation& roads, double share) {
  const std::size_t n = graph().vertex_count();
  const double epsilon_per_mm = epsilon_.value().to_double() / 1000 * share;
  std::vector<double> prior = options.prior;
  if (prior.empty()) prior.assign(n, 1.0 / static_cast<double>(n));
  const kernel::OptimalTable columns = find_columns(options, roads, prior, share);
  if (!columns.converged &&
      columns.loss - columns.lower_bound > std::max(worst_gap * columns.loss, worth_mending_m)) {
    throw NoTableFound(
        "the solver did not come near the least displacement on this network, and its table is not used; try "
        "another epsilon, or "
        "tight or gem");
  }
  table_ = std::make_unique<kernel::SparseTable>(kernel::sparse_table(
      columns, roads, epsilon_per_mm, {.threads = options.threads, .progress = options.progress}));
  certificate_ = kernel::certify(roads, *table_, {.threads = options.threads, .progress = options.progress});
  error_ = error_over_every_vertex(*this, options);
  q_loss_m_ = error_->q_loss_m;
  lower_bound_m_ = columns.lower_bound * (1 - 1e-9);  // more than its sums can be rounded by
  return kernel::holds(certificate_, epsilon_.value() / 1000);
}

/// The solver stops within `gap` of the optimum; where tight's kernel is the optimum, as on lattices, it may be the better by a little.
void Optimal::compare_with_tight(const Options& options) {
  const std::vector<graph::Edge> roads = graph().edges();
  if (std::ranges::any_of(
          roads, [](const graph::Edge& road) { return road.length_mm > kernel::longest_tight_road_mm; }))
    return;  // where tight has no kernel
  if (is_draft_hopeless(options)) return;
  auto tight = std::make_unique<Tight>(graph(), Tight::Options{.epsilon = options.epsilon,
                                                               .range = options.range,
                                                               .prior = options.prior,
                                                               .unit = options.unit,
                                                               .threads = options.threads,
                                                               .progress = options.progress});
  const ExpectedError sampled = tight->expected_error(
      {.prior = options.prior, .threads = options.threads, .progress = options.progress});
  if (sampled.q_loss_m - surely * sampled.standard_error_m > q_loss_m_) return;
  const ExpectedError error = error_over_every_vertex(*tight, options);
  if (!(error.q_loss_m < q_loss_m_)) return;
  error_ = error;
  q_loss_m_ = error.q_loss_m;
  tight_ = std::move(tight);
}

bool Optimal::is_draft_hopeless(const Options& options) const {
  const kernel::TightOptions draft{.epsilon_per_mm = epsilon_.value() / 1000,
                                   .range = options.range,
                                   .prior = options.prior,
                                   .thorough_up_to = 0,
                                   .threads = options.threads,
                                   .progress = options.progress};
  if (graph().vertex_count() > kernel::TightOptions{}.thorough_up_to) return false;  // there is nothing else
  return kernel::calibrate_tight(graph(), draft).q_loss_m > hopeless * q_loss_m_;
}

ExpectedError Optimal::error_over_every_vertex(const VertexMechanism& mechanism,
                                               const Options& options) const {
  const ErrorOptions whole{.prior = options.prior,
                           .exact = graph().vertex_count() <= exact_up_to,
                           .work = ErrorOptions::every_vertex,
                           .threads = options.threads,
                           .progress = options.progress};
  return &mechanism == this ? VertexMechanism::expected_error(whole) : mechanism.expected_error(whole);
}

bool Optimal::fits(const WorkedOut& now) const {
  return is_near_figure(now.error.q_loss_m, q_loss_m_) && (!tight_ || tight_->fits(now));
}

privacy::Guarantee Optimal::guarantee() const {
  return privacy::Guarantee::metric(epsilon_, unit_, privacy::Exactness::exact);
}

std::unique_ptr<VertexMechanism::Sampler> Optimal::sampler() const {
  if (tight_) return tight_->sampler();
  return std::make_unique<TableSampler>(*table_, range_);
}

std::unique_ptr<VertexMechanism::NearRows> Optimal::near_rows() const {
  if (tight_) return tight_->near_rows();
  return std::make_unique<TableRows>(*table_, range_);
}

kernel::WeightRow Optimal::row(graph::VertexId input) const {
  if (tight_) return tight_->row(input);
  check_vertex(input);
  return table_->row(input);
}

void Optimal::probabilities(graph::VertexId input, std::span<double> result) const {
  if (tight_) return tight_->probabilities(input, result);
  check_vertex(input);
  if (result.size() != range_.size()) throw InvalidOption("result", "must have room for the whole range");
  const auto total = static_cast<double>(table_->total(input));
  std::fill(result.begin(), result.end(), static_cast<double>(kernel::SparseTable::floor_weight) / total);
  for (const auto& [output, weight] : table_->entries(input)) result[output] = weight / total;
}

nlohmann::ordered_json Optimal::parameters() const {
  return {{"solver_gap", gap_},
          {"free_vertices", free_vertices_ == 0 ? graph().vertex_count() : free_vertices_},
          {"table", tight_ ? "tight" : "solver"}};
}

std::vector<std::string> Optimal::remarks() const {
  const double gap = lower_bound_m_ > 0 ? q_loss_m_ / lower_bound_m_ - 1 : 0;
  std::vector<std::string> sentences{
      fmt::format("No mechanism with this guarantee, range and prior has a mean displacement below {:.2f} m; "
                  "this one has {:.2f} m, "
                  "{:.2f} % above.",
                  lower_bound_m_, q_loss_m_, 100 * gap)};
  if (tight_)
    sentences.emplace_back(
        "Its table is the kernel of tight, which is better than what the solver stopped at.");
  return sentences;
}

ExpectedError Optimal::expected_error(const ErrorOptions& options) const {
  const bool is_known = error_ && options.prior == prior_;
  if (is_known && (!options.exact || graph().vertex_count() <= exact_up_to)) return *error_;
  // As it was worked out when the table was found: who has it from a file gets the same figure, to the last digit.
  ErrorOptions whole = options;
  whole.exact = options.exact || graph().vertex_count() <= exact_up_to;
  whole.work = ErrorOptions::every_vertex;
  return tight_ ? tight_->expected_error(whole) : VertexMechanism::expected_error(whole);
}

RuleCertificate Optimal::certify_rule(const RuleOptions& options) const {
  if (tight_) return tight_->certify_rule(options);
  const auto certificate = kernel::certify(kernel::Relation::metric(graph()), *table_,
                                           {.threads = options.threads, .progress = options.progress});
  return {.available = true,
          .holds = kernel::holds(certificate, epsilon_.value() / 1000),
          .loss_high_per_metre =
              std::nextafter(1000 * certificate.loss.high, std::numeric_limits<double>::infinity()),
          .rule = fmt::format("the integers of all {} rows were compared on every road, for every output",
                              graph().vertex_count())};
}

}  // namespace fogline::place
