// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <exception>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "graph/components.hpp"
#include "io/limits.hpp"
#include "place/positions.hpp"
#include "place/released_file.hpp"
#include "privacy/statement_log.hpp"
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
    table.flag("live", live_, "answer each line of CSV as it comes, each charged by itself, from - to -");
    table.value("csv-header", "NAMES", csv_header_, "of a CSV file without one: user_id,t,lon,lat").rare();
    columns_.declare_times(table);
    to.seed.declare(table);
    table.states(place::PlaceTerms::listed());
  }

  privacy::Statement resolve(Caller& caller) override {
    place_.require();
    columns_.require(from.is_guarded);
    if (to.output.name() != "-" && !is_geojson() && !to.output.output.ends_with(".csv"))
      throw InvalidOption("output", "must end in .csv, .geojson or .json, or be -");
    reports_.require();
    if (format_.empty() && !from.file.empty() && !from.comes_bit_by_bit())
      io::point_format_of(from.file);  // throws if it cannot be told
    if (!csv_header_.empty() && !may_be_csv()) throw InvalidOption("csv-header", "is for CSV files");
    if (!csv_header_.empty() && from.is_guarded)
      throw InvalidOption(
          "csv-header",
          "cannot be given with `guarded`: it decides what is protected; write the names into the file");
    terms_ = place_.terms(caller, reports_.max_snap_m);
    reports_.add_to(*terms_, from.is_guarded || is_served);
    if (live_) require_live();
    return promised().draft({});
  }

  bool is_live() const override { return live_; }
  bool answers_each() const override { return live_; }

  /// A line that is not blank; the first of all are the names of columns. What it holds is looked at by take().
  bool await(Caller& caller) override try {
    if (!lines_) {
      source_.emplace(from.open(caller));
      lines_.emplace(*source_);
    }
    for (std::string_view line; lines_->next(line);) {
      if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
      if (csv_header_.empty() && names_.empty()) {
        names_ = std::string(line) + "\n";
      } else {
        line_ = std::string(line) + "\n";
        return true;
      }
    }
    return false;
  } catch (const DataError& error) {
    if (io::is_over(&io::ReadLimits::seconds, error)) throw;  // nobody sent anything
    // A line that is too long or no text is refused like one that holds no position: recorded, and guarded paid for and without a word.
    unread_ = std::current_exception();
    return true;
  }

  void load(Caller& caller) override { prepared_ = place_.prepare(*terms_, caller); }

  privacy::Statement prepare(Caller& caller) override {
    if (!terms_->kernel) terms_->take(*prepared_->mechanism);  // a kernel's terms are complete
    if ((from.is_guarded || is_served) && graph::components(prepared_->map.graph).count() > 1)
      throw InvalidOption(
          "network",
          fmt::format(
              "is in one piece {}: in which of several a position lies would be told for certain, at any "
              "epsilon; leave out `all-components`",
              is_served ? "in a service" : "with `guarded`"));
    if (const auto worth = anyway_.anyway ? std::nullopt : worth_of(*prepared_)) anyway_.require(*worth);
    if (prepared_->error.q_loss_m < 1)
      caller.warn("the expected error is below a metre: at this epsilon the release hides next to nothing");
    return terms_->draft(prepared_->error);
  }

  void take(Caller& caller) override try {
    if (unread_) std::rethrow_exception(unread_);
    read_points(caller);
    bound_persons(caller);
    truth_ = place::vertices_of(
        table_, prepared_->snapper(),
        {.farthest_m = reports_.max_snap_m, .too_far = terms_->too_far, .threads = caller.threads()});
    caller.warn(table_.warnings);
  } catch (const DataError& error) {
    const Problem& problem = error.problem();
    if (!live_ || unread_ || problem.code != "bad-data") throw;
    // It was read as a text of its own, whose lines say nothing.
    throw DataError({from.name(), lines_->line_number()}, problem.wrong, problem.to_try);
  }

  privacy::DrawnInPieces draw(const random::Key& key, const privacy::WriteOutput& write,
                              Caller& caller) override {
    const place::SafePlaces safe =
        prepared_->mechanism->release_all(truth_, key,
                                          {.first_record = first_record + answered_,
                                           .threads = caller.threads(),
                                           .progress = caller.progress()});
    write(formatted(safe));
    // Those of a seeded run have the same key.
    if (live_) answered_ += truth_.size();
    return truth_.size();
  }

  Told tell(const privacy::Released& released, Caller&) const override {
    const double error_m = released.statement.expected_error->value;
    nlohmann::ordered_json more{{"q_loss_m", error_m}};
    const bool leaves_out =
        terms_->too_far == place::TooFar::leave_out || terms_->too_many == privacy::TooMany::leave_out;
    if (leaves_out && !from.is_guarded) more["records_left_out"] = records_ - truth_.size();
    return {.record = "position",
            .measure = privacy::EpsilonMeasure::per_metre,
            .rows = {{"expected error", fmt::format("{:.1f} m", error_m)}},
            .json = more};
  }

  std::uint64_t numbers() const override { return truth_.size(); }

  void require_served() const override {
    if (live_) throw InvalidOption("live", "is not for a service, which answers each subject as it asks");
    if (!reports_.kept().empty())
      throw InvalidOption("keep", "is for files: whoever asks knows his own columns");
    if (terms_->persons != privacy::Persons::unsaid || terms_->reports_per_person > 0)
      throw InvalidOption("per-person", "is for files: a service counts what each subject is charged");
  }

  void require_parts() const override {
    if (live_) throw InvalidOption("live", "has each record charged by itself, and has no parts");
    if (reports_.too_far == to_string(place::TooFar::leave_out))
      throw InvalidOption("too-far", "leave-out numbers records by those before, and so needs them all");
    if (const auto how = reports_.bound().persons;
        how == privacy::Persons::column || how == privacy::Persons::file)
      throw InvalidOption("per-person", "needs all records at once, to count those of a person");
  }

  std::vector<std::string> inputs() const override { return place_.files(); }
  std::vector<std::string> private_inputs() const override { return reports_.persons.files(); }

 private:
  /// Whatever `auto` becomes on the map promises and costs the same.
  place::PlaceTerms promised() const {
    place::PlaceTerms terms = *terms_;
    if (terms.mechanism == place::automatic) terms.mechanism = "gem";
    return terms;
  }

  void require_live() {
    if (!from.comes_bit_by_bit())
      throw InvalidOption("live", "reads lines as they come, from standard input");
    if (to.output.name() != "-") throw InvalidOption("live", "answers on standard output");
    if (!may_be_csv()) throw InvalidOption("format", "is csv with `live`: a line in, a line out");
    if (terms_->too_far == place::TooFar::leave_out)
      throw InvalidOption("too-far", "is refuse or nearest with `live`: every line has its answer");
    if (terms_->reports_per_person > 0)
      throw InvalidOption("per-person", "is for files: of a live release every report is charged by itself");
    if (to.output.statement.empty() && !to.output.receive)
      to.output.statement = "release.statements.jsonl";  // a line each, which is no .json
    if (to.output.statement.empty())
      throw InvalidOption("statement", "is needed with `live`: every answer has one",
                          "a file that ends in .jsonl");
    if (!privacy::is_statement_log(to.output.statement))
      throw InvalidOption("statement", "must end in .jsonl with `live`: a statement on each line");
  }

  bool keeps(const std::string& column) const {
    const auto columns = reports_.kept();
    return std::find(columns.begin(), columns.end(), column) != columns.end();
  }

  bool may_be_csv() const {
    if (!format_.empty() || from.columns) return format_ == "csv";
    return from.comes_bit_by_bit() || io::point_format_of(from.file) == io::PointFormat::csv;
  }

  void read_points(Caller& caller) {
    io::PointReadOptions options;
    if (format_ == "csv") options.format = io::PointFormat::csv;
    if (format_ == "geojson") options.format = io::PointFormat::geojson;
    if (format_ == "gpx") options.format = io::PointFormat::gpx;
    options.columns = {
        .map = columns_.map(), .needed = needed_columns(), .one_person = tells_persons_apart()};
    options.times = columns_.times();
    options.csv_header = csv_header_;
    options.progress = caller.progress();
    if (live_) options.format = io::PointFormat::csv;
    io::TextSource source =
        live_ ? io::TextSource::from_memory(fmt::format("{} (line {})", from.name(), lines_->line_number()),
                                            names_ + line_)
              : from.open(caller);
    table_ = io::read_points(source, options);
    if (answered_ == 0) tell_columns(caller, table_.columns);
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
    return is_geojson() ? place::released_geojson(table_, prepared_->map, vertices, kept_columns())
                        : place::released_csv(table_, prepared_->map, vertices, kept_columns(), first_record);
  }

  PlaceFields place_;
  ReportFields reports_;
  AnywayField anyway_;
  ColumnFields columns_;
  std::string format_, csv_header_;
  bool live_ = false;

  std::optional<place::PlaceTerms> terms_;
  io::PointTable table_;
  std::size_t records_ = 0;  // that were read
  std::vector<graph::VertexId> truth_;
  std::unique_ptr<place::PreparedPlace> prepared_;
  std::optional<io::TextSource> source_;  // of a live release
  std::optional<io::LineReader> lines_;   // of source_
  std::string names_, line_;              // of columns; the record that take() takes
  std::exception_ptr unread_;             // why there is none
  std::uint64_t answered_ = 0;            // records of a live release
};

}  // namespace

std::unique_ptr<Release> place_release() {
  return std::make_unique<PlaceRelease>();
}

}  // namespace fogline::release
