// SPDX-License-Identifier: Apache-2.0
#include "weights/edge_stream.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/pipeline.hpp"
#include "io/csv.hpp"
#include "io/edge_batches.hpp"
#include "io/repeat_finder.hpp"
#include "privacy/file_hash.hpp"
#include "weights/mechanisms/partition.hpp"

namespace fogline::weights {
namespace {

constexpr std::string_view header = "source,target,weight\n";
/// As many points as the partition into blocks takes (most_partition_points), which a histogram is for.
constexpr std::uint64_t largest_histogram = most_partition_points;

/// Two rounds of folding and multiplying spread every bit over all others. What it gives stays in memory.
std::uint64_t mixed(std::uint64_t x) {
  constexpr std::uint64_t odd_factor = 0xd6e8feb86659fd93u;
  x = (x ^ (x >> 32)) * odd_factor;
  x = (x ^ (x >> 32)) * odd_factor;
  return x ^ (x >> 32);
}

/// A number for an edge, the same either way round unless directed. Two edges may share one: whoever finds that looks at the names.
std::uint64_t fingerprint_of(const io::EdgeView& edge, bool directed) {
  const std::hash<std::string_view> hash;
  std::uint64_t first = hash(edge.source), second = hash(edge.target);
  if (!directed && second < first) std::swap(first, second);
  return mixed(mixed(first) + second);
}

/// Edges on their way through the threads.
struct Item {
  io::EdgeBatch batch = {};
  std::vector<std::uint64_t> fingerprints = {};
  std::vector<std::int64_t> points = {};
  std::string text = {};
  std::exception_ptr failure = {};  // thrown in the order of the file
};

std::function<std::shared_ptr<Item>()> items_of(io::EdgeBatches& batches) {
  return [&batches]() -> std::shared_ptr<Item> {
    auto item = std::make_shared<Item>();
    return batches.next(item->batch) ? item : nullptr;
  };
}

void take_apart(const io::EdgeBatches& batches, const std::string& file, const WeightGrid& grid,
                const StreamOptions& options, Item& item,
                const std::function<void(std::size_t, const io::EdgeView&)>& each) {
  try {
    io::EdgeScratch scratch;
    const std::size_t edges = item.batch.size();
    item.fingerprints.resize(edges);
    item.points.resize(edges);
    for (std::size_t i = 0; i < edges; ++i) {
      const io::EdgeView edge = batches.edge(item.batch, i, scratch);
      const auto found = grid.point_taken(edge.weight, options.rounding);
      if (found.fault != WeightGrid::Fault::none) {
        throw DataError({file, edge.line}, describe(found.fault, grid),
                        found.fault == WeightGrid::Fault::between
                            ? "declare a finer `step`, or add `round`, which costs a step of noise unless "
                              "whole edges are protected"
                            : "declare another `range`");
      }
      item.points[i] = found.point;
      item.fingerprints[i] = fingerprint_of(edge, options.directed);
      if (each) each(i, edge);
    }
  } catch (const DataError&) {
    item.failure = std::current_exception();
  }
}

std::uint64_t chained(std::uint64_t chain, const std::vector<std::uint64_t>& fingerprints) {
  for (const std::uint64_t fingerprint : fingerprints) chain = mixed(chain + fingerprint);
  return chain;
}

/// Fingerprints that occur twice may be of one edge, given twice, or of two: the names decide.
void refuse_repeats(const std::string& file, const StreamOptions& options,
                    const std::vector<std::uint64_t>& repeats) {
  if (repeats.empty()) return;
  io::TextSource source = io::TextSource::from_file(file);
  io::EdgeBatches batches(source, {.format = options.format, .columns = options.columns});
  io::EdgeScratch scratch;
  std::set<std::pair<std::string, std::string>> seen;
  for (io::EdgeBatch batch; batches.next(batch);) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const io::EdgeView edge = batches.edge(batch, i, scratch);
      if (!std::ranges::binary_search(repeats, fingerprint_of(edge, options.directed))) continue;
      std::pair<std::string, std::string> ends{edge.source, edge.target};
      if (!options.directed && ends.second < ends.first) std::swap(ends.first, ends.second);
      if (!seen.insert(std::move(ends)).second)
        throw DataError({file, edge.line}, "the edge was given before", "remove one of them");
    }
  }
}

/// Draws the weights of the edges of one batch, whose first edge begins a stream.
void draw_batch(const EdgeMechanism& mechanism, const random::StreamFamily& streams, Item& item,
                std::vector<std::int64_t>& drawn) {
  const std::span<const std::int64_t> points(item.points);
  drawn.resize(points.size());
  for (std::size_t from = 0; from < points.size(); from += edges_per_stream) {
    const std::size_t count = std::min<std::size_t>(edges_per_stream, points.size() - from);
    random::Stream noise = streams.stream((item.batch.first_edge + from) / edges_per_stream);
    mechanism.draw(points.subspan(from, count), noise, std::span(drawn).subspan(from, count));
  }
}

