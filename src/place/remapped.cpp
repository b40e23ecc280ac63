// SPDX-License-Identifier: Apache-2.0
#include "place/remapped.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "graph/components.hpp"
#include "graph/dijkstra.hpp"
#include "kernel/best_guess.hpp"

namespace fogline::place {
namespace {

using graph::VertexId;
using kernel::Table;

/// The vertices that can be the truth, and how likely each is.
struct Truths {
  std::vector<VertexId> vertex;
  std::vector<double> probability;
};

Truths truths_of(std::size_t vertex_count, const std::vector<double>& prior) {
  if (!prior.empty() && prior.size() != vertex_count)
    throw InvalidOption("prior", "must give every vertex a probability");
  Truths truths;
  for (VertexId v = 0; v < vertex_count; ++v) {
    const double probability = prior.empty() ? 1 / static_cast<double>(vertex_count) : prior[v];
    if (probability == 0) continue;
    truths.vertex.push_back(v);
    truths.probability.push_back(probability);
  }
  return truths;
}

Table empty_table(std::size_t rows, std::size_t columns) {
  return Table(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
}

std::span<double> row_of(Table& table, std::size_t row) {
  return {table.row(static_cast<Eigen::Index>(row)).data(), static_cast<std::size_t>(table.cols())};
}

/// P(o|v), a row per truth.
Table likelihood_of(const VertexMechanism& mechanism, const Truths& truths,
                    const Remapped::Options& options) {
  Table table = empty_table(truths.vertex.size(), mechanism.range().size());
  ProgressMeter meter(options.progress, "computing rows", truths.vertex.size());
  parallel_for(truths.vertex.size(), {.threads = options.threads}, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      mechanism.probabilities(truths.vertex[i], row_of(table, i));
      meter.advance();
    }
  });
  meter.finish();
  return table;
}

/// Metres of road, a row per guess and a column per truth.
Table distances_m(const graph::Graph& graph, const std::vector<VertexId>& guesses, const Truths& truths,
                  const Remapped::Options& options) {
  Table table = empty_table(guesses.size(), truths.vertex.size());
  ProgressMeter meter(options.progress, "measuring distances", guesses.size());
  parallel_for(guesses.size(), {.threads = options.threads}, [&](std::size_t begin, std::size_t end) {
    graph::Dijkstra search(graph);
    for (std::size_t i = begin; i < end; ++i) {
      const auto distance_mm = search.one_to_all(guesses[i]);
      const auto row = row_of(table, i);
      for (std::size_t t = 0; t < row.size(); ++t)
        row[t] = static_cast<double>(distance_mm[truths.vertex[t]]) / 1000;
      meter.advance();
    }
  });
  meter.finish();
  return table;
}

class MovingSampler : public VertexMechanism::Sampler {
 public:
  MovingSampler(std::unique_ptr<Sampler> inner, std::span<const VertexId> moved)
      : inner_(std::move(inner)), moved_(moved) {}
  VertexId draw(VertexId truth, random::Stream& noise) override { return moved_[inner_->draw(truth, noise)]; }

 private:
  std::unique_ptr<Sampler> inner_;
  std::span<const VertexId> moved_;
};

}  // namespace

void Remapped::require_map(const graph::Graph& graph) {
  if (graph.vertex_count() > most_vertices) {
    throw InvalidOption(
        "remap", fmt::format("compares every vertex with every other, which takes too much memory on {} "
                             "vertices; at most {} are supported: cut out a part of the map, or leave "
                             "the remap out",
                             graph.vertex_count(), most_vertices));
  }
  if (const auto pieces = graph::components(graph).count(); pieces > 1) {
    throw InvalidOption("remap", fmt::format("needs a network in one piece, and this one is in {}: leave "
                                             "`all-components` out, or the remap",
                                             pieces));
  }
}

