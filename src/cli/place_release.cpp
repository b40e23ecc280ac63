// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/version.hpp"
#include "cli/place_block.hpp"
#include "cli/verbs.hpp"
#include "io/points.hpp"
#include "place/positions.hpp"
#include "privacy/composition.hpp"
#include "privacy/release_files.hpp"

namespace fogline::cli {
namespace {

const std::vector<std::string> keepable{"traj_id", "user_id", "t"};

class PlaceRelease : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"place", "release"},
        "Release positions on a road network, with a statement, charged to the ledger",
        "Reads private positions (CSV, GeoJSON, GPX), moves each to the nearest vertex of the network, "
        "charges epsilon per "
        "metre to the dataset in the ledger, and only then draws and writes a safe vertex for each, in the "
        "same order, with a "
        "statement beside it.\n\n"
        "If anything is wrong with the input, the options, the output's folder or the budget, nothing is "
        "charged and nothing is "
        "written. If the disk fills up after the charge, nothing is written and the budget is spent.\n\n"
        "The unit is one report: k reports of the same person add up to k times epsilon. The number of "
        "records and their "
        "order are released as they are.",
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
    ledger_.declare(options);
    output_.declare(options);
    options.value("-f,--format", "FORMAT", format_, "of the input, whatever its suffix")
        .choices({"csv", "geojson", "gpx"});
    options.value("--keep", "COLUMNS", keep_, "input columns to copy UNPROTECTED: traj_id, user_id, t");
    options.flag("--json", json_, "print what was done as JSON");
    seed_.declare(options);
  }

  int run(Session& session) override {
    // Validate everything that can be, public things first, then charge, then draw.
    check_options();
    const auto seed = seed_.value();
    const roads::RoadNetwork map = place_.network.read(session);
    const place::Gem gem = place_.make(map);
    const io::PointTable points = read_points(session);
    const auto truth =
        place::vertices_of(points, map, {.farthest_m = max_snap_m_, .threads = session.threads()});
    privacy::Statement statement = draft(gem, session);
    privacy::ReleaseFiles files({output_.output},
                                {.overwrite = output_.overwrite, .statement = output_.statement});
    privacy::Ledger ledger(ledger_.path_for_writing(), {});
    const privacy::ReleaseRequest request{
        .dataset = ledger_.dataset,
        .kind = "place",
        .mechanism = place_.mechanism,
        .guarantee = gem.guarantee(),
        .output = output_.output == "-" ? "-" : std::filesystem::path(output_.output).filename().string(),
        .version = std::string(version),
        .time_unix_s = session.now()};
    if (seed) session.warn("A FIXED SEED WAS GIVEN: THIS RUN IS NOT PRIVATE AND IS NOT CHARGED AS A RELEASE");
    privacy::Receipt receipt = seed ? ledger.record_seeded_run(request, *seed) : ledger.charge(request);
    statement.ledger = receipt.reference();
    statement.randomness = receipt.source();
    if (seed) {
      statement.guarantee = privacy::seeded(gem.guarantee());
      statement.promise = {
          "Nothing: the noise is fixed by a seed, and whoever knows or guesses it can undo it."};
    }

    std::vector<graph::VertexId> safe(truth.size());
    gem.release(truth, receipt.draw_key(), {.threads = session.threads(), .progress = session.progress()},
                safe);
    files.write(0, formatted(points, map, safe));
    files.count_records(0, safe.size());
    files.commit(statement);
    tell(session, statement, ledger, files.statement_name(), safe.size());
    return 0;
  }

 private:
  void check_options() const {
    place_.epsilon.value();
    output_.statement_path();
    if (!(max_snap_m_ > 0 && max_snap_m_ <= 1e7)) {
      throw InvalidOption("--max-snap", "must be above 0 and at most 10,000,000 metres");
    }
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
      columns.push_back(keep_.substr(begin, end - begin));
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
    return points;
  }

  privacy::Statement draft(const place::Gem& gem, Session& session) const {
    // A smaller sample than plan's: the figure goes into the statement, and nobody wants to wait for it here.
    const auto error = gem.expected_error({.largest_sample = 100,
                                           .all_up_to = 1000,
                                           .threads = session.threads(),
                                           .progress = session.progress()});
    privacy::Statement statement{
        .kind = "place",
        .mechanism = place_.mechanism,
        .form = privacy::Form::sound,
        .guarantee = gem.guarantee(),
        .parameters = place_.parameters(gem),
        .public_inputs = place_.public_inputs(),
        .outputs = {},
        .ledger = privacy::NoLedgerEntry{"not charged yet"},
        .version = std::string(version),
        .randomness = random::Source::operating_system,
        .expected_error = privacy::ExpectedError{error.q_loss_m, "m", method_of(error)},
        .not_protected = {"The number of records and their order.",
                          fmt::format(
                              "Several reports of one person together: k of them add up to k * {} per metre.",
                              place_.epsilon.value().value().to_string()),
                          "Whether two places far apart are told apart: the promise fades with distance.",
                          "How long the release took."},
        .promise = place_.promise()};
    statement.parameters["max_snap_m"] = max_snap_m_;
    if (!keep_.empty()) {
      statement.parameters["columns_copied"] = kept();
      statement.not_protected.push_back(
          fmt::format("The columns copied unchanged from the input: {}.", fmt::join(kept(), ", ")));
    }
    return statement;
  }

  place::KeptColumns kept_columns() const {
    return {.traj_id = keeps("traj_id"), .user_id = keeps("user_id"), .t = keeps("t")};
  }

  std::string formatted(const io::PointTable& points, const roads::RoadNetwork& map,
                        const std::vector<graph::VertexId>& safe) const {
    const bool geojson = output_.output.ends_with(".geojson") || output_.output.ends_with(".json");
    return geojson ? place::released_geojson(points, map, safe, kept_columns())
                   : place::released_csv(points, map, safe, kept_columns());
  }

  void tell(Session& session, const privacy::Statement& statement, privacy::Ledger& ledger,
            const std::string& statement_name, std::size_t records) const {
    const auto& entry = std::get<privacy::LedgerReference>(statement.ledger);
    const auto total = ledger.books().dataset(ledger_.dataset).per_metre;
    const auto remaining = total.remaining();
    if (json_) {
      const nlohmann::ordered_json report = {
          {"output", output_.output},
          {"statement", statement_name},
          {"records", records},
          {"guarantee", to_string(statement.guarantee)},
          {"ledger", ledger_.path()},
          {"entry", entry.entry},
          {"dataset", entry.dataset},
          {"spent_per_metre", total.spent.to_string()},
          {"remaining_per_metre",
           remaining ? nlohmann::ordered_json(remaining->to_string()) : nlohmann::ordered_json()},
          {"q_loss_m", statement.expected_error->value}};
      // With the release itself on standard output, the report goes where notes go.
      return output_.output == "-" ? session.note(report.dump(2)) : session.data(report.dump(2) + "\n");
    }
    session.note(fields({
        {"released",
         fmt::format("{} position{} to {}", grouped(records), records == 1 ? "" : "s", output_.output)},
        {"statement", statement_name},
        {"promise", to_string(statement.guarantee)},
        {"expected error", fmt::format("{:.1f} m", statement.expected_error->value)},
        {"ledger", fmt::format("entry {} of {}; dataset '{}' has spent {} per metre, {}", entry.entry,
                               ledger_.path(), entry.dataset, total.spent.to_string(),
                               remaining ? remaining->to_string() + " left" : std::string("no cap"))},
    }));
  }

  std::string points_;
  PlaceBlock place_;
  LedgerBlock ledger_;
  OutputBlock output_;
  SeedBlock seed_;
  std::string format_;
  std::string keep_;
  double max_snap_m_ = 500;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> place_release() {
  return std::make_unique<PlaceRelease>();
}

}  // namespace fogline::cli
