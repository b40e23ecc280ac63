// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "path/sample_route.hpp"
#include "random/key.hpp"
#include "release/analyses/analysis.hpp"
#include "release/kinds.hpp"
#include "roads/read_network.hpp"

namespace fogline::release {
namespace {

class SamplePath : public Analysis {
 public:
  std::string kind() const override { return "sample"; }
  std::string verb() const override { return "path"; }
  const WrittenFile* written() const override { return &file_; }

  void declare(FieldTable& table) override {
    table.group("Sample");
    table.value("vertices", "N", vertices_, "how many vertices (8)").nonzero().range("2", "10000");
    table.value("roads", "N", roads_, "how many roads (half as many again as vertices)")
        .nonzero()
        .range("1", "49995000");  // all pairs of the most vertices
    table.flag("cyclic", cyclic_, "the route visits one vertex twice");
    table.value("seed", "N", seed_, "another sample for another number (1)");
    table.group("Shortest way");
    table.value("network", "NETWORK", network_, "file or specification of a road network")
        .role(FieldRole::public_input);
    table.value("from", "VERTEX", from_, "where the route starts");
    table.value("to", "VERTEX", to_, "where it ends");
    table.group("Output");
    table.value("output", "FILE", file_.output, "CSV file of the route (route.csv)")
        .letter('o')
        .role(FieldRole::output);
    table.value("net", "FILE", net_, "CSV file of the network (net.csv)").role(FieldRole::output);
    table.flag("overwrite", file_.overwrite, "replace existing files");
  }

  Findings run(Caller&) override {
    require_one_kind();
    Findings found = network_.empty() ? invent() : find_way();
    found.tells_of_file = true;
    return found;
  }

 private:
  void require_one_kind() const {
    const bool real = !network_.empty();
    if (real && (vertices_ != 0 || roads_ != 0 || cyclic_))
      throw InvalidOption("network", "does not go with `vertices`, `roads` and `cyclic`, which invent one");
    if (real && (from_.empty() || to_.empty())) throw InvalidOption("network", "needs `from` and `to`");
    if (!real && !(from_.empty() && to_.empty()))
      throw InvalidOption(from_.empty() ? "to" : "from", "needs `network`");
  }

  Findings invent() const {
    random::Stream choice = random::SeededKey(seed_).stream("sample path");
    if (net_ == file_.output) throw InvalidOption("net", "and `output` must be two different files");
    const path::SampleRoute made = path::sample_route(shape(), choice);
    std::vector<std::string> names;
    for (const path::VertexId v : made.route) names.push_back(made.map.names[v]);
    io::OutputFile net(net_, {.overwrite = file_.overwrite});
    net.write("source,target\n");
    for (path::VertexId u = 0; u < made.map.vertex_count(); ++u) {
      for (const path::VertexId v : made.map.roads.neighbours(u))
        if (u < v) net.write(fmt::format("{},{}\n", made.map.names[u], made.map.names[v]));
    }
    write_route(names, [&] { net.commit(); });
    const std::size_t steps = names.size() - 1;
    Findings found(nlohmann::ordered_json{{"output", file_.output},
                                          {"net", net_},
                                          {"vertices", made.map.vertex_count()},
                                          {"roads", made.map.roads.edge_count()},
                                          {"steps", steps}});
    found.add(fmt::format("{} roads between {} vertices in {}, a route of {} steps in {}",
                          grouped(made.map.roads.edge_count()), grouped(made.map.vertex_count()), net_,
                          grouped(steps), file_.output));
    return found;
  }

  Findings find_way() const {
    require_other_file(file_.output, roads::network_files(network_));
    const roads::RoadNetwork network = roads::read_network(network_);
    const auto route =
        path::shortest_route(network.graph, vertex(network, "from", from_), vertex(network, "to", to_));
    std::vector<std::string> names;
    for (const graph::VertexId v : route) names.push_back(roads::name_of(network, v));
    write_route(names, [] {});
    const std::size_t steps = names.size() - 1;
    Findings found(nlohmann::ordered_json{{"output", file_.output}, {"steps", steps}});
    if (!file_.is_standard_output())
      found.add(fmt::format("a route of {} steps in {}", grouped(steps), file_.output));
    return found;
  }

  template <class Before>
  void write_route(const std::vector<std::string>& names, const Before& before) const {
    io::OutputFile out = file_.open();
    out.write("vertex\n");
    for (const std::string& name : names) out.write(name + "\n");
    before();
    out.commit();
  }

  static graph::VertexId vertex(const roads::RoadNetwork& network, const char* field,
                                const std::string& name) {
    for (graph::VertexId v = 0; v < network.vertex_count(); ++v)
      if (roads::name_of(network, v) == name) return v;
    throw InvalidOption(field, "is not a vertex of the network");
  }

  path::SampleRouteOptions shape() const {
    path::SampleRouteOptions wanted{.cyclic = cyclic_};
    if (vertices_ != 0) wanted.vertices = static_cast<std::uint32_t>(vertices_);
    const std::uint64_t n = wanted.vertices;
    wanted.roads = roads_ != 0 ? roads_ : std::min(n * 3 / 2, n * (n - 1) / 2);
    return wanted;
  }

  std::uint64_t vertices_ = 0, roads_ = 0, seed_ = 1;  // 0: not given
  std::string network_, from_, to_, net_ = "net.csv";
  bool cyclic_ = false;
  WrittenFile file_{.output = "route.csv"};
};

}  // namespace

std::unique_ptr<Analysis> sample_path() {
  return std::make_unique<SamplePath>();
}

}  // namespace fogline::release
