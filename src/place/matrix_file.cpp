// SPDX-License-Identifier: Apache-2.0
#include "place/matrix_file.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/int128.hpp"
#include "io/csv.hpp"
#include "io/npz.hpp"
#include "io/output_file.hpp"

namespace fogline::place {
namespace {

using graph::VertexId;

void require_dense(const VertexMechanism& mechanism, std::size_t vertices) {
  if (vertices * mechanism.range().size() > MatrixOptions::most_dense)
    throw InvalidOption("dense", fmt::format("is for tables of at most {} entries: write a sparse one",
                                             MatrixOptions::most_dense));
}

/// What belongs to every table: which vertices its rows and columns are.
struct Vertices {
  std::vector<double> lon, lat;
  std::vector<std::uint32_t> range;

  Vertices(const VertexMechanism& mechanism, const roads::RoadNetwork& map)
      : range(mechanism.range().begin(), mechanism.range().end()) {
    for (const geometry::LonLat& at : map.position) {
      lon.push_back(at.lon);
      lat.push_back(at.lat);
    }
  }
  void add_to(io::NpzWriter& file, const roads::RoadNetwork& map) const {
    file.add("lon", {lon.size()}, std::span<const double>(lon));
    file.add("lat", {lat.size()}, std::span<const double>(lat));
    file.add("range", {range.size()}, std::span<const std::uint32_t>(range));
    if (!map.vertex_name.empty())
      file.add("vertex", {map.vertex_name.size()}, std::span<const std::int64_t>(map.vertex_name));
  }
};

/// Outputs of a row in the order of vertices, as sparse tables have them.
std::vector<std::pair<VertexId, double>> in_order(const NearRow& row) {
  std::vector<std::pair<VertexId, double>> entries;
  for (std::size_t i = 0; i < row.output.size(); ++i)
    if (row.probability[i] > 0) entries.emplace_back(row.output[i], row.probability[i]);
  std::sort(entries.begin(), entries.end());
  return entries;
}

/// Which outputs the rows of a sparse table list, as SciPy has them.
struct ListedOutputs {
  std::array<std::int64_t, 2> shape;
  std::vector<std::int64_t> begin{0};
  std::vector<std::int32_t> column = {};

  explicit ListedOutputs(std::size_t vertices)
      : shape{static_cast<std::int64_t>(vertices), static_cast<std::int64_t>(vertices)} {}
  void add(VertexId output) { column.push_back(static_cast<std::int32_t>(output)); }
  void end_row() { begin.push_back(static_cast<std::int64_t>(column.size())); }
  void add_to(io::NpzWriter& file) const {
    file.add_text("format", "csr");
    file.add("shape", {2}, std::span<const std::int64_t>(shape));
    file.add("indptr", {begin.size()}, std::span<const std::int64_t>(begin));
    file.add("indices", {column.size()}, std::span<const std::int32_t>(column));
  }
};

void write_sparse(const std::string& path, const VertexMechanism& mechanism, const roads::RoadNetwork& map,
                  const MatrixOptions& options) {
  const std::size_t n = map.vertex_count();
  ListedOutputs listed(n);
  std::vector<double> data, other;
  const auto rows = mechanism.near_rows();
  ProgressMeter meter(options.progress, "writing the table", n);
  for (VertexId v = 0; v < n; ++v) {
    const NearRow& row = rows->of(v);
    for (const auto& [output, probability] : in_order(row)) {
      listed.add(output);
      data.push_back(probability);
    }
    listed.end_row();
    other.push_back(row.of_each_other);
    meter.advance();
  }
  meter.finish();
  const Vertices vertices(mechanism, map);
  io::NpzWriter file;
  listed.add_to(file);
  file.add("data", {data.size()}, std::span<const double>(data));
  file.add("of_each_other", {other.size()}, std::span<const double>(other));
  vertices.add_to(file, map);
  file.write(path, {.overwrite = options.overwrite});
}

void write_dense(const std::string& path, const VertexMechanism& mechanism, const roads::RoadNetwork& map,
                 const MatrixOptions& options) {
  const std::size_t n = map.vertex_count(), m = mechanism.range().size();
  require_dense(mechanism, n);
  std::vector<double> probability(n * m);
  for (VertexId v = 0; v < n; ++v) mechanism.probabilities(v, std::span(probability).subspan(v * m, m));
  const Vertices vertices(mechanism, map);
  io::NpzWriter file;
  file.add("probability", {n, m}, std::span<const double>(probability));
  vertices.add_to(file, map);
  file.write(path, {.overwrite = options.overwrite});
}

/// Integers of 128 bits as two arrays.
struct Halves {
  std::vector<std::uint64_t> high = {}, low = {};

