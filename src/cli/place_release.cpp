// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/columns_block.hpp"
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
        "A point over --max-snap metres from the network refuses the file. --too-far leave-out leaves its "
        "record out, which tells that it lay there; --too-far nearest moves it like any other, which tells "
        "nothing.\n\n"
        "If one and the same answer for everybody, in the middle of the map, would be as near to them, "
        "nothing is released without --anyway.\n\n"
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
    reports_.declare(options);
    ledger_.declare(options);
    output_.declare(options);
    anyway_.declare(options);
    options.value("-f,--format", "FORMAT", format_, "of the input, whatever its suffix")
        .choices({"csv", "geojson", "gpx"});
    columns_.declare_times(options);
    options.flag("--json", json_, "print what was done as JSON");
    seed_.declare(options);
  }

  int run(Session& session) override {
    check_options();
    place::PlaceTerms terms = this->terms();
    // Whatever can be wrong is found before the mechanism is built, which can take minutes; the quickest first.
    privacy::require_releasable(plan(to_be_charged(terms).draft({}), session));
    io::PointTable points = read_points(session);
    const roads::RoadNetwork map = place_.network.read(session);
    const place::MechanismChoice choice = place_.choice(map, terms, session);
    const std::size_t records = points.size();
    const std::vector<graph::VertexId> truth = snap(points, map, session);
    const auto mechanism = place::make_place_mechanism(map, choice);
    terms.take(*mechanism);
    const privacy::ReleasePlan plan = this->plan(draft(map, *mechanism, choice, terms, session), session);
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
    nlohmann::ordered_json more{{"q_loss_m", error_m}};
    if (terms.too_far == place::TooFar::leave_out) more["records_left_out"] = records - truth.size();
    talk.after(session, released, "position", {{"expected error", fmt::format("{:.1f} m", error_m)}}, more);
    return 0;
  }

 private:
  void check_options() const {
    place_.epsilon.value();
    columns_.map();
    require_public(place_.range, points_, "--range");
    require_public(place_.prior, points_, "--prior");
    output_.statement_path();
    seed_.value();
    if (output_.output != "-" && !is_geojson() && !output_.output.ends_with(".csv")) {
      throw InvalidOption("--output", "must end in .csv, .geojson or .json, or be -");
    }
    reports_.require();
    if (format_.empty() && points_ != "-") io::point_format_of(points_);  // throws if it cannot be told
  }

  /// Whatever `auto` becomes on the map promises and costs the same.
  static place::PlaceTerms to_be_charged(place::PlaceTerms terms) {
    if (terms.mechanism == place::automatic) terms.mechanism = "gem";
    return terms;
  }

  privacy::ReleasePlan plan(privacy::Statement draft, Session& session) const {
    return {.draft = std::move(draft),
            .dataset = ledger_.dataset,
            .ledger = ledger_.path_for_writing(),
            .output = output_.output,
            .statement = output_.statement_path(),
            .overwrite = output_.overwrite,
            .inputs = input_files(),
            .seed = seed_.value(),
            .time_unix_s = session.now()};
  }

  bool keeps(const std::string& column) const {
    const auto columns = reports_.kept();
    return std::find(columns.begin(), columns.end(), column) != columns.end();
  }

  io::PointTable read_points(Session& session) const {
    io::PointReadOptions options;
    if (format_ == "csv") options.format = io::PointFormat::csv;
    if (format_ == "geojson") options.format = io::PointFormat::geojson;
    if (format_ == "gpx") options.format = io::PointFormat::gpx;
    options.columns = {
        .map = columns_.map(), .needed = needed_columns(), .one_person = reports_.reports_per_person > 0};
    options.times = columns_.times();
    options.progress = session.progress();
    io::PointTable points = io::read_points(points_, options);
    tell_columns(session, points.columns);
    session.warn(points.warnings);
    points.warnings = {};
    place::require_columns(points, kept_columns());
    if (reports_.reports_per_person > 0) {
      place::require_reports_at_most(points, reports_.reports_per_person);
    } else if (place::has_repeated_people(points)) {
      session.warn(
          "some people have several positions here; the promise is for each position alone, and theirs add "
          "up "
          "(--reports-per-person K promises and charges for all of a person's)");
    }
    return points;
  }

  /// Whose a position is matters always; trip and time only if they are copied.
  std::vector<io::Role> needed_columns() const {
    std::vector<io::Role> needed = {io::Role::user};
    if (keeps("traj_id")) needed.push_back(io::Role::trip);
    if (keeps("t")) needed.push_back(io::Role::time);
    return needed;
  }

  std::vector<graph::VertexId> snap(io::PointTable& points, const roads::RoadNetwork& map,
                                    Session& session) const {
    auto vertices = place::vertices_of(points, map,
                                       {.farthest_m = reports_.max_snap_m,
                                        .too_far = place::too_far_from(reports_.too_far),
                                        .threads = session.threads()});
    session.warn(points.warnings);
    return vertices;
  }

  /// Every file the release reads; none of them may be written to.
  std::vector<std::string> input_files() const {
    std::vector<std::string> files = place_.files();
    files.push_back(points_);
    return files;
  }

  place::PlaceTerms terms() const {
    place::PlaceTerms terms = place_.terms();
    reports_.add_to(terms);
    return terms;
  }

  privacy::Statement draft(const roads::RoadNetwork& map, const place::PlaceMechanism& mechanism,
                           const place::MechanismChoice& choice, const place::PlaceTerms& terms,
                           Session& session) const {
    const auto error = mechanism.expected_error(
        {.prior = choice.prior, .threads = session.threads(), .progress = session.progress()});
    if (const auto worth = anyway_.anyway ? std::nullopt : worth_of(map, choice, error))
      anyway_.require(*worth);
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
  ReportsBlock reports_;
  LedgerBlock ledger_;
  OutputBlock output_;
  AnywayBlock anyway_;
  SeedBlock seed_;
  ColumnsBlock columns_;
  std::string format_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> place_release() {
  return std::make_unique<PlaceRelease>();
}

}  // namespace fogline::cli
