// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>

#include "cli/blocks.hpp"
#include "cli/verbs.hpp"
#include "io/output_file.hpp"
#include "io/points_write.hpp"
#include "mobility/sample_day.hpp"
#include "report/map_svg.hpp"
#include "roads/city.hpp"
#include "roads/city_geojson.hpp"
#include "roads/write_osm.hpp"

namespace fogline::cli {
namespace {

namespace fs = std::filesystem;

class SampleCity : public Command {
 public:
  CommandInfo info() const override {
    return {{"sample", "city"},
            "Make a city that does not exist: roads, a day of trips, one commuter",
            "Writes into a folder: roads.osm.pbf (the street network, in OpenStreetMap's format), trips.csv "
            "(a day of car trips with times), "
            "commuter.csv (one person's position), ground.geojson (river, parks, built-up area), "
            "land_use.csv (where people live and "
            "work) and city.svg (a map). Everything is invented; the same seed makes the same city on every "
            "machine.\n\n"
            "The network alone can be named directly, without a file, as city:SEED.",
            {{"the first city, into the folder city", "fogline sample city"},
             {"another one with fewer people", "fogline sample city --seed 7 --people 200 -o seven"}}};
  }

  void declare(OptionSet& options) override {
    options.group("Sample");
    options.value("--seed", "N", seed_, "another city for another number (1)");
    options.value("--people", "N", people_, "people who drive that day (2000)");
    options.group("Output");
    options.value("-o,--output", "FOLDER", folder_, "folder to write into, made if missing (city)");
    options.flag("--overwrite", overwrite_, "replace existing files");
  }

  int run(Session& session) override {
    if (people_ < 1 || people_ > 1'000'000) throw InvalidOption("people", "must lie between 1 and 1,000,000");
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) throw FileError(folder_, "cannot be made (" + error.message() + ")", "choose another folder");
    const roads::City city = roads::make_city(seed_);
    const auto day = mobility::make_sample_day(city, {.seed = seed_,
                                                      .users = static_cast<std::uint32_t>(people_),
                                                      .parallel = {.threads = session.threads()}});
    roads::write_osm(city.network, path("roads.osm.pbf"),
                     {.overwrite = overwrite_, .footpaths = city.footpaths});
    write("trips.csv", io::points_csv(day.points));
    write("commuter.csv", io::points_csv(day.commuter));
    write("ground.geojson", roads::city_geojson(city));
    write("land_use.csv", roads::land_use_csv(city));
    write("city.svg", report::map_svg({.network = &city.network,
                                       .areas = city.areas,
                                       .footpaths = city.footpaths,
                                       .heat = {},
                                       .tracks = {},
                                       .markers = {}},
                                      {.title = fmt::format("Sample city {}", seed_)}));
    session.note(fmt::format("{}: {} junctions, {} streets, {} trips of {} people, {} points", folder_,
                             grouped(city.network.vertex_count()), grouped(city.network.graph.edge_count()),
                             grouped(day.points.traj_names.size()), grouped(people_),
                             grouped(day.points.size())));
    return 0;
  }

 private:
  std::string path(const std::string& name) const { return (fs::path(folder_) / name).string(); }

  void write(const std::string& name, const std::string& text) const {
    io::OutputFile out(path(name), {.overwrite = overwrite_});
    out.write(text);
    out.commit();
  }

  std::string folder_ = "city";
  std::uint64_t seed_ = 1;
  std::uint64_t people_ = 2000;
  bool overwrite_ = false;
};

}  // namespace

std::unique_ptr<Command> sample_city() {
  return std::make_unique<SampleCity>();
}

}  // namespace fogline::cli
