// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/parallel.hpp"
#include "cli/release_talk.hpp"
#include "cli/traces_rules_block.hpp"
#include "cli/traces_terms_block.hpp"
#include "cli/verbs.hpp"
#include "cli/worth.hpp"
#include "io/gzip.hpp"
#include "io/identity.hpp"
#include "traces/dpe_terms.hpp"
#include "traces/synthesis.hpp"

namespace fogline::cli {
namespace {

using traces::TraceTerms;
using traces::TripSet;

class TracesRelease : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"traces", "release"},
        "Release invented trips like the private ones, with a statement, charged to the ledger",
        "Reads trips (CSV with traj_id, lon, lat and perhaps user_id and t; GeoJSON, GPX or .dat), charges "
        "epsilon to the dataset in the ledger, and only then counts, with noise, where the trips begin and "
        "end, how they move from cell to cell, how long they are, how they turn and when they leave. From "
        "these counts alone it invents trips, and writes them with a statement beside.\n\n"
        "What is protected is named by --unit: one trip, or one user with all trips. For users the file "
        "needs "
        "user_id, or --users a name for each trip, and no name may be blank, or stand for several people. "
        "Who "
        "has more than --trips-per-user trips counts each of "
        "them for less; how many users that are is told to you and is not part of the release.\n\n"
        "What is declared as PUBLIC is not protected, and must not be looked up in the private trips: the "
        "area, how long trips can be and last, and, with --trips, how many there are. Points outside the "
        "area "
        "are left out, and trips that are longer end early; you are told how many. If so few are declared "
        "that "
        "most counts would be noise, nothing is released without --anyway; without --trips that is known "
        "only after the charge, and told then.\n\n"
        "With --constraints the trips obey public rules: closed areas, perhaps at some hours, bounds, speed "
        "limits, one-ways and stops. With --network they are legal drives on public roads. A set of rules "
        "that "
        "leaves no legal place is refused before anything is charged, and what obeying cost is told.\n\n"
        "Trips with times get times: those of one day, told on 1 January 1970, UTC. Days and weekdays are "
        "not "
        "told.\n\n"
        "--mechanism dpe --published gives the paper's trips, for comparison: the private ones, moved. It "
        "promises nothing.\n\n"
        "If anything is wrong with the input, the options, the output's folder or the budget, nothing is "
        "charged and nothing is written.",
        {{"one trip of the sample city's day",
          "fogline sample traces -o trips.csv -q && fogline traces release trips.csv --area "
          "-30.06,44.96,-29.94,45.04 --epsilon 1 --unit trip -o synthetic.csv --ledger my.ledger"},
         {"whoever drove, with up to 5 trips",
          "fogline sample traces -o trips.csv -q && fogline traces release trips.csv --area "
          "-30.06,44.96,-29.94,45.04 --epsilon 1 --unit user --trips-per-user 5 -o synthetic.csv --ledger "
          "my.ledger"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("TRIPS", trips_, "the private trips: CSV, GeoJSON, GPX or .dat; - for standard input")
        .required();
    traces_.declare(options);
    reading_.declare(options);
    rules_.declare(options);
    traces_.declare_form(options);
    ledger_.declare(options);
    output_.declare(options);
    anyway_.declare(options);
    options.flag("--json", json_, "print what was done as JSON");
    seed_.declare(options);
  }

  int run(Session& session) override {
    output_.statement_path();
    seed_.value();
    traces_.require_form();
    return traces_.published ? run_published(session) : run_sound(session);
  }

 private:
  /// What is told of a release when it is done; public, as the release is.
  struct Made {
    std::uint64_t noisy_trips = 0, points = 0;
    std::uint32_t fine = 0;
    TraceRulesBlock::Rules::Told told = {};
  };

  int run_sound(Session& session) {
    require_public(rules_.constraints, trips_, "--constraints");
    TraceTerms terms = traces_.terms(reading_.unit_of(session, trips_));
    const traces::TripFormat format = this->format();
    traces::require_unit(format, terms.frame.unit());
    constexpr std::uint64_t most_declared = 20'000'000;
    if (terms.trips && *terms.trips > most_declared && terms.trips_to_make == 0)
      throw InvalidOption("--trips", fmt::format("is more than {}, which would take hours to make and much "
                                                 "memory: say with --trips-to-make how many to make",
                                                 grouped(most_declared)));
    anyway_.require(!terms.trips || !terms.is_mostly_noise(static_cast<double>(*terms.trips)),
                    fmt::format("with {} trips most counts would be lost in their noise",
                                grouped(terms.trips.value_or(0))));
    privacy::require_releasable(plan(terms.draft(), session));
    TripSet trips = read(session, terms);
    tell_of_users(session, terms, trips);
    rules_.name(terms);
    const TraceRulesBlock::Rules rules = rules_.read(session, terms);
    Made made;
    const privacy::Released released = publish(
        session, terms.draft(), terms.frame, format,
        [&](const random::Key& key) { return make(session, terms, rules, std::move(trips), key, made); });
    nlohmann::ordered_json json{{"mechanism", released.statement.mechanism},
                                {"noisy_trips", made.noisy_trips},
                                {"points", made.points}};
    for (const auto& [name, value] : made.told.json) json[name] = value;
    made.told.rows.emplace(made.told.rows.begin(), "made of",
                           fmt::format("counts of {} trip{} ({}), on grids of up to {} x {} cells",
                                       grouped(made.noisy_trips), made.noisy_trips == 1 ? "" : "s",
                                       terms.trips ? "as declared" : "with noise", made.fine, made.fine));
    talk().after(session, released, "trip", made.told.rows, json);
    return 0;
  }

  int run_published(Session& session) {
    rules_.refuse_for_published();
    const traces::DpeTerms terms = traces_.published_terms(reading_.unit_of(session, trips_));
    const traces::TripFormat format = this->format();
    privacy::require_releasable(plan(traces::dpe_draft(terms), session));
    const mobility::Trips found = reading_.read(
        session, trips_, traces_.no_times ? TripReading::Times::left_out : TripReading::Times::as_found);
    const traces::Frame frame = terms.frame ? *terms.frame : traces::frame_around(found);
    traces::require_unit(format, frame.unit());
    Warnings warnings;
    const TripSet trips = traces::trips_in_frame(found, frame, {}, warnings);
    session.warn(warnings);
    traces::Dpe::Options options = terms.options(trips, frame);
    options.parallel = {.threads = session.threads()};
    options.progress = session.progress();
    const traces::Dpe dpe(options);
    session.warn(fmt::format("THIS FORM PROMISES NOTHING: {}", traces::dpe_reason()));
    const privacy::Released released =
        publish(session, traces::dpe_draft(terms), frame, format, [&](const random::Key& key) {
          random::Stream noise = key.stream("traces");
          return dpe.release(trips, noise).trips;
        });
    talk().after(session, released, "trip", {}, {{"mechanism", released.statement.mechanism}});
    return 0;
  }

  ReleaseTalk talk() const { return {.ledger = ledger_, .output = output_, .json = json_}; }

  template <class Make>
  privacy::Released publish(Session& session, privacy::Statement draft, const traces::Frame& frame,
                            traces::TripFormat format, const Make& make_trips) const {
    const privacy::ReleasePlan plan = this->plan(std::move(draft), session);
    talk().before(session, plan);
    return talk().watch(session, plan, [&](auto* charged) {
      return privacy::release_in_pieces(
          plan,
          [&](const random::Key& key, const privacy::WriteOutput& write) {
            const TripSet synthetic = make_trips(key);
            write_trips(session, synthetic, frame, format, write);
            return privacy::DrawnInPieces{synthetic.size()};
          },
          charged);
    });
  }

  traces::TripFormat format() const {
    return output_.output == "-" ? traces::TripFormat::csv : traces::trip_format_of(output_.output);
  }

  /// The trips within the public bounds; takes times out of the terms if there are none.
  TripSet read(Session& session, TraceTerms& terms) {
    reading_.protects_users = terms.unit == traces::Unit::user && reading_.users.empty();
    const mobility::Trips found = reading_.read(
        session, trips_, terms.times ? TripReading::Times::as_found : TripReading::Times::left_out);
    terms.times = found.has_time;
    if (terms.unit == traces::Unit::user && found.user.empty())
      throw InvalidOption("--unit",
                          "user needs to know whose each trip is: a column user_id, or --users FILE");
    if (terms.unit == traces::Unit::user) require_users(session, found);
    Warnings warnings;
    TripSet trips = traces::trips_in_frame(found, terms.frame, terms.bounds(), warnings);
    session.warn(warnings);
    if (std::ranges::all_of(found.user_name, io::is_missing_name)) trips.user.clear();
    return trips;
  }

  void require_users(Session& session, const mobility::Trips& trips) const {
    mobility::require_users(trips);
    const std::size_t alike = io::count_alike_but_for_case(trips.user_name);
    if (alike == 0) return;
    Warnings warnings;
    warnings.add("user whose name differs from another's in capitals only, taken for another person",
                 {trips_}, alike);
    session.warn(warnings);
  }

  void tell_of_users(Session& session, const TraceTerms& terms, const TripSet& trips) const {
    if (terms.unit != traces::Unit::user) {
      if (!trips.user.empty())
        session.note(
            "the file tells whose each trip is: --unit user would protect all trips of one person "
            "together");
      return;
    }
    std::vector<std::uint64_t> trips_of;
    for (const std::uint32_t user : trips.user) {
      if (user >= trips_of.size()) trips_of.resize(user + 1);
      ++trips_of[user];
    }
    const auto busy =
        std::ranges::count_if(trips_of, [&](std::uint64_t n) { return n > terms.trips_per_user; });
    if (busy == 0) return;
    Warnings warnings;
    warnings.add(fmt::format("users with more than {} trip{}, each of which counts for less",
                             terms.trips_per_user, terms.trips_per_user == 1 ? "" : "s"),
                 {trips_}, static_cast<std::uint64_t>(busy));
    session.warn(warnings);
  }

  privacy::ReleasePlan plan(privacy::Statement draft, Session& session) const {
    std::vector<std::string> inputs{trips_};
    if (!reading_.users.empty()) inputs.push_back(reading_.users);
    for (const std::string& file : rules_.files()) inputs.push_back(file);
    return {.draft = std::move(draft),
            .dataset = ledger_.dataset,
            .ledger = ledger_.path_for_writing(),
            .output = output_.output,
            .statement = output_.statement_path(),
            .overwrite = output_.overwrite,
            .inputs = std::move(inputs),
            .records_in = traces::trips_in_csv,
            .seed = seed_.value(),
            .time_unix_s = session.now()};
  }

  /// Counts, and makes trips of the counts. The private trips go when they are counted.
  static TripSet make(Session& session, const TraceTerms& terms, const TraceRulesBlock::Rules& rules,
                      TripSet trips, const random::Key& key, Made& made) {
    random::Stream noise = key.stream("traces");
    const traces::NoisyStatistics known = traces::TraceStatistics(terms.options()).release(trips, noise);
    trips = {};
    if (terms.is_mostly_noise(known.trips))
      session.warn(fmt::format("most counts are lost in their noise: {}", traces::what_noise_leaves));
    TripSet synthetic = traces::synthesise(known, key,
                                           {.trips = trips_to_make(session, terms, known.trips),
                                            .max_duration_s = static_cast<std::int64_t>(terms.max_duration_s),
                                            .open = rules.open(),
                                            .parallel = {.threads = session.threads()},
                                            .progress = session.progress()});
    synthetic = rules.apply(std::move(synthetic), key, session, made.told);
    cut_off(synthetic, terms, made);
    made.noisy_trips = static_cast<std::uint64_t>(known.trips);
    made.points = synthetic.point.size();
    made.fine = known.layout.fine;
    return synthetic;
  }

  /// Roads and rules make trips take longer than they were made to.
  static void cut_off(TripSet& trips, const TraceTerms& terms, Made& made) {
    const std::uint64_t cut = traces::cut_off(trips, static_cast<std::int64_t>(terms.max_duration_s));
    if (cut == 0) return;
    made.told.rows.emplace_back("cut off", fmt::format("{} trip{} after {} s", grouped(cut),
                                                       cut == 1 ? "" : "s", terms.max_duration_s));
    made.told.json.emplace_back("trips_cut_off", cut);
  }

  /// With little budget noise alone can count millions of trips; they would take hours and gigabytes, after the charge. Looks at the noisy count alone.
  static std::uint64_t trips_to_make(Session& session, const TraceTerms& terms, double noisy_trips) {
    constexpr std::uint64_t most_uncalled_for = 2'000'000;
    if (terms.trips_to_make > 0 || terms.trips || noisy_trips <= static_cast<double>(most_uncalled_for))
      return terms.trips_to_make;
    session.warn(fmt::format(
        "{} trips were counted, most of them perhaps noise; {} are made (--trips-to-make N makes N)",
        grouped(static_cast<std::uint64_t>(noisy_trips)), grouped(most_uncalled_for)));
    return most_uncalled_for;
  }

  void write_trips(Session& session, const TripSet& trips, const traces::Frame& frame,
                   traces::TripFormat format, const privacy::WriteOutput& write) const {
    constexpr std::size_t trips_a_piece = 512, pieces_at_once = 64;
    std::optional<io::GzipPacker> packer;
    if (output_.output.ends_with(".gz")) packer.emplace();
    const Progress progress = session.progress();
    ProgressMeter meter(progress, "writing trips", trips.size());
    std::vector<std::string> text(pieces_at_once);
    for (std::size_t first = 0; first < trips.size(); first += trips_a_piece * pieces_at_once) {
      parallel_for(text.size(), {.threads = session.threads()}, [&](std::size_t begin, std::size_t end) {
        for (std::size_t piece = begin; piece < end; ++piece) {
          const std::size_t from = std::min(first + piece * trips_a_piece, trips.size());
          const std::size_t to = std::min(from + trips_a_piece, trips.size());
          text[piece] = from < to ? traces::trips_text(trips, frame, format, from, to) : "";
        }
      });
      for (const std::string& piece : text) write(packer ? packer->add(piece) : piece);
      meter.advance(std::min(trips_a_piece * pieces_at_once, trips.size() - first));
    }
    if (packer) write(packer->finish());
  }

  std::string trips_;
  TracesBlock traces_;
  TripReading reading_;
  TraceRulesBlock rules_;
  LedgerBlock ledger_;
  OutputBlock output_;
  AnywayBlock anyway_;
  SeedBlock seed_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> traces_release() {
  return std::make_unique<TracesRelease>();
}

}  // namespace fogline::cli
