// SPDX-License-Identifier: Apache-2.0
#include "place/prepared.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "fogline/version.hpp"
#include "place/free_answer.hpp"
#include "roads/read_network.hpp"
#include "roads/snap_distance.hpp"
#include "roads/spacing.hpp"

namespace fogline::place {
namespace {

using Json = nlohmann::ordered_json;

/// With the number of its format. Whoever changes what a file holds, or what a mechanism makes of the same options, raises it.
constexpr std::string_view kernel_form = "fogline-kernel 2";

/// Plane coordinates that were computed elsewhere differ by less.
constexpr double plane_tolerance_m = 1e-6;
/// Quantiles are told to the metre, and a last digit may tip one over.
constexpr double quantile_tolerance_m = 1.001;

/// A map of so many vertices is made from its rule in a moment, whoever asks.
constexpr std::uint64_t made_at_once = 10'000;

/// Those that are taken into memory.
constexpr std::string_view copied_sections[] = {"about",         "map_position", "map_name", "map_label",
                                                "map_label_end", "plane_point",  "range",    "prior"};

template <class Number>
std::vector<Number> copy_of(std::span<const Number> numbers) {
  return {numbers.begin(), numbers.end()};
}

Json to_json(const privacy::PublicInput& input) {
  return {{"name", input.name}, {"sha256", input.sha256}, {"specification", input.specification}};
}

privacy::PublicInput input_from(const Json& json) {
  return {json.at("name").get<std::string>(), json.at("sha256").get<std::string>(),
          json.at("specification").get<std::string>()};
}

Json to_json(const ExpectedError& error) {
  return {{"q_loss_m", error.q_loss_m},
          {"standard_error_m", error.standard_error_m},
          {"vertices_used", error.vertices_used},
          {"median_m", error.median_m ? Json(*error.median_m) : Json()},
          {"p95_m", error.p95_m ? Json(*error.p95_m) : Json()},
          {"straight", error.straight}};
}

std::optional<double> number_or_nothing(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

ExpectedError error_from(const Json& json) {
  return {.q_loss_m = json.at("q_loss_m").get<double>(),
          .standard_error_m = json.at("standard_error_m").get<double>(),
          .vertices_used = json.at("vertices_used").get<std::size_t>(),
          .straight = json.at("straight").get<bool>(),
          .median_m = number_or_nothing(json.at("median_m")),
          .p95_m = number_or_nothing(json.at("p95_m"))};
}

/// Is what was found what was said? What was worked out over every output has no standard error, though what is found over every vertex may.
bool is_told(const ExpectedError& found, const ExpectedError& said) {
  const auto is_same = [](const std::optional<double>& a, const std::optional<double>& b) {
    return a.has_value() == b.has_value() && (!a || std::abs(*a - *b) <= quantile_tolerance_m);
  };
  return is_near_figure(found.q_loss_m, said.q_loss_m) && found.vertices_used == said.vertices_used &&
         (said.is_exact() ||
          (!found.is_exact() && is_near_figure(found.standard_error_m, said.standard_error_m))) &&
         found.straight == said.straight && is_same(found.median_m, said.median_m) &&
         is_same(found.p95_m, said.p95_m);
}

/// Through the statement that such terms would have, so that they are read back as strictly as from one.
Json about(const PreparedPlace& prepared, const PlaceTerms& terms) {
  Json inputs = Json::array();
  for (const privacy::PublicInput& input : terms.public_inputs()) inputs.push_back(to_json(input));
  return {{"program", version},
          {"mechanism", terms.mechanism},
          {"parameters", terms.parameters()},
          {"public_inputs", std::move(inputs)},
          {"source", prepared.map.source},
          {"expected_error", to_json(prepared.error)},
          {"free_error_m", prepared.free_error_m ? Json(*prepared.free_error_m) : Json()}};
}

void store_map(const roads::RoadNetwork& map, const roads::Snapper& snapper, io::SectionWriter& file) {
  const graph::Graph::Rows rows = map.graph.rows();
  file.add("map_first_arc", rows.first_arc);
  file.add("map_arc", rows.arcs);
  file.add("map_position", std::span<const geometry::LonLat>(map.position));
  file.add("map_name", std::span<const std::int64_t>(map.vertex_name));
  std::string labels;
  std::vector<std::uint64_t> label_end;
  for (const std::string& label : map.vertex_label) {
    labels += label;
    label_end.push_back(labels.size());
  }
  file.add_text("map_label", labels);
  file.add("map_label_end", label_end);
  file.add("plane_centre", std::vector<geometry::LonLat>{snapper.plane_centre()});
  file.add("plane_point", snapper.plane_points());
}

}  // namespace

const roads::Snapper& PreparedPlace::snapper() {
  if (!kept_snapper) kept_snapper.emplace(map);
  return *kept_snapper;
}

std::unique_ptr<PreparedPlace> prepare_place(roads::RoadNetwork map, const MechanismChoice& choice,
                                             const PrepareOptions& options) {
  auto prepared = std::make_unique<PreparedPlace>();
  prepared->map = std::move(map);
  prepared->choice = choice;
  prepared->choice.threads = options.threads;
  prepared->choice.progress = options.progress;
  prepared->mechanism = make_place_mechanism(prepared->map, prepared->choice);
  prepared->error = prepared->mechanism->expected_error({.prior = choice.prior,
                                                         .exact = options.exact_error,
                                                         .threads = options.threads,
                                                         .progress = options.progress});
  prepared->free_error_m = free_error_m(prepared->map, choice.prior, prepared->error);
  return prepared;
}

void write_prepared(const std::string& path, PreparedPlace& prepared, PlaceTerms terms,
                    const io::SectionWriter::Options& options) {
  if (mechanism_kind(prepared.mechanism->name()).restore == nullptr)
    throw InvalidOption("mechanism", fmt::format("{} needs no preparing", prepared.mechanism->name()));
  terms = terms.of_mechanism();
  terms.take(*prepared.mechanism);
  io::SectionWriter file{std::string(kernel_form)};
  file.add_text("about", about(prepared, terms).dump());
  store_map(prepared.map, prepared.snapper(), file);
  file.add("range", std::span<const graph::VertexId>(prepared.choice.range));
  file.add("prior", std::span<const double>(prepared.choice.prior));
  prepared.mechanism->store(file);
  file.write(path, options);
}

bool is_same_map(const roads::RoadNetwork& a, const roads::RoadNetwork& b) {
  return a.position == b.position && a.vertex_name == b.vertex_name && a.vertex_label == b.vertex_label &&
         a.graph.edges() == b.graph.edges();
}

PreparedFile::PreparedFile(const std::string& path) try : file_(path, kernel_form) {
  if (file_.size() > limits_.bytes) io::refuse_over(&io::ReadLimits::bytes, limits_.bytes, {path});
  if (vertex_count() > limits_.records) io::refuse_over(&io::ReadLimits::records, limits_.records, {path});
  std::uint64_t held = 0;  // the rest stays in the file
  for (const std::string_view name : copied_sections) held += file_.size_of(name);
  if (held > limits_.memory) io::refuse_over(&io::ReadLimits::memory, limits_.memory, {path});
  const Json told = Json::parse(file_.text("about"));
  std::vector<privacy::PublicInput> inputs;
  for (const Json& input : told.at("public_inputs")) inputs.push_back(input_from(input));
  terms_ = terms_from(told.at("mechanism").get<std::string>(), told.at("parameters"), std::move(inputs));
  source_ = told.at("source").get<std::string>();
  error_ = error_from(told.at("expected_error"));
  free_error_m_ = number_or_nothing(told.at("free_error_m"));
  if (terms_->parameters() != terms_->of_mechanism().parameters())
    throw DataError({path}, "says of itself what only a release can", "prepare it again");
  if (std::ranges::any_of(source_, [](char byte) { return byte >= 0 && byte < ' '; }))
    throw DataError({path}, "has a network whose name nobody can read", "prepare it again");
  if (told.at("program").get<std::string>() != version)
    throw DataError({path}, "was prepared by another version of the program", "prepare it again");
} catch (const nlohmann::json::exception&) {
  throw DataError({path}, "does not say what it is, as this version writes it", "prepare it again");
} catch (const InvalidOption& error) {
  throw DataError({path}, fmt::format("says of itself what cannot be: {}", error.what()), "prepare it again");
}

void PreparedFile::refuse(const std::string& why) const {
  throw DataError({file_.path()}, why, "prepare it again, and do not release with it");
}

bool PreparedFile::names_rule() const {
  return terms_->network.inputs.front().sha256.empty();
}

roads::RoadNetwork PreparedFile::map() const {
  roads::RoadNetwork map;
  map.source = source_;
  try {
    map.graph = graph::Graph::from_rows(
        {file_.numbers<std::uint32_t>("map_first_arc"), file_.numbers<graph::Arc>("map_arc")},
        file_.mapping());
  } catch (const InvalidOption& error) {
    refuse(fmt::format("holds what cannot be: {}", error.what()));
  }
  map.position = copy_of(file_.numbers<geometry::LonLat>("map_position"));
  map.vertex_name = copy_of(file_.numbers<std::int64_t>("map_name"));
  const std::string_view labels = file_.text("map_label");
  for (std::uint64_t begin = 0; const std::uint64_t end : file_.numbers<std::uint64_t>("map_label_end")) {
    if (end < begin || end > labels.size()) refuse("has damaged names of vertices");
    map.vertex_label.emplace_back(labels.substr(begin, end - begin));
    begin = end;
  }
  const std::size_t n = map.vertex_count();
  const auto is_one_each = [&](std::size_t size) { return size == 0 || size == n; };
  if (n == 0 || map.graph.vertex_count() != n || !is_one_each(map.vertex_name.size()) ||
      !is_one_each(map.vertex_label.size()))
    refuse("holds a map that does not fit together");
  // Before anything searches along them: a road that leads nowhere would lead out of memory.
  if (!map.graph.is_sound()) refuse("holds a map whose roads do not fit together");
  return map;
}

std::unique_ptr<PreparedPlace> PreparedFile::restore(const std::string& unit) const {
  auto prepared = std::make_unique<PreparedPlace>();
  prepared->map = map();
  const auto centre = file_.numbers<geometry::LonLat>("plane_centre");
  const auto points = file_.numbers<geometry::PointXY>("plane_point");
  if (points.size() != prepared->map.vertex_count() || centre.size() != 1)
    refuse("holds a map that does not fit together");
  prepared->kept_snapper.emplace(centre.front(), copy_of(points));
  prepared->choice = {.name = terms_->mechanism,
                      .epsilon = terms_->epsilon,
                      .unit = unit,
                      .range = copy_of(file_.numbers<graph::VertexId>("range")),
                      .prior = copy_of(file_.numbers<double>("prior")),
                      .remap = terms_->remap};
  try {
    prepared->mechanism = restore_mechanism(prepared->map, prepared->choice, file_);
  } catch (const InvalidOption& error) {
    refuse(fmt::format("holds what cannot be: {}", error.what()));
  }
  prepared->error = error_;
  prepared->free_error_m = free_error_m_;
  return prepared;
}

void PreparedFile::require_plane(const roads::RoadNetwork& map, const roads::Snapper& snapper) const {
  if (!std::ranges::all_of(map.position, geometry::is_valid)) refuse("holds positions that are none");
  if (snapper.plane_centre() != roads::Snapper(map).plane_centre())
    refuse("holds another plane than its map's");
  const geometry::LocalProjection plane(snapper.plane_centre());
  const auto points = snapper.plane_points();
  for (std::size_t v = 0; v < points.size(); ++v) {
    if (!(geometry::distance_m(plane.forward(map.position[v]), points[v]) <= plane_tolerance_m))
      refuse("lays vertices where they are not");
  }
}

void PreparedFile::require_made_by_rule(const roads::RoadNetwork& map) const {
  if (!names_rule()) return;
  const std::string& rule = terms_->network.inputs.front().specification;
  const graph::LengthMm spacing_mm = terms_->network.reading.spacing_mm;
  const char* const other = "holds another map than the one of the network that it names";
  // A short text can name a huge map: it is made if it is no larger than this one, or small. Of cities and valleys only is known how many
  // vertices they have at most.
  if (roads::specified_vertices(rule) > std::max<std::uint64_t>(map.vertex_count(), made_at_once))
    refuse(other);
  roads::RoadNetwork made = roads::make_network(rule);
  if (spacing_mm > 0) {
    if (roads::spaced_vertex_count(made, spacing_mm) != map.vertex_count()) refuse(other);
    made = roads::spaced(std::move(made), spacing_mm);
  }
  if (!is_same_map(made, map)) refuse(other);
}

void PreparedFile::require_figures(const PreparedPlace& prepared, const RuleCertificate& certificate,
                                   const PrepareOptions& options) const {
  const roads::SnapDistance snap = roads::snap_distance(prepared.map.graph);
  if (!is_near_figure(snap.mean_m, terms_->snap.mean_m) ||
      !is_near_figure(snap.largest_m, terms_->snap.largest_m))
    refuse("says of its roads what is not so");
  // An error over every vertex of a large map is worked out alike: searches over the whole map from each of them would take hours.
  const bool is_small = prepared.map.vertex_count() <= ErrorOptions::exact_up_to;
  const ErrorOptions how{.prior = prepared.choice.prior,
                         .exact = error_.is_exact() && is_small,
                         .work = error_.is_exact() ? ErrorOptions::every_vertex : ErrorOptions{}.work,
                         .threads = options.threads,
                         .progress = options.progress};
  const ExpectedError error = prepared.mechanism->expected_error(how);
  if (!is_told(error, error_)) refuse("errs farther or less than it says");
  if (!prepared.mechanism->fits({error, certificate, how})) refuse("says of its mechanism what is not so");
  const auto free = free_error_m(prepared.map, prepared.choice.prior, error_);
  if (free.has_value() != free_error_m_.has_value() || (free && !is_near_figure(*free, *free_error_m_)))
    refuse("says of the answer that costs nothing what is not so");
}

void PreparedFile::require_sound(const PrepareOptions& options) const {
  file_.require_whole();
  time_.require_left(file_.path());
  const auto prepared = restore("one report");
  require_plane(prepared->map, prepared->snapper());
  require_made_by_rule(prepared->map);
  time_.require_left(file_.path());
  if (!prepared->mechanism->is_as_found()) refuse("holds a mechanism that does not fit its map");
  time_.require_left(file_.path());
  const RuleCertificate certificate =
      prepared->mechanism->certify_rule({.threads = options.threads, .progress = options.progress});
  if (!certificate.available) refuse(fmt::format("cannot be certified: {}", certificate.rule));
  if (!certificate.holds) refuse("does not keep the promise that it names");
  if (prepared->mechanism->parameters() != terms_->own.json() ||
      prepared->mechanism->on_vertices()->range().size() != terms_->range_vertices)
    refuse("says of its mechanism what is not so");
  time_.require_left(file_.path());
  require_figures(*prepared, certificate, options);
  time_.require_left(file_.path());
}

}  // namespace fogline::place
