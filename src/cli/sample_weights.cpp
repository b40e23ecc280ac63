// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <fmt/format.h>

#include "cli/blocks.hpp"
#include "cli/verbs.hpp"
#include "io/output_file.hpp"
#include "random/key.hpp"
#include "weights/graph/sample_graph.hpp"

namespace fogline::cli {
namespace {

class SampleWeights : public Command {
 public:
  CommandInfo info() const override {
    return {{"sample", "weights"},
            "Make a graph with edge weights, to try releases on",
            "Writes a scale-free graph, grown by preferential attachment, with whole weights drawn evenly "
            "from a range, as CSV with source, "
            "target and weight. Invented data: the same seed makes the same file.",
            {{"1,000 vertices, weights 100 to 600", "fogline sample weights -o graph.csv"},
             {"A smaller one, to the screen",
              "fogline sample weights --vertices 20 --edges-per-vertex 2 --range 1:40 -o -"}}};
  }

  void declare(OptionSet& options) override {
    options.group("Sample");
    options.value("--vertices", "N", vertices_, "how many vertices (1,000)");
    options.value("--edges-per-vertex", "N", edges_per_vertex_, "edges that come with each new vertex (5)");
    options
        .value(
            "--edges", "N", edges_,
            "edges in all, where a few fewer are wanted: draws that repeat an edge are left out, not redrawn")
        .nonzero();
    options.value("--range", "LOW:HIGH", range_, "lowest and highest weight (100:600)");
    options.value("--seed", "N", seed_, "another sample for another number (1)");
    options.group("Output");
    options.value("-o,--output", "FILE", output_, "CSV file; - for standard output").required();
    options.flag("--overwrite", overwrite_, "replace an existing file");
  }

  int run(Session& session) override {
    const auto grid = weights::WeightGrid::parse(range_, "1");
    random::Stream choice = random::SeededKey(seed_).stream("sample weights");
    const weights::GraphShape shape = weights::scale_free_graph(
        {.vertices = narrowed(vertices_), .edges_per_vertex = narrowed(edges_per_vertex_), .edges = edges_},
        choice);
    const std::vector<double> weight = weights::uniform_weights(grid, shape.edges(), choice);
    io::OutputFile out(output_, {.overwrite = overwrite_});
    out.write("source,target,weight\n");
    for (std::size_t e = 0; e < shape.edges(); ++e)
      out.write(fmt::format("{},{},{}\n", shape.source[e], shape.target[e], weight[e]));
    out.commit();
    if (output_ != "-")
      session.note(fmt::format("{} edges between {} vertices in {}", grouped(shape.edges()),
                               grouped(shape.vertices), output_));
    return 0;
  }

 private:
  /// Too large a number becomes the largest, which is refused as out of range.
  static std::uint32_t narrowed(std::uint64_t number) {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(number, std::numeric_limits<std::uint32_t>::max()));
  }

  std::uint64_t vertices_ = 1000;
  std::uint64_t edges_per_vertex_ = 5;
  std::uint64_t edges_ = 0;
  std::string range_ = "100:600";
  std::uint64_t seed_ = 1;
  std::string output_;
  bool overwrite_ = false;
};

}  // namespace

std::unique_ptr<Command> sample_weights() {
  return std::make_unique<SampleWeights>();
}

}  // namespace fogline::cli