/// "source,target," of edge after edge, in one text.
class EdgeNames {
 public:
  void add(const io::EdgeView& edge) {
    io::append_csv_field(text_, edge.source);
    text_ += ',';
    io::append_csv_field(text_, edge.target);
    text_ += ',';
    ends_.push_back(text_.size());
  }
  std::string_view text_of(std::size_t edge) const {
    const std::size_t begin = edge > 0 ? ends_[edge - 1] : 0;
    return std::string_view(text_).substr(begin, ends_[edge] - begin);
  }

 private:
  std::string text_;
  std::vector<std::size_t> ends_;
};

std::string shortest(double weight) {
  return fmt::format("{}", weight);
}

}  // namespace

EdgeSurvey survey_edges(const std::string& file, const WeightGrid& grid, const StreamOptions& options) {
  io::TextSource source = io::TextSource::from_file(file);
  io::EdgeBatches batches(source, {.format = options.format, .columns = options.columns});
  io::RepeatFinder finder({.most_in_memory = options.most_in_memory, .threads = options.threads});
  EdgeSurvey found;
  found.columns = batches.columns();
  if (grid.is_finite() && grid.points() <= largest_histogram)
    found.histogram.resize(static_cast<std::size_t>(grid.points()));
  ProgressMeter meter(options.progress, "reading", 0);
  run_pipeline<Item>(
      {.threads = options.threads}, items_of(batches),
      [&](Item& item) { take_apart(batches, file, grid, options, item, {}); },
      [&](Item& item) {
        if (item.failure) std::rethrow_exception(item.failure);
        finder.add(item.fingerprints);
        found.edges += item.points.size();
        found.fingerprint = chained(found.fingerprint, item.fingerprints);
        if (!found.histogram.empty())
          for (const std::int64_t point : item.points) ++found.histogram[static_cast<std::size_t>(point)];
        meter.advance(item.points.size());
      });
  refuse_repeats(file, options, finder.repeats());
  return found;
}

void release_edges(const std::string& file, const EdgeMechanism& mechanism, const EdgeSurvey& survey,
                   const random::Key& key, const StreamOptions& options,
                   const std::function<void(std::string_view)>& write) {
  constexpr std::uint64_t streams_a_batch = 8;  // whole ones: a stream is drawn from by one thread
  io::TextSource source = io::TextSource::from_file(file);
  io::EdgeBatches batches(source, {.format = options.format,
                                   .edges_per_batch = streams_a_batch * edges_per_stream,
                                   .columns = options.columns});
  const random::StreamFamily streams = key.streams("weights");
  std::vector<std::string> texts;
  for (std::size_t output = 0; output < mechanism.outputs(); ++output)
    texts.push_back(shortest(mechanism.weight(static_cast<std::int64_t>(output))));
  std::uint64_t fingerprint = 0, edges = 0;
  ProgressMeter meter(options.progress, "releasing", survey.edges);
  write(header);
  run_pipeline<Item>(
      {.threads = options.threads}, items_of(batches),
      [&](Item& item) {
        EdgeNames names;
        take_apart(batches, file, mechanism.grid(), options, item,
                   [&](std::size_t, const io::EdgeView& edge) { names.add(edge); });
        if (item.failure) return;
        std::vector<std::int64_t> drawn;
        draw_batch(mechanism, streams, item, drawn);
        for (std::size_t i = 0; i < drawn.size(); ++i) {
          item.text += names.text_of(i);
          item.text += texts.empty() ? shortest(mechanism.weight(drawn[i]))
                                     : texts[static_cast<std::size_t>(drawn[i])];
          item.text += '\n';
        }
      },
      [&](Item& item) {
        if (item.failure) std::rethrow_exception(item.failure);
        fingerprint = chained(fingerprint, item.fingerprints);
        edges += item.points.size();
        if (edges > survey.edges) throw DataError({file}, "changed while it was read", "run again");
        write(item.text);
        meter.advance(item.points.size());
      });
  if (edges != survey.edges || fingerprint != survey.fingerprint)
    throw DataError({file}, "changed while it was read", "run again");
  meter.finish();
}

std::string released_csv(const io::GraphTable& graph, std::span<const double> weights) {
  EdgeNames names;
  std::string text(header);
  for (std::size_t e = 0; e < graph.edge_count(); ++e) {
    names.add({graph.vertices.name(graph.source[e]), graph.vertices.name(graph.target[e])});
    text += names.text_of(e);
    text += shortest(weights[e]);
    text += '\n';
  }
  return text;
}

ReleasedSummary read_released(const std::string& file, const std::function<bool(double)>& may_be) {
  io::TextSource source = io::TextSource::from_file(file);
  io::EdgeBatches batches(source, {.format = io::GraphFormat::csv});
  io::EdgeScratch scratch;
  privacy::Sha256 hash;
  hash.add(header);
  ReleasedSummary found;
  for (io::EdgeBatch batch; batches.next(batch);) {
    EdgeNames names;
    std::string text;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const io::EdgeView edge = batches.edge(batch, i, scratch);
      names.add(edge);
      text += names.text_of(i);
      text += shortest(edge.weight);
      text += '\n';
      if (!may_be(edge.weight)) ++found.others;
    }
    hash.add(text);
    found.edges += batch.size();
  }
  found.sha256_anew = hash.hex();
  return found;
}

}  // namespace fogline::weights
