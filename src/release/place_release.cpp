// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "place/positions.hpp"
#include "place/released_file.hpp"
#include "release/column_fields.hpp"
#include "release/kinds.hpp"
#include "release/place_fields.hpp"

namespace fogline::release {
namespace {

class PlaceRelease : public Release {
 public:
  std::string kind() const override { return "place"; }

  void declare(FieldTable& table) override {
    from.declare(table, "POINTS", "private positions: CSV, GeoJSON or GPX; - for standard input");
    place_.declare(table);
    reports_.declare(table);
    to.ledger.declare(table);
    to.output.declare(table);
    anyway_.declare(table);
    table.value("format", "FORMAT", format_, "of the input, whatever its suffix")
        .letter('f')
        .choices({"csv", "geojson", "gpx"});
    columns_.declare_times(table);
    to.seed.declare(table);
    table.states(place::PlaceTerms::listed());
  }

  privacy::Statement resolve(Caller&) override {
    place_.epsilon.value();
    columns_.map();
    if (to.output.name() != "-" && !is_geojson() && !to.output.output.ends_with(".csv"))
      throw InvalidOption("output", "must end in .csv, .geojson or .json, or be -");
    reports_.require();
    if (format_.empty() && !from.file.empty() && !from.comes_bit_by_bit())
      io::point_format_of(from.file);  // throws if it cannot be told
    terms_ = place_.terms();
    reports_.add_to(*terms_, from.is_guarded);
    return promised().draft({});
  }

  void load(Caller& caller) override {
    map_ = place_.network.read(caller);
    choice_ = place_.choice(map_, *terms_, caller);
  }

  void take(Caller& caller) override {
    read_points(caller);
    bound_persons(caller);
    truth_ = place::vertices_of(
        table_, map_,
        {.farthest_m = reports_.max_snap_m, .too_far = terms_->too_far, .threads = caller.threads()});
    caller.warn(table_.warnings);
  }

  privacy::Statement prepare(Caller& caller) override {
    mechanism_ = place::make_place_mechanism(map_, *choice_);
    terms_->take(*mechanism_);
    const auto error = mechanism_->expected_error(
        {.prior = choice_->prior, .threads = caller.threads(), .progress = caller.progress()});
    if (const auto worth = anyway_.anyway ? std::nullopt : worth_of(map_, *choice_, error))
      anyway_.require(*worth);
    if (error.q_loss_m < 1)
      caller.warn("the expected error is below a metre: at this epsilon the release hides next to nothing");
    return terms_->draft(error);
  }

  privacy::DrawnInPieces draw(const random::Key& key, const privacy::WriteOutput& write,
                              Caller& caller) override {
    const place::SafePlaces safe = mechanism_->release_all(
        truth_, key,
        {.first_record = first_record, .threads = caller.threads(), .progress = caller.progress()});
    write(formatted(safe));
    return truth_.size();
  }

  Told tell(const privacy::Released& released, Caller&) const override {
    const double error_m = released.statement.expected_error->value;
    nlohmann::ordered_json more{{"q_loss_m", error_m}};
    if (terms_->too_far == place::TooFar::leave_out || terms_->too_many == privacy::TooMany::leave_out)
      more["records_left_out"] = records_ - truth_.size();
    return {.record = "position",
            .measure = privacy::EpsilonMeasure::per_metre,
            .rows = {{"expected error", fmt::format("{:.1f} m", error_m)}},
            .json = more};
  }

  std::uint64_t numbers() const override { return truth_.size(); }

  void require_parts() const override {
    if (reports_.too_far == to_string(place::TooFar::leave_out))
      throw InvalidOption("too-far", "leave-out numbers records by those before, and so needs them all");
    if (const auto how = reports_.bound().persons;
        how == privacy::Persons::column || how == privacy::Persons::file)
      throw InvalidOption("per-person", "needs all records at once, to count those of a person");
  }

