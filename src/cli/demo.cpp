// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "cli/blocks.hpp"
#include "cli/run.hpp"
#include "cli/verbs.hpp"
#include "io/output_file.hpp"
#include "io/points.hpp"
#include "privacy/statement.hpp"
#include "report/map_svg.hpp"
#include "report/page_html.hpp"
#include "roads/city.hpp"

namespace fogline::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* marker = "made-by-fogline-demo";

/// The cap: ten releases like this one. A text that is no number is left to the first command that reads it.
std::string ten_times(const std::string& epsilon) {
  const auto value = Rational::parse(epsilon);
  return value ? (*value * 10).to_string() : epsilon;
}

class Demo : public Command {
 public:
  CommandInfo info() const override {
    return {{"demo"},
            "Run the whole walk on invented data: make a city, plan, charge, release, verify, report",
            "Makes a sample city with a day of trips and one commuter, says what a release of the commuter's "
            "position would promise and cost, sets a cap, releases the position and verifies the statement; "
            "releases "
            "a walk, a route, the weights of a graph and a day of trips as well; and ends with a report of "
            "all five, "
            "a page that opens in any browser. Every step is an ordinary command, printed before it runs. "
            "The folder "
            "is made anew each time.",
            {{"into the folder fogline-demo", "fogline demo"},
             {"another city, somewhere else", "fogline demo --seed 2 -o elsewhere"}}};
  }

  void declare(OptionSet& options) override {
    options.value("-o,--output", "FOLDER", folder_, "where everything goes (fogline-demo)");
    options.value("--seed", "N", seed_, "another city for another number (1)");
    options.value("--epsilon", "E", epsilon_, "privacy parameter per metre (0.01)");
  }

  int run(Session& session) override {
    if (fs::exists(path(marker))) session.data(fmt::format("Making {} anew.\n", folder_));
    prepare_folder();
    const std::string city = path("city"), ledger = path("ledger.sqlite"), safe = path("commuter.safe.csv");
    const std::string network = city + "/roads.osm.pbf";
    step(session, "1. A city that does not exist: streets, a day of trips, one commuter.",
         {"sample", "city", "--seed", std::to_string(seed_), "-o", city});
    step(session, "2. What would a release promise and cost? No private record is read.",
         {"place", "plan", "--network", network, "--epsilon", epsilon_, "--ledger", ledger, "--dataset",
          "commuter"});
    step(session, "3. A key that signs, and a cap: this is all that may ever be spent on the commuter.",
         {"key", "make", "-o", path("office.key")});
    step(session, "",
         {"ledger", "add", "--ledger", ledger, "--dataset", "commuter", "--cap",
          fmt::format("epsilon {} per metre", ten_times(epsilon_))});
    step(session, "4. Charge the ledger, then draw, then write and sign.",
         {"place", "release", "--network", network, "--epsilon", epsilon_, city + "/commuter.csv", "-o", safe,
          "--ledger", ledger, "--dataset", "commuter", "--sign", path("office.key")});
    step(session, "5. What the statement says, checked against files, ledger and key.",
         {"verify", safe + ".statement.json", "--ledger", ledger, "--file", "roads.osm.pbf=" + network,
          "--trust", path("office.pub")});
    release_the_others(session, network, ledger);
    draw_map(safe);
    if (report::has_page()) {
      write_report(session, safe, network, ledger);
    } else {
      session.data("\n10. No pictures: this fogline was built without its report page (node and npm).\n");
    }
    session.data(fmt::format(
        "\nDone. Everything is in {}/\n{}", folder_,
        fields({{"  commuter.safe.csv", "the released position"},
                {"  commuter.safe.csv.statement.json", "what it promises, in a checkable form"},
                {"  walk, route, weights, trips", "the same of the other kinds, .safe and .statement.json"},
                {"  office.key, office.pub", "the key that signed them, and the one to check them by"},
                {"  ledger.sqlite", "what was spent; see fogline ledger show --ledger " + ledger},
                {"  map.svg", "a map of the city with the released position"},
                {"  city/",
                 "roads.osm.pbf, trips.csv, commuter.csv (private!), ground.geojson, "
                 "land_use.csv, city.svg"}})));
    if (report::has_page())
      session.data(fmt::format("\nOpen {} in a browser: all of it in pictures.\n", path("report.html")));
    return 0;
  }

 private:
  std::string path(const std::string& name) const { return (fs::path(folder_) / name).string(); }

  void prepare_folder() const {
    if (fs::exists(folder_) && !fs::exists(path(marker)) && !fs::is_empty(folder_)) {
      throw FileError(folder_, "exists and was not made by the demo", "name another folder with -o");
    }
    std::error_code error;
    if (fs::exists(path(marker))) fs::remove_all(folder_, error);
    if (!error) fs::create_directories(folder_, error);
    if (error)
      throw FileError(folder_, "cannot be made (" + error.message() + ")", "name another folder with -o");
    io::OutputFile mark(path(marker), {});
    mark.write("The demo makes this folder anew each time it runs.\n");
    mark.commit();
  }

