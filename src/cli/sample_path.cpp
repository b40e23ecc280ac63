// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "cli/blocks.hpp"
#include "cli/usage_error.hpp"
#include "cli/verbs.hpp"
#include "io/output_file.hpp"
#include "path/sample_route.hpp"
#include "random/key.hpp"
#include "release/analyses/written_file.hpp"
#include "roads/read_network.hpp"

namespace fogline::cli {
namespace {

class SamplePath : public Command {
 public:
  CommandInfo info() const override {
    return {{"sample", "path"},
            "Make a network and a private route in it, to try releases on",
            "Writes a network as CSV with source and target, and a route through all its vertices, one "
            "vertex a line: a path in "
            "random order, and roads drawn evenly from the other pairs. Up to 26 vertices are called by "
            "letters, and b and c are "
            "always a step of the route. With --network it writes the shortest way between two vertices of "
            "that network instead, "
            "and no network. Invented data: the same seed makes the same files.",
            {{"8 vertices and 12 roads, in net.csv and route.csv", "fogline sample path"},
             {"a way across the sample city",
              "fogline sample path --network city:7 --from 12 --to 300 -o way.csv"}}};
  }

  void declare(OptionSet& options) override {
    options.group("Sample");
    options.value("--vertices", "N", vertices_, "how many vertices (8)").nonzero();
    options.value("--roads", "N", roads_, "how many roads (half as many again as vertices)").nonzero();
    options.flag("--cyclic", cyclic_, "the route visits one vertex twice");
    options.value("--seed", "N", seed_, "another sample for another number (1)");
    options.group("Shortest way");
    options.value("--network", "NETWORK", network_, "file or specification of a road network");
    options.value("--from", "VERTEX", from_, "where the route starts");
    options.value("--to", "VERTEX", to_, "where it ends");
    options.group("Output");
    options.value("-o,--output", "FILE", output_, "CSV file of the route (route.csv)");
    options.value("--net", "FILE", net_, "CSV file of the network (net.csv)");
    options.flag("--overwrite", overwrite_, "replace existing files");
  }

  int run(Session& session) override {
    require_one_kind();
    if (network_.empty()) {
      invent(session);
    } else {
      find_way(session);
    }
    return 0;
  }

 private:
  void require_one_kind() const {
    const bool real = !network_.empty();
    if (real && (vertices_ != 0 || roads_ != 0 || cyclic_))
      throw UsageError("--vertices, --roads and --cyclic are for invented networks, not with --network");
    if (real && (from_.empty() || to_.empty())) throw UsageError("--network needs --from and --to");
    if (!real && !(from_.empty() && to_.empty())) throw UsageError("--from and --to need --network");
  }

  void invent(Session& session) const {
    random::Stream choice = random::SeededKey(seed_).stream("sample path");
    if (net_ == output_) throw InvalidOption("net", "and --output must be two different files");
    const path::SampleRoute made = path::sample_route(shape(), choice);
    std::vector<std::string> names;
    for (const path::VertexId v : made.route) names.push_back(made.map.names[v]);
    io::OutputFile net(net_, {.overwrite = overwrite_});
    net.write("source,target\n");
    for (path::VertexId u = 0; u < made.map.vertex_count(); ++u) {
      for (const path::VertexId v : made.map.roads.neighbours(u))
        if (u < v) net.write(fmt::format("{},{}\n", made.map.names[u], made.map.names[v]));
    }
    write_route(names, [&] { net.commit(); });
    session.note(fmt::format("{} roads between {} vertices in {}, a route of {} steps in {}",
                             grouped(made.map.roads.edge_count()), grouped(made.map.vertex_count()), net_,
                             grouped(names.size() - 1), output_));
  }

  void find_way(Session& session) const {
    release::require_other_file(output_, roads::network_files(network_));
    const roads::RoadNetwork network = roads::read_network(network_);
    const auto route =
        path::shortest_route(network.graph, vertex(network, "--from", from_), vertex(network, "--to", to_));
    std::vector<std::string> names;
    for (const graph::VertexId v : route) names.push_back(roads::name_of(network, v));
    write_route(names, [] {});
    if (output_ == "-") return;
    session.note(fmt::format("a route of {} steps in {}", grouped(names.size() - 1), output_));
  }

  template <class Before>
  void write_route(const std::vector<std::string>& names, const Before& before) const {
    io::OutputFile out(output_, {.overwrite = overwrite_});
    out.write("vertex\n");
    for (const std::string& name : names) out.write(name + "\n");
    before();
    out.commit();
  }

  static graph::VertexId vertex(const roads::RoadNetwork& network, const char* option,
                                const std::string& name) {
    for (graph::VertexId v = 0; v < network.vertex_count(); ++v)
      if (roads::name_of(network, v) == name) return v;
    throw InvalidOption(option, "is not a vertex of the network");
  }

  path::SampleRouteOptions shape() const {
    path::SampleRouteOptions wanted{.cyclic = cyclic_};
    // Too large a number becomes the largest, which is refused as out of range.
    if (vertices_ != 0)
      wanted.vertices = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(vertices_, std::numeric_limits<std::uint32_t>::max()));
    const std::uint64_t n = wanted.vertices;
    wanted.roads = roads_ != 0 ? roads_ : std::min(n * 3 / 2, n * (n - 1) / 2);
    return wanted;
  }

  std::uint64_t vertices_ = 0, roads_ = 0, seed_ = 1;  // 0: not given
  std::string network_, from_, to_, output_ = "route.csv", net_ = "net.csv";
  bool cyclic_ = false, overwrite_ = false;
};

}  // namespace

std::unique_ptr<Command> sample_path() {
  return std::make_unique<SamplePath>();
}

}  // namespace fogline::cli