  void push_back(Uint128 number) {
    high.push_back(high_half(number));
    low.push_back(low_half(number));
  }
  void add_to(io::NpzWriter& file, const std::string& name, const std::vector<std::uint64_t>& shape) const {
    file.add(name + "_high", shape, std::span<const std::uint64_t>(high));
    file.add(name + "_low", shape, std::span<const std::uint64_t>(low));
  }
};

void write_dense_weights(const std::string& path, const VertexMechanism& mechanism,
                         const roads::RoadNetwork& map, const MatrixOptions& options) {
  const std::size_t n = map.vertex_count(), m = mechanism.range().size();
  require_dense(mechanism, n);
  Halves weights, totals;
  for (VertexId v = 0; v < n; ++v) {
    const kernel::WeightRow row = mechanism.row(v);
    for (const Uint128& weight : row.weights) weights.push_back(weight);
    totals.push_back(row.total);
  }
  const Vertices vertices(mechanism, map);
  io::NpzWriter file;
  weights.add_to(file, "weight", {n, m});
  totals.add_to(file, "total", {n});
  vertices.add_to(file, map);
  file.write(path, {.overwrite = options.overwrite});
}

/// What stands out in a row is what has more than the least of it.
void write_sparse_weights(const std::string& path, const VertexMechanism& mechanism,
                          const roads::RoadNetwork& map, const MatrixOptions& options) {
  const std::size_t n = map.vertex_count();
  const auto range = mechanism.range();
  ListedOutputs listed(n);
  Halves weights, others, totals;
  std::vector<std::pair<VertexId, Uint128>> above;
  ProgressMeter meter(options.progress, "writing the table", n);
  for (VertexId v = 0; v < n; ++v) {
    const kernel::WeightRow row = mechanism.row(v);
    const Uint128 least = *std::ranges::min_element(row.weights);
    above.clear();
    for (std::size_t o = 0; o < range.size(); ++o)
      if (row.weights[o] > least) above.emplace_back(range[o], row.weights[o]);
    std::sort(above.begin(), above.end());
    for (const auto& [output, weight] : above) {
      listed.add(output);
      weights.push_back(weight);
    }
    listed.end_row();
    others.push_back(least);
    totals.push_back(row.total);
    meter.advance();
  }
  meter.finish();
  const Vertices vertices(mechanism, map);
  io::NpzWriter file;
  listed.add_to(file);
  weights.add_to(file, "weight", {listed.column.size()});
  others.add_to(file, "of_each_other", {n});
  totals.add_to(file, "total", {n});
  vertices.add_to(file, map);
  file.write(path, {.overwrite = options.overwrite});
}

void write_csv(const std::string& path, const VertexMechanism& mechanism, const roads::RoadNetwork& map,
               const MatrixOptions& options) {
  io::OutputFile file(path, {.overwrite = options.overwrite});
  file.write(options.weights ? "input,output,weight\n" : "input,output,probability\n");
  if (options.dense || options.weights) require_dense(mechanism, map.vertex_count());
  const auto line = [&](VertexId input, VertexId output, const std::string& number) {
    std::string text;
    io::append_csv_field(text, roads::name_of(map, input));
    text += ',';
    io::append_csv_field(text, roads::name_of(map, output));
    file.write(text + "," + number + "\n");
  };
  const auto rows = mechanism.near_rows();
  for (VertexId v = 0; v < map.vertex_count(); ++v) {
    if (options.weights) {
      const kernel::WeightRow row = mechanism.row(v);
      for (std::size_t o = 0; o < row.weights.size(); ++o)
        line(v, mechanism.range()[o], fogline::to_string(row.weights[o]));
    } else if (options.dense) {
      std::vector<double> probability(mechanism.range().size());
      mechanism.probabilities(v, probability);
      for (std::size_t o = 0; o < probability.size(); ++o)
        line(v, mechanism.range()[o], fmt::format("{}", probability[o]));
    } else {
      for (const auto& [output, probability] : in_order(rows->of(v)))
        line(v, output, fmt::format("{}", probability));
    }
  }
  file.commit();
}

}  // namespace

void write_matrix(const std::string& path, const VertexMechanism& mechanism, const roads::RoadNetwork& map,
                  const MatrixOptions& options) {
  if (options.weights && !mechanism.has_rows())
    throw InvalidOption("weights", fmt::format("are not what {} draws from", mechanism.name()));
  if (path.ends_with(".csv")) return write_csv(path, mechanism, map, options);
  if (!path.ends_with(".npz")) throw InvalidOption("matrix", "must end in .npz or .csv");
  if (options.weights && options.dense) return write_dense_weights(path, mechanism, map, options);
  if (options.weights) return write_sparse_weights(path, mechanism, map, options);
  if (options.dense) return write_dense(path, mechanism, map, options);
  write_sparse(path, mechanism, map, options);
}

}  // namespace fogline::place
