// SPDX-License-Identifier: Apache-2.0
#include "traces/paper/dpe_terms.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "fogline/version.hpp"

namespace fogline::traces {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto read_from_trips = "read from the trips";
constexpr std::uint64_t longest_span_s = 1'000'000'000'000, most_small = 100'000;

double span_of(const TripSet& trips) {
  if (!trips.has_time()) return 0;
  const auto [first, last] = std::ranges::minmax_element(trips.t);
  return static_cast<double>(*last - *first);
}

TripEnds ends_from(std::string_view text) {
  for (const TripEnds ends : {TripEnds::kept, TripEnds::trimmed})
    if (to_string(ends) == text) return ends;
  throw InvalidOption("ends", "must be kept or trimmed");
}

/// Lowest and highest of a column, outwards to a grid of 1 or 10^-5, and apart if all are one.
std::pair<double, double> reach(const std::vector<double>& column, double grid) {
  const auto [low, high] = std::ranges::minmax_element(column);
  const double first = std::floor(*low / grid) * grid, last = std::ceil(*high / grid) * grid;
  return {first, last > first ? last : first + grid};
}

}  // namespace

std::string_view to_string(TripEnds ends) {
  return ends == TripEnds::kept ? "kept" : "trimmed";
}

Dpe::Options DpeTerms::options(const TripSet& trips, const Frame& around) const {
  return {.epsilon = epsilon.value().to_double(),
          .diameter_m = std::hypot(around.width_m(), around.height_m()),
          .time_span_s = time_span_s ? static_cast<double>(*time_span_s) : span_of(trips),
          .dimensions = dimensions,
          .learning_rate = learning_rate.to_double(),
          .steps = static_cast<int>(steps),
          .ends = ends};
}

void DpeTerms::declare(privacy::ParameterTable& table) {
  table.value("claimed_epsilon", epsilon, "the paper's, which is not kept");
  std::string area = frame ? frame->text() : read_from_trips;
  bool plane = frame && frame->unit() == Frame::Unit::metres;
  table.value("area", area, "the public box, unless it was read from the trips");
  const bool is_public = area != read_from_trips;
  table.when(is_public).value("plane", plane, "whether the box is in metres");
  if (table.reads() && is_public)
    frame = Frame::parse(area, plane ? Frame::Unit::metres : Frame::Unit::degrees);
  table.value("time_span_s", time_span_s, "the public span of the times, unless it was read from them");
  table.value("steps", steps, "of the embedding", {0, most_small});
  table.value("learning_rate", learning_rate, "of the embedding");
  table.optional().value("dimensions", dimensions, "of the embedding, unless it chose them", {0, most_small});
  table.word("ends", ends, ends_from, "`kept` or `trimmed`");
}

nlohmann::ordered_json DpeTerms::parameters() const {
  return privacy::parameters_of(*this);
}

DpeTerms dpe_terms_from(const privacy::Statement& statement) {
  const Json& parameters = statement.parameters.json();
  if (statement.kind != "traces" || statement.mechanism != dpe_name)
    throw InvalidOption("mechanism", "is not dpe of kind traces");
  DpeTerms terms{.epsilon = {1, 1}};
  privacy::read_parameters(parameters, terms);
  if (terms.time_span_s && *terms.time_span_s > longest_span_s)
    throw InvalidOption("time_span_s", "must be at most 10^12");
  const Dpe checked({.epsilon = terms.epsilon.value().to_double(),
                     .diameter_m = 1,
                     .dimensions = terms.dimensions,
                     .learning_rate = terms.learning_rate.to_double(),
                     .steps = static_cast<int>(terms.steps)});  // throws for what is out of range
  privacy::require_spelling(parameters, terms.parameters());
  if (!statement.public_inputs.empty())
    throw InvalidOption("public_inputs", "hold a file; a release of the paper's trips has none");
  return terms;
}

privacy::Statement dpe_draft(const DpeTerms& terms) {
  std::vector<std::string> not_protected{
      "Anything: this is the paper's form, for comparison. Its trips are the private ones, each moved a "
      "little, in the same order; the more trips there are the less they are moved.",
      "The number of trips, and which trip of the output stands for which person's."};
  if (terms.ends == TripEnds::trimmed)
    not_protected.emplace_back("The number of points of each trip, which is that of the private one.");
  if (!terms.frame)
    not_protected.emplace_back("The area, which was read from the private trips and set the noise.");
  return {.kind = "traces",
          .mechanism = std::string(dpe_name),
          .form = privacy::Form::published,
          .guarantee = privacy::Guarantee::none("one trip", std::string(dpe_reason())),
          .parameters = terms.parameters(),
          .public_inputs = {},
          .outputs = {},
          .ledger = privacy::NoLedgerEntry{"not charged yet"},
          .version = std::string(version),
          .randomness = random::Source::operating_system,
          .expected_error = std::nullopt,
          .not_protected = std::move(not_protected),
          .promise = {fmt::format("Nothing is promised. The paper claims differential privacy at epsilon {} "
                                  "for one trip, but {}.",
                                  terms.epsilon.value().to_string(), dpe_reason())}};
}

Frame frame_around(const mobility::Trips& trips) {
  if (trips.point_count() == 0)
    throw DataError({trips.source}, "has no points", "give trips of two points or more");
  const double grid = trips.plane ? 1 : 1e-5;
  const auto [west, east] = reach(trips.lon, grid);
  const auto [south, north] = reach(trips.lat, grid);
  return Frame::parse(fmt::format("{:.6f},{:.6f},{:.6f},{:.6f}", west, south, east, north),
                      trips.plane ? Frame::Unit::metres : Frame::Unit::degrees);
}

}  // namespace fogline::traces
