// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "io/identity.hpp"
#include "release/kinds.hpp"
#include "release/trace_rules.hpp"
#include "release/traces_fields.hpp"
#include "release/worth.hpp"
#include "traces/counts/counts_file.hpp"
#include "traces/frame/trip_set.hpp"
#include "traces/make_trips.hpp"
#include "traces/paper/dpe_terms.hpp"
#include "traces/trip_file.hpp"

namespace fogline::release {
namespace {

using traces::TraceTerms;
using traces::TripSet;

/// What the counts and the rules left of a release; public, as the release is.
struct Made {
  std::uint64_t noisy_trips = 0, points = 0;
  std::uint32_t fine = 0;
  ToldOfRules told = {};
};

/// Looks at the noisy count alone.
void warn_of_noise(Caller& caller, const TraceTerms& terms, double noisy_trips) {
  if (terms.is_mostly_noise(noisy_trips))
    caller.warn(fmt::format("most counts are lost in their noise: {}", traces::what_noise_leaves));
  if (traces::trips_to_make(terms, noisy_trips) != terms.trips_to_make)
    caller.warn(fmt::format(
        "{} trips were counted, most of them perhaps noise; {} are made (`trips-to-make` N makes N)",
        grouped(static_cast<std::uint64_t>(noisy_trips)), grouped(traces::most_uncalled_for)));
}

class TracesRelease : public Release {
 public:
  std::string kind() const override { return "traces"; }

  void declare(FieldTable& table) override {
    from.declare(table, "TRIPS", "the private trips: CSV, GeoJSON, GPX or .dat; - for standard input");
    traces_.declare(table);
    reading_.declare(table);
    rule_fields_.declare(table);
    traces_.declare_form(table);
    to.ledger.declare(table);
    to.output.declare(table);
    anyway_.declare(table);
    to.seed.declare(table);
    table.states(traces::TraceTerms::listed());
  }

  privacy::Statement resolve(Caller&) override {
    traces_.require_form();
    reading_.columns.require(from.is_guarded);
    format_ = to.output.name() == "-" ? traces::TripFormat::csv : traces::trip_format_of(to.output.output);
    if (is_published()) {
      rule_fields_.refuse_for_published();
      published_ = traces_.published_terms(reading_.unit_of(from));
      return traces::dpe_draft(*published_);
    }
    terms_ = traces_.terms(reading_.unit_of(from));
    if (const std::string file = traces_.persons.file(); !file.empty()) {
      if (!reading_.users.empty())
        throw InvalidOption("users", "is an old spelling of `persons` FILE: give one of the two");
      reading_.users = file;
      reading_.users_field = "persons";
    }
    if (!reading_.users.empty() && terms_->persons == privacy::Persons::column) {
      if (traces_.trips_per_user == 0 && traces_.persons.file().empty())
        throw InvalidOption("users", "is an old spelling of `persons` FILE: give one of the two");
      terms_->persons = privacy::Persons::file;
    }
    traces::require_unit(format_, terms_->frame.unit());
    anyway_.require(!terms_->trips || !terms_->is_mostly_noise(static_cast<double>(*terms_->trips)),
                    fmt::format("with {} trips most counts would be lost in their noise",
                                grouped(terms_->trips.value_or(0))));
    return terms_->draft();
  }

  privacy::Statement prepare(Caller& caller) override {
    if (is_published()) {
      caller.warn(fmt::format("THIS FORM PROMISES NOTHING: {}", traces::dpe_reason()));
      return traces::dpe_draft(*published_);
    }
    rule_fields_.name(*terms_);
    rules_.emplace(rule_fields_.read(caller, *terms_));
    had_times_ = terms_->times;
    return terms_->draft();
  }

  void take(Caller& caller) override {
    if (is_published()) return take_published(caller);
    read(caller);
    tell_of_users(caller);
  }

  /// Whether trips have times is told by their file, as are rules about times that they cannot keep.
  std::optional<privacy::Statement> completed(Caller& caller) override {
    if (is_published()) return std::nullopt;
    if (had_times_ && !terms_->times) rules_.emplace(rule_fields_.read(caller, *terms_));
    return terms_->draft();
  }

  privacy::DrawnInPieces draw(const random::Key& key, const privacy::WriteOutput& write,
                              Caller& caller) override {
    if (is_published()) return write_out(draw_published(key), write, caller);
    // The private trips go when they are counted, and so does the key: what follows has the counts alone.
    const traces::CountedTrips counted =
        traces::count_trips(std::exchange(trips_, {}), traces::TraceStatistics(terms_->options()), key);
    const std::uint64_t trips = write_out(make(counted, caller), write, caller);
    return {trips, {}, {}, {{.text = counted.text, .records = traces::count_of_counts(counted.known)}}};
  }

  Told tell(const privacy::Released& released, Caller&) const override {
    nlohmann::ordered_json json{{"mechanism", released.statement.mechanism}};
    Told told{.record = "trip"};
    if (!is_published()) {
      json["noisy_trips"] = made_.noisy_trips;
      json["points"] = made_.points;
      json["counts"] = to.output.beside(std::string(traces::counts_ending));
      for (const auto& [name, value] : made_.told.json) json[name] = value;
      told.rows = made_.told.rows;
      told.rows.emplace(told.rows.begin(), "made of",
                        fmt::format("counts of {} trip{} ({}), on grids of up to {} x {} cells",
                                    grouped(made_.noisy_trips), made_.noisy_trips == 1 ? "" : "s",
                                    terms_->trips ? "as declared" : "with noise", made_.fine, made_.fine));
      told.rows.emplace(told.rows.begin(), "counts", to.output.beside(std::string(traces::counts_ending)));
    }
    told.json = std::move(json);
    return told;
  }

