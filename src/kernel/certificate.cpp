// SPDX-License-Identifier: Apache-2.0
#include "kernel/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/error.hpp"

namespace fogline::kernel {
namespace {

static_assert(std::numeric_limits<long double>::digits >= 64, "the error bound below needs 64-bit mantissas");

// Logarithms of 128-bit integers lie below 89, where a unit in the last place is 2^-57. Each log-probability
// is two logarithms and a difference, each loss a difference of two of those: less than 9 units in all.
constexpr long double widening = 0x1p-53L;
constexpr long double impossible = -std::numeric_limits<long double>::infinity();

std::vector<long double> log_probabilities(const WeightRow& row) {
  std::vector<long double> result(row.weights.size());
  const long double log_total = std::log(static_cast<long double>(row.total));
  for (std::size_t o = 0; o < result.size(); ++o) {
    result[o] =
        row.weights[o] == 0 ? impossible : std::log(static_cast<long double>(row.weights[o])) - log_total;
  }
  return result;
}

struct Loss {
  long double per_mm = -1;
  std::size_t output = 0;
};

Loss largest_loss(std::span<const long double> a, std::span<const long double> b) {
  Loss worst;
  for (std::size_t o = 0; o < a.size(); ++o) {
    if (a[o] == impossible && b[o] == impossible) continue;
    const long double loss = std::abs(a[o] - b[o]);
    if (loss > worst.per_mm) worst = {loss, o};
  }
  return worst;
}

double rounded(long double value, double direction) {
  if (std::isinf(value)) return static_cast<double>(value);
  return std::nextafter(static_cast<double>(value), direction);
}

}  // namespace

Certificate certify(const graph::Graph& graph, const std::function<WeightRow(graph::VertexId)>& row,
                    const ParallelOptions& parallel) {
  std::vector<std::vector<long double>> log_p(graph.vertex_count());
  for (graph::VertexId v = 0; v < graph.vertex_count(); ++v) {
    log_p[v] = log_probabilities(row(v));
    if (log_p[v].size() != log_p[0].size()) throw InvalidOption("kernel", "rows must have the same outputs");
  }

  const std::vector<graph::Edge> edges = graph.edges();
  std::vector<Loss> losses(edges.size());
  parallel_for(edges.size(), parallel, [&](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) {
      losses[e] = largest_loss(log_p[edges[e].tail], log_p[edges[e].head]);
      losses[e].per_mm /= static_cast<long double>(edges[e].length_mm);
    }
  });

  Certificate certificate;
  long double highest = -1;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const long double margin = widening / static_cast<long double>(edges[e].length_mm);
    // The upper end is a maximum of its own: a slightly smaller loss on a shorter edge may be widened
    // further.
    highest = std::max(highest, losses[e].per_mm + margin);
    if (e == 0 || losses[e].per_mm - margin > static_cast<long double>(certificate.loss_per_mm_low)) {
      certificate = {rounded(losses[e].per_mm - margin, -1), 0, edges[e], losses[e].output};
    }
  }
  certificate.loss_per_mm_low = std::max(0.0, certificate.loss_per_mm_low);
  certificate.loss_per_mm_high =
      edges.empty() ? 0 : rounded(highest, std::numeric_limits<double>::infinity());
  return certificate;
}

}  // namespace fogline::kernel
