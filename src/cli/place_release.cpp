// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/place_block.hpp"
#include "cli/release_talk.hpp"
#include "cli/verbs.hpp"
#include "io/points.hpp"
#include "place/positions.hpp"
#include "privacy/release.hpp"

namespace fogline::cli {
namespace {

class PlaceRelease : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"place", "release"},
        "Release positions on a road network, with a statement, charged to the ledger",
        "Reads private positions (CSV, GeoJSON, GPX), moves each to the nearest vertex of the network, "
        "charges epsilon per "
        "metre to the dataset in the ledger, and only then draws and writes a safe vertex (plm: a point) for "
        "each, in the "
        "same order, with a "
        "statement beside it.\n\n"
        "If anything is wrong with the input, the options, the output's folder or the budget, nothing is "
        "charged and nothing is "
        "written. If the disk fills up after the charge, nothing is written and the budget is spent.\n\n"
        "The unit is one report: k reports of the same person add up to k times epsilon. With "
        "--reports-per-person K "
        "the promise is for all reports of a person (told apart by user_id, at most K each) and costs K "
        "times epsilon. The "
        "number of records and their order are released as they are.",
        {{"the sample city's commuter",
          "fogline sample city -o city -q && fogline place release --network city/roads.osm.pbf --epsilon "
          "0.01 "
          "city/commuter.csv -o safe.csv --ledger my.ledger --dataset me"},
         {"positions on a lattice",
          "fogline sample place --network lattice:9x9:800 -o points.csv -q && fogline place release "
          "--network "
          "lattice:9x9:800 --mechanism gem --epsilon 1/50 points.csv -o safe.geojson --ledger my.ledger"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("POINTS", points_, "private positions: CSV, GeoJSON or GPX; - for standard input")
        .required();
    place_.declare(options);
    options.value("--max-snap", "METRES", max_snap_m_,
                  "refuse points farther from the network than this (500)");
    options.value("--reports-per-person", "K", reports_per_person_,
                  "promise for all of a person's reports, at most K; costs K times");
    ledger_.declare(options);
    output_.declare(options);
    options.value("-f,--format", "FORMAT", format_, "of the input, whatever its suffix")
        .choices({"csv", "geojson", "gpx"});
    options.value("--keep", "COLUMNS", keep_, "input columns to copy UNPROTECTED: traj_id, user_id, t");
    options.flag("--json", json_, "print what was done as JSON");
    seed_.declare(options);
  }

  int run(Session& session) override {
    check_options();
    place::PlaceTerms terms = this->terms();
    const roads::RoadNetwork map = place_.network.read(session);
    const place::MechanismChoice choice = place_.choice(map, terms, session);
    const auto mechanism = place::make_place_mechanism(map, choice);
    terms.take(*mechanism);
    const io::PointTable points = read_points(session);
    const auto truth =
        place::vertices_of(points, map, {.farthest_m = max_snap_m_, .threads = session.threads()});
    const privacy::ReleasePlan plan{.draft = draft(*mechanism, choice, terms, session),
                                    .dataset = ledger_.dataset,
                                    .ledger = ledger_.path_for_writing(),
                                    .output = output_.output,
                                    .statement = output_.statement,
                                    .overwrite = output_.overwrite,
                                    .inputs = input_files(),
                                    .seed = seed_.value(),
                                    .time_unix_s = session.now()};
    if (place_.terms().public_inputs() != terms.public_inputs())
      throw DataError({place_.network.network}, "changed while it was read", "run again");
    const ReleaseTalk talk{
        .ledger = ledger_, .output = output_, .json = json_, .measure = privacy::EpsilonMeasure::per_metre};
    talk.before(session, plan);
    const privacy::Released released = talk.watch(session, plan, [&](auto* charged) {
      return privacy::release(
          plan,
          [&](const random::Key& key) {
            const place::SafePlaces safe = mechanism->release_all(
                truth, key, {.threads = session.threads(), .progress = session.progress()});
            return privacy::Drawn{formatted(points, map, safe), truth.size()};
          },
          charged);
    });
    const double error_m = released.statement.expected_error->value;
    talk.after(session, released, "position", {{"expected error", fmt::format("{:.1f} m", error_m)}},
               {{"q_loss_m", error_m}});
    return 0;
  }

 private:
  void check_options() const {
    place_.epsilon.value();
    require_public(place_.range, points_, "--range");
    require_public(place_.prior, points_, "--prior");
    output_.statement_path();
    seed_.value();
    if (output_.output != "-" && !is_geojson() && !output_.output.ends_with(".csv")) {
      throw InvalidOption("--output", "must end in .csv, .geojson or .json, or be -");
    }
    if (reports_per_person_ > place::PlaceTerms::most_reports_per_person)
      throw InvalidOption("--reports-per-person", "must lie between 1 and 1,000,000");
    if (!(max_snap_m_ > 0 && max_snap_m_ <= place::PlaceTerms::farthest_snap_m)) {
      throw InvalidOption("--max-snap", "must be above 0 and at most 10,000,000 metres");
    }
    const auto& keepable = place::PlaceTerms::copyable_columns;
    for (const std::string& column : kept()) {
      if (std::find(keepable.begin(), keepable.end(), column) == keepable.end()) {
        throw InvalidOption("--keep",
                            fmt::format("takes {}, separated by commas", fmt::join(keepable, ", ")));
      }
    }
  }

  std::vector<std::string> kept() const {
    std::vector<std::string> columns;
    std::size_t begin = 0;
    while (begin < keep_.size()) {
      const std::size_t end = std::min(keep_.find(',', begin), keep_.size());
      const std::string column = keep_.substr(begin, end - begin);
      if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
      begin = end + 1;
    }
    return columns;
  }

  bool keeps(const std::string& column) const {
    const auto columns = kept();
    return std::find(columns.begin(), columns.end(), column) != columns.end();
  }

  io::PointTable read_points(Session& session) const {
    io::PointReadOptions options;
    if (format_ == "csv") options.format = io::PointFormat::csv;
    if (format_ == "geojson") options.format = io::PointFormat::geojson;
    if (format_ == "gpx") options.format = io::PointFormat::gpx;
    io::PointTable points = io::read_points(points_, options);
    session.warn(points.warnings);
    place::require_columns(points, kept_columns());
    if (reports_per_person_ > 0) {
      place::require_reports_at_most(points, reports_per_person_);
    } else if (place::has_repeated_people(points)) {
      session.warn(
          "some people have several positions here; the promise is for each position alone, and theirs add "
          "up "
          "(--reports-per-person K promises and charges for all of a person's)");
    }
    return points;
  }

  /// Every file the release reads; none of them may be written to.
  std::vector<std::string> input_files() const {
    std::vector<std::string> files = place_.files();
    files.push_back(points_);
    return files;
  }

  place::PlaceTerms terms() const {
    place::PlaceTerms terms = place_.terms();
    terms.max_snap_m = max_snap_m_;
    terms.reports_per_person = reports_per_person_;
    terms.columns_copied = kept();
    return terms;
  }

  static privacy::Statement draft(const place::PlaceMechanism& mechanism,
                                  const place::MechanismChoice& choice, const place::PlaceTerms& terms,
                                  Session& session) {
    const auto error = mechanism.expected_error(
        {.prior = choice.prior, .threads = session.threads(), .progress = session.progress()});
    if (error.q_loss_m < 1) {
      session.warn("the expected error is below a metre: at this epsilon the release hides next to nothing");
    }
    return terms.draft(error);
  }

  bool is_geojson() const {
    return output_.output.ends_with(".geojson") || output_.output.ends_with(".json");
  }

  place::KeptColumns kept_columns() const {
    return {.traj_id = keeps("traj_id"), .user_id = keeps("user_id"), .t = keeps("t")};
  }

  std::string formatted(const io::PointTable& points, const roads::RoadNetwork& map,
                        const place::SafePlaces& safe) const {
    if (const auto* at = std::get_if<std::vector<geometry::LonLat>>(&safe)) {
      return is_geojson() ? place::released_geojson(points, *at, kept_columns())
                          : place::released_csv(points, *at, kept_columns());
    }
    const auto& vertices = std::get<std::vector<graph::VertexId>>(safe);
    return is_geojson() ? place::released_geojson(points, map, vertices, kept_columns())
                        : place::released_csv(points, map, vertices, kept_columns());
  }

  std::string points_;
  PlaceBlock place_;
  LedgerBlock ledger_;
  OutputBlock output_;
  SeedBlock seed_;
  std::string format_;
  std::string keep_;
  double max_snap_m_ = 500;
  std::uint64_t reports_per_person_ = 0;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> place_release() {
  return std::make_unique<PlaceRelease>();
}

}  // namespace fogline::cli
