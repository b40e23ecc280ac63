// SPDX-License-Identifier: Apache-2.0
#include "io/prior.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "io/csv.hpp"

namespace fogline::io {
namespace {

constexpr std::string_view example = "vertex,probability";
constexpr std::array<std::string_view, 5> vertex_names = {"vertex", "id", "node", "vertex_id", "node_id"};
constexpr std::array<std::string_view, 4> probability_names = {"probability", "p", "prob", "weight"};

struct Entry {
  std::uint32_t vertex;
  double probability;
  std::uint64_t line;
};

Prior sorted(std::vector<Entry> entries, const std::string& file) {
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.vertex < b.vertex; });
  Prior prior;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i > 0 && entries[i].vertex == entries[i - 1].vertex) {
      throw DataError({file, entries[i].line}, "the vertex was given before", "remove one of them");
    }
    prior.vertex.push_back(entries[i].vertex);
    prior.probability.push_back(entries[i].probability);
  }
  return prior;
}

}  // namespace

Prior read_prior(TextSource& source, const VertexLookup& lookup) {
  CsvReader csv(source, {});
  const std::size_t vertex_column = csv.require_column("vertex", vertex_names, example);
  const std::size_t probability_column = csv.require_column("probability", probability_names, example);
  std::vector<Entry> entries;
  long double sum = 0;
  while (csv.next()) {
    const auto vertex = lookup(csv.trimmed(vertex_column));
    if (!vertex) csv.fail(vertex_column, "is not a vertex of the network");
    const double probability = csv.number(probability_column);
    if (probability < 0 || probability > 1) csv.fail(probability_column, "lies outside 0 to 1");
    sum += static_cast<long double>(probability);
    entries.push_back({*vertex, probability, csv.line()});
  }
  if (std::abs(sum - 1) > 1e-6L) {
    throw DataError({source.name()}, "the probabilities do not sum to 1 within 0.000001",
                    "divide each by their sum");
  }
  return sorted(std::move(entries), source.name());
}

Prior read_prior(const std::string& file, const VertexLookup& lookup) {
  TextSource source = TextSource::from_file(file);
  return read_prior(source, lookup);
}

}  // namespace fogline::io
