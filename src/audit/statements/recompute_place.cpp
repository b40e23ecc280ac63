// SPDX-License-Identifier: Apache-2.0
#include "audit/statements/recompute_place.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "audit/engine/exact.hpp"
#include "audit/statements/recompute_parts.hpp"
#include "audit/statements/work_limits.hpp"
#include "base/error.hpp"
#include "place/catalogue.hpp"
#include "place/given_table.hpp"
#include "place/prepared.hpp"
#include "place/prior_file.hpp"
#include "place/range_file.hpp"
#include "place/released_file.hpp"
#include "place/terms.hpp"
#include "privacy/file_hash.hpp"

namespace fogline::audit {
namespace {

using privacy::Check;
using privacy::Outcome;

constexpr double place_tolerance = 1e-6;
constexpr double solver_tolerance = 1e-4;
constexpr double solver_figure_tolerance = 1e-3;  // of what it says of itself, which may be rounded besides
constexpr std::uint64_t most_comparisons = 200'000'000;

class PlaceRecomputation {
 public:
  PlaceRecomputation(const privacy::Statement& statement, const RecomputeOptions& options,
                     place::PlaceTerms terms)
      : statement_(statement),
        options_(options),
        terms_(std::move(terms)),
        kind_(place::mechanism_kind(terms_.mechanism)) {}

  std::vector<Check> run() {
    // In this order: positions and range look at the vertices of the released file, the rest at the mechanism of the right range.
    std::vector<Check> checks{guarantee(), words()};
    checks.push_back(attempt("released file", [&] { return released_file(); }));
    if (terms_.kernel) checks.push_back(attempt("kernel", [&] { return kernel(); }));
    checks.push_back(attempt("positions", [&] { return positions(); }));
    checks.push_back(attempt("range", [&] { return range(); }));
    checks.push_back(attempt("snap distance", [&] { return snap_distance(); }));
    if (has_figures()) checks.push_back(attempt("mechanism", [&] { return mechanism(); }));
    if (kind_.numerical || kind_.from_file) checks.push_back(attempt("table", [&] { return table(); }));
    checks.push_back(attempt("expected error", [&] { return expected_error(); }));
    return checks;
  }

 private:
  Check guarantee() const {
    return check_guarantee(statement_, [&] { return terms_.guarantee(); });
  }

  Check words() const { return check_words(statement_, terms_.promise(), terms_.not_protected()); }

  std::string at_hand(const std::string& name, const std::string& sha256) const {
    return audit::at_hand(name, sha256, options_);
  }

  Check released_file() {
    const std::string name = "released file";
    const auto format = place::released_format(statement_.outputs.front().name);
    if (statement_.outputs.size() > 1 && format != place::ReleasedFormat::csv)
      return {name, Outcome::failed, "it is in parts, which only CSV is drawn in"};
    text_ = released_text(statement_, options_);
    io::TextSource source = text_->open(options_.progress);
    released_ = place::read_released(
        source, format,
        kind_.releases_points() ? place::ReleasedPlaces::points : place::ReleasedPlaces::vertices);
    if (released_->records() != text_->records) {
      return {name, Outcome::failed,
              fmt::format("the statement counts {} records, and it holds {}", text_->records,
                          released_->records())};
    }
    const std::set<std::string> declared(terms_.columns_copied.begin(), terms_.columns_copied.end());
    if (released_->copied_columns != declared) {
      return {name, Outcome::failed, "its columns are not those that the statement says were copied"};
    }
    return {
        name, Outcome::passed,
        fmt::format("{} record{}{}, {}", text_->records, text_->records == 1 ? "" : "s",
                    text_->paths.size() > 1 ? fmt::format(" in {} parts", text_->paths.size()) : "",
                    declared.empty() ? "nothing copied from the input"
                                     : fmt::format("copied from the input: {}", fmt::join(declared, ", ")))};
  }