  std::vector<std::string> inputs() const override { return rule_fields_.files(); }
  std::vector<std::string> private_inputs() const override {
    std::vector<std::string> files = traces_.persons.files();
    if (!reading_.users.empty()) files.push_back(reading_.users);
    return files;
  }

  std::vector<std::string> more_outputs() const override {
    return is_published() ? std::vector<std::string>{} : std::vector{std::string(traces::counts_ending)};
  }

  std::function<std::uint64_t(std::string_view)> records_in() const override { return traces::trips_in_csv; }

 private:
  bool is_published() const { return traces_.published; }

  void take_published(Caller& caller) {
    const mobility::Trips found = reading_.read(
        caller, from, traces_.no_times ? TripReading::Times::left_out : TripReading::Times::as_found);
    frame_ = published_->frame ? *published_->frame : traces::frame_around(found);
    traces::require_unit(format_, frame_->unit());
    Warnings warnings;
    trips_ = traces::trips_in_frame(found, *frame_, {}, warnings);
    caller.warn(warnings);
    if (trips_.size() < 2)
      throw DataError({from.name()}, "holds fewer than two trips in the area", "the paper's form needs two");
    traces::Dpe::Options options = published_->options(trips_, *frame_);
    options.parallel = {.threads = caller.threads()};
    options.progress = caller.progress();
    dpe_.emplace(options);
  }

  /// The trips within the public bounds; takes times out of the terms if there are none.
  void read(Caller& caller) {
    reading_.protects_users = terms_->persons == privacy::Persons::column;
    const mobility::Trips found = reading_.read(
        caller, from, terms_->times ? TripReading::Times::as_found : TripReading::Times::left_out);
    terms_->times = found.has_time;
    if (tells_users_apart() && found.user.empty())
      throw InvalidOption(
          "persons",
          "needs to know whose each trip is: say which column does with `columns` user=NAME, or name a file");
    if (tells_users_apart()) require_users(caller, found);
    if (terms_->persons == privacy::Persons::declared)
      require_as_declared(terms_->trips_per_user, found.user, found.user_name, from.name());
    Warnings warnings;
    traces::TripBounds bounds = terms_->bounds();
    bounds.may_be_none = from.is_guarded;  // that there is one is not told, and none can be counted too
    trips_ = traces::trips_in_frame(found, terms_->frame, bounds, warnings);
    caller.warn(warnings);
    if (std::ranges::all_of(found.user_name, io::is_missing_name)) trips_.user.clear();
    frame_ = terms_->frame;
  }

  bool tells_users_apart() const {
    return terms_->unit == traces::Unit::user && terms_->persons != privacy::Persons::declared;
  }

  void require_users(Caller& caller, const mobility::Trips& trips) const {
    mobility::require_users(trips);
    const std::size_t alike = io::count_alike_but_for_case(trips.user_name);
    if (alike == 0) return;
    Warnings warnings;
    warnings.add("user whose name differs from another's in capitals only, taken for another person",
                 {from.name()}, alike);
    caller.warn(warnings);
  }

  void tell_of_users(Caller& caller) const {
    if (!tells_users_apart()) {
      if (!trips_.user.empty() && terms_->unit == traces::Unit::trip)
        caller.note(
            "the file tells whose each trip is: `persons` column `per-person` K would protect all trips of "
            "one "
            "person together");
      return;
    }
    std::vector<std::uint64_t> trips_of;
    for (const std::uint32_t user : trips_.user) {
      if (user >= trips_of.size()) trips_of.resize(user + 1);
      ++trips_of[user];
    }
    const auto busy =
        std::ranges::count_if(trips_of, [&](std::uint64_t n) { return n > terms_->trips_per_user; });
    if (busy == 0) return;
    Warnings warnings;
    warnings.add(fmt::format("users with more than {} trip{}, each of which counts for less",
                             terms_->trips_per_user, terms_->trips_per_user == 1 ? "" : "s"),
                 {from.name()}, static_cast<std::uint64_t>(busy));
    caller.warn(warnings);
  }

  TripSet draw_published(const random::Key& key) const {
    random::Stream noise = key.stream("traces");
    return dpe_->release(trips_, noise).trips;
  }

  TripSet make(const traces::CountedTrips& counted, Caller& caller) {
    warn_of_noise(caller, *terms_, counted.known.trips);
    traces::MadeTrips made =
        traces::make_trips(counted, *terms_, *rules_,
                           {.parallel = {.threads = caller.threads()}, .progress = caller.progress()});
    made_ = {.noisy_trips = static_cast<std::uint64_t>(counted.known.trips),
             .points = made.trips.point.size(),
             .fine = counted.known.layout.fine,
             .told = told_of(made, *terms_)};
    return std::move(made.trips);
  }

  std::uint64_t write_out(const TripSet& trips, const privacy::WriteOutput& write, Caller& caller) const {
    traces::write_trips(trips, *frame_, format_,
                        {.packed = to.output.output.ends_with(".gz"),
                         .parallel = {.threads = caller.threads()},
                         .progress = caller.progress()},
                        write);
    return trips.size();
  }

  TracesFields traces_;
  TripReading reading_;
  TraceRuleFields rule_fields_;
  AnywayField anyway_;

  traces::TripFormat format_ = traces::TripFormat::csv;
  std::optional<TraceTerms> terms_;            // of a sound release
  std::optional<traces::DpeTerms> published_;  // of the paper's
  std::optional<traces::Frame> frame_;
  std::optional<traces::TripRules> rules_;
  bool had_times_ = true;  // when the rules were read
  std::optional<traces::Dpe> dpe_;
  TripSet trips_;
  Made made_;
};

}  // namespace

std::unique_ptr<Release> traces_release() {
  return std::make_unique<TracesRelease>();
}

}  // namespace fogline::release
