// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>
#include <vector>

#include "fuzz_reader.hpp"
#include "io/edge_batches.hpp"

/// The first byte chooses the format. Whatever is read in pieces must be what the reader of whole files reads.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  if (size == 0) return 0;
  const bool is_csv = data[0] % 2 == 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  return fuzz::run(
      data + 1, size - 1, is_csv ? "fuzz.csv" : "fuzz.txt", is_csv ? fuzz::Form::table : fuzz::Form::lines,
      [&](io::TextSource& source) {
        io::EdgeBatches batches(source, {.edges_per_batch = 3});
        std::vector<double> weights;
        std::vector<std::uint64_t> lines;
        io::EdgeScratch scratch;
        for (io::EdgeBatch batch; batches.next(batch);) {
          for (std::size_t i = 0; i < batch.size(); ++i) {
            const io::EdgeView edge = batches.edge(batch, i, scratch);
            fuzz::require(!edge.source.empty() && !edge.target.empty() && edge.source != edge.target);
            fuzz::require(std::isfinite(edge.weight));
            weights.push_back(edge.weight);
            lines.push_back(edge.line);
          }
        }
        io::TextSource again = io::TextSource::from_memory(is_csv ? "fuzz.csv" : "fuzz.txt", text);
        const io::GraphTable whole = io::read_graph(again, {.self_loops = io::OddEdge::refuse,
                                                            .repeats = io::RepeatedEdge::keep,
                                                            .negative_weights = io::OddEdge::keep});
        fuzz::require(whole.weight == weights && whole.line == lines);
        return weights.size();
      });
}
