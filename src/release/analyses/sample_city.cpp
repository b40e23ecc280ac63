// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "io/points_write.hpp"
#include "mobility/sample_day.hpp"
#include "release/analyses/analysis.hpp"
#include "release/kinds.hpp"
#include "report/map_svg.hpp"
#include "roads/city.hpp"
#include "roads/city_geojson.hpp"
#include "roads/write_osm.hpp"

namespace fogline::release {
namespace {

namespace fs = std::filesystem;

class SampleCity : public Analysis {
 public:
  std::string kind() const override { return "sample"; }
  std::string verb() const override { return "city"; }
  const WrittenFile* written() const override { return &folder_; }

  void declare(FieldTable& table) override {
    table.group("Sample");
    table.value("seed", "N", seed_, "another city for another number (1)");
    table.value("people", "N", people_, "people who drive that day (2000)").range("1", "1000000");
    table.group("Output");
    table.value("output", "FOLDER", folder_.output, "folder to write into, made if missing (city)")
        .letter('o')
        .role(FieldRole::output);
    table.flag("overwrite", folder_.overwrite, "replace existing files");
  }

  Findings run(Caller& caller) override {
    std::error_code error;
    fs::create_directories(folder_.output, error);
    if (error)
      throw FileError(folder_.output, "cannot be made (" + error.message() + ")", "choose another folder");
    const roads::City city = roads::make_city(seed_);
    const auto day = mobility::make_sample_day(city, {.seed = seed_,
                                                      .users = static_cast<std::uint32_t>(people_),
                                                      .parallel = {.threads = caller.threads()}});
    roads::write_osm(city.network, path("roads.osm.pbf"),
                     {.overwrite = folder_.overwrite, .footpaths = city.footpaths});
    write("trips.csv", io::points_csv(day.points));
    write("commuter.csv", io::points_csv(day.commuter));
    write("ground.geojson", roads::city_geojson(city));
    write("land_use.csv", roads::land_use_csv(city));
    write("city.svg", map_of(city));
    return found(city, day);
  }

 private:
  std::string path(const std::string& name) const { return (fs::path(folder_.output) / name).string(); }

  void write(const std::string& name, const std::string& text) const {
    io::OutputFile out(path(name), {.overwrite = folder_.overwrite});
    out.write(text);
    out.commit();
  }

  std::string map_of(const roads::City& city) const {
    return report::map_svg({.network = &city.network,
                            .areas = city.areas,
                            .footpaths = city.footpaths,
                            .heat = {},
                            .tracks = {},
                            .markers = {}},
                           {.title = fmt::format("Sample city {}", seed_)});
  }

  Findings found(const roads::City& city, const mobility::SampleDay& day) const {
    const std::size_t junctions = city.network.vertex_count(), streets = city.network.graph.edge_count(),
                      trips = day.points.traj_names.size(), points = day.points.size();
    Findings found(nlohmann::ordered_json{{"folder", folder_.output},
                                          {"junctions", junctions},
                                          {"streets", streets},
                                          {"trips", trips},
                                          {"people", people_},
                                          {"points", points}});
    found.add(fmt::format("{}: {} junctions, {} streets, {} trips of {} people, {} points", folder_.output,
                          grouped(junctions), grouped(streets), grouped(trips), grouped(people_),
                          grouped(points)));
    found.tells_of_file = true;
    return found;
  }

  WrittenFile folder_{.output = "city"};
  std::uint64_t seed_ = 1;
  std::uint64_t people_ = 2000;
};

}  // namespace

std::unique_ptr<Analysis> sample_city() {
  return std::make_unique<SampleCity>();
}

}  // namespace fogline::release