  /// A walk, a route, the weights of a graph and a day of trips: one release each.
  void release_the_others(Session& session, const std::string& network, const std::string& ledger) const {
    const std::string seed = std::to_string(seed_), walk = path("walk.csv"),
                      history = path("walks_of_others.csv"), model = path("model.json"),
                      graph = path("graph.csv"), net = path("net.csv"), route = path("route.csv");
    const auto declare = [&](const std::string& dataset, const std::string& cap) {
      step(session, "",
           {"ledger", "add", "--ledger", ledger, "--dataset", dataset, "--cap", "epsilon " + cap, "-q"});
    };
    const auto charged = [&](std::vector<std::string> words, const std::string& output, const char* dataset) {
      for (const std::string& word :
           {std::string("-o"), path(output), std::string("--ledger"), ledger, std::string("--dataset"),
            std::string(dataset), std::string("--sign"), path("office.key"), std::string("-q")})
        words.push_back(word);
      return words;
    };
    step(session, "6. A walk through the city, under a model learned from the walks of others.",
         {"sample", "stream", "--network", network, "--seed", seed, "-o", walk, "--public", history, "-q"});
    step(session, "", {"stream", "learn", history, "--grid", "500", "-o", model, "-q"});
    declare("walker", "100");
    step(session, "",
         charged({"stream", "release", "--model", model, "--policy", "util:1000", "--epsilon", "1", walk},
                 "walk.safe.csv", "walker"));
    step(session, "7. A route that only those who know the roads can read.",
         {"sample", "path", "--vertices", "12", "--seed", seed, "-o", route, "--net", net, "-q"});
    declare("route", "2");
    step(session, "",
         charged({"path", "release", "--network", net, route, "--epsilon-edges", "1"}, "route.safe.json",
                 "route"));
    step(session, "8. The weights of a graph.",
         {"sample", "weights", "--vertices", "150", "--edges-per-vertex", "2", "--seed", seed, "-o", graph,
          "-q"});
    declare("weights", "10");
    step(session, "",
         charged({"weights", "release", graph, "--range", "100:600", "--epsilon", "5"}, "weights.safe.csv",
                 "weights"));
    step(session, "9. Invented trips in place of the city's day.",
         {"ledger", "add", "--ledger", ledger, "--dataset", "trips", "--cap", "epsilon 2", "-q"});
    step(session, "",
         charged({"traces", "release", path("city") + "/trips.csv", "--area", "-30.06,44.96,-29.94,45.04",
                  "--epsilon", "1", "--unit", "trip"},
                 "trips.safe.csv", "trips"));
  }

  void write_report(Session& session, const std::string& safe, const std::string& network,
                    const std::string& ledger) const {
    step(session, "10. All of it in pictures.",
         {"report", safe, path("walk.safe.csv"), path("route.safe.json"), path("weights.safe.csv"),
          path("trips.safe.csv"), "--file", "roads.osm.pbf=" + network, "--network", network, "--ledger",
          ledger, "--trust", path("office.pub"), "--title", "A city that does not exist, in five releases",
          "-o", path("report.html")});
  }

  /// As a shell takes them.
  static std::vector<std::string> quoted(std::vector<std::string> words) {
    for (std::string& word : words)
      if (word.find(' ') != std::string::npos) word = "'" + word + "'";
    return words;
  }

  static void step(Session& session, const std::string& what, const std::vector<std::string>& words) {
    session.data(fmt::format("{}$ fogline {}\n", what.empty() ? "" : "\n" + what + "\n",
                             fmt::join(quoted(words), " ")));
    if (const int code = cli::run(words); code != exit_code::fine) {
      throw Error(fmt::format("the demo stopped: the last command ended with exit code {}", code));
    }
  }

  /// The released position and its expected error: nothing private.
  void draw_map(const std::string& safe) const {
    const roads::City city = roads::make_city(seed_);
    const io::PointTable released = io::read_points(safe, {});
    const auto error = privacy::read_statement(safe + ".statement.json").expected_error;
    const std::vector<report::MapMarker> markers{{.at = {released.lon[0], released.lat[0]},
                                                  .label = "released position",
                                                  .halo_radius_m = error ? error->value : 0}};
    io::OutputFile map(path("map.svg"), {});
    map.write(report::map_svg({.network = &city.network,
                               .areas = city.areas,
                               .footpaths = city.footpaths,
                               .heat = {},
                               .tracks = {},
                               .markers = markers},
                              {.title = fmt::format("A commuter's position, released at epsilon {} per "
                                                    "metre; the circle has the expected error as its radius",
                                                    epsilon_)}));
    map.commit();
  }

  std::string folder_ = "fogline-demo";
  std::string epsilon_ = "0.01";
  std::uint64_t seed_ = 1;
};

}  // namespace

std::unique_ptr<Command> demo() {
  return std::make_unique<Demo>();
}

}  // namespace fogline::cli