std::vector<VertexId> Remapped::best_moves(const VertexMechanism& inner, const Options& options) {
  const graph::Graph& graph = inner.graph();
  require_map(graph);
  const auto outputs = inner.range();
  const Truths truths = truths_of(graph.vertex_count(), options.prior);
  std::vector<VertexId> guesses(outputs.begin(), outputs.end());
  std::sort(guesses.begin(), guesses.end());  // of equally good guesses the first is taken
  const Table likelihood = likelihood_of(inner, truths, options);
  const auto best =
      kernel::best_guesses(truths.probability, likelihood, distances_m(graph, guesses, truths, options));
  std::vector<VertexId> moved(graph.vertex_count());
  std::iota(moved.begin(), moved.end(), VertexId{0});
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    // What never occurs has no best guess, and stays where it is.
    if (likelihood.col(static_cast<Eigen::Index>(o)).maxCoeff() > 0)
      moved[outputs[o]] = guesses[best.guess[o]];
  }
  return moved;
}

Remapped::Remapped(std::unique_ptr<VertexMechanism> inner, const Options& options)
    : VertexMechanism(inner->graph()), inner_(std::move(inner)), moved_(best_moves(*inner_, options)) {
  find_range();
}

Remapped::Remapped(std::unique_ptr<VertexMechanism> inner, const io::SectionFile& found)
    : VertexMechanism(inner->graph()), inner_(std::move(inner)) {
  const auto moved = found.numbers<VertexId>("moved");
  moved_.assign(moved.begin(), moved.end());
  if (moved_.size() != graph().vertex_count() ||
      std::ranges::any_of(moved_, [&](VertexId to) { return to >= graph().vertex_count(); }))
    throw DataError({found.path()}, "moves outputs to vertices that are not on its map", "prepare it again");
  find_range();
}

void Remapped::store(io::SectionWriter& file) const {
  inner_->store(file);
  file.add("moved", std::span<const VertexId>(moved_));
}

void Remapped::find_range() {
  const auto outputs = inner_->range();
  for (const VertexId output : outputs) range_.push_back(moved_[output]);
  std::sort(range_.begin(), range_.end());
  range_.erase(std::unique(range_.begin(), range_.end()), range_.end());
  for (const VertexId output : outputs) {
    const auto at = std::lower_bound(range_.begin(), range_.end(), moved_[output]);
    column_.push_back(static_cast<std::uint32_t>(at - range_.begin()));
  }
}

bool Remapped::fits(const WorkedOut& now) const {
  const ExpectedError before = inner_->expected_error(now.how);  // of what was told before outputs were moved
  if (!inner_->fits({before, now.certificate, now.how})) return false;
  try {
    return moved_ ==
           best_moves(*inner_,
                      {.prior = now.how.prior, .threads = now.how.threads, .progress = now.how.progress});
  } catch (const InvalidOption&) {
    return false;  // on a map like this nobody can have found them
  }
}

std::unique_ptr<VertexMechanism::Sampler> Remapped::sampler() const {
  return std::make_unique<MovingSampler>(inner_->sampler(), moved_);
}

kernel::WeightRow Remapped::row(VertexId input) const {
  const kernel::WeightRow drawn = inner_->row(input);
  kernel::WeightRow result{std::vector<Uint128>(range_.size()), drawn.total};
  for (std::size_t o = 0; o < column_.size(); ++o) result.weights[column_[o]] += drawn.weights[o];
  return result;
}

void Remapped::probabilities(VertexId input, std::span<double> result) const {
  if (result.size() != range_.size()) throw InvalidOption("result", "must have room for the whole range");
  std::vector<double> drawn(column_.size());
  inner_->probabilities(input, drawn);
  std::fill(result.begin(), result.end(), 0.0);
  for (std::size_t o = 0; o < column_.size(); ++o) result[column_[o]] += drawn[o];
}

nlohmann::ordered_json Remapped::parameters() const {
  return inner_->parameters();
}

std::vector<std::string> Remapped::remarks() const {
  auto sentences = inner_->remarks();
  const auto outputs = inner_->range();
  const auto away = std::count_if(outputs.begin(), outputs.end(), [&](VertexId o) { return moved_[o] != o; });
  sentences.push_back(fmt::format("The remap moves {} of {} outputs, and {} vertices can come out.", away,
                                  outputs.size(), range_.size()));
  return sentences;
}

RuleCertificate Remapped::certify_rule(const RuleOptions& options) const {
  RuleCertificate certificate = inner_->certify_rule(options);
  if (certificate.available)
    certificate.rule += "; moving outputs by a public table afterwards cannot lose more";
  return certificate;
}

}  // namespace fogline::place
