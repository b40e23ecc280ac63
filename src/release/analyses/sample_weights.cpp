// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"
#include "random/key.hpp"
#include "release/analyses/analysis.hpp"
#include "release/kinds.hpp"
#include "weights/graph/sample_graph.hpp"

namespace fogline::release {
namespace {

class SampleWeights : public Analysis {
 public:
  std::string kind() const override { return "sample"; }
  std::string verb() const override { return "weights"; }
  const WrittenFile* written() const override { return &file_; }

  void declare(FieldTable& table) override {
    table.group("Sample");
    table.value("vertices", "N", vertices_, "how many vertices (1,000)").range("2", "50000000");
    table.value("edges-per-vertex", "N", edges_per_vertex_, "edges that come with each new vertex (5)")
        .range("1", "1000");
    table
        .value(
            "edges", "N", edges_,
            "edges in all, where a few fewer are wanted: draws that repeat an edge are left out, not redrawn")
        .nonzero()
        .range("1", "50000000000");
    table.value("range", "LOW:HIGH", range_, "lowest and highest weight (100:600)");
    table.value("seed", "N", seed_, "another sample for another number (1)");
    file_.declare(table, "CSV file; - for standard output");
  }

  Findings run(Caller&) override {
    const auto grid = weights::WeightGrid::parse(range_, "1");
    random::Stream choice = random::SeededKey(seed_).stream("sample weights");
    const weights::GraphShape shape =
        weights::scale_free_graph({.vertices = static_cast<std::uint32_t>(vertices_),
                                   .edges_per_vertex = static_cast<std::uint32_t>(edges_per_vertex_),
                                   .edges = edges_},
                                  choice);
    write(shape, weights::uniform_weights(grid, shape.edges(), choice));
    Findings found(nlohmann::ordered_json{
        {"output", file_.output}, {"edges", shape.edges()}, {"vertices", shape.vertices}});
    if (!file_.is_standard_output())
      found.add(fmt::format("{} edges between {} vertices in {}", grouped(shape.edges()),
                            grouped(shape.vertices), file_.output));
    found.tells_of_file = true;
    return found;
  }

 private:
  void write(const weights::GraphShape& shape, const std::vector<double>& weight) const {
    io::OutputFile out = file_.open();
    out.write("source,target,weight\n");
    for (std::size_t e = 0; e < shape.edges(); ++e)
      out.write(fmt::format("{},{},{}\n", shape.source[e], shape.target[e], weight[e]));
    out.commit();
  }

  std::uint64_t vertices_ = 1000;
  std::uint64_t edges_per_vertex_ = 5;
  std::uint64_t edges_ = 0;
  std::string range_ = "100:600";
  std::uint64_t seed_ = 1;
  WrittenFile file_;
};

}  // namespace

std::unique_ptr<Analysis> sample_weights() {
  return std::make_unique<SampleWeights>();
}

}  // namespace fogline::release