  /// Everything in the file but the vertices and the copied columns follows from them.
  Check positions() {
    const std::string name = "positions";
    if (!released_) throw NotAtHand{"it needs the released file"};
    if (kind_.releases_points()) return points_of_plane();
    read_map();
    const std::string anew = place::written_anew(*released_, *map_);
    if (privacy::sha256_of_text(anew) != text_->sha256) {
      return {name, Outcome::failed,
              "the released file is not what is written for its vertices: it holds other positions, or more"};
    }
    return {name, Outcome::passed, "written anew from its vertices, the released file is the same"};
  }

  /// Points of the plane are random: they can be read, not computed. Everything else in the file can be.
  Check points_of_plane() const {
    if (privacy::sha256_of_text(place::points_written_anew(*released_)) != text_->sha256) {
      return {
          "positions", Outcome::failed,
          "the released file is not what is written for its points: it holds more, or is written otherwise"};
    }
    return {
        "positions", Outcome::passed,
        "points of the plane, which cannot be computed anew; written anew with them, the released file is "
        "the same"};
  }

  void read_map() {
    if (map_) return;
    if (!prepared_) {
      map_ = network_at_hand(terms_.network, options_);
      return;
    }
    // Who has the network need not take the kernel's word for it.
    try {
      map_ = network_at_hand(terms_.network, options_);
    } catch (const NotAtHand& reason) {
      map_ = prepared_->map;
      why_believed_ = reason.why;
    }
  }

  /// The file of the prepared mechanism, if it is at hand: as little of it is taken for granted as of a statement.
  Check kernel() try {
    const place::PreparedFile file(at_hand(terms_.kernel->name, terms_.kernel->sha256));
    if (file.terms().parameters() != terms_.of_mechanism().parameters() ||
        file.terms().public_inputs() != terms_.of_mechanism().public_inputs())
      return {"kernel", Outcome::failed, "it was prepared from other public things than the statement names"};
    require_limited(options_, file.vertex_count(), WorkLimits::map_vertices, "vertices");
    try {
      file.require_sound({.threads = options_.threads, .progress = options_.progress});
    } catch (const DataError& error) {
      if (error.problem().code == "over-limit") throw;
      return {"kernel", Outcome::failed, error.problem().wrong};
    }
    prepared_ = file.restore(terms_.unit_of_report());
    read_map();
    if (file.names_rule()) why_believed_.clear();  // to be sound it was made anew
    if (!place::is_same_map(*map_, prepared_->map))
      return {"kernel", Outcome::failed, "its map is not that of the network that it names"};
    if (const std::string other = foreign_part(file); !other.empty())
      return {"kernel", Outcome::failed, fmt::format("its {} is not that of the file that it names", other)};
    // A promise for metres of road is as true as the roads are.
    if (!why_believed_.empty())
      throw NotAtHand{fmt::format(
          "whole, and certified on every road of its map; whether that is the map of {}, cannot be told: {}",
          terms_.network.identity(), why_believed_)};
    return {"kernel", Outcome::passed, "whole, and certified on every road of its map"};
  } catch (const DataError& error) {
    if (error.problem().code != "over-limit") throw;
    throw NotAtHand{error.what()};  // whoever asks set the limit
  }

  /// What the kernel holds of a file that it names and that holds something else; empty: nothing. Throws NotAtHand if such a file is not here.
  std::string foreign_part(const place::PreparedFile& file) const {
    const place::MechanismChoice& held = prepared_->choice;
    const place::MechanismChoice named = named_choice();
    if (held.range != named.range) return "range";
    if (held.prior != named.prior) return "prior";
    if (named.table.empty()) return {};
    const place::GivenTable theirs(*map_,
                                   {.epsilon = terms_.epsilon, .file = named.table, .must_hold = false});
    return theirs.is_held_by(file.sections()) ? "" : "table";
  }

