// SPDX-License-Identifier: Apache-2.0
#include "audit/statements/recompute_traces.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "audit/statements/recompute_parts.hpp"
#include "io/gzip.hpp"
#include "io/input_file.hpp"
#include "mobility/trips.hpp"
#include "traces/paper/dpe_terms.hpp"
#include "traces/released_file.hpp"
#include "traces/roads/legal_paths.hpp"
#include "traces/rules/constraints_file.hpp"
#include "traces/terms.hpp"

namespace fogline::audit {
namespace {

using privacy::Check;
using privacy::Outcome;
using traces::TraceTerms;

/// Could something stand in the file beside these bytes of text: names in a packed file's header, further members, carriage returns?
bool holds_the_text_alone(const std::string& file, const std::string& name, std::uint64_t bytes) {
  if (!name.ends_with(".gz")) return std::filesystem::file_size(file) == bytes;
  std::ifstream in(file, std::ios::binary);
  const std::string packed{std::istreambuf_iterator<char>(in), {}};
  if (!io::is_bare_gzip(packed)) return false;
  io::TextSource source = io::TextSource::from_memory(name, packed);
  std::vector<char> room(std::size_t{1} << 16);
  std::uint64_t size = 0;
  while (const std::size_t some = source.read(room.data(), room.size())) size += some;
  return size == bytes;
}

Check released_trips(const privacy::Statement& statement, const RecomputeOptions& options,
                     const TraceTerms& terms) {
  const std::string name = "released file";
  if (statement.outputs.size() != 1)
    return {name, Outcome::failed,
            fmt::format("the statement names {} files, not one", statement.outputs.size())};
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

}  // namespace

std::vector<Check> recompute_traces(const privacy::Statement& statement, const RecomputeOptions& options) {
  return with_parameters([&]() -> std::vector<Check> {
    const TraceTerms terms = traces::terms_from(statement);
    std::vector<Check> checks{
        check_guarantee(statement, [&] { return terms.guarantee(); }),
        check_words(statement, terms.promise(), terms.not_protected()),
        attempt("released file", [&] { return released_trips(statement, options, terms); })};
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