  std::vector<std::string> inputs() const override {
    std::vector<std::string> files = place_.files();
    for (const std::string& file : reports_.persons.files()) files.push_back(file);
    return files;
  }

 private:
  /// Whatever `auto` becomes on the map promises and costs the same.
  place::PlaceTerms promised() const {
    place::PlaceTerms terms = *terms_;
    if (terms.mechanism == place::automatic) terms.mechanism = "gem";
    return terms;
  }

  bool keeps(const std::string& column) const {
    const auto columns = reports_.kept();
    return std::find(columns.begin(), columns.end(), column) != columns.end();
  }

  void read_points(Caller& caller) {
    io::PointReadOptions options;
    if (format_ == "csv") options.format = io::PointFormat::csv;
    if (format_ == "geojson") options.format = io::PointFormat::geojson;
    if (format_ == "gpx") options.format = io::PointFormat::gpx;
    options.columns = {
        .map = columns_.map(), .needed = needed_columns(), .one_person = tells_persons_apart()};
    options.times = columns_.times();
    options.progress = caller.progress();
    io::TextSource source = from.open(caller);
    table_ = io::read_points(source, options);
    tell_columns(caller, table_.columns);
    caller.warn(table_.warnings);
    table_.warnings = {};
    place::require_columns(table_, kept_columns());
    records_ = table_.size();
  }

  /// By a column of the records.
  bool tells_persons_apart() const { return terms_->persons == privacy::Persons::column; }

  /// Before anything looks at where positions lie: who is left out depends on whose they are alone.
  void bound_persons(Caller& caller) {
    if (const std::string file = reports_.persons.file(); !file.empty())
      take_persons(file, table_.size(), "positions", table_.user_names, table_.user);
    if (terms_->persons == privacy::Persons::declared)
      return require_as_declared(terms_->reports_per_person, table_.user, table_.user_names.names(),
                                 from.name());
    if (terms_->reports_per_person > 0)
      return place::bound_reports(table_, terms_->reports_per_person, terms_->too_many);
    if (place::has_repeated_people(table_))
      caller.warn(
          "some people have several positions here; the promise is for each position alone, and theirs add "
          "up (`per-person` K promises and charges for all of a person's)");
  }

  /// Whose a position is matters always; trip and time only if they are copied.
  std::vector<io::Role> needed_columns() const {
    std::vector<io::Role> needed = {io::Role::user};
    if (keeps("traj_id")) needed.push_back(io::Role::trip);
    if (keeps("t")) needed.push_back(io::Role::time);
    return needed;
  }

  bool is_geojson() const {
    return to.output.output.ends_with(".geojson") || to.output.output.ends_with(".json");
  }

  place::KeptColumns kept_columns() const {
    return {.traj_id = keeps("traj_id"), .user_id = keeps("user_id"), .t = keeps("t")};
  }

  std::string formatted(const place::SafePlaces& safe) const {
    if (const auto* at = std::get_if<std::vector<geometry::LonLat>>(&safe)) {
      return is_geojson() ? place::released_geojson(table_, *at, kept_columns())
                          : place::released_csv(table_, *at, kept_columns(), first_record);
    }
    const auto& vertices = std::get<std::vector<graph::VertexId>>(safe);
    return is_geojson() ? place::released_geojson(table_, map_, vertices, kept_columns())
                        : place::released_csv(table_, map_, vertices, kept_columns(), first_record);
  }

  PlaceFields place_;
  ReportFields reports_;
  AnywayField anyway_;
  ColumnFields columns_;
  std::string format_;

  std::optional<place::PlaceTerms> terms_;
  io::PointTable table_;
  roads::RoadNetwork map_;
  std::optional<place::MechanismChoice> choice_;
  std::size_t records_ = 0;  // that were read
  std::vector<graph::VertexId> truth_;
  std::unique_ptr<place::PlaceMechanism> mechanism_;
};

}  // namespace

std::unique_ptr<Release> place_release() {
  return std::make_unique<PlaceRelease>();
}

}  // namespace fogline::release