  /// From the files that the statement names.
  place::MechanismChoice named_choice() const {
    place::MechanismChoice choice{.name = terms_.mechanism,
                                  .epsilon = terms_.epsilon,
                                  .unit = terms_.unit_of_report(),
                                  .remap = terms_.remap,
                                  .threads = options_.threads,
                                  .progress = options_.progress};
    if (terms_.range)
      choice.range = place::read_range(at_hand(terms_.range->name, terms_.range->sha256), *map_);
    if (terms_.prior)
      choice.prior = place::read_prior(at_hand(terms_.prior->name, terms_.prior->sha256), *map_);
    if (terms_.given_table) choice.table = at_hand(terms_.given_table->name, terms_.given_table->sha256);
    return choice;
  }

  std::uint64_t most_vertices() const {
    if (terms_.mechanism == "optimal") return WorkLimits::solver_vertices;
    if (terms_.remap) return WorkLimits::table_vertices;
    return kind_.numerical ? WorkLimits::kernel_vertices : WorkLimits::map_vertices;
  }

  void build() {
    read_map();
    if (prepared_) {
      prior_ = prepared_->choice.prior;
      mechanism_ = std::move(prepared_->mechanism);
      return;
    }
    require_limited(options_, map_->vertex_count(), most_vertices(), "vertices");
    const place::MechanismChoice choice = named_choice();
    prior_ = choice.prior;
    mechanism_ = place::make_place_mechanism(*map_, choice);
  }

  const place::PlaceMechanism& built() const {
    if (!mechanism_) throw NotAtHand{"it needs the mechanism, which was not built (see range)"};
    return *mechanism_;
  }

  Check range() {
    build();
    if (kind_.releases_points())
      return {"range", Outcome::passed, "points of the plane may be released, wherever they lie"};
    const auto size = mechanism_->on_vertices()->range().size();
    if (size != terms_.range_vertices) {
      mechanism_.reset();  // no use for a long computation of an error that cannot be the right one
      return {
          "range", Outcome::failed,
          fmt::format("{} vertices may be released, and the statement says {}", size, terms_.range_vertices)};
    }
    if (released_ && !within_range(released_->vertices)) {
      return {"range", Outcome::failed, "the released file holds vertices that may not be released"};
    }
    return {"range", Outcome::passed,
            fmt::format("{} of {} vertices may be released{}", size, map_->vertex_count(),
                        released_ ? ", and no others were" : "")};
  }

  Check snap_distance() {
    read_map();
    const roads::SnapDistance anew = roads::snap_distance(map_->graph);
    const roads::SnapDistance& said = terms_.snap;
    if (!near(anew.mean_m, said.mean_m, place_tolerance) ||
        !near(anew.largest_m, said.largest_m, place_tolerance)) {
      return {"snap distance", Outcome::failed,
              fmt::format("it is {:.6g} m in the mean and at most {:.6g}, and the statement says {:.6g} and "
                          "{:.6g}",
                          anew.mean_m, anew.largest_m, said.mean_m, said.largest_m)};
    }
    return {
        "snap distance", Outcome::passed,
        fmt::format("{:.6g} m in the mean and at most {:.6g}, computed anew", anew.mean_m, anew.largest_m)};
  }

  bool within_range(const std::vector<std::string>& vertices) const {
    std::set<std::string> allowed;
    for (const graph::VertexId vertex : mechanism_->on_vertices()->range())
      allowed.insert(roads::name_of(*map_, vertex));
    return std::ranges::all_of(vertices, [&](const std::string& name) { return allowed.contains(name); });
  }

  /// Does it say more of itself than follows from epsilon, which was compared with the parameters?
  bool has_figures() const {
    return kind_.numerical ||
           (kind_.fixed == nullptr ? !kind_.parameters.empty()
                                   : kind_.fixed(terms_.epsilon).size() < kind_.parameters.size());
  }

  bool same(const nlohmann::ordered_json& figure, const nlohmann::ordered_json& said) const {
    if (!figure.is_number_float() || !said.is_number_float()) return figure == said;
    return near(figure.get<double>(), said.get<double>(),
                kind_.numerical ? solver_figure_tolerance : place_tolerance);
  }

