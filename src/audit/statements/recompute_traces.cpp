// SPDX-License-Identifier: Apache-2.0
#include "audit/statements/recompute_traces.hpp"

#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "audit/statements/recompute_parts.hpp"
#include "audit/statements/work_limits.hpp"
#include "base/error.hpp"
#include "fogline/version.hpp"
#include "io/gzip.hpp"
#include "io/input_file.hpp"
#include "mobility/trips.hpp"
#include "privacy/file_hash.hpp"
#include "traces/counts/counts_file.hpp"
#include "traces/invention/emit.hpp"
#include "traces/make_trips.hpp"
#include "traces/paper/dpe_terms.hpp"
#include "traces/released_file.hpp"
#include "traces/roads/legal_paths.hpp"
#include "traces/rules/constraints_file.hpp"
#include "traces/terms.hpp"
#include "traces/trip_file.hpp"

namespace fogline::audit {
namespace {

using privacy::Check;
using privacy::Outcome;
using traces::TraceTerms;

/// Could something stand in the file beside these bytes of text: names in a packed file's header, further members, carriage returns?
bool holds_the_text_alone(const std::string& file, const std::string& name, std::uint64_t bytes) {
  if (!name.ends_with(".gz")) return std::filesystem::file_size(file) == bytes;
  const io::FormatLimit held_whole{
      .file = {}, .what = "bytes", .most = io::current_limits().memory, .reason = {}};
  const std::string packed = io::read_small_file(file, held_whole, "check the name");
  if (!io::is_bare_gzip(packed)) return false;
  io::TextSource source = io::TextSource::from_memory(name, packed);
  std::vector<char> room(std::size_t{1} << 16);
  std::uint64_t size = 0;
  while (const std::size_t some = source.read(room.data(), room.size())) size += some;
  return size == bytes;
}

/// Versions that released trips alone.
bool is_before_counts(const privacy::Statement& statement) {
  return statement.outputs.size() == 1 && statement.version != version;
}

Check released_trips(const privacy::Statement& statement, const RecomputeOptions& options,
                     const TraceTerms& terms) {
  const std::string name = "released file";
  if (statement.outputs.size() != 2 && !is_before_counts(statement))
    return {name, Outcome::failed,
            fmt::format("the statement names {} files, and not two: trips and their counts",
                        statement.outputs.size())};
  const privacy::ReleasedFile& output = statement.outputs.front();
  const std::string file = at_hand(output.name, output.sha256, options);
  const auto format = output.name == "-" ? traces::TripFormat::csv : traces::trip_format_of(output.name);
  io::TextSource source = io::TextSource::from_file(file);
  const traces::ReleasedTrips held =
      traces::check_released(source, terms.frame, format,
                             terms.times ? traces::ReleasedTimes::told : traces::ReleasedTimes::not_told);
  if (held.trips != output.records)
    return {name, Outcome::failed,
            fmt::format("the statement counts {} trips, and it holds {}", output.records, held.trips)};
  if (terms.trips_to_make > 0 && held.trips != terms.trips_to_make)
    return {name, Outcome::failed,
            fmt::format("{} trips were to be made, and it holds {}", terms.trips_to_make, held.trips)};
  if (!holds_the_text_alone(file, output.name, held.bytes))
    return {name, Outcome::failed, "it holds something beside the text of its trips"};
  return {name, Outcome::passed,
          fmt::format("{} trips with {} points, all in the area, and nothing else", held.trips, held.points)};
}

Check no_error_expected(const privacy::Statement& statement) {
  if (statement.expected_error)
    return {"expected error", Outcome::failed, "the statement gives one, and none is known beforehand"};
  return {"expected error", Outcome::passed, "none is known beforehand, and the statement gives none"};
}

/// The released trips, for checks beyond the form of their file.
traces::TripSet trips_of(const privacy::Statement& statement, const RecomputeOptions& options,
                         const TraceTerms& terms) {
  const privacy::ReleasedFile& output = statement.outputs.at(0);
  const std::string file = at_hand(output.name, output.sha256, options);
  const auto format = output.name == "-" ? io::PointFormat::csv : io::point_format_of(output.name);
  Warnings ignored;  // what is wrong with the file is found by another check
  return traces::trips_in_frame(mobility::make_trips(io::read_points(file, {.format = format}), {}),
                                terms.frame, {}, ignored);
}

Check obeyed(const privacy::Statement& statement, const RecomputeOptions& options, const TraceTerms& terms) {
  Warnings ignored;  // told when the release was made
  const traces::Constraints rules =
      traces::read_constraints(at_hand(terms.constraints->name, terms.constraints->sha256, options),
                               terms.frame, {.timed = terms.times}, ignored);
  const traces::Violations found =
      traces::count(trips_of(statement, options, terms), rules, {.threads = options.threads});
  if (found.hard() > 0)
    return {"constraints", Outcome::failed,
            fmt::format("{} trips break a hard rule, {} times in all", found.trips, found.hard())};
  return {"constraints", Outcome::passed, "no trip breaks a hard rule"};
}

Check driven(const privacy::Statement& statement, const RecomputeOptions& options, const TraceTerms& terms) {
  const double share =
      traces::legal_share(trips_of(statement, options, terms), network_at_hand(*terms.network, options),
                          terms.frame, {.parallel = {.threads = options.threads}});
  if (share < 1)
    return {"roads", Outcome::failed,
            fmt::format("{:.2f} % of the trips are no legal drives", 100 * (1 - share))};
  return {"roads", Outcome::passed, "every trip is a legal drive on the network"};
}

/// The counts that the statement names, if they are at hand and are what a release with these terms counts.
traces::CountedTrips counts_of(const privacy::Statement& statement, const RecomputeOptions& options,
                               const TraceTerms& terms) {
  if (is_before_counts(statement))
    throw NotAtHand{fmt::format("version {} released no counts", statement.version)};
  if (statement.outputs.size() != 2) throw InvalidOption("outputs", "name no counts");
  const privacy::ReleasedFile& output = statement.outputs[1];
  const traces::TraceStatistics statistics(terms.options());
  traces::NoisyStatistics known =
      traces::read_counts(at_hand(output.name, output.sha256, options), statistics);
  std::string text = traces::counts_text(known, statistics);
  // What was read is what was hashed, and not what stands there now.
  if (privacy::sha256_of_text(text) != output.sha256)
    throw NotAtHand{fmt::format("{} has changed", output.name)};
  return {.known = std::move(known), .text = std::move(text)};
}

Check counted(const privacy::Statement& statement, const RecomputeOptions& options, const TraceTerms& terms) {
  const traces::CountedTrips counts = counts_of(statement, options, terms);
  const std::uint64_t numbers = traces::count_of_counts(counts.known);
  if (numbers != statement.outputs[1].records)
    return {"counts", Outcome::failed,
            fmt::format("the statement speaks of {} counts, and there are {}", statement.outputs[1].records,
                        numbers)};
  return {"counts", Outcome::passed,
          fmt::format("{} noisy counts, those that the parameters ask for", numbers)};
}

traces::TripRules rules_at_hand(const RecomputeOptions& options, const TraceTerms& terms) {
  traces::TripRules rules;
  Warnings ignored;  // told when the release was made
  if (terms.constraints)
    rules.constraints = std::make_unique<const traces::Constraints>(
        traces::read_constraints(at_hand(terms.constraints->name, terms.constraints->sha256, options),
                                 terms.frame, {.timed = terms.times}, ignored));
  if (terms.network)
    rules.keep_to(network_at_hand(*terms.network, options), terms.frame, traces::TripRules::Cost::not_told,
                  {.threads = options.threads});
  return rules;
}

/// Of the text of the released trips. Packed, the same text may be other bytes with another library.
std::string hash_of_text(const privacy::ReleasedFile& output, const RecomputeOptions& options) {
  if (!output.name.ends_with(".gz")) return output.sha256;
  io::TextSource source = io::TextSource::from_file(at_hand(output.name, output.sha256, options));
  privacy::Sha256 hash;
  std::vector<char> room(std::size_t{1} << 16);
  while (const std::size_t some = source.read(room.data(), room.size())) hash.add({room.data(), some});
  return hash.hex();
}

/// Of the first bytes of their text; tells whether there are more.
struct TripsHash {
  std::string sha256;
  bool goes_on = false;
};
TripsHash hash_of_trips(const traces::TripSet& trips, const privacy::ReleasedFile& output,
                        const RecomputeOptions& options, const TraceTerms& terms) {
  const bool is_file = output.name != "-";
  // Standard output may have been cut short, and then the statement tells of what went out.
  std::uint64_t left = is_file ? std::numeric_limits<std::uint64_t>::max()
                               : std::filesystem::file_size(at_hand(output.name, output.sha256, options));
  privacy::Sha256 hash;
  bool goes_on = false;
  traces::write_trips(
      trips, terms.frame, is_file ? traces::trip_format_of(output.name) : traces::TripFormat::csv,
      {.parallel = {.threads = options.threads}, .progress = options.progress}, [&](std::string_view piece) {
        goes_on = goes_on || piece.size() > left;
        piece = piece.substr(0, left);
        left -= piece.size();
        hash.add(piece);
      });
  return {hash.hex(), goes_on};
}

/// The trips follow from the counts, and so whoever wrote them by hand, or chose them among many, has no counts for them.
Check made_again(const privacy::Statement& statement, const RecomputeOptions& options,
                 const TraceTerms& terms) {
  const std::string name = "trips";
  const traces::CountedTrips counts = counts_of(statement, options, terms);
  if (!options.read_map) throw NotAtHand{"they were not made again"};
  const std::uint64_t asked = traces::trips_to_make(terms, counts.known.trips);
  require_limited(options, asked > 0 ? asked : static_cast<std::uint64_t>(counts.known.trips),
                  WorkLimits::made_trips, "trips");
  traces::MakeOptions making{.parallel = {.threads = options.threads}, .progress = options.progress};
  if (options.limited) making.most_points = WorkLimits::made_points;
  const privacy::ReleasedFile& output = statement.outputs.front();
  const std::string released = hash_of_text(output, options);
  const auto again = [&] {
    try {
      return traces::make_trips(counts, terms, rules_at_hand(options, terms), making).trips;
    } catch (const traces::TooManyPoints& error) {
      throw NotAtHand{error.what()};
    }
  };
  const TripsHash anew = hash_of_trips(again(), output, options, terms);
  if (anew.sha256 == released)
    return {
        name, Outcome::passed,
        anew.goes_on
            ? "made again of the counts, they begin with the same bytes: the output was cut short"
            : "made again of the counts, they are those whose hash the statement names, to the last byte"};
  if (statement.version != version)
    return {name, Outcome::not_checked,
            fmt::format("version {} made them, and this is {}, which makes others of the counts",
                        statement.version, version)};
  return {name, Outcome::failed,
          "made again of the counts, they are others: the released ones are not the mechanism's"};
}

}  // namespace

std::vector<Check> recompute_traces(const privacy::Statement& statement, const RecomputeOptions& options) {
  return with_parameters([&]() -> std::vector<Check> {
    const TraceTerms terms = traces::terms_from(statement);
    std::vector<Check> checks{
        check_guarantee(statement, [&] { return terms.guarantee(); }),
        check_words(statement, terms.promise(), terms.not_protected()),
        attempt("released file", [&] { return released_trips(statement, options, terms); }),
        attempt("counts", [&] { return counted(statement, options, terms); }),
        attempt("trips", [&] { return made_again(statement, options, terms); })};
    if (terms.constraints)
      checks.push_back(attempt("constraints", [&] { return obeyed(statement, options, terms); }));
    if (terms.network) checks.push_back(attempt("roads", [&] { return driven(statement, options, terms); }));
    checks.push_back(no_error_expected(statement));
    return checks;
  });
}

std::vector<Check> recompute_published_traces(const privacy::Statement& statement, const RecomputeOptions&) {
  return with_parameters([&]() -> std::vector<Check> {
    const privacy::Statement anew = traces::dpe_draft(traces::dpe_terms_from(statement));
    return {check_guarantee(statement, [&] { return anew.guarantee; }),
            check_words(statement, anew.promise, anew.not_protected), no_error_expected(statement)};
  });
}

}  // namespace fogline::audit