  Check mechanism() const {
    const auto own = built().parameters();
    for (const auto& item : own.items()) {
      const auto said = terms_.own.json().find(item.key());
      const nlohmann::ordered_json stated =
          said == terms_.own.json().end() ? nlohmann::ordered_json(nullptr) : *said;
      const std::string differs =
          difference_in_words(item.key(), item.value(), stated,
                              [&](const auto& figure, const auto& told) { return same(figure, told); });
      if (!differs.empty())
        return {"mechanism", Outcome::failed,
                prepared_ ? "in the kernel, " + differs : "built anew, " + differs};
    }
    if (!prepared_) return {"mechanism", Outcome::passed, "built anew, it says the same of itself"};
    return {"mechanism", Outcome::passed,
            built().lower_bound_m() ? "as the kernel says: how its solver ran, only building it anew tells"
                                    : "as the kernel says, whose figures were computed anew"};
  }

  Check table() const {
    const place::VertexMechanism& rebuilt = *built().on_vertices();
    if (!why_believed_.empty()) throw NotAtHand{"it needs the network: the kernel's own map shows nothing"};
    if (!rebuilt.has_rows() ||
        rebuilt.range().size() > most_comparisons / std::max<std::size_t>(1, map_->graph.edge_count())) {
      throw NotAtHand{"too large to be certified here; an audit of the mechanism checks what can be"};
    }
    const ExactVerdict verdict = audit_exactly({.name = terms_.mechanism,
                                                .claim = rebuilt.guarantee(),
                                                .relation = kernel::Relation::metric(map_->graph),
                                                .row = [&](graph::VertexId v) { return rebuilt.row(v); }},
                                               {.threads = options_.threads, .progress = options_.progress});
    if (!verdict.holds) return {"table", Outcome::failed, verdict.sentence};
    return {"table", Outcome::passed,
            fmt::format("{} and certified: on every road it loses at most {:.6g} per metre",
                        prepared_ ? "taken from the kernel" : "built anew", verdict.loss_high)};
  }

  Check expected_error() const {
    if (!statement_.expected_error) {
      return {"expected error", Outcome::failed,
              fmt::format("the statement gives none, and place {} always does", terms_.mechanism)};
    }
    const auto& said = *statement_.expected_error;
    const place::PlaceMechanism& rebuilt = built();
    // By its method it was worked out over a sample, or over everything.
    const bool is_exact = said.method == terms_.stated({.q_loss_m = said.value}).method;
    if (is_exact) require_limited(options_, map_->vertex_count(), WorkLimits::table_vertices, "vertices");
    const auto error = terms_.stated(rebuilt.expected_error(
        {.prior = prior_, .exact = is_exact, .threads = options_.threads, .progress = options_.progress}));
    if (!near(error.value, said.value, kind_.numerical ? solver_tolerance : place_tolerance)) {
      return {"expected error", Outcome::failed,
              fmt::format("it is {:.6g} m, and the statement says {:.6g}", error.value, said.value)};
    }
    if (error.method != said.method || error.unit != said.unit) {
      return {"expected error", Outcome::failed, "its unit or method is not that of the mechanism"};
    }
    return {"expected error", Outcome::passed, fmt::format("{:.6g} m, computed anew", error.value)};
  }

  const privacy::Statement& statement_;
  const RecomputeOptions& options_;
  place::PlaceTerms terms_;
  const place::MechanismKind& kind_;
  std::optional<ReleasedText> text_;  // of the file, or of its parts together
  std::optional<place::ReleasedFile> released_;
  std::optional<roads::RoadNetwork> map_;
  std::string why_believed_;  // why the map is the kernel's own; empty: it is that of the network
  std::vector<double> prior_;
  std::unique_ptr<place::PreparedPlace> prepared_;  // from the kernel
  std::unique_ptr<place::PlaceMechanism> mechanism_;
};

}  // namespace

std::vector<Check> recompute_place(const privacy::Statement& statement, const RecomputeOptions& options) {
  return with_parameters(
      [&] { return PlaceRecomputation(statement, options, place::terms_from(statement)).run(); });
}

}  // namespace fogline::audit
